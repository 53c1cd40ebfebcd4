"""From two arms to figures: the bill over the work, failed runs included, and their ratio."""

import math
from decimal import Decimal
from typing import Any

import pytest

from scoring.arms import Arms
from scoring.comparison import (
    compare,
    cost_comparison,
    cost_of,
    cost_with_initialisation,
    time_comparison,
    time_of,
    time_with_initialisation,
    without_first_runs,
)
from scoring.model.pilot import Run
from tests.scoring.scenes import Posted, arms, run, runs, settings, started, summary, times

A50: dict[str, Any] = {"price_per_hour": Decimal(50)}
B40: dict[str, Any] = {"price_per_hour": Decimal(40)}
GPU = runs("gpu", [3600, 3700, 3500], **A50)
TRN = runs("trn2", [4000, 4100, 3900], **B40)


def theta(both: Arms) -> float | None:
    found = cost_comparison(both, 0.95)
    return found.theta.point if found else None


def priced(arm: str, *costs: float, **fields: Any) -> list[Run]:
    return [run(arm, duration_s=None, stated_cost=Decimal(str(c)), **fields) for c in costs]


@pytest.mark.parametrize(
    ("wanted", "incumbent", "candidate"),
    [
        (40 * 4000 / (50 * 3600), GPU, TRN),
        (0.5, priced("gpu", 10, 20), priced("trn2", 5, 10)),
        (0.5, priced("gpu", 10, 20), priced("trn2", 7.5)),
        (2.0, priced("gpu", 10, 20, work_units=100, unit="token"), priced("trn2", 10, 20, work_units=50, unit="token")),
        (1.5, priced("gpu", 10, 10), [*priced("trn2", 10, 10), *priced("trn2", 10, status="failed")]),
        (2 / 3, [*priced("gpu", 10, 10), *priced("gpu", 10, status="failed")], priced("trn2", 10, 10)),
        (0.8, times("throughput", [900, 900], duration_s=None, **A50),
         times("throughput", [900, 900], "trn2", duration_s=None, **B40)),
        (0.4, times("throughput", [900, 900], duration_s=None, **A50),
         times("throughput", [1800, 1800], "trn2", duration_s=None, **B40)),
        (0.8, summary("gpu", n=5, duration_s=(3600, 36), **A50), summary("trn2", n=5, duration_s=(3600, 50), **B40)),
        (0.5, summary("gpu", n=5, cost=(10, 1)), summary("trn2", n=5, cost=(5, 1))),
        (1.0, summary("gpu", n=5, cost=(10, 1), work_units=10), summary("trn2", n=5, cost=(5, 1), work_units=5)),
        (0.4, summary("gpu", n=5, throughput=(900, 9), **A50), summary("trn2", n=5, throughput=(1800, 9), **B40)),
        (0.4, summary("gpu", n=5, throughput=(900, 9), duration_s=(60, 1), **A50),
         summary("trn2", n=5, throughput=(1800, 9), duration_s=(60, 1), **B40)),
        (0.8, summary("gpu", n=3, duration_s=(3600, 36), **A50), runs("trn2", [3500, 3600, 3700], **B40)),
        (2.0, times("work_units", [4, 4], unit="run", **A50), times("work_units", [2, 2], "trn2", unit="run", **A50)),
        (1.5, summary("gpu", n=3, cost=(10, 1)), [*priced("trn2", 9, 11), *priced("trn2", 10, status="failed")]),
        (None, GPU, runs("trn2", [1, 2, 3])),
        (None, GPU, [*runs("trn2", [1, 2], **B40), run("trn2")]),
        (None, summary("gpu", n=3, cost=(10, 1)), runs("trn2", [1, 2, 3])),
        (None, summary("gpu", n=3, quality={"wer": (7, 1)}), priced("trn2", 9, 11)),
    ],
)  # fmt: skip
def test_ratio_of_cost_for_the_same_work(wanted: float | None, incumbent: Posted, candidate: Posted) -> None:
    assert theta(arms(incumbent, candidate)) == (None if wanted is None else pytest.approx(wanted, rel=1e-12))


