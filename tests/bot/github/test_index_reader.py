"""An index that is read line by line is what it is when it is read as a whole, whatever was done to the file."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.github.index import BrokenIndex, Entry, Index
from bot.github.index_reader import IndexReader

ENTRIES = tuple(
    Entry(issue=n, seq=1, quarter="2027Q1", place=f"c{n}", workload=f"wörk “{n}”\n", sha256={"memo.xlsx": "0" * 64})
    for n in range(1, 6)
)
WHOLE = Index(entries=ENTRIES).written()


def outcome(read: object, data: bytes) -> object:
    try:
        return read(data)  # type: ignore[operator]
    except BrokenIndex as failure:
        return str(failure)


PIECES = st.sampled_from(
    [b"", b"\n", b",", b"]}", b"{", b"\r", b'"', b" ", b"\xff", b"\x00", b"[" * 5_000, b"null,\n", b'"issue": 2',
     b'  {"issue": 9, "seq": 1, "quarter": "2027Q1", "place": "c9"},\n', b'{"issue": 0},\n', b"\\ud800"]
)  # fmt: skip


@given(st.integers(0, len(WHOLE)), st.integers(0, 400), PIECES)
def test_a_changed_file_is_read_or_refused_as_a_whole_file_is(at: int, cut: int, piece: bytes) -> None:
    reader, changed = IndexReader(), WHOLE[:at] + piece + WHOLE[at + cut :]
    assert reader.read(WHOLE).entries == ENTRIES
    assert outcome(reader.read, changed) == outcome(Index.read, changed)
    assert reader.read(WHOLE).entries == ENTRIES, "what was refused is not remembered"


@given(st.lists(st.sampled_from(WHOLE.split(b"\n")), max_size=9))
def test_lines_that_are_left_out_doubled_or_moved(lines: list[bytes]) -> None:
    reader, changed = IndexReader(), b"\n".join(lines)
    reader.read(WHOLE)
    assert outcome(reader.read, changed) == outcome(Index.read, changed)


def test_lines_that_were_read_before_are_not_read_anew() -> None:
    reader = IndexReader()
    first = reader.read(WHOLE)
    grown = reader.read(first.with_entry(Entry(issue=3, seq=2, quarter="2027Q2", place="c77")).written())
    assert [e.place for e in grown.entries] == ["c1", "c2", "c3", "c77", "c4", "c5"]
    assert [e for e in grown.entries if e.place != "c77"] == list(first.entries)
    assert all(a is b for a, b in zip(first.entries, [e for e in grown.entries if e.place != "c77"], strict=True))


@pytest.mark.parametrize("written", [json.dumps(json.loads(WHOLE)), json.dumps(json.loads(WHOLE), indent=2)])
def test_a_file_that_somebody_wrote_otherwise_is_read_too(written: str) -> None:
    assert IndexReader().read(written.encode()).entries == ENTRIES


def test_nesting_beyond_the_interpreter_is_a_broken_index() -> None:
    with pytest.raises(BrokenIndex, match="no JSON"):
        Index.read(b"[" * 100_000)
