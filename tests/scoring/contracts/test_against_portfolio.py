"""Every plan to the cent against the timeline of all workloads, run with the plan's hours: no sums are shared."""

from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.contracts.holdings import holdings_of
from scoring.contracts.months import Grid
from scoring.contracts.plan_costs import PlanCosts
from scoring.contracts.plans import best_plans, npv_matrix, shares_of
from scoring.contracts.portfolio.agreement import agreements
from scoring.contracts.portfolio.timeline import Portfolio
from scoring.contracts.portfolio.values import Workload
from scoring.contracts.scenario import Frame
from scoring.contracts.walk_away import UNBOUNDED_RATIO, break_even_ratio, candidate_price, incumbent_price
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow
from scoring.model.settings import Settings

TODAY, FIRST = date(2026, 12, 15), date(2027, 1, 1)
CENT = 0.005
A, B = "p5.48xlarge", "trn2.48xlarge"
MONTH_ENDS = ("2027-01-31", "2027-03-31", "2027-05-31", "2028-02-29")


@st.composite
def terms(draw: st.DrawFn, number: int, shared: bool, cut: bool) -> Contract:
    """`shared` plans of both arms, else a minimum and overage rates.

    A contract begins and ends with a month or, where it may `cut` one, on any day: then none promises hours a month.
    """
    fields: dict[str, Any] = {
        "id": f"c{number}",
        "starts_on": draw(st.sampled_from(["2026-01-01", "2027-02-01", *["2027-02-11"] * cut])),
        "ends_on": draw(st.sampled_from([*MONTH_ENDS[1:], *["2027-03-15", "2027-04-02"] * cut])),
    }
    one = draw(st.sampled_from([A, B]))
    if draw(st.booleans()):
        covers = draw(st.sampled_from([[A, B], [one]])) if shared else [one]
        kind = draw(st.sampled_from(["savings_plan_compute", "savings_plan_instance"]))
        rates = {name: draw(st.sampled_from(["10", "24", "31"])) for name in covers}
        amount = draw(st.sampled_from(["9", "36", "80"]))
        plan = {"kind": kind, "rate": "0", "covers": {"instance_types": covers}, "covered_rates": rates}
        upfront = draw(st.sampled_from([{}, {}, {"kind": "partial_upfront", "upfront": "3000"}]))
        return Contract.model_validate(
            {**fields, **plan, "commitment": {"currency_per_hour": amount}, "payment": upfront}
        )
    given_ = {
        "kind": "take_or_pay",
        "covers": {"instance_types": [one]},
        "commitment": draw(
            st.sampled_from([{"instances": "1"}, {"instances": "2"} if cut else {"instance_hours_per_month": "500"}])
        ),
        "rate": draw(st.sampled_from(["8", "20", "45"])),
        "overage_rate": None if shared else draw(st.sampled_from([None, None, "28"])),
        "minimum_utilisation": "1" if shared else draw(st.sampled_from(["0", "0.5", "0.8", "1"])),
        "ramp": draw(st.sampled_from([(), ({"starts_on": "2027-03-09" if cut else "2027-03-01", "rate": "12"},)])),
    }
    if draw(st.booleans()):
        given_ |= {"notice": {"days": 30}, "renewal": {"kind": "automatic", "months": 12, "rate": "18"}}
    return Contract.model_validate({**fields, **given_})


@st.composite
def spending(draw: st.DrawFn) -> Contract:
    """A spend commitment whose periods end within the months, on any day."""
    days = {"starts_on": draw(st.sampled_from(["2026-01-01", "2027-01-20"])), "ends_on": "2027-05-12"}
    days = draw(st.sampled_from([days, {"starts_on": "2026-04-01", "ends_on": "2027-03-31"}]))
    total = {"currency_total": draw(st.sampled_from(["40000", "150000", "900000"])), "per_year": draw(st.booleans())}
    return Contract.model_validate({
        **days, "id": "spend", "kind": "spend_commitment", "rate": "0", "commitment": total,
        "true_up": draw(st.sampled_from(["1", "0.5"])), "provider": draw(st.sampled_from([None, "aws"])),
        "other_spend_per_month": draw(st.sampled_from(["0", "2000"])),
        "covers": {"instance_types": draw(st.sampled_from([[A, B], [A], [B]]))},
    })  # fmt: skip


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    shared, spends, cut = draw(st.booleans()), draw(st.booleans()), draw(st.booleans())
    held = tuple(draw(terms(i, shared, cut)) for i in range(draw(st.integers(0 if spends else 1, 4))))
    if spends:
        held = tuple(c.model_copy(update={"minimum_utilisation": Decimal(1)}) for c in held)
        held = (draw(spending()), *held)
    price_a, price_b = (float(draw(st.sampled_from([12, 24, 40, 55]))) for _ in "ab")
    hours_a, ratio = draw(st.sampled_from([1.0, 3.0])), draw(st.sampled_from([0.5, 1.0, 1.7]))
    given_ = {
        "horizon_months": 6,
        "annual_discount_rate": draw(st.sampled_from([0, 0.1])),
        "migration_cost": draw(st.sampled_from([0, 3000])),
        "demand": {"units_per_month": draw(st.sampled_from([300.0, 900.0]))},
        "capacity": {"hours_per_month": draw(st.sampled_from([None, 700.0]))},
        "split_minimum_gain": 0.0,
    }
    return Frame(
        incumbent=ArmFlow(arm="a", hours_per_unit=hours_a, price_per_hour=price_a, instance_type=A),
        candidate=ArmFlow(arm="b", hours_per_unit=hours_a * ratio, price_per_hour=price_b, instance_type=B),
        contracts=held,
        settings=Settings.model_validate(given_),
        today=TODAY,
        ratio=ratio,
        price_a=price_a,
        price_b=price_b,
    )


