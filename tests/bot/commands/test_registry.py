"""Commands are found without the engine, and a mistaken name finds the one that was meant."""

import subprocess
import sys

import pytest

from bot.commands.registry import COMMANDS, REGISTRY, find, nearest
from bot.grammar import commands_in
from bot.render.messages import catalogue
from tests.shared import ROOT


def test_looking_up_a_command_loads_no_engine() -> None:
    script = (
        "import sys; from bot.commands.registry import find; assert find('compare');"
        "heavy = {'numpy', 'scipy', 'openpyxl', 'scoring.analysis', 'bot.render.workbook'} & sys.modules.keys();"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True)


@pytest.mark.parametrize(
    ("meant", "written"),
    [
        ("compare", "compera"), ("compare", "comapre"), ("compare", "Compare"), ("whatif", "what-if"),
        ("plan", "plna"), ("help", "hlep"), (None, "deploy"), (None, "x" * 5000), (None, ""),
    ],
)  # fmt: skip
def test_nearest(meant: str | None, written: str) -> None:
    assert nearest(written) == meant
    assert find(written) is None


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.name)
def test_a_command_describes_itself(command: object) -> None:
    known = REGISTRY[command.name]  # type: ignore[attr-defined]
    assert known is command
    assert known.usage.startswith(f"/{known.name}")
    assert "`" not in known.usage
    assert f"summary.{known.name}" in catalogue("en", "bot")
    for example in known.examples:
        assert [c.name for c in commands_in(example)] == [known.name]
