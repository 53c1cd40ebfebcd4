"""Months that a contract cuts, by hand: 600 hours a month are needed, 50 an hour on demand, from January 2027 on."""

from datetime import date
from typing import Any

import pytest

from scoring.contracts.timeline import build_timeline
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, Band, Economics
from scoring.model.settings import Settings

MONTH = 600 * 50
RESERVED = {"id": "c1", "kind": "take_or_pay", "rate": "30", "starts_on": "2026-07-01", "ends_on": "2027-12-31"}


def economics(*held: dict[str, Any], horizon: int = 3, **more: Any) -> Economics:
    covers = {"covers": {"instance_types": ["a"]}, "commitment": {"instances": 1}}
    return build_timeline(
        incumbent=ArmFlow(arm="a", hours_per_unit=1.0, price_per_hour=50.0),
        candidate=ArmFlow(arm="b", hours_per_unit=0.5, price_per_hour=40.0),
        contracts=[Contract.model_validate({**covers, **RESERVED, **fields}) for fields in held],
        settings=Settings.model_validate({"horizon_months": horizon, "demand": {"units_per_month": 600}, **more}),
        today=date(2026, 12, 15),
        hours_ratio=Band(point=0.5),
    )


BLOCK = {"kind": "capacity_block", "rate": "0", "commitment": {"instances": 4}}
PAID = {"payment": {"kind": "all_upfront", "upfront": "20000"}}
CASES: dict[str, tuple[dict[str, Any], int, float]] = {
    "it ends on 15 March: 16 days of the work pay on demand": (
        {"ends_on": "2027-03-15"}, 2, 15 * 24 * 30 + 600 * 16 / 31 * 50,
    ),
    "it begins on 10 February: 9 days of the work pay on demand": (
        {"starts_on": "2027-02-10"}, 1, 19 * 24 * 30 + 600 * 9 / 28 * 50,
    ),
    "a block of 14 days serves 14 days of the work, however large it is": (
        {**BLOCK, **PAID, "starts_on": "2027-03-10", "ends_on": "2027-03-23"}, 2, 20000 + 600 * 17 / 31 * 50,
    ),
    "its overage price holds on its days alone": (
        {"ends_on": "2027-03-01", "commitment": {"instances": "0.5"}, "overage_rate": "35"},
        2, 12 * 30 + (600 / 31 - 12) * 35 + 600 * 30 / 31 * 50,
    ),
    "a step of the ramp leaves idle hours before it to nobody": (
        {"ramp": ({"starts_on": "2027-03-11", "instances": "0.25"},)},
        2, 10 * 24 * 30 + 21 * 6 * 30 + (600 / 31 - 6) * 21 * 50,
    ),
    "a savings plan that ends within a month": (
        {"kind": "savings_plan_compute", "ends_on": "2027-03-15", "commitment": {"currency_per_hour": "30"},
         "rate": "0", "covered_rates": {"a": "20"}},
        2, 15 * 24 * 30 + 600 * 16 / 31 * 50,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_month_that_is_cut(name: str) -> None:
    fields, month, cost = CASES[name]
    found = economics(fields)
    assert found.months[month].stay_cost == pytest.approx(cost)
    assert found.cut_by == ("c1",)
    (held,) = found.months[month].contracts
    assert held.used_hours + held.wasted_hours == pytest.approx(held.committed_hours)
    assert held.used_hours <= min(held.committed_hours, 600)


def test_a_month_that_nothing_cuts_is_one_stretch() -> None:
    assert economics({"ends_on": "2027-02-28"}).cut_by == ()
    assert economics({"ends_on": "2027-05-15"}).cut_by == ()


def test_what_leaving_brings_counts_once() -> None:
    """A quarter of what 15 April would end is paid on 1 January: 105 days of 24 hours at 30."""
    found = economics({"ends_on": "2027-04-15", "early_termination": {"kind": "fee_share", "share": "0.25"}}, horizon=4)
    assert found.best is not None
    assert found.best.npv == pytest.approx(0.25 * 105 * 24 * 30 + 4 * 300 * 40)


def test_other_work_uses_the_idle_hours_of_its_own_days() -> None:
    """All has moved: of 360 hours to 15 March it takes 300 × 15 / 31, each worth 50."""
    other = {"name": "o", "instance_type": "a", "hours_per_month": 300, "on_demand_price": 50}
    found = economics({"ends_on": "2027-03-15"}, other_workloads=[other])
    at_staying = min(300 * 15 / 31, 15 * 24 - 600 * 15 / 31) * 50
    assert found.months[2].full_cost == pytest.approx(360 * 30 - (300 * 15 / 31 * 50 - at_staying) + 300 * 40)
