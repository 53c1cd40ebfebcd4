"""The engine against a second one that counts day by day; and what must hold whatever the figures are."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.model.contract import Contract
from scoring.model.economics import Economics, Plan
from tests.scoring.contracts.simulator import World, cheapest, month_cost, plan_npv, promised, used_of_a
from tests.scoring.contracts.worlds import cases, engine, plain

CENT = 0.005
Case = tuple[World, list[Contract]]
many = settings(max_examples=60, deadline=None)


def renewable(world: World) -> frozenset[str]:
    mine = (c for c in world.contracts if c.arm in "ab" and c.renewed_until and c.renewed_until >= world.today)
    return frozenset(c.id for c in mine if c.can_renew() and not c.missed(world.today))


def ways(world: World) -> list[frozenset[str]]:
    """Every set of the incumbent's contracts that may be let renew."""
    ids = [c.id for c in world.contracts if c.arm == "a" and c.id in renewable(world)]
    return [frozenset(i for n, i in enumerate(ids) if bits >> n & 1) for bits in range(2 ** len(ids))]


def stay(world: World) -> float:
    h = world.horizon
    return min(plan_npv(world, h, h, way) for way in ways(world))


def planned(e: Economics) -> Plan:
    assert e.best is not None
    return e.best


@many
@given(cases())
def test_months_and_plans_to_the_cent(case: Case) -> None:
    assert_to_the_cent(*case)


@many
@given(cases(otherwise=True))
def test_months_and_plans_with_plans_ramps_and_payments_at_the_start_to_the_cent(case: Case) -> None:
    assert_to_the_cent(*case)


def assert_to_the_cent(world: World, held: list[Contract]) -> None:
    e = engine(world, held)
    assert e.stay_npv == pytest.approx(stay(world), abs=CENT)
    for i, month in enumerate(e.months):
        for level in ("stay", "partial", "full"):
            assert getattr(month, f"{level}_cost") == pytest.approx(month_cost(world, i, level), abs=CENT)
        renews = frozenset(e.stay_renews)
        assert month.stay_renewed_cost == pytest.approx(month_cost(world, i, "stay", renews), abs=CENT)
        hours_a, hours_b, cost, above_a, above_b = promised(world, i, frozenset())
        assert month.committed_incumbent_hours == pytest.approx(hours_a)
        assert month.committed_candidate_hours == pytest.approx(hours_b)
        assert month.commitment_cost == pytest.approx(cost, abs=CENT)
        assert (month.incumbent_overage_rate, month.candidate_price) == (above_a, above_b)
    for s, npv in enumerate(e.switch_npv_by_month):
        assert npv == pytest.approx(plan_npv(world, s, s), abs=CENT)
    assert planned(e).npv == pytest.approx(min(cheapest(world), stay(world)), abs=CENT)


@many
@given(st.one_of(cases(), cases(otherwise=True)))
def test_deadlines(case: Case) -> None:
    world, held = case
    e = engine(world, held)
    h = world.horizon
    for deadline in e.deadlines:
        if deadline.contract_id not in renewable(world):
            assert deadline.cost_of_missing is None
        else:
            alone = cheapest(world, frozenset({deadline.contract_id}))
            among = (plan_npv(world, h, h, way) for way in ways(world) if deadline.contract_id in way)
            missed = min([alone, *among])
            assert deadline.cost_of_missing == pytest.approx(max(0.0, missed - planned(e).npv), abs=2 * CENT)


def test_of_two_contracts_the_cheap_one_alone_is_renewed() -> None:
    """Committed to the end of March at 8 and 6 an hour, 700 hours a month needed, 7 an hour elsewhere."""
    held = [Contract.model_validate({
        "id": name, "kind": "take_or_pay", "starts_on": "2026-01-01", "ends_on": "2027-03-31", "rate": rate,
        "covers": {"instance_types": ["a"]}, "commitment": {"instances": 1},
        "notice": {"days": 30}, "renewal": {"kind": "automatic", "months": 12},
    }) for name, rate in (("c1", "8"), ("c2", "6"))]  # fmt: skip
    world = World(
        contracts=tuple(plain(c) for c in held), today=date(2026, 12, 1), horizon=13, discount=0.0, demand=700.0,
        hours_a=1.0, ratio=1.0, price_a=20.0, price_b=7.0, migration=0.0,
    )  # fmt: skip
    e = engine(world, held)
    assert e.stay_renews == ("c2",)
    assert planned(e).starts_at == world.horizon
    assert e.stay_npv == pytest.approx(stay(world))
    missed = {d.contract_id: d.cost_of_missing for d in e.deadlines}
    assert missed["c2"] == 0
    assert missed["c1"] == pytest.approx(9 * 30.5 * 24 * (8 - 6), rel=0.02)


