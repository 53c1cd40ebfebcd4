"""A plan counts with the looks: those already made, and those of somebody who compares after every run."""

import math

import numpy as np
import pytest
from scipy.stats import t as student

from scoring.looks import Plan, looks_at, next_level
from scoring.model.looks import EarlierLook
from scoring.plan import PlanRequest, plan_runs
from scoring.statistics.sequential import nominal_levels
from tests.scoring.helpers import decide

HEAD = "arm,run,block,duration_s,price_usd_per_hour\n"


def looks(*runs: int, planned: int = 10) -> float:
    """Level of a look at the last of these numbers of runs, after looks at the others."""
    *earlier, now, following = runs
    made = [EarlierLook(runs_incumbent=n, runs_candidate=n) for n in earlier]
    known = looks_at("", (now, now), made, Plan(planned, True, 0.05))
    return next_level(known, planned, 0.05)(following)


@pytest.mark.parametrize("runs", [(3, 6), (3, 4, 9), (4, 5, 6, 10)])
def test_the_next_look_has_the_level_that_the_ones_before_leave(runs: tuple[int, ...]) -> None:
    wanted = nominal_levels(0.05, tuple(n / 10 for n in runs))[-1]
    assert looks(*runs) == pytest.approx(wanted, rel=1e-6)


def test_a_first_look_may_use_all_that_is_spent_by_then() -> None:
    """.05·ln(1 + (e − 1)/2) = .0310 at half of the plan."""
    assert next_level(None, 10, 0.05)(5) == pytest.approx(0.0310, abs=5e-5)
    assert next_level(None, 10, 0.05)(10) == pytest.approx(0.05)


def test_nothing_is_proven_with_the_runs_that_were_looked_at_or_beyond_the_plan() -> None:
    assert looks(4, 4) == pytest.approx(looks_at("", (4, 4), (), Plan(10, True, 0.05)).level)
    assert looks(10, 11) == 0


def pilot(runs: int) -> str:
    lot = np.random.default_rng(6)
    rows = [
        f"{arm},{i},d{i},{seconds * (1 + lot.normal(0, 0.03)):.1f},{price}"
        for arm, seconds, price in (("gpu", 3600, 50), ("trn2", 5000, 36))
        for i in range(1, runs + 1)
    ]
    return HEAD + "\n".join(rows)


def test_a_look_that_was_made_takes_more_runs_than_none() -> None:
    known = decide(("pilot.csv", pilot(3)), planned_runs_per_arm="10")
    asked = PlanRequest(seed=1, detect=0.08)
    after = plan_runs(known, asked)
    fresh = plan_runs(known.model_copy(update={"looks": None}), asked)
    assert known.looks is not None
    assert after.runs >= fresh.runs
    sees = [
        plan_runs(known.model_copy(update={"looks": seen}), PlanRequest(seed=1, runs=6)) for seen in (known.looks, None)
    ]
    assert (sees[0].smallest_saving or 0) > (sees[1].smallest_saving or 1)
    assert (after.declare, after.runs_if_every) == (None, None)


@pytest.mark.parametrize(("cv", "detect", "limit"), [(0.05, 0.10, 10), (0.05, 0.10, 30), (0.04, 0.05, 30)])
def test_comparing_after_every_run_finds_the_saving_by_the_number_that_is_told(
    cv: float, detect: float, limit: int
) -> None:
    """Simulated pairs, judged after each from the third on at the levels that all looks together spend."""
    plan = plan_runs(decide(planned_runs_per_arm=str(limit)), PlanRequest(seed=1, cv=cv, detect=detect))
    runs, count = plan.runs_if_every, 40_000
    assert runs is not None and runs > plan.runs
    levels = nominal_levels(0.05, tuple(n / limit for n in range(3, runs + 1)))
    pairs = np.random.default_rng(8).normal(-math.log1p(-detect), math.sqrt(2) * cv, (count, runs))
    told, by = np.zeros(count, bool), {}
    for n, level in zip(range(3, runs + 1), levels, strict=True):
        mean, sd = pairs[:, :n].mean(axis=1), pairs[:, :n].std(axis=1, ddof=1)
        told |= mean / (sd / math.sqrt(n)) > student.ppf(1 - level, n - 1)
        by[n] = told.mean()
    assert by[plan.runs] < 0.78
    assert 0.78 < by[runs] < 0.88
