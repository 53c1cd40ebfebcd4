"""A short `steelyard bench intake`: every delivery is answered while a file is parsed; no time is judged here."""

import re

import pytest

from bot.cli import main


def test_deliveries_are_answered_while_a_file_is_parsed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--connections", "4", "--seconds", "1", "--attachment-mb", "2", "--body-kb", "8")
    assert main(["bench", "intake", *arguments]) in (0, 1)
    shown = capsys.readouterr().out
    assert "errors 0" in shown.splitlines()
    counts = dict(re.findall(r"^(while it is parsed|afterwards) +([0-9]+) ", shown, re.MULTILINE))
    assert counts.keys() == {"while it is parsed", "afterwards"}
    assert all(int(count) > 0 for count in counts.values())
