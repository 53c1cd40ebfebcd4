"""The plan's chances: the posterior's own where nothing bends them, and the engine's plan by plan where it does."""

from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t

from scoring.contracts.scenario import Frame
from scoring.contracts.timeline import build_timeline
from scoring.contracts.uncertainty import SEED, Spread, demand_factors, draws_of, weighed
from scoring.contracts.walk_away import Question
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, Band, Economics, Plan
from scoring.model.settings import Demand, Settings
from scoring.statistics.posterior import posterior_of
from tests.scoring.contracts.simulator import World
from tests.scoring.contracts.worlds import cases

PRICE = 50.0
RANGE = Demand(units_per_month=1000, low=700, high=1600)


def economics(ratio: float, se: float, nu: float, drift: float = 0.0, held: tuple[Contract, ...] = (),
              demand: Demand | None = None, **more: Any) -> Economics:  # fmt: skip
    posterior = posterior_of(ratio, se, nu, drift)
    assert posterior is not None
    wanted = {"demand": demand or Demand(units_per_month=1000), "migration_cost": 20_000, **more}
    return build_timeline(
        ArmFlow(arm="a", hours_per_unit=1.0, price_per_hour=PRICE),
        ArmFlow(arm="b", hours_per_unit=ratio, price_per_hour=PRICE),
        held,
        Settings.model_validate(wanted),
        date(2026, 12, 1),
        Band(point=ratio),
        Spread(posterior, ratio),
    )


def integrated(ratio: float, se: float, nu: float, drift: float, of: Any) -> float:
    """E[of(theta)] of prior times t on an even grid of its own, and over the drift about each of its points."""
    x = np.linspace(-3, 3, 30_001)
    weight = t.pdf((x - np.log(ratio)) / se, nu) * norm.pdf(x, 0, 0.5)
    z = np.linspace(-6, 6, 241) if drift else np.zeros(1)
    weights = norm.pdf(z) / norm.pdf(z).sum()
    mean = sum(w * of(np.exp(x + drift * v - drift**2 / 2)) for v, w in zip(z, weights, strict=True))
    return float((weight * mean).sum() / weight.sum())


@pytest.mark.parametrize(
    ("ratio", "se", "nu", "drift"),
    [(0.8, 0.05, 8, 0.0), (0.96, 0.03, 4, 0.0), (0.96, 0.03, 4, 0.05), (1.05, 0.1, 18, 0.0), (0.9, 0.004, 30, 0.02)],
)
def test_without_contracts_the_chance_and_the_losses_are_those_of_the_posterior(
    ratio: float, se: float, nu: float, drift: float
) -> None:
    e = economics(ratio, se, nu, drift)
    k, odds = e.break_even_theta, e.odds
    assert odds is not None and e.value_per_theta is not None
    s = e.value_per_theta
    assert odds.p_saves == pytest.approx(integrated(ratio, se, nu, drift, lambda x: x < k), abs=0.004)
    lost_moving = s * integrated(ratio, se, nu, drift, lambda x: np.maximum(x - k, 0.0))
    lost_staying = s * integrated(ratio, se, nu, drift, lambda x: np.maximum(k - x, 0.0))
    assert odds.regret_move == pytest.approx(lost_moving, rel=0.02, abs=2e-5 * s)
    assert odds.regret_stay == pytest.approx(lost_staying, rel=0.02, abs=2e-5 * s)
    assert odds.saving_mean == pytest.approx(odds.regret_stay - odds.regret_move)


