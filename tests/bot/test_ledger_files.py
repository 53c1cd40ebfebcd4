"""The files of a ledger that a review asks for: those that exist, once; of too many decisions the last ones."""

from pathlib import Path

import pytest

from bot.dossier import Spooled
from bot.github.gitdata import Branch
from bot.github.index import Entry, Index
from bot.github.ledger import Ledger
from bot.github.outcomes import path_of as outcomes_path
from bot.github.sign_offs import path_of
from bot.github.spool import Spool
from bot.ledger_entries import newest
from bot.ledger_files import LedgerFiles
from scoring.review.quarter import Quarter
from tests.bot.github.world import World
from tests.e2e.faults import Asked, Said

NEXT = Quarter(year=2027, number=1)


def entry(issue: int, day: str = "2026-11-01", seq: int = 1) -> Entry:
    return Entry(
        issue=issue, seq=seq, quarter="2026Q4", place=f"c{10 * issue + seq}", decided_on=day, files=("decision.json",)
    )


ENTRIES = (entry(1), entry(2), entry(3))
FILES = {
    "index.json": Index(entries=ENTRIES).written(),
    **{f"{one.folder}/decision.json": f"record {one.issue}".encode() for one in ENTRIES},
    path_of(2): b"signed 2",
    outcomes_path(3): b"told 3",
    "reviews/2026Q2/review.json": b"review of 2026Q2",
    "reviews/2026Q3/review.json": b"review of 2026Q3",
}


def partly(asked: Asked) -> Said | None:
    """GitHub lists a part of a large tree only, and says so."""
    there = {"sha": "0" * 40, "tree": [], "truncated": True}
    return Said.of(200, there) if "/git/trees/" in asked.path and asked.method == "GET" else None


@pytest.mark.parametrize("is_partly", [False, True])
def test_what_exists_is_read_however_much_of_a_tree_is_listed(world: World, tmp_path: Path, is_partly: bool) -> None:
    branch = Branch(world.straight("olga"), world.repository, "steelyard")
    branch.commit(None, "a ledger", FILES)
    if is_partly:
        world.github.handlers = (partly, *world.github.handlers)

    def read() -> tuple[dict[str, bytes], list[str]]:
        ledger = Ledger(world.bot(), world.repository)
        index = ledger.index()
        world.github.asked.clear()
        files = LedgerFiles(world.repository, ledger, Spool(tmp_path))
        found: list[Spooled] = [*files.of(index, index.entries[:2]), *files.before(NEXT)]
        asked = [path.rpartition("/contents/")[2] for path in world.github.routes() if "/contents/" in path]
        return {one.name: one.path.read_bytes() for one in found}, asked

    found, asked = read()
    wanted = ["index.json", *(f"{one.folder}/decision.json" for one in ENTRIES[:2]), path_of(2)]
    assert sorted(found) == sorted([*wanted, "reviews/2026Q3/review.json"])
    assert Index.read(found.pop("index.json")).entries == ENTRIES
    assert all(data == FILES[path] for path, data in found.items())
    assert (outcomes_path(1) in asked, path_of(1) in asked) == (is_partly, is_partly)
    assert len(asked) == (8 if is_partly else 4)
    again, asked = read()
    assert {**again, "index.json": b""} == {**found, "index.json": b""}
    assert (path_of(2) in asked) is is_partly


def test_a_file_that_changed_is_asked_for_again(world: World, tmp_path: Path) -> None:
    branch = Branch(world.straight("olga"), world.repository, "steelyard")
    branch.commit(None, "a ledger", FILES)

    def signed() -> bytes:
        ledger = Ledger(world.bot(), world.repository)
        found = LedgerFiles(world.repository, ledger, Spool(tmp_path)).of(ledger.index(), ENTRIES)
        return next(one.path.read_bytes() for one in found if one.name == path_of(2))

    assert signed() == b"signed 2"
    branch.commit(branch.head(), "signed again", {path_of(2): b"signed 2, and again"})
    assert signed() == b"signed 2, and again"


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (0, [[], []]),
        (1, [[], [(2, "2026-12-01")]]),
        (2, [[(2, "2026-11-02")], [(2, "2026-12-01")]]),
        (3, [[(1, "2026-11-01"), (2, "2026-11-02")], [(2, "2026-12-01")]]),
        (9, [[(1, "2026-11-01"), (2, "2026-11-02")], [(1, "2026-10-01"), (2, "2026-12-01")]]),
    ],
)
def test_of_all_ledgers_together_the_last_decisions_are_read(most: int, kept: list[list[tuple[int, str]]]) -> None:
    home, other = [entry(2, "2026-11-02"), entry(1, "2026-11-01")], [entry(1, "2026-10-01"), entry(2, "2026-12-01")]
    found = newest([home, other], most)
    assert [[(one.issue, one.decided_on) for one in ledger] for ledger in found] == kept
