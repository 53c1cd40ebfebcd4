"""Forecast against outcome, and whether intervals hold as often as they say."""

from datetime import date, timedelta
from typing import Any

import pytest
from scipy.stats import binomtest

from scoring.model.decision import Word
from scoring.model.economics import Band
from scoring.model.estimates import Direction
from scoring.review.given import DecisionFact, MonthForecast, Outcome, QualityForecast
from scoring.review.outcomes import (
    calibrations,
    decision_of,
    odd_qualities,
    outcome_rows,
    saved_in_all,
    share_interval,
    with_counted,
    with_saved_months,
)
from scoring.review.values import OutcomeRow

TODAY = date(2027, 1, 11)
WER = QualityForecast(
    metric="wer", direction=Direction.LOWER, incumbent_mean=0.08, difference=0.0, lo=-0.002, hi=0.002, margin=0.003,
    margin_is_relative=False,
)  # fmt: skip


def decided(issue: int = 1, seq: int = 1, **more: Any) -> DecisionFact:
    """Moves on 1 October 2026 from 2.00 to 1.20 a unit, ratio 0.6 [0.55, 0.65]."""
    given = {
        "decided_on": date(2026, 7, 1), "workload": "asr", "verdict": Word.SWITCH, "on": date(2026, 10, 1),
        "full_on": date(2026, 10, 1), "currency": "USD", "horizon_months": 12,
        "theta": Band(point=0.6, lo=0.55, hi=0.65), "incumbent_cost_per_unit": 2.0, "candidate_cost_per_unit": 1.2,
        "quality": (WER,),
        "months": tuple(
            MonthForecast(starts_on=date(2026, m, 1), stay_cost=1000.0, planned_cost=1000.0 if m < 10 else 600.0)
            for m in range(7, 13)
        ),
    }  # fmt: skip
    return DecisionFact.model_validate({"issue": issue, "seq": seq, **given, **more})


def happened(issue: int = 1, month: int = 10, **more: Any) -> Outcome:
    last = date(2026, month + 1, 1) - timedelta(days=1) if month < 12 else date(2026, 12, 31)
    return Outcome.model_validate({"issue": issue, "starts_on": date(2026, month, 1), "ends_on": last, **more})


def only(outcome: Outcome, fact: DecisionFact) -> OutcomeRow:
    (row,) = outcome_rows([outcome], [fact], TODAY)
    return row


@pytest.mark.parametrize(
    ("cost", "base", "inside"),
    [(1.2, None, True), (1.31, None, False), (1.31, 2.1, True), (1.0, None, False)],
    ids=["as said", "dearer", "dearer as everything is", "cheaper than said"],
)
def test_the_ratio_of_costs_is_held_against_its_interval(cost: float, base: float | None, inside: bool) -> None:
    row = only(happened(cost_per_unit=cost, incumbent_cost_per_unit=base), decided())
    assert [(c.what, c.inside) for c in row.checks] == [("cost", inside)]
    assert row.checks[0].actual == pytest.approx(cost / (base or 2.0))


def test_a_month_is_held_against_what_staying_would_have_cost() -> None:
    row = only(happened(monthly_cost=650), decided())
    assert (row.stay_cost, row.planned_cost, row.saved) == (1000.0, 600.0, 350.0)


@pytest.mark.parametrize(
    ("value", "inside", "keeps"), [(0.079, True, True), (0.0825, False, True), (0.084, False, False)]
)
def test_quality_is_held_against_its_interval_and_its_margin(value: float, inside: bool, keeps: bool) -> None:
    (check,) = only(happened(quality={"WER": value}), decided()).checks
    assert (check.what, check.inside, check.keeps_margin) == ("wer", inside, keeps)


def test_a_quality_in_per_cent_is_not_compared_with_one_that_is_not() -> None:
    outcome = happened(quality={"wer": 0.08}, quality_in_percent=("wer",))
    assert only(outcome, decided()).checks == ()


@pytest.mark.parametrize(
    ("fact", "month"),
    [
        (decided(), 9),
        (decided(verdict=Word.STAY, on=None, full_on=None), 10),
        (decided(verdict=Word.SPLIT, full_on=None), 11),
    ],
    ids=["before the move", "nothing moves", "a part moves"],
)
def test_what_was_not_all_on_the_candidate_says_nothing_of_the_ratio(fact: DecisionFact, month: int) -> None:
    row = only(happened(month=month, cost_per_unit=1.2, monthly_cost=900), fact)
    assert (row.after_move, row.checks, row.saved) == (False, (), 100.0)


