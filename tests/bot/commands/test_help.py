"""/help and mistakes: made from the registry, with the nearest match."""

from pathlib import Path

import pytest

from bot.commands.registry import COMMANDS
from bot.dossier import Outcome
from tests.bot.commands.dossiers import answered, dossier


def test_help_lists_every_command_with_its_usage(tmp_path: Path) -> None:
    answer = answered(dossier("/help", tmp_path))
    assert answer.outcome is Outcome.SAID
    assert [line.split("`")[1] for line in answer.body.splitlines() if line.startswith("- ")] == [
        c.usage for c in COMMANDS
    ]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.name)
@pytest.mark.parametrize("slash", ["", "/"])
def test_help_of_one_has_its_examples(command: object, slash: str, tmp_path: Path) -> None:
    name, examples = command.name, command.examples  # type: ignore[attr-defined]
    answer = answered(dossier(f"/help {slash}{name}", tmp_path))
    assert "```\n" + "\n".join(examples) + "\n```" in answer.body


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("/compera pilot.csv", "`/compera` is no command. Did you mean `/compare`?"),
        ("/deploy", "`/deploy` is no command."),
        ("/help whatfi", "`/whatfi` is no command. Did you mean `/whatif`?"),
    ],
)
def test_an_unknown_command_gets_the_nearest_and_the_list(text: str, told: str, tmp_path: Path) -> None:
    answer = answered(dossier(text, tmp_path))
    assert answer.outcome is Outcome.REFUSED
    assert told in answer.body.splitlines()
    assert all(c.usage in answer.body for c in COMMANDS)
