"""A move that takes months, and months in which both arms run: plan by plan against the second engine."""

from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.contracts.migration import AT_ONCE, Migration
from scoring.contracts.months import Grid
from scoring.contracts.plan_costs import PlanCosts, SlowPlanCosts, costs_of
from scoring.contracts.plans import npv_matrix, shares_of
from scoring.contracts.slow_plans import npv_of_all
from scoring.contracts.true_ups import SpendPeriod
from scoring.model.contract import Contract
from tests.scoring.contracts.simulator import World, cheapest, is_plan, plan_npv
from tests.scoring.contracts.test_against_simulator import CENT, planned, stay
from tests.scoring.contracts.test_months import FIRST
from tests.scoring.contracts.worlds import cases, engine

RAMPS = ((1.0,), (0.5, 1.0), (0.1, 0.1, 0.7, 1.0), (1.0, 1.0))
SLOW = Migration((0.3, 0.6, 1.0), 2)
EVEN = replace(
    FIRST, factor=np.ones(6), need_a=np.full(6, 100.0), committed_a=np.zeros(6), committed_b=np.zeros(6),
    commitment_cost=np.zeros(6), overage_a=np.full(6, np.inf), overage_b=np.full(6, np.inf), capacity=None,
    reuse_share=0.0, ratio=1.0, migration=SLOW,
)  # fmt: skip


@st.composite
def slow(draw: st.DrawFn) -> tuple[World, list[Contract]]:
    world, held = draw(st.one_of(cases(horizon=8), cases(horizon=8, otherwise=True)))
    return replace(world, ramp=draw(st.sampled_from(RAMPS)), parallel=draw(st.integers(0, 3))), held


def test_a_move_goes_by_its_ramp_and_the_incumbent_follows_after_the_parallel_months() -> None:
    moved, gone = shares_of(EVEN, 1, 1)
    assert moved.tolist() == pytest.approx([0, 0.3, 0.6, 1, 1, 1])
    assert gone.tolist() == pytest.approx([0, 0, 0, 0.3, 0.6, 1])


def test_by_hand() -> None:
    """100 hours a month at 11 on the incumbent, which lets go a month later, and at 9 on the candidate; 50 to move."""
    assert npv_matrix(replace(EVEN, migration=Migration((0.3, 0.6, 1.0), 1)), 50.0)[0, 0] == pytest.approx(
        11 * (100 + 70 + 40) + 9 * (30 + 60 + 100 * 4) + 50
    )


def test_more_overflow_than_ever_moves_like_the_first_and_a_share_that_comes_again_does_not() -> None:
    committed = np.array([80.0, 60.0, 80.0, 60.0, 0.0, 0.0])
    grid = replace(EVEN, committed_a=committed, migration=Migration((0.5, 1.0), 1))
    moved, gone = shares_of(grid, 0, 6)
    assert moved.tolist() == pytest.approx([0.1, 0.3, 0.2, 0.4, 0.7, 1.0])
    assert gone.tolist() == pytest.approx([0.0, 0.1, 0.2, 0.4, 0.4, 0.7])


@settings(max_examples=80, deadline=None)
@given(slow())
def test_every_month_to_begin_and_the_best_plan_to_the_cent(case: tuple[World, list[Contract]]) -> None:
    world, held = case
    e = engine(world, held)
    h = world.horizon
    lowest = [min(plan_npv(world, s, u) for u in range(s, h + 1) if is_plan(world, s, u)) for s in range(h)]
    assert e.stay_npv == pytest.approx(stay(world), abs=CENT)
    assert e.switch_npv_by_month == pytest.approx([plan_npv(world, s, s) for s in range(h)], abs=CENT)
    assert e.npv_by_start == pytest.approx(lowest, abs=CENT)
    assert planned(e).npv == pytest.approx(min(cheapest(world), stay(world)), abs=CENT)
    plan = planned(e)
    if plan.starts_at < h:
        assert is_plan(world, plan.starts_at, plan.full_at)
        assert plan.npv == pytest.approx(plan_npv(world, plan.starts_at, plan.full_at), abs=CENT)


