"""Is the sample one? Too few runs, values that never vary, runs at once on one instance, runs that drift."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from scoring.checks.sample import check
from tests.scoring.scenes import MORNING, Posted, run, runs, scene, short, started, summary, times

STEADY = runs("gpu", [100, 102, 99])


@pytest.mark.parametrize(
    ("wanted", "candidate"),
    [
        ([], runs("trn2", [100, 102, 99])),
        ([], runs("trn2", [100, 102])),
        ([("one-run", "warning", "1")], runs("trn2", [100])),
        ([("one-run", "warning", "1")], summary("trn2", n=1, duration_s=(9, 1))),
        ([], summary("trn2", n=2, duration_s=(9, 1))),
        ([], summary("trn2", duration_s=(9, 1))),
        ([("constant-values", "warning", "100")], runs("trn2", [100, 100, 100])),
        ([], runs("trn2", [100, 100])),
        ([], runs("trn2", [100, 100, 100.001])),
        ([("constant-values", "warning", "950")],
         times("throughput", [950, 950, 950], "trn2", unit="token", duration_s=None)),
        ([("failed-runs", "info", "1")], [*runs("trn2", [100, 102, 99]), run("trn2", status="failed")]),
        ([("constant-values", "warning", "100"), ("failed-runs", "info", "1")],
         [*runs("trn2", [100, 100, 100]), run("trn2", duration_s=7, status="failed")]),
    ],
)  # fmt: skip
def test_sample(wanted: list[Any], candidate: Posted) -> None:
    problems = check(scene(STEADY, candidate))
    assert short(problems, "found") == wanted
    assert {p.arguments["arm"] for p in problems} <= {"trn2"}


HOUR = 3600.0


@pytest.mark.parametrize(
    ("row", "posted"),
    [
        (None, started("trn2", (0, HOUR), (1, HOUR), (2, HOUR + 1))),
        (3, started("trn2", (0, HOUR), (0.5, HOUR + 1), (3, HOUR + 2))),
        (2, started("trn2", (0.5, HOUR), (0, HOUR + 1), (3, HOUR + 2))),
        (4, started("trn2", (0, 9 * HOUR), (10, HOUR), (4, HOUR + 2))),
        (None, started("trn2", (5, HOUR), (0, HOUR + 1)) + runs("trn2", [77])),
        (None, started("trn2", (0, HOUR), block="a") + started("trn2", (0.5, HOUR + 1), block="b")),
        (4, started("trn2", (0, 9 * HOUR), (1, HOUR), block="a") + started("trn2", (0.5, 60), block="b")),
    ],
    ids=["one after the other", "two at once", "in any order", "not the neighbour", "one without a start", "two blocks",
         "another block between"],
)  # fmt: skip
def test_two_runs_at_once_in_one_block(row: int | None, posted: Posted) -> None:
    overlaps = [p for p in check(scene(STEADY, posted)) if p.code == "runs-overlap"]
    if row is None:
        assert overlaps == []
        return
    assert short(overlaps, "arm", "file") == [("runs-overlap", "warning", "trn2", "pilot.csv")]


def test_the_run_that_began_before_the_other_ended_is_named() -> None:
    (said,) = [p for p in check(scene(STEADY, started("trn2", (0, 2 * HOUR), (1, HOUR), (9, 7)))) if p.row]
    assert (said.row, said.found) == (3, (MORNING + timedelta(hours=1)).isoformat())


def test_a_run_at_the_end_of_the_calendar_is_no_accident() -> None:
    posted = [run("trn2", started_at=datetime(9999, 12, 31, 23, tzinfo=UTC), duration_s=1e9, row=2 + i) for i in (0, 1)]
    assert "runs-overlap" in {p.code for p in check(scene(STEADY, posted))}


RISING = [100, 101, 102, 103, 104, 105, 106, 107]
ZIGZAG = [100, 107, 101, 106, 102, 105, 103, 104]


@pytest.mark.parametrize(
    ("drifts", "durations", "timed"),
    [(True, RISING, True), (False, ZIGZAG, True), (False, RISING[:7], True), (False, RISING, False)],
)
def test_eight_runs_that_drift_in_time_are_said(drifts: bool, durations: list[float], timed: bool) -> None:
    posted = started("trn2", *((float(i), d) for i, d in enumerate(durations))) if timed else runs("trn2", durations)
    assert short(check(scene(STEADY, posted)), "arm", "expected") == (
        [("runs-drift", "warning", "trn2", "≤ 0.3")] if drifts else []
    )


def test_a_failed_run_of_unknown_time_and_cost_is_not_said_to_be_counted() -> None:
    posted = [*runs("trn2", [100, 101, 102]), run("trn2", duration_s=None, status="failed", row=5)]
    problems = check(scene(STEADY, posted))
    assert short(problems, "arm", "found", "row") == [("failed-runs-not-counted", "warning", "trn2", "1", 5)]
    both = [*posted, run("trn2", duration_s=50, status="failed")]
    assert short(check(scene(STEADY, both)), "found") == [
        ("failed-runs", "info", "1"),
        ("failed-runs-not-counted", "warning", "1"),
    ]
    paid = [*runs("trn2", [100, 101, 102]), run("trn2", duration_s=None, stated_cost=Decimal(9), status="failed")]
    assert short(check(scene(STEADY, paid))) == [("failed-runs", "info")]


def test_failed_runs_are_counted_of_all() -> None:
    posted = [*runs("trn2", [100, 101, 102]), run("trn2", status="failed")]
    (said,) = check(scene(STEADY, posted))
    assert (said.found, said.arguments["total"]) == ("1", 4)
