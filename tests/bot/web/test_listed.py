"""Lists as an address asks for them: what is chosen is offered, and whatever cannot be is not asked for."""

import pytest

from bot.github.index import Entry
from bot.web.listed import MOST_FILTER, MOST_OFFERED, PAGE, Listed, listed_decisions
from bot.web.shelf import Decisions

LONG = "n" * (MOST_FILTER + 1)
DECISIONS = Decisions(
    [
        *(Entry(issue=n, seq=1, quarter="2027Q1", place=f"c{n}", workload=f"w{n:04d}") for n in range(1, 601)),
        Entry(issue=601, seq=1, quarter="2026Q4", place="c601", workload=LONG, verdict="STAY"),
    ]
)


def listed(**given: str) -> Listed:
    return listed_decisions(DECISIONS, "/r/lab/pilots", "2027Q1", given)


@pytest.mark.parametrize(
    ("given", "count", "first"),
    [
        ({}, 600, 1),
        ({"decided": ""}, 600, 1),
        ({"decided": "all"}, 601, 1),
        ({"decided": "2026Q4"}, 1, 1),
        ({"decided": "9999Q4"}, 0, 1),
        ({"decided": "9999Q9"}, 600, 1),
        ({"decided": "Call this number"}, 600, 1),
        ({"page": "2"}, 600, PAGE + 1),
        ({"page": "999999"}, 600, 551),
        ({"page": "9999999"}, 600, 1),
        ({"page": "-1"}, 600, 1),
        ({"page": "²"}, 600, 1),
        ({"workload": "w0600"}, 1, 1),
        ({"workload": "nobody's"}, 0, 1),
    ],
)
def test_what_an_address_asks_for(given: dict[str, str], count: int, first: int) -> None:
    found = listed(**given)
    assert (found.count, found.first) == (count, first)
    assert found.last == found.first + len(found.entries) - 1


@pytest.mark.parametrize("name", ["w0600", "nobody's", "w0001"])
def test_a_filter_offers_what_it_is_set_to_and_a_bounded_number_of_others(name: str) -> None:
    offered = listed(workload=name).offered["workload"]
    assert offered.count(name) == 1 and len(offered) in (MOST_OFFERED, MOST_OFFERED + 1)
    assert LONG not in offered, "longer than an address may ask for"


def test_the_quarter_of_the_page_is_offered_and_addresses_keep_every_choice() -> None:
    assert list(listed(decided="2025Q2").offered["decided"]) == ["2027Q1", "2026Q4", "2025Q2"]
    asked = listed(decided="all", verdict="a&b=c", page="1")
    assert asked.following is None and asked.previous is None
    following = listed(decided="all", page="2").following
    assert following == "/r/lab/pilots?quarter=2027Q1&decided=all&page=3#decisions"