def test_the_arithmetic_mean_holds_where_runs_differ() -> None:
    """A slow run costs what it costs: neither the median (1.0) nor the geometric mean (1.41) is a bill."""
    assert theta(arms(priced("gpu", 10, 10, 10), priced("trn2", 10, 10, 40))) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("reason", "incumbent", "candidate"),
    [
        (None, GPU, TRN),
        ("one-run", GPU, TRN[:1]),
        ("no-spread", priced("gpu", 10, 10), priced("trn2", 5, 5)),
        ("confounded", runs("gpu", [1, 2], block="monday", **A50), runs("trn2", [1, 2], block="tuesday", **B40)),
        ("no-price", GPU, runs("trn2", [1, 2, 3])),
        ("summary-without-n", summary("gpu", duration_s=(9, 1), **A50), summary("trn2", n=3, duration_s=(9, 1), **B40)),
        ("summary-without-sd", summary("gpu", n=3, duration_s=(9, None), **A50),
         summary("trn2", n=3, duration_s=(9, 1), **B40)),
    ],
)  # fmt: skip
def test_why_there_is_no_interval(reason: str | None, incumbent: Posted, candidate: Posted) -> None:
    found = cost_comparison(arms(incumbent, candidate), 0.95)
    assert found is not None
    assert (found.theta.reason, found.theta.has_interval) == (reason, reason is None)
    assert bool(found.sensitivity) == (reason is None)


def test_runs_beside_a_summary_spread_as_they_do_beside_runs() -> None:
    """The same arm as runs and as their mean and deviation gives the same interval."""
    posted = priced("gpu", 9, 10, 11, 12)
    as_runs = cost_comparison(arms(posted, priced("trn2", 5, 6, 7)), 0.95)
    as_summary = cost_comparison(
        arms(summary("gpu", n=4, cost=(10.5, math.sqrt(5 / 3))), priced("trn2", 5, 6, 7)), 0.95
    )
    assert as_runs is not None
    assert as_summary is not None
    assert as_runs.theta.lo is not None
    assert as_summary.theta.lo == pytest.approx(as_runs.theta.lo)
    assert as_summary.theta.hi == pytest.approx(as_runs.theta.hi)


def test_without_any_price_there_is_a_ratio_of_time_alone() -> None:
    both = arms(runs("gpu", [3600, 3700]), runs("trn2", [7200, 7400]))
    time = time_comparison(both, 0.95)
    assert cost_comparison(both, 0.95) is None
    assert time is not None
    assert (time.theta.point, time.currency) == (pytest.approx(2.0), None)


def test_without_any_time_there_is_a_ratio_of_cost_alone() -> None:
    assert time_comparison(arms(priced("gpu", 1, 2), priced("trn2", 1, 2)), 0.95) is None


def test_an_arm_without_a_price_keeps_the_others_figure() -> None:
    found = cost_comparison(arms(GPU, runs("trn2", [1, 2, 3])), 0.95)
    assert found is not None
    assert found.arms["gpu"].cost_per_unit == pytest.approx(50)
    assert found.arms["trn2"].cost_per_unit is None


def test_totals_of_an_arm() -> None:
    posted = [*runs("gpu", [3600, 5400], instance_count=2, initialisation_s=60, **A50), run("gpu", status="failed")]
    found = cost_comparison(arms([*posted[:2], run("gpu", duration_s=1800, status="failed", **A50)], TRN), 0.95)
    assert found is not None
    arm = found.arms["gpu"]
    assert (arm.n, arm.n_failed, arm.work) == (3, 1, 2)
    assert arm.cost_per_unit == pytest.approx((100 + 150 + 25) / 2)
    assert arm.duration_per_unit_s == pytest.approx((3600 + 5400 + 1800) / 2)
    assert arm.hours_per_unit == pytest.approx((2 + 3 + 0.5) / 2)
    assert arm.price_per_hour == pytest.approx(50)
    assert arm.cv == pytest.approx(math.sqrt(2) * 25 / 125)
    assert arm.slow_run_bound == pytest.approx(1 - 0.05 ** (1 / 3))
    assert (arm.initialisation_first_s, arm.initialisation_mean_s) == (60, 60)


def test_a_failed_run_of_unknown_length_leaves_the_arms_figures_in_agreement_with_the_ratio() -> None:
    both = arms(GPU, [*TRN, run("trn2", duration_s=None, status="failed", **B40)])
    found = cost_comparison(both, 0.95)
    assert found is not None
    a, b = found.arms["gpu"], found.arms["trn2"]
    assert a.cost_per_unit is not None
    assert b.cost_per_unit is not None
    assert b.cost_per_unit / a.cost_per_unit == pytest.approx(found.theta.point)
    assert (b.n, b.n_failed) == (4, 1)


