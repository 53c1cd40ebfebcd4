"""A short `steelyard bench page`: every page is given, and the ledger is read at most once for a change."""

import re

import pytest

from bot.cli import main


def test_readers_are_answered_while_the_ledger_grows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.bench.page.CHANGE_S", 0.5)
    assert main(["bench", "page", "--decisions", "60", "--readers", "3", "--seconds", "1.5"]) in (0, 1)
    shown = capsys.readouterr().out
    assert "errors 0" in shown.splitlines()
    counts = dict(re.findall(r"^(pausing|never pausing) .*? +([0-9]+) +[0-9.]+ ", shown, re.MULTILINE))
    assert counts.keys() == {"pausing", "never pausing"} and all(int(count) > 0 for count in counts.values())
    changes, read = re.findall(r"^([0-9]+) changes of the ledger, its index read ([0-9]+) times", shown, re.MULTILINE)[
        0
    ]
    assert 0 < int(changes) and int(read) <= int(changes)