def test_an_outcome_belongs_to_the_last_decision_before_its_end() -> None:
    facts = [decided(seq=1), decided(seq=2, decided_on=date(2026, 11, 15))]
    of = [decision_of(happened(month=month), facts) for month in (10, 11)]
    assert [f.seq if f else None for f in of] == [1, 2]
    assert decision_of(happened(issue=2), facts) is None
    assert decision_of(happened(workload="other"), facts) is None
    two = [decided(workload="a"), decided(workload="b", part=2)]
    assert decision_of(happened(), two) is None
    named = decision_of(happened(workload="b"), two)
    assert named is not None and named.part == 2


def test_each_decision_counts_once_by_its_last_period() -> None:
    facts = [decided(issue=i) for i in range(1, 13)]
    outcomes = [happened(issue=i, month=10, cost_per_unit=9.0) for i in range(1, 13)]
    outcomes += [happened(issue=i, month=12, cost_per_unit=1.2 if i > 1 else 1.5) for i in range(1, 13)]
    (found,) = calibrations(with_counted(list(outcome_rows(outcomes, facts, TODAY))))
    assert (found.what, found.n, found.inside, found.is_enough, found.agrees) == ("cost", 12, 11, True, True)
    assert [(s.quarter, s.n, s.inside) for s in found.steps] == [("2026Q4", 12, 11)]


def test_few_outcomes_are_too_few() -> None:
    (found,) = calibrations(with_counted(list(outcome_rows([happened(cost_per_unit=1.2)], [decided()], TODAY))))
    assert (found.n, found.is_enough) == (1, False)


@pytest.mark.parametrize(("inside", "n"), [(0, 1), (1, 1), (9, 10), (10, 10), (19, 20), (0, 7)])
def test_the_interval_of_a_share_is_the_exact_one(inside: int, n: int) -> None:
    exact = binomtest(inside, n).proportion_ci(0.95, "exact")
    assert share_interval(inside, n) == pytest.approx((exact.low, exact.high))


def months(*periods: tuple[str, str, float], today: date = TODAY) -> tuple[list[int], float | None]:
    """Months that count of each row, in the order of the rows, and what they saved; staying costs 1,000 a month."""
    told = [
        Outcome(issue=1, seq=1, starts_on=date.fromisoformat(a), ends_on=date.fromisoformat(b), monthly_cost=paid)
        for a, b, paid in periods
    ]
    rows = with_saved_months(list(outcome_rows(told, [decided()], today)), [decided()], today)
    return [row.saved_months for row in rows], saved_in_all(rows, "USD")


@pytest.mark.parametrize(
    ("periods", "counted", "saved"),
    [
        ([("2026-10-01", "2026-10-31", 600)], [1], 400),
        ([("2026-10-01", "2026-12-31", 600)], [3], 1200),
        ([("2026-10-01", "2026-10-31", 600), ("2026-10-01", "2026-10-31", 700)], [0, 1], 300),
        ([("2026-10-01", "2026-12-31", 600), ("2026-11-01", "2026-11-30", 900)], [1, 2], 900),
        ([("2026-10-01", "2026-10-31", 1500)], [1], -500),
        ([("2026-01-01", "2026-01-31", 600)], [0], None),
    ],
    ids=["a month", "a quarter", "told twice", "a month within a quarter", "dearer", "before the forecast"],
)
def test_each_month_is_saved_once(periods: list[tuple[str, str, float]], counted: list[int], saved: float) -> None:
    assert months(*periods) == (counted, saved)


def test_months_that_have_not_begun_saved_nothing_yet() -> None:
    assert months(("2026-10-01", "2026-12-31", 600), today=date(2026, 11, 5)) == ([2], 800)
    assert saved_in_all([], "USD") is None


@pytest.mark.parametrize(
    ("mean", "value", "expected"),
    [
        (0.912, 0.7, None), (0.912, 91.2, "0.082"), (7.4, 0.074, "8.2"), (7.4, 8.1, None), (0.9, 1.1, None),
        (0.02, 0.9, None), (0.02, 45.0, None), (7.4, 0.0, None),
    ],
    ids=["worse", "per cent", "a share", "points", "about one", "bad", "a jump", "nothing"],
)  # fmt: skip
def test_a_quality_in_another_unit_is_not_compared(mean: float, value: float, expected: str | None) -> None:
    fact = decided(quality=(WER.model_copy(update={"incumbent_mean": mean}),))
    outcome = happened(quality={"wer": value})
    assert [wanted for _, wanted in odd_qualities(outcome, fact)] == ([expected] if expected else [])
    assert len(only(outcome, fact).checks) == (0 if expected else 1)