def truth(frame: Frame, grid: Grid, s: int, u: int, renewed: frozenset[str] = frozenset()) -> float:
    """What the shared timeline says that the plan costs."""
    shares = shares_of(grid, s, u)[0]
    hours = {A: grid.need_a * (1 - shares), B: grid.need_b * shares}
    prices = {A: grid.price_a, B: grid.price_b}
    work = [
        Workload(name=name, instance_type=name, hours_per_month=tuple(hours[name]), on_demand_price=prices[name])
        for name in (A, B)
    ]
    timeline = Portfolio(work, agreements(frame.contracts, TODAY, renewed), FIRST, len(shares)).timeline()
    moving = grid.factor[s] * float(frame.settings.migration_cost) if s < len(shares) else 0.0
    return float((grid.factor * np.array(timeline.cost)).sum() + moving)


@settings(max_examples=40, deadline=None)
@given(frames(), st.integers(0, 6), st.integers(0, 6))
def test_every_plan_costs_what_the_shared_timeline_says(frame: Frame, first: int, second: int) -> None:
    grid, migration = frame.grid(), float(frame.settings.migration_cost)
    npv = npv_matrix(grid, migration)
    for s, u in {(min(first, second), max(first, second)), (0, 0), (0, 6), (6, 6)}:
        assert npv[s, u] == pytest.approx(truth(frame, grid, s, u), abs=CENT), (s, u)
    for way in frame.ways_to_renew:
        assert frame.grid(way).stay_npv == pytest.approx(truth(frame, frame.grid(way), 6, 6, way), abs=CENT)


@settings(max_examples=25, deadline=None)
@given(frames(), st.integers(0, 6), st.integers(0, 6))
def test_in_many_draws_a_plan_costs_what_it_costs_alone(frame: Frame, first: int, second: int) -> None:
    grid, migration = frame.grid(), float(frame.settings.migration_cost)
    npv, costs = npv_matrix(grid, migration), PlanCosts.of(grid, migration, 2)
    s, u = min(first, second), max(first, second)
    assert costs.npv(s, u) == pytest.approx(npv[s, u])
    best = best_plans(npv, grid.stay_npv, 0.0).best
    assert costs.best_starts(np.full(2, grid.stay_npv), 0.0).tolist() == [best.starts_at] * 2


@settings(max_examples=25, deadline=None)
@given(frames())
def test_walk_away_prices_and_the_break_even_are_where_the_plan_saves_nothing_by_the_shared_timeline(
    frame: Frame,
) -> None:
    holdings = holdings_of(frame)
    question, best = holdings.question, holdings.plans.best
    if best.starts_at == 6:
        return
    s, u, stays = best.starts_at, best.full_at, {way: frame.grid(way) for way in frame.ways_to_renew}

    def stay(**at: float) -> float:
        return min(truth(frame, grid.at(**at), 6, 6, way) for way, grid in stays.items())

    scale = CENT + 1e-9 * question.stay_npv
    price = candidate_price(question, best, frame.ratio)
    if price is not None:
        assert truth(frame, question.grid.at(price_b=price), s, u) == pytest.approx(stay(), abs=scale)
    price = incumbent_price(question, best)
    if price is not None:
        there = truth(frame, question.grid.at(price_a=price), s, u)
        assert there == pytest.approx(stay(price_a=price), abs=scale)
    ratio = break_even_ratio(question, best)
    if 0 < ratio < UNBOUNDED_RATIO:
        assert truth(frame, question.grid.at(ratio=ratio), s, u) == pytest.approx(stay(), abs=scale)