@pytest.mark.parametrize(
    ("methods", "incumbent", "candidate"),
    [
        ({"geometric-welch"}, GPU, TRN),
        ({"geometric-welch", "paired-log-ratio"},
         [run("gpu", duration_s=d, block=str(d), **A50) for d in (3600, 3700, 3800)],
         [run("trn2", duration_s=d + 7 * i, block=str(d), **B40) for i, d in enumerate((3600, 3700, 3800))]),
        (set(), summary("gpu", n=3, cost=(9, 1)), summary("trn2", n=3, cost=(9, 1))),
        ({"geometric-welch"}, priced("gpu", 10, 20, 0), priced("trn2", 5, 10, 7)),
        (set(), priced("gpu", 10, 0), priced("trn2", 5, 10)),
    ],
)  # fmt: skip
def test_other_methods_beside(methods: set[str], incumbent: Posted, candidate: Posted) -> None:
    found = cost_comparison(arms(incumbent, candidate), 0.95)
    assert found is not None
    assert set(found.sensitivity) == methods


def test_pairs_of_which_each_lost_one_side() -> None:
    """The ratio stands over all runs; no block is left in which both arms did work, so there is no interval."""
    good, bad = {"status": "ok"}, {"status": "failed"}
    first = [run("gpu", duration_s=3600 + i, block=str(i), **(good if i < 2 else bad), **A50) for i in range(4)]
    second = [run("trn2", duration_s=3700 - i, block=str(i), **(bad if i < 2 else good), **B40) for i in range(4)]
    found = cost_comparison(arms(first, second), 0.95)
    assert found is not None
    assert (found.theta.reason, found.sensitivity) == ("one-run", {})
    assert found.theta.point == pytest.approx(
        40 * sum(3700 - i for i in range(4)) / (50 * sum(3600 + i for i in range(4)))
    )


def initialised(arm: str, *pairs: tuple[float, float | None], **price: Any) -> list[Run]:
    return [run(arm, duration_s=d, initialisation_s=i, **price) for d, i in pairs]


@pytest.mark.parametrize("counted", [False, True])
def test_with_initialisation_is_counted_once(counted: bool) -> None:
    given = settings(count_initialisation=counted)
    both = arms(
        initialised("gpu", (3600, 60), (3700, 40), **A50), initialised("trn2", (3600, 900), (3700, None), **B40), given
    )
    found = compare(both, cost_with_initialisation, 0.95)
    assert found is not None
    assert found.point == pytest.approx(40 * 8200 / (50 * 7400))
    plain = compare(both, cost_of, 0.95)
    assert plain is not None
    assert (plain.point == pytest.approx(found.point)) == counted


def test_initialisation_of_a_cost_without_a_time_cannot_be_added() -> None:
    both = arms(priced("gpu", 10, 20, initialisation_s=60), priced("trn2", 5, 10, initialisation_s=60))
    plain, with_it = compare(both, cost_of, 0.95), compare(both, cost_with_initialisation, 0.95)
    assert plain is not None
    assert with_it == plain
    assert compare(both, time_with_initialisation, 0.95) is None


def test_time_with_initialisation() -> None:
    both = arms(initialised("gpu", (100, 0), (110, 0)), initialised("trn2", (100, 60), (110, None)))
    found, plain = compare(both, time_with_initialisation, 0.95), compare(both, time_of, 0.95)
    assert found is not None
    assert plain is not None
    assert (plain.point, found.point) == (pytest.approx(1.0), pytest.approx(270 / 210))


def test_without_first_runs_where_one_is_far_slower() -> None:
    both = arms(runs("gpu", [100, 101, 99]), runs("trn2", [300, 100, 101]))
    shorter = without_first_runs(both)
    assert shorter is not None
    assert [[c.run.duration_s for c in arm.runs] for arm in shorter.both] == [[101, 99], [100, 101]]
    assert without_first_runs(arms(runs("gpu", [100, 101, 99]), runs("trn2", [120, 100, 101]))) is None


def test_the_first_run_left_out_is_the_first_in_time_that_did_work() -> None:
    posted = [*started("trn2", (2, 100), (3, 101), (1, 300)), *started("trn2", (0, 5), status="failed")]
    shorter = without_first_runs(arms(runs("gpu", [100, 101, 99]), posted))
    assert shorter is not None
    assert [c.run.duration_s for c in shorter.candidate.runs] == [5, 100, 101]