@settings(max_examples=15, deadline=None)
@given(cases(horizon=6), st.booleans())
def test_every_draw_is_a_run_of_the_engine(case: tuple[World, list[Contract]], ranged: bool) -> None:
    """A few draws, each by an engine run of its own at its ratio and demand."""
    world, held = case
    posterior = posterior_of(0.9, 0.2, 4)
    assert posterior is not None
    spread, demand = Spread(posterior, 0.9), RANGE if ranged else None

    def engine(ratio: float, units: float, with_spread: Spread | None) -> Economics:
        told = demand if with_spread and demand else Demand(units_per_month=1000)
        scaled = told.model_copy(update={"units_per_month": units})
        wanted = Settings(
            horizon_months=world.horizon, annual_discount_rate=world.discount, demand=scaled, split_minimum_gain=0.0,
            migration_cost=world.migration, reuse_share=world.reuse_share, reuse_value_per_hour=world.reuse_value,
            capacity={"hours_per_month": world.capacity},
        )  # fmt: skip
        a = ArmFlow(arm="a", hours_per_unit=world.hours_a, price_per_hour=world.price_a)
        b = ArmFlow(arm="b", hours_per_unit=world.hours_a * ratio, price_per_hour=world.price_b)
        return build_timeline(a, b, held, wanted, world.today, Band(point=ratio), with_spread)

    odds = engine(world.ratio, 1000.0, spread).odds
    assert odds is not None
    draws = draws_of(spread, demand)
    few = draws.part(slice(50, None, 400))
    question, plan = _question(world, held, demand), (odds.starts_at, odds.full_at)
    saving, starts = weighed(question, Plan(starts_at=plan[0], full_at=plan[1], npv=0, saving=0), 0.0, few)
    for i, factor in enumerate(few.ratio):
        units = 1000.0 * (1.0 if few.demand is None else few.demand[i])
        alone = engine(world.ratio * float(factor), units, None)
        assert alone.best is not None and alone.stay_npv is not None
        if len(question.stays) == 1:
            npv = [m.stay_cost if m.index < plan[0] else m.partial_cost if m.index < plan[1] else m.full_cost
                   for m in alone.months]  # fmt: skip
            moving = alone.months[plan[0]].factor * world.migration if plan[0] < world.horizon else 0.0
            total = sum(m.factor * c for m, c in zip(alone.months, npv, strict=True)) + moving
            assert saving[i] == pytest.approx(alone.stay_npv - total, rel=1e-9, abs=1e-3)
            assert starts[i] == alone.best.starts_at


def _question(world: World, held: list[Contract], demand: Demand | None) -> Question:
    wanted = Settings(
        horizon_months=world.horizon, annual_discount_rate=world.discount, split_minimum_gain=0.0,
        demand=demand or Demand(units_per_month=1000), migration_cost=world.migration, reuse_share=world.reuse_share,
        reuse_value_per_hour=world.reuse_value, capacity={"hours_per_month": world.capacity},
    )  # fmt: skip
    a = ArmFlow(arm="a", hours_per_unit=world.hours_a, price_per_hour=world.price_a)
    b = ArmFlow(arm="b", hours_per_unit=world.hours_a * world.ratio, price_per_hour=world.price_b)
    frame = Frame(a, b, tuple(held), wanted, world.today, world.ratio, world.price_a, world.price_b)
    return Question(frame.grid(), tuple(frame.grid(w) for w in frame.ways_to_renew[1:]), world.migration)


def test_a_range_of_demand_widens_the_saving_and_its_ends_are_the_range() -> None:
    sure, ranged = economics(0.8, 0.02, 8).odds, economics(0.8, 0.02, 8, demand=RANGE).odds
    assert sure is not None and ranged is not None
    assert ranged.saving_lo < sure.saving_lo < sure.saving_hi < ranged.saving_hi
    assert (ranged.demand_low, ranged.demand_high, sure.demand_low) == (700, 1600, None)
    assert demand_factors(RANGE, np.array([0.05, 0.5, 0.95])) == pytest.approx([0.7, 1.0, 1.6])


def test_the_same_seed_gives_the_same_draws_and_each_stratum_has_one() -> None:
    posterior = posterior_of(0.8, 0.05, 8)
    assert posterior is not None
    spread = Spread(posterior, 0.8)
    one, same, other = draws_of(spread, RANGE), draws_of(spread, RANGE, seed=SEED), draws_of(spread, RANGE, seed=1)
    assert one.demand is not None and same.demand is not None and other.demand is not None
    assert one.demand.tolist() == same.demand.tolist() != other.demand.tolist()
    assert one.ratio.tolist() == other.ratio.tolist()
    assert one.ratio.mean() * 0.8 == pytest.approx(posterior.mean, rel=1e-4)
    share_below = np.array([(one.demand < f).mean() for f in demand_factors(RANGE, np.array([0.05, 0.5, 0.95]))])
    assert share_below == pytest.approx([0.05, 0.5, 0.95], abs=0.0006)


def test_the_shares_of_the_best_month_add_up() -> None:
    odds = economics(0.95, 0.05, 5, demand=RANGE).odds
    assert odds is not None and odds.draws == 2000
    assert odds.share_same_month + odds.share_other_month + odds.share_never == pytest.approx(1.0)
