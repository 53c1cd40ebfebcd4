"""The plan of the review's own input: priced by hand where that is short, and refused where nothing can be planned."""

from datetime import date
from typing import Any

import pytest

from scoring.model.decision import Word
from scoring.quarter.answer import Contradiction, QuarterPlan
from scoring.review.given import DecisionFact, ReviewedWorkload, ReviewInput
from scoring.review.planned import planned
from scoring.review.quarter import Quarter

TODAY, QUARTER = date(2027, 1, 11), Quarter(year=2027, number=1)


def work(**more: Any) -> ReviewedWorkload:
    """100 units a month: 10 h at 10.00 on a, 10 h at 6.00 on b."""
    options = [
        {"id": "a", "instance_type": "gpu", "on_demand_price": 10, "hours_per_unit": 0.1, "region": "r1"},
        {"id": "b", "instance_type": "trn", "on_demand_price": 6, "hours_per_unit": 0.1, "region": "r2", **more},
    ]
    return ReviewedWorkload.model_validate(
        {"name": "w", "demand": {"units_per_month": 100}, "runs_on": "a", "options": options}
    )


def given(*works: ReviewedWorkload, decisions: tuple[DecisionFact, ...] = (), **settings: Any) -> ReviewInput:
    told = {"horizon_months": 6, **settings}
    return ReviewInput.model_validate({"workloads": works, "decisions": decisions, "settings": told})


def plan(asked: ReviewInput, today: date = TODAY) -> QuarterPlan:
    found = planned(asked, QUARTER, today)
    assert isinstance(found, QuarterPlan)
    return found


def test_a_move_saves_what_it_saves_by_hand() -> None:
    found = plan(given(work(migration_cost=50)))
    (move,) = found.moves
    assert (move.subject, move.from_option, move.to_option, move.pays_in) == ("w", "a", "b", None)
    assert found.saving == pytest.approx(6 * 10 * (10 - 6) - 50)


def test_a_region_that_is_not_approved_is_named() -> None:
    found = plan(given(work(), approved_regions=("r1",)))
    assert found.moves == ()
    assert [(b.workload, b.option) for b in found.barred] == [("w", "b")]


def test_an_option_whose_pilot_wants_more_runs_is_marked() -> None:
    extend = DecisionFact(
        issue=1, seq=1, decided_on=date(2026, 12, 1), workload="w", incumbent="a", candidate="b", verdict=Word.EXTEND,
        currency="USD", horizon_months=12,
    )  # fmt: skip
    assert [m.unproven for m in plan(given(work(), decisions=(extend,))).moves] == [True]
    assert [m.unproven for m in plan(given(work())).moves] == [False]


def test_work_that_fits_nowhere_is_a_contradiction() -> None:
    entry = work().model_dump(mode="json")
    entry["options"] = [{**option, "hours_cap": 5} for option in entry["options"]]
    found = planned(given(ReviewedWorkload.model_validate(entry)), QUARTER, TODAY)
    assert isinstance(found, Contradiction)
    assert [c.subject for c in found.conflicts] == ["w"]


def test_there_is_none_without_work_or_for_a_quarter_that_is_over() -> None:
    assert planned(given(), QUARTER, TODAY) is None
    assert planned(given(work()), QUARTER, date(2027, 4, 1)) is None


@pytest.mark.parametrize(
    ("today", "first"),
    [
        (date(2026, 3, 20), date(2027, 1, 1)),
        (date(2027, 1, 1), date(2027, 1, 1)),
        (date(2027, 1, 2), date(2027, 2, 1)),
        (date(2027, 3, 31), date(2027, 4, 1)),
    ],
)
def test_it_begins_with_the_quarter_or_the_first_whole_month(today: date, first: date) -> None:
    """Of a month that has begun nothing can be decided any more: no move may save in it."""
    found = plan(given(work()), today)
    assert found.months[0] == first
    assert found.saving == pytest.approx(6 * 10 * (10 - 6))
    assert all(move.on >= today for move in found.moves)
