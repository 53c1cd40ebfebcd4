"""What holds whatever the portfolio is; and the reference cases."""

import copy
import json
import random
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.contracts.portfolio.agreement import AgreedTerm, Agreement, Promise
from scoring.contracts.portfolio.timeline import Portfolio
from scoring.contracts.portfolio.values import SharedTimeline, Workload
from tests.scoring.contracts.portfolio.worlds import World, portfolio, world

CENT = 0.005
many = settings(max_examples=30, deadline=None)
worlds = st.integers(0, 10**6).map(world)
CASES = {
    case["id"]: case for case in json.loads(Path("tests/data/reference/contracts.json").read_text("utf-8"))["cases"]
}
FIRST = date(2027, 1, 1)


def held(kind: str, promise: Promise, amount: float, types: tuple[str, ...] = ()) -> Agreement:
    term = AgreedTerm(starts_on=FIRST, ends_on=date(2029, 12, 31), rate=0)
    return Agreement(id="c", kind=kind, terms=(term,), promise=promise, amount=amount, instance_types=types)


def timeline(case: World) -> SharedTimeline:
    return portfolio(case).timeline()


@many
@given(worlds)
def test_hours_are_conserved_and_nothing_is_used_twice(case: World) -> None:
    found = timeline(case)
    for work in found.workloads:
        mine = np.sum([use.hours for use in found.uses if use.workload == work.workload], axis=0)
        assert np.add(mine, work.overage_hours) == pytest.approx(np.array(work.hours), abs=1e-6)
        assert min(work.overage_hours) >= 0
    for contract in found.contracts:
        assert np.add(contract.used, contract.wasted) == pytest.approx(np.array(contract.promised))
        assert min(contract.used) >= -1e-9
        assert min(contract.wasted) >= -1e-6
    parts = np.sum([c.cost for c in found.contracts] + [w.overage_cost for w in found.workloads], axis=0)
    assert parts == pytest.approx(np.array(found.cost))


@many
@given(worlds)
def test_commitments_are_paid_whatever_is_used(case: World) -> None:
    idle = copy.deepcopy(case)
    for work in idle["workloads"]:
        work["hours"] = [0.0] * case["months"]
    for contract in (*case["contracts"], *idle["contracts"]):
        contract["true_up"] = 0.0
    if not any(c["kind"] == "capacity_reservation" for c in case["contracts"]):
        assert np.all(np.array(timeline(case).cost) >= np.array(timeline(idle).cost) - CENT)


@many
@given(worlds, st.integers(0, 4), st.floats(1, 3))
def test_more_work_never_costs_less(case: World, number: int, factor: float) -> None:
    """Open capacity apart: idle, it is discounted last, so that running work in it can lower the bill."""
    case["contracts"] = [c for c in case["contracts"] if c["kind"] != "capacity_reservation"]
    more = copy.deepcopy(case)
    work = more["workloads"][number % len(more["workloads"])]
    work["hours"] = [hours * factor + 1 for hours in work["hours"]]
    assert sum(timeline(more).cost) >= sum(timeline(case).cost) - CENT


@many
@given(worlds, worlds)
def test_a_contract_that_costs_nothing_never_costs_more(case: World, other: World) -> None:
    kinds = ("take_or_pay", "reserved_standard", "committed_use", "capacity_block")
    free = [c | {"id": "free", "ramp": [], "overage": None} for c in other["contracts"] if c["kind"] in kinds][:1]
    for contract in free:
        contract["terms"] = [(a, b, 0.0) for a, b, _ in contract["terms"]]
    more = case | {"contracts": [*case["contracts"], *free]}
    assert sum(timeline(more).cost) <= sum(timeline(case).cost) + CENT


@many
@given(worlds, st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(case: World, rng: random.Random) -> None:
    mixed = case | {key: rng.sample(case[key], len(case[key])) for key in ("workloads", "contracts")}
    found, again = timeline(case), timeline(mixed)
    assert found.cost == pytest.approx(again.cost)
    rows: dict[str, Any] = {c.contract_id: c for c in again.contracts}
    for contract in found.contracts:
        assert contract.used == pytest.approx(rows[contract.contract_id].used, abs=1e-6)
    assert found.questions == again.questions


@many
@given(worlds, st.integers(1, 3))
def test_draws_are_the_timeline_of_each_draw(case: World, threads: int) -> None:
    hours = np.array([work["hours"] for work in case["workloads"]])
    factors = np.array([1.0, 0.3, 2.0])
    drawn = portfolio(case).draws(hours[:, None, :] * factors[None, :, None], threads)
    for i, factor in enumerate(factors):
        one = copy.deepcopy(case)
        for work in one["workloads"]:
            work["hours"] = [h * factor for h in work["hours"]]
        assert drawn.cost[i] == pytest.approx(np.array(timeline(one).cost))


def test_savings_plan_order() -> None:
    case = CASES["savings_plan_order"]
    given_, wanted = case["input"], case["expected"]
    works = [
        Workload(
            name=u["id"],
            instance_type=u["id"],
            hours_per_month=(744.0 * u["hours"],),
            on_demand_price=u["on_demand"],
            savings_plan_rates={"savings_plan_compute": u["sp_rate"]},
        )
        for u in given_["usage"]
    ]
    found = Portfolio(works, [held("savings_plan_compute", Promise.CURRENCY_PER_HOUR, 10)], FIRST, 1).timeline()
    assert {w.workload: w.coverage for w in found.workloads} == pytest.approx(wanted["covered"])
    assert found.cost[0] / 744 == pytest.approx(wanted["hour_total"])
    assert sum(w.overage_cost[0] for w in found.workloads) / 744 == pytest.approx(wanted["on_demand_left"])


def test_utilisation_and_coverage() -> None:
    """1,440 hours are promised; of 1,500 needed 1,130 are of the type that they serve."""
    case = CASES["utilisation_and_coverage"]
    wanted, need = case["expected"], case["input"]["total_need_hours"]
    used = case["input"]["used_committed_hours"]
    works = [
        Workload(name="a", instance_type="a", hours_per_month=(used,), on_demand_price=1),
        Workload(name="b", instance_type="b", hours_per_month=(need - used,), on_demand_price=1),
    ]
    contract = held("take_or_pay", Promise.HOURS_PER_MONTH, case["input"]["committed_hours"], ("a",))
    found = Portfolio(works, [contract], FIRST, 1).timeline()
    assert found.utilisation == pytest.approx(wanted["utilisation"])
    assert found.coverage == pytest.approx(wanted["coverage"])
    assert found.contracts[0].wasted[0] == pytest.approx(wanted["wasted_hours"])
