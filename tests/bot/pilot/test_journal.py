"""The journal survives a kill within a line, and only one process at a time writes it."""

from pathlib import Path

import pytest

from bot.pilot.journal import Busy, Journal, only_one


def test_a_torn_line_counts_as_never_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.add("started", key="a")
    with journal.path.open("ab") as file:
        file.write(b'{"event": "ended", "ke')
    journal.add("lost", key="a")
    assert [(entry["event"], entry["key"]) for entry in journal.entries()] == [("started", "a"), ("lost", "a")]


@pytest.mark.parametrize("line", [b"\xff\xfe\n", b"[]\n", b"7\n", b'{"event": 3}\n', b"\n\n", b"{}\n"])
def test_other_lines_are_no_entries(line: bytes, tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.path.write_bytes(line)
    journal.add("started", key="a")
    assert len(journal.entries()) == 1


def test_one_at_a_time(tmp_path: Path) -> None:
    with only_one(tmp_path), pytest.raises(Busy), only_one(tmp_path):
        pytest.fail("both had it")
    with only_one(tmp_path):
        pass
