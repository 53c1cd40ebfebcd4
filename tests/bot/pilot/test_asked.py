"""The command that the kit's comment ends in says the settings of the pilot's own file, as the bot will read them."""

from pathlib import Path

import pytest

from bot.commands.arguments import arguments_of
from bot.grammar import commands_in
from bot.pilot.asked import as_pairs, asked_with, command_line
from scoring.model.settings import Settings
from scoring.reading.posted import PostedFile
from scoring.settings_file import apply_overrides, read_settings
from tests.shared import ROOT

FILES = sorted((ROOT / "samples").glob("*/steelyard.yml"))


def read(path: Path) -> Settings:
    settings, problems = read_settings(PostedFile.from_path(path))
    assert problems == []
    return settings


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_the_bot_reads_the_same_settings_out_of_the_comment(path: Path) -> None:
    settings = read(path)
    asked = as_pairs(settings)
    (command,) = commands_in(f"12 runs\n\n{command_line(asked)}\n")
    told = arguments_of(command)
    assert (command.name, told.paths, told.problems) == ("compare", (), ())
    again, problems = apply_overrides(Settings(), told.pairs)
    assert problems == []
    wanted = settings.model_dump(exclude=set(asked.left))
    assert again.model_dump(exclude=set(asked.left)) == wanted


def test_what_no_command_can_say_is_named(tmp_path: Path) -> None:
    path = tmp_path / "steelyard.yml"
    path.write_text(
        'workload: "a\\"b"\nrates: [{source: EUR, target: USD, rate: 1.1, on: 2026-12-31}]\nbaseline: gpu\n',
        encoding="utf-8",
    )
    assert as_pairs(read(path)) == asked_with(str(path), (), read(path))
    assert as_pairs(read(path)).left == ("rates", "workload")
    assert as_pairs(read(path)).pairs == ("baseline=gpu",)


@pytest.mark.parametrize("config", [None, ".github/steelyard.yml"])
def test_what_the_bot_reads_itself_is_not_said_again(config: str | None) -> None:
    settings = Settings.model_validate({"baseline": "gpu", "candidate": "trn2"})
    assert asked_with(config, ("candidate=trn2",), settings).pairs == ("candidate=trn2",)