@many
@given(cases())
def test_walk_away_prices_and_the_break_even_are_where_the_plan_saves_nothing(case: Case) -> None:
    world, held = case
    e = engine(world, held)
    plan = planned(e) if planned(e).starts_at < world.horizon else e.best_full
    assert plan is not None
    moves = planned(e).starts_at < world.horizon
    scale = max(1.0, stay(world)) * 1e-7
    if e.walk_away.candidate_price is not None:
        there = replace(world, price_b=e.walk_away.candidate_price.point)
        npv = plan_npv(there, plan.starts_at, plan.full_at) if moves else best_moving(there)
        assert npv == pytest.approx(stay(world), abs=scale)
    if e.walk_away.incumbent_price is not None:
        there = replace(world, price_a=e.walk_away.incumbent_price.point)
        assert plan_npv(there, plan.starts_at, plan.full_at) == pytest.approx(stay(there), abs=scale)
        assert (there.price_a < world.price_a) is moves or there.price_a == pytest.approx(world.price_a)
    ratio = e.break_even_hours_ratio
    assert ratio is not None
    if 0 < ratio < 1e6:
        there = replace(world, ratio=ratio)
        npv = plan_npv(there, plan.starts_at, plan.full_at) if moves else best_moving(there)
        assert npv == pytest.approx(stay(world), abs=scale)


def best_moving(world: World) -> float:
    h = world.horizon
    return min(plan_npv(world, s, u) for s in range(h) for u in range(s, h + 1))


@many
@given(cases())
def test_no_price_gives_the_highest_that_pays(case: Case) -> None:
    world, held = case
    without = engine(world, held, priced=False)
    assert without.reason == "no-price"
    assert without.stay_npv == pytest.approx(stay(world), abs=CENT)
    band = without.walk_away.candidate_price
    if band is not None:
        assert best_moving(replace(world, price_b=band.point)) == pytest.approx(
            stay(world), abs=1e-7 * stay(world) + CENT
        )
        assert best_moving(replace(world, price_b=band.point * 1.01 + 0.1)) >= stay(world) - CENT


@many
@given(st.one_of(cases(), cases(otherwise=True)))
def test_hours_are_conserved_and_a_commitment_is_paid_whatever_happens(case: Case) -> None:
    world, held = case
    e = engine(world, held)
    of_incumbent = set(e.incumbent_contracts)
    for month in e.months:
        mine = [c for c in month.contracts if c.contract_id in of_incumbent]
        used = sum(c.used_hours for c in mine)
        assert used + sum(c.wasted_hours for c in mine) == pytest.approx(month.committed_incumbent_hours)
        possible = used_of_a(world, month.index, month.need_incumbent_hours, frozenset())
        assert used == pytest.approx(possible)
        assert sum(c.cost for c in month.contracts) == pytest.approx(month.commitment_cost)
        if not world.reuse_share:
            costs = (month.stay_cost, month.partial_cost, month.full_cost)
            assert min(costs) >= month.commitment_cost - CENT
        assert 0 <= month.partial_share <= month.full_share <= 1


@many
@given(cases(), st.floats(0.1, 0.99))
def test_a_lower_candidate_price_never_makes_the_best_plan_dearer(case: Case, factor: float) -> None:
    world, held = case
    dear, cheap = engine(world, held), engine(replace(world, price_b=world.price_b * factor), held)
    assert planned(cheap).npv <= planned(dear).npv + CENT
    assert planned(dear).npv <= (dear.stay_npv or 0.0) + CENT


@many
@given(cases())
def test_every_figure_follows_from_the_months(case: Case) -> None:
    """As a sheet recomputes it: NPV of (s, u) = Σ factor × cost + factor of s × the cost of moving."""
    world, held = case
    e = engine(world, held)
    for plan in (planned(e), e.best_full):
        assert plan is not None
        if plan.starts_at < world.horizon:
            total = e.months[plan.starts_at].factor * e.migration_cost
            for m in e.months:
                cost = m.stay_cost if m.index < plan.starts_at else m.full_cost
                total += m.factor * (m.partial_cost if plan.starts_at <= m.index < plan.full_at else cost)
            assert plan.npv == pytest.approx(total)
    lapse = sum(m.factor * m.stay_cost for m in e.months)
    renewed = sum(m.factor * m.stay_renewed_cost for m in e.months)
    assert e.stay_npv == pytest.approx(min(lapse, renewed) if e.stay_renewed_npv is not None else lapse)
    assert e.saving is not None
    if e.saving.lo is not None and e.saving.hi is not None:
        assert e.saving.lo <= e.saving.point + CENT
        assert e.saving.point <= e.saving.hi + CENT
