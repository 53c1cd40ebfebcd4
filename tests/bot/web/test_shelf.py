"""Decisions are found by what a page asks for, as by looking at each."""

from hypothesis import given
from hypothesis import strategies as st

from bot.github.index import Entry
from bot.web.shelf import ASKED_FOR, Decisions

WORDS = st.sampled_from(["a", "b", None, ""])
ENTRY = st.builds(
    Entry,
    issue=st.integers(1, 4),
    seq=st.integers(1, 3),
    quarter=st.sampled_from(["2026Q4", "2027Q1"]),
    place=st.just("c1"),
    decided_on=st.sampled_from(["2027-01-11", "2026-12-01", None, "x"]),
    workload=WORDS,
    verdict=WORDS,
    region=WORDS,
)


ASKED = st.dictionaries(st.sampled_from(ASKED_FOR), st.sampled_from(["", "a", "b", "2027Q1"]))


@given(st.lists(ENTRY, max_size=12), ASKED)
def test_what_is_chosen_has_all_that_is_asked_for_the_newest_first(entries: list[Entry], asked: dict[str, str]) -> None:
    decisions = Decisions(entries)
    wanted = [e for e in decisions.newest_first if all(getattr(e, n) == v for n, v in asked.items() if v)]
    assert list(decisions.chosen(**asked)) == wanted
    assert decisions.workloads == tuple(sorted({e.workload for e in entries if e.workload}))
