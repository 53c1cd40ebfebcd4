"""Contracts left early: by hand, and against trying every way of leaving with the engine that counts day by day."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.contracts.timeline import build_timeline
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, Band, Economics
from scoring.model.settings import Settings
from tests.scoring.contracts.simulator import World, cheapest, month_days, plan_npv
from tests.scoring.contracts.worlds import plain

TODAY = date(2026, 12, 1)
CENT = 0.005


def contract(**fields: Any) -> Contract:
    """A year of one instance of the incumbent at 30 an hour, 2027."""
    return Contract.model_validate({
        "id": "c1", "kind": "reserved_standard", "starts_on": "2027-01-01", "ends_on": "2027-12-31", "rate": "30",
        "covers": {"instance_types": ["a"]}, "commitment": {"instances": 1}, **fields,
    })  # fmt: skip


def economics(*held: Contract, price_b: float = 10.0, migration: float = 0.0, **more: Any) -> Economics:
    """700 units a month, an hour each on A (40 on demand) and on B."""
    fields: dict[str, Any] = {
        "horizon_months": 13, "demand": {"units_per_month": 700}, "migration_cost": migration,
        "split_minimum_gain": 0, **more,
    }  # fmt: skip
    return build_timeline(
        incumbent=ArmFlow(arm="a", hours_per_unit=1.0, price_per_hour=40.0),
        candidate=ArmFlow(arm="b", hours_per_unit=1.0, price_per_hour=price_b),
        contracts=held,
        settings=Settings.model_validate(fields),
        today=TODAY,
        hours_ratio=Band(point=1.0, lo=0.9, hi=1.1),
    )


SELLS = {"allowed": True, "discount": "0.3", "fee": "0.12"}


def test_an_exchange_and_a_transfer_are_listed_with_what_they_need_and_bring_no_amount() -> None:
    held = contract(
        kind="take_or_pay",
        ends_on="2028-12-31",
        payment={"kind": "partial_upfront", "upfront": 1000},
        exchange={"allowed": True, "families": ["c"]},
        transfer={"allowed": True, "teams": ["search"], "consent": True},
    )
    exchanged, transferred = economics(held).recoveries
    remains = (365 + 366) * 24 * 30 + 1000
    for row, to, needs in ((exchanged, "c", "equal-or-greater-value"), (transferred, "search", "consent")):
        assert (row.reason, row.to, row.subject_to, row.gain, row.cash) == ("needs-takers", (to,), (needs,), None, None)
        assert row.remains == pytest.approx(remains)
    without = contract(kind="take_or_pay", ends_on="2028-12-31", payment=held.payment)
    assert economics(held).best == economics(without).best
    barred = contract(kind="azure_reservation", starts_on="2027-03-01", exchange={"allowed": True})
    assert [r.reason for r in economics(barred).recoveries] == ["rule"]


def test_a_reservation_is_sold_and_the_work_moves() -> None:
    """December: 700 h at 10. From January all is on B and the reservation sold: 8,760 h × 30 × (1 − 0.7 × 0.88)."""
    e = economics(contract(resale=SELLS))
    assert e.best is not None
    (sold,) = e.move_releases
    assert (sold.way, sold.month, sold.on, sold.subject_to) == ("resale", 1, date(2027, 1, 1), ("buyer",))
    owed = 8760 * 30
    assert sold.cash == pytest.approx(owed * 0.7 * 0.88 - owed)
    assert e.best.npv == pytest.approx(13 * 700 * 10 + owed - owed * 0.7 * 0.88)
    only_the_overflow = 700 * 10 + owed + (700 - 672) * 10
    assert e.certain_saving == pytest.approx((e.stay_npv or 0) - only_the_overflow)
    assert [(r.way, r.chosen) for r in e.recoveries] == [("resale", True)]


def test_paying_to_end_a_contract_can_still_win() -> None:
    """What 12 months still owe is 262,800; half of it ends them, and B costs 10 an hour from then on."""
    e = economics(contract(early_termination={"kind": "fee_share", "share": "0.2"}))
    assert e.best is not None and e.certain_saving is None
    (left,) = e.move_releases
    assert (left.way, left.cash) == ("termination", pytest.approx(-0.2 * 8760 * 30))
    assert e.best.npv == pytest.approx(13 * 700 * 10 + 0.2 * 8760 * 30)


def test_a_fee_above_what_moving_saves_is_not_paid() -> None:
    e = economics(contract(early_termination={"kind": "fee_share", "share": "0.9"}))
    assert e.move_releases == ()
    assert [(r.way, r.chosen, (r.gain or 0) < 0) for r in e.recoveries] == [("termination", False, True)]


def test_an_idle_contract_is_left_by_staying_too_so_that_moving_is_not_credited_with_it() -> None:
    """Two more instances that nobody needs: staying sells them as moving does."""
    idle = contract(id="c2", ends_on="2027-11-30", commitment={"instances": 2}, resale=SELLS)
    e = economics(contract(), idle, price_b=200.0)
    assert e.best is not None and e.best.starts_at == 13
    assert [r.contract_id for r in e.stay_releases] == ["c2"]
    owed = 2 * 334 * 24 * 30
    assert e.stay_npv == pytest.approx((700 + 700 - 672) * 40 + 8760 * 30 + owed * (1 - 0.7 * 0.88))


@pytest.mark.parametrize(
    ("fields", "horizon", "reason", "needed"),
    [
        ({"resale": SELLS}, 12, "beyond-horizon", 13),
        ({"resale": {**SELLS, "from_months": 12}}, 13, "not-held-long-enough", None),
        ({"early_termination": {"kind": "fee_share", "share": "0.1", "notice_days": 500}}, 13, "notice-passed", None),
        (
            {"kind": "azure_reservation", "refund_cap": {"amount": "1000"},
             "early_termination": {"kind": "fee_share", "share": "0.1"}}, 13, "refund-cap", None,
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_weighed_says_why(fields: dict[str, Any], horizon: int, reason: str, needed: int | None) -> None:
    e = economics(contract(**fields), horizon_months=horizon)
    assert e.move_releases == ()
    assert [(r.reason, r.horizon_months, r.gain) for r in e.recoveries] == [(reason, needed, None)]


def test_one_provider_refunds_no_more_than_its_cap_in_a_year() -> None:
    """Each alone is within 300,000; both together are not."""
    ends = {"kind": "azure_reservation", "provider": "Azure", "refund_cap": {"amount": "300000"},
            "early_termination": {"kind": "fee_share", "share": "0.1"}}  # fmt: skip
    alone = economics(contract(**ends))
    both = economics(contract(**ends), contract(id="c2", **ends))
    assert len(alone.move_releases) == 1

    def owed(on: date | None) -> float:
        return ((date(2027, 12, 31) - on).days + 1) * 24 * 30 if on else 0.0

    kept = {r.contract_id: r for r in both.move_releases}
    assert kept and sum(owed(r.on) for r in kept.values()) <= 300_000
    for row in both.recoveries:
        others = sum(owed(r.on) for name, r in kept.items() if name != row.contract_id)
        assert row.gain is not None and owed(row.on) + others <= 300_000


def test_freed_hours_are_worth_what_other_work_saves_with_them() -> None:
    """Another team pays 35 for 300 h a month; of the 44 idle hours of January it uses 44 already at staying."""
    other = {"name": "search", "instance_type": "a", "hours_per_month": 300, "on_demand_price": "35"}
    e = economics(contract(), price_b=10.0, other_workloads=[other])
    month = e.months[1]
    assert month.committed_incumbent_hours == 744
    assert month.full_cost == pytest.approx(744 * 30 + 700 * 10 - (300 - 44) * 35)
    assert month.stay_cost == pytest.approx(744 * 30)
    small = economics(contract(), price_b=10.0, other_workloads=[{**other, "hours_per_month": 30}])
    assert small.months[1].full_cost == pytest.approx(744 * 30 + 700 * 10)


def test_a_savings_plan_is_taken_up_at_each_type_by_its_own_rate() -> None:
    """An hour of the other type draws 12 of the plan where one of A draws 24: half an hour of A, saving its 20."""
    plan = Contract.model_validate({
        "id": "sp", "kind": "savings_plan_compute", "starts_on": "2027-01-01", "ends_on": "2027-12-31", "rate": "0",
        "commitment": {"currency_per_hour": "24"}, "covered_rates": {"a": "24", "other": "12"}, "covers": {},
    })  # fmt: skip
    other = {"name": "team", "instance_type": "other", "hours_per_month": 500, "on_demand_price": "20"}
    e = economics(plan, other_workloads=[other])
    assert [(w.hours_per_month, w.price_per_hour) for w in e.other_work] == [(250, 40)]


@st.composite
def worlds(draw: st.DrawFn) -> tuple[World, list[Contract]]:
    held = []
    for i in range(draw(st.integers(1, 2))):
        starts = date(2026, draw(st.integers(1, 12)), 1)
        held.append(
            contract(
                id=f"c{i}", starts_on=starts, ends_on=TODAY + timedelta(days=draw(st.integers(40, 190))),
                rate=draw(st.sampled_from(["15", "30", "60"])), covers={"instance_types": ["a"]},
                resale=draw(st.sampled_from([None, {"allowed": True, "discount": "0.5", "fee": "0.1"}])),
                early_termination=draw(st.sampled_from([
                    None, {"kind": "fee_share", "share": "0.3"}, {"kind": "fixed", "amount": "9000"}])),
            )
        )  # fmt: skip
    return World(
        contracts=tuple(plain(c) for c in held), today=TODAY, horizon=7, 
        discount=draw(st.sampled_from([0.0, 0.2])),
        demand=draw(st.sampled_from([300.0, 1000.0, 2000.0])), hours_a=1.0,
        ratio=draw(st.sampled_from([0.5, 1.0, 2.0])),
        price_a=draw(st.sampled_from([20.0, 45.0])), price_b=draw(st.sampled_from([5.0, 18.0, 40.0])),
        migration=draw(st.sampled_from([0.0, 6000.0])), capacity=draw(st.sampled_from([None, 600.0])),
    ), held  # fmt: skip


def brought(c: Contract, way: str, on: date) -> float:
    """Day by day, what is left of a contract, and what a way of leaving makes of it."""
    day, owed = on, 0.0
    while day <= c.ends_on:
        owed += 24 * float(c.commitment.instances or 0) * float(c.rate)
        day += timedelta(days=1)
    if way == "resale":
        return owed * 0.5 * 0.9 - owed
    assert c.early_termination is not None
    share = c.early_termination.share
    return -float(c.early_termination.amount or 0) if share is None else -owed * float(share)


def every_way(world: World, held: list[Contract], least: Any) -> float:
    """The least of all ways to keep or leave each contract in each month."""
    choices = []
    for c in held:
        mine: list[tuple[str, int] | None] = [None]
        for v in range(world.horizon):
            first = month_days(world.today, v)[0]
            if c.starts_on <= first <= c.ends_on:
                mine += [("resale", v)] if c.resale else []
                mine += [("termination", v)] if c.early_termination else []
        choices.append(mine)
    found = []
    for chosen in product(*choices):
        kept, lump = [], 0.0
        for c, plain_one, one in zip(held, world.contracts, chosen, strict=True):
            if one is None:
                kept.append(plain_one)
                continue
            first = month_days(world.today, one[1])[0]
            lump -= brought(c, one[0], first) / (1 + world.discount) ** (one[1] / 12)
            if plain_one.starts_on < first:
                kept.append(replace(plain_one, ends_on=first - timedelta(days=1)))
        found.append(least(replace(world, contracts=tuple(kept))) + lump)
    return min(found)


@settings(max_examples=15, deadline=None)
@given(worlds())
def test_the_best_plan_is_the_best_of_every_way_to_leave(case: tuple[World, list[Contract]]) -> None:
    world, held = case
    e = build_timeline(
        incumbent=ArmFlow(arm="a", hours_per_unit=1.0, price_per_hour=world.price_a),
        candidate=ArmFlow(arm="b", hours_per_unit=world.ratio, price_per_hour=world.price_b),
        contracts=held,
        settings=Settings(
            horizon_months=world.horizon, annual_discount_rate=world.discount, split_minimum_gain=0.0,
            migration_cost=Decimal(str(world.migration)), demand={"units_per_month": world.demand},
            capacity={"hours_per_month": world.capacity},
        ),
        today=TODAY,
        hours_ratio=Band(point=world.ratio),
    )  # fmt: skip
    h = world.horizon
    stay = every_way(world, held, lambda w: plan_npv(w, h, h))
    assert e.best is not None
    assert e.stay_npv == pytest.approx(stay, abs=CENT)
    assert e.best.npv == pytest.approx(every_way(world, held, cheapest), abs=CENT)
    for release in (*e.move_releases, *e.stay_releases):
        left = next(c for c in held if c.id == release.contract_id)
        assert release.cash == pytest.approx(brought(left, release.way, release.on), abs=CENT)
