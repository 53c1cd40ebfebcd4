"""Why this month: against the same plan a month earlier and later, by the second engine's sums."""

import pytest
from hypothesis import given, settings

from scoring.model.contract import Contract
from scoring.model.timing import Timing, TimingReason
from tests.scoring.contracts.simulator import World, plan_npv
from tests.scoring.contracts.test_against_simulator import CENT, Case, planned
from tests.scoring.contracts.test_reference import CASES, contract, reserved, timeline
from tests.scoring.contracts.worlds import cases, engine


def test_wait_for_the_end_of_the_reservation() -> None:
    """305,050 and 304,878 against 285,700."""
    expected = Timing(
        month=6,
        earlier=305050 - 285700,
        later=304878 - 285700,
        reasons=(TimingReason(code="reservation-ends", contract_id="c"),),
    )
    found = reserved(CASES["switch_month"]["input"]).timing
    assert found is not None
    assert found.model_copy(update={"earlier": round(found.earlier or 0, 6), "later": round(found.later or 0, 6)}) == (
        expected
    )


def test_nothing_to_wait_for() -> None:
    facts = {"need_a_hours_per_month": 100.0, "need_b_hours_per_month": 100.0, "on_demand_a": 9.0, "price_b": 5.0}
    found = timeline(facts, []).timing
    assert found == Timing(month=0, earlier=None, later=400.0, reasons=(TimingReason(code="nothing-to-wait-for"),))


def test_the_overflow_first_and_the_rest_when_the_reservation_ends() -> None:
    facts = {"need_a_hours_per_month": 1000.0, "need_b_hours_per_month": 1000.0, "on_demand_a": 50.0, "price_b": 12.0}
    found = timeline({**facts, "migration_cost": 100.0}, [contract(500, 30, 6)]).timing
    assert found is not None
    assert (found.month, found.earlier, found.later) == (6, pytest.approx(500 * 12), None)
    assert [reason.code for reason in found.reasons] == ["overflow-first", "reservation-ends"]


def test_a_stay_has_no_month() -> None:
    facts = {"need_a_hours_per_month": 100.0, "need_b_hours_per_month": 100.0, "on_demand_a": 5.0, "price_b": 9.0}
    assert timeline(facts, []).timing is None


@settings(max_examples=40, deadline=None)
@given(cases())
def test_the_neighbours_are_the_second_engines(case: Case) -> None:
    world, held = case
    e = engine(world, held)
    plan, timing, h = planned(e), e.timing, world.horizon
    assert [min(plan_npv(world, s, u) for u in range(s, h + 1)) for s in range(h)] == pytest.approx(
        e.npv_by_start, abs=CENT
    )
    assert (timing is None) is (plan.starts_at == h)
    if timing is None:
        return
    for shift, told in ((-1, timing.earlier), (1, timing.later)):
        if told is not None:
            assert told == pytest.approx(
                plan_npv(world, *moved(plan.starts_at, plan.full_at, shift, h)) - plan.npv, abs=CENT
            )
            assert told >= -CENT
    ends = {r.contract_id for r in timing.reasons if r.code == "reservation-ends"}
    assert all(not promises(world, held, name, timing.month) for name in ends)


def moved(s: int, u: int, shift: int, horizon: int) -> tuple[int, int]:
    if s == u:
        return s + shift, u + shift
    return (s + shift, u) if u == horizon else (s, u + shift)


def promises(world: World, held: list[Contract], name: str, month: int) -> bool:
    """Whether a contract promises hours in a month, as the record's rows say."""
    rows = engine(world, held).months[month].contracts
    return any(row.contract_id == name and row.committed_hours > 0 for row in rows)
