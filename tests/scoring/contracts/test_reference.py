"""Every reference value of the contract economics that this version covers, at its own tolerance."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from scoring.contracts.notices import add_months, notice_deadline, quarter_window
from scoring.contracts.timeline import build_timeline
from scoring.model.contract import Commitment, Contract, Coverage, Notice, Renewal
from scoring.model.economics import ArmFlow, Band, DeadlineStatus, Economics
from scoring.model.settings import Capacity, Demand, Settings

REFERENCE = Path(__file__).parents[2] / "data" / "reference" / "contracts.json"
CASES = {case["id"]: case for case in json.loads(REFERENCE.read_text(encoding="utf-8"))["cases"]}
LATER = {"resale", "early_termination", "savings_plan_order"}

MONTHS = 12


def contract(hours: float | None, rate: float, months: int, **more: Any) -> Contract:
    return Contract.model_validate(
        {
            "id": "c",
            "kind": "take_or_pay",
            "starts_on": date(2027, 1, 1),
            "ends_on": add_months(date(2026, 12, 31), months),
            "covers": Coverage(instance_types=("a",)),
            "commitment": Commitment(instance_hours_per_month=Decimal(str(hours)))
            if hours
            else Commitment(instances=Decimal(1)),
            "rate": Decimal(str(rate)),
            **more,
        }
    )


def timeline(i: dict[str, Any], contracts: list[Contract], ratio: Band | None = None, **more: Any) -> Economics:
    """One unit of work a month that takes the incumbent `need_a` hours."""
    need_a = i["need_a_hours_per_month"]
    point = i["need_b_hours_per_month"] / need_a
    settings = Settings.model_validate(
        {
            "horizon_months": i.get("horizon_months", MONTHS),
            "annual_discount_rate": i.get("annual_discount_rate", 0.0),
            "migration_cost": Decimal(str(i.get("migration_cost", 0))),
            "demand": Demand(units_per_month=1),
            "split_minimum_gain": 0.0,
            **more,
        }
    )
    return build_timeline(
        incumbent=ArmFlow(arm="a", hours_per_unit=need_a, price_per_hour=i["on_demand_a"]),
        candidate=ArmFlow(arm="b", hours_per_unit=need_a * point, price_per_hour=i["price_b"]),
        contracts=contracts,
        settings=settings,
        today=date(2027, 1, 1),
        hours_ratio=ratio or Band(point=point),
    )


def reserved(i: dict[str, Any], **more: Any) -> Economics:
    held = contract(i["committed_hours_per_month"], i["rate"], i["contract_months_left"])
    return timeline(i, [held], **more)


def one_month(name: str) -> tuple[dict[str, Any], Economics]:
    i = CASES[name]["input"]
    held = contract(i["committed_hours"], i["rate"], 1, overage_rate=Decimal(str(i["overage_rate"])))
    facts = {"need_a_hours_per_month": i["need_hours"], "need_b_hours_per_month": 1.0, "price_b": 1.0}
    return CASES[name]["expected"], timeline({**facts, "on_demand_a": 99.0, "horizon_months": 1}, [held])


def test_every_reference_case_is_tested_or_named_as_later() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in CASES if name not in LATER and f'"{name}"' not in here] == []


def test_sunk_commitment() -> None:
    expected, e = one_month("sunk_commitment")
    month = e.months[0]
    assert month.stay_cost == pytest.approx(expected["monthly_cost"])
    assert month.contracts[0].used_hours / month.committed_incumbent_hours == pytest.approx(expected["utilisation"])


def test_overage() -> None:
    expected, e = one_month("overage")
    assert e.months[0].stay_cost == pytest.approx(expected["monthly_cost"])
    assert e.months[0].incumbent_overage_rate == expected["marginal_cost_of_next_hour"]


@pytest.mark.parametrize("name", ["switch_month", "switch_month_npv"])
def test_switch_month(name: str) -> None:
    case = CASES[name]
    e = reserved(case["input"])
    assert e.stay_npv == pytest.approx(case["expected"]["stay"], abs=1e-6)
    for month, npv in case["expected"]["switch_at"].items():
        assert e.switch_npv_by_month[int(month)] == pytest.approx(npv, abs=1e-6)
    assert e.best_switch_month == case["expected"]["best_month"]
    if "saving" in case["expected"]:
        assert e.best is not None
        assert e.best.saving == pytest.approx(case["expected"]["saving"], abs=1e-6)


def test_freed_hours_reused() -> None:
    case = CASES["freed_hours_reused"]
    i = case["input"]
    value = Decimal(str(i["reuse_value_per_hour"]))
    e = reserved(i, reuse_share=i["reuse_share"], reuse_value_per_hour=value)
    for month, npv in case["expected"]["switch_at"].items():
        assert e.switch_npv_by_month[int(month)] == pytest.approx(npv, abs=1e-6)
    assert e.best_switch_month == case["expected"]["best_month"]


def test_walk_away_prices() -> None:
    b, a = CASES["walk_away_price_b"], CASES["walk_away_price_a"]
    e = reserved(b["input"])
    assert e.walk_away.candidate_price is not None
    assert e.walk_away.incumbent_price is not None
    assert e.walk_away.candidate_price.point == pytest.approx(b["expected"]["price_b"], abs=1e-6)
    assert e.walk_away.incumbent_price.point == pytest.approx(a["expected"]["on_demand_a"], abs=1e-6)


def test_walk_away_band() -> None:
    case = CASES["walk_away_band"]
    low, point, high = case["input"]["hours_ratio"]
    band = reserved(case["input"], ratio=Band(point=point, lo=low, hi=high)).walk_away.candidate_price
    assert band is not None
    assert [band.lo, band.point, band.hi] == pytest.approx(case["expected"]["price_b"], abs=1e-6)


def test_break_even_month() -> None:
    """Saving 19,178 a month earns 40,000 back in the third month: over 2 months staying is best, over 3 moving is."""
    i = CASES["break_even_month"]["input"]
    hours = {"need_a_hours_per_month": 100.0, "need_b_hours_per_month": 100.0}
    prices = {"on_demand_a": i["monthly_cost_a"] / 100, "price_b": i["monthly_cost_b"] / 100}
    facts = {**hours, **prices, "migration_cost": i["migration_cost"]}
    first = CASES["break_even_month"]["expected"]["first_whole_month"]
    for months, moves in ((first - 1, False), (first, True)):
        best = timeline({**facts, "horizon_months": months}, []).best
        assert best is not None
        assert (best.starts_at == 0) is moves


def test_capacity_cap_split() -> None:
    case = CASES["capacity_cap_split"]
    i, expected = case["input"], case["expected"]
    need_a = i["need_b_hours"] / i["hours_ratio"]
    facts = {"need_a_hours_per_month": need_a, "need_b_hours_per_month": i["need_b_hours"], "horizon_months": 1}
    capacity = Capacity(hours_per_month=i["cap_b_hours"])
    e = timeline({**facts, "on_demand_a": i["on_demand_a"], "price_b": i["price_b"]}, [], capacity=capacity)
    assert e.months[0].full_share == pytest.approx(expected["share_b"], abs=1e-6)
    assert e.months[0].full_cost == pytest.approx(expected["monthly_cost"], abs=1e-6)


def test_utilisation_and_coverage() -> None:
    case = CASES["utilisation_and_coverage"]
    i, expected = case["input"], case["expected"]
    used = i["used_committed_hours"]
    held = contract(i["committed_hours"], 10, 1)
    facts = {"need_a_hours_per_month": used, "need_b_hours_per_month": 1.0, "on_demand_a": 1.0, "price_b": 1.0}
    month = timeline({**facts, "horizon_months": 1}, [held]).months[0].contracts[0]
    assert month.used_hours / month.committed_hours == pytest.approx(expected["utilisation"], abs=1e-9)
    assert month.wasted_hours == pytest.approx(expected["wasted_hours"])
    assert month.used_hours / i["total_need_hours"] == pytest.approx(expected["coverage"], abs=1e-9)


def test_notice_deadlines() -> None:
    case = CASES["notice_deadlines"]
    found = []
    for row in case["input"]["contracts"]:
        notice = Notice(days=row.get("notice_days"), months=row.get("notice_months"))
        found.append(notice_deadline(date.fromisoformat(row["last_day_of_term"]), notice).isoformat())
    assert found == case["expected"]["deadlines"]


def test_notice_business_day() -> None:
    case = CASES["notice_business_day"]
    i, ends_on = case["input"], date.fromisoformat(case["input"]["last_day_of_term"])
    plain = Notice(days=i["notice_days"])
    previous = Notice.model_validate({"days": i["notice_days"], "business_day": i["business_day"]})
    assert notice_deadline(ends_on, plain).isoformat() == case["expected"]["raw"]
    assert notice_deadline(ends_on, previous).isoformat() == case["expected"]["deadline"]


def test_quarter_window() -> None:
    case = CASES["quarter_window"]
    rows = case["input"]["contracts"]
    held = tuple(
        contract(1, 1, 1).model_copy(update={
            "id": row["id"], "ends_on": date.fromisoformat(row["last_day"]), "notice": Notice(days=row["notice_days"])
        })
        for row in rows
    )  # fmt: skip
    window = quarter_window(held, date(2027, 1, 1), date(2027, 3, 31))
    assert list(window.expires) == case["expected"]["expires"]
    assert list(window.notice_due) == case["expected"]["notice_due"]
    assert list(window.missed_notice) == case["expected"]["missed_notice"]


def test_calendar_hours() -> None:
    case = CASES["calendar_hours"]
    facts = {"need_a_hours_per_month": 1.0, "need_b_hours_per_month": 1.0, "on_demand_a": 1.0, "price_b": 1.0}
    e = timeline({**facts, "horizon_months": 24}, [contract(None, 1, 24)])
    hours = {f"{m.starts_on:%Y-%m}": m for m in e.months}
    wanted = case["expected"]["hours"]
    assert [hours[m].calendar_hours for m in case["input"]["months"]] == wanted
    assert [hours[m].committed_incumbent_hours for m in case["input"]["months"]] == wanted


def test_auto_renew_missed() -> None:
    case = CASES["auto_renew_missed"]
    i, expected = case["input"], case["expected"]
    renewal = Renewal.model_validate({"kind": "automatic", "months": i["renewal_months"]})
    held = contract(i["committed_hours_per_month"], i["rate"], 6, notice=Notice(days=i["notice_days"]), renewal=renewal)
    flows = [ArmFlow(arm=name, hours_per_unit=1, price_per_hour=1) for name in "ab"]
    today = date.fromisoformat(i["today"])
    settings = Settings(demand=Demand(units_per_month=1))
    e = build_timeline(flows[0], flows[1], [held], settings, today, Band(point=1))
    deadline = e.deadlines[0]
    assert deadline.status is DeadlineStatus.MISSED
    assert str(deadline.notice_deadline) == expected["deadline"]
    assert str(deadline.renewed_until) == expected["renewed_until"]
    assert deadline.new_obligation == expected["new_obligation"]
    assert e.months[-1].committed_incumbent_hours == i["committed_hours_per_month"]


def test_overflow_first() -> None:
    case = CASES["overflow_first"]
    i, expected = case["input"], case["expected"]
    need_a = i["runs_per_month"] * i["mean_run_s_a"] / 3600
    facts = {
        "need_a_hours_per_month": need_a,
        "need_b_hours_per_month": need_a * i["mean_run_s_b"] / i["mean_run_s_a"],
        "on_demand_a": i["on_demand_a"],
        "price_b": i["price_b"],
        "migration_cost": i["migration_cost"],
    }
    e = timeline(facts, [contract(None, i["reserved_rate_a"], 6)])
    assert e.stay_npv == pytest.approx(expected["stay"], abs=1e-6)
    assert e.best_switch_month == expected["best_full_switch_month"]
    assert e.best_full is not None
    assert e.best is not None
    assert e.best_full.npv == pytest.approx(expected["full_switch"], abs=1e-6)
    assert (e.best.starts_at, e.best.full_at) == (0, 6)
    assert e.best.npv == pytest.approx(expected["overflow_first"], abs=1e-6)
    assert e.best.saving == pytest.approx(expected["saving_overflow_first"], abs=1e-6)
    assert e.walk_away.candidate_price is not None
    wanted = expected["walk_away_price_b_of_overflow_first"]
    assert e.walk_away.candidate_price.point == pytest.approx(wanted, abs=1e-6)