@settings(max_examples=30, deadline=None)
@given(slow())
def test_walk_away_prices_are_where_the_plan_saves_nothing(case: tuple[World, list[Contract]]) -> None:
    world, held = case
    e = engine(world, held)
    plan, scale = planned(e), max(1.0, stay(world)) * 1e-7
    if plan.starts_at == world.horizon:
        return
    if e.walk_away.candidate_price is not None:
        there = replace(world, price_b=e.walk_away.candidate_price.point)
        assert plan_npv(there, plan.starts_at, plan.full_at) == pytest.approx(stay(world), abs=scale)
    if e.walk_away.incumbent_price is not None:
        there = replace(world, price_a=e.walk_away.incumbent_price.point)
        assert plan_npv(there, plan.starts_at, plan.full_at) == pytest.approx(stay(there), abs=scale)
    if e.break_even_hours_ratio and e.break_even_hours_ratio < 1e6:
        there = replace(world, ratio=e.break_even_hours_ratio)
        assert plan_npv(there, plan.starts_at, plan.full_at) == pytest.approx(stay(world), abs=scale)


SPEND = SpendPeriod(
    contract_id="c", first=date(2027, 1, 1), last=date(2027, 5, 15), committed=2500.0, true_up=0.8, month=4,
    within=np.array([1, 1, 1, 1, 0.5, 0]), fixed=np.full(6, 10.0), other=10.0, of_a=1.0, of_b=0.0,
    before=False, after=False,
)  # fmt: skip
GRIDS: dict[str, Any] = {
    "capacity that takes more later": {"need_a": np.array([90.0, 250.0, 80.0, 300.0, 60.0, 60.0]), "capacity": 70.0},
    "a contract that ends": {"committed_a": np.array([60.0, 60.0, 60.0, 0.0, 0.0, 0.0]), "reuse_share": 0.4},
    "spend that is committed": {"spending": (SPEND,), "committed_a": np.array([60.0, 60.0, 60.0, 0.0, 0.0, 0.0])},
    "one of the candidate": {"committed_b": np.full(6, 40.0), "commitment_cost": np.full(6, 300.0)},
}


@pytest.mark.parametrize("facts", GRIDS.values(), ids=GRIDS)
@pytest.mark.parametrize("migration", [Migration((0.5, 1.0)), Migration((1.0,), 1), SLOW, Migration((0.2, 1.0), 9)])
def test_all_plans_at_once_are_the_plans_one_by_one(facts: dict[str, Any], migration: Migration) -> None:
    grid = replace(EVEN, **facts, migration=migration)
    npv, months = npv_matrix(grid, 70.0), 6
    for s in range(months):
        for u in range(s, months + 1):
            if u == s or u == months or u >= s + len(migration.ramp):
                shares = shares_of(grid, s, u)
                charged = grid.true_ups(*shares)
                assert npv[s, u] == pytest.approx(float(grid.cost(*shares).sum()) + charged + 70), (s, u)
            else:
                assert npv[s, u] == np.inf
    assert npv[months, months] == pytest.approx(grid.stay_npv)


@pytest.mark.parametrize("facts", GRIDS.values(), ids=GRIDS)
def test_every_draw_is_a_run_of_its_own(facts: dict[str, Any]) -> None:
    grid = replace(EVEN, **facts)
    ratios, demands = np.array([0.7, 1.0, 2.5]), np.array([1.0, 0.4, 1.3])
    drawn = replace(grid, need_a=demands[:, None] * grid.need_a, ratio=ratios[:, None])  # type: ignore[arg-type]
    together = npv_of_all(drawn, 70.0)
    for i, (ratio, demand) in enumerate(zip(ratios, demands, strict=True)):
        alone = npv_matrix(replace(grid, need_a=demand * grid.need_a, ratio=float(ratio)), 70.0)
        assert together[i] == pytest.approx(alone)


def test_a_move_at_once_is_weighed_as_before_and_the_slow_way_agrees() -> None:
    for facts in GRIDS.values():
        grid: Grid = replace(EVEN, **facts, migration=AT_ONCE)
        assert npv_of_all(grid, 70.0) == pytest.approx(npv_matrix(grid, 70.0))
        stays = np.full(2, grid.stay_npv)
        tried = grid.at(price_b=np.array([[3.0], [12.0]]))  # type: ignore[arg-type]
        fast, late = costs_of(tried, 70.0, 2), SlowPlanCosts(npv_of_all(tried, 70.0))
        assert isinstance(fast, PlanCosts)
        assert fast.best_starts(stays, 0.01).tolist() == late.best_starts(stays, 0.01).tolist()
        assert fast.npv(1, 3) == pytest.approx(late.npv(1, 3))
