"""From the comparison to money, or the one question without whose answer there is none."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from scoring.comparison import cost_comparison, time_comparison
from scoring.economics import economics_of, hours_ratio
from scoring.model.contract import Contract, PriceBook
from scoring.model.economics import ArmFlow, Economics
from scoring.model.pilot import Run
from scoring.model.problem import Problem, Severity
from scoring.setup import Setup
from tests.scoring.helpers import csv
from tests.scoring.scenes import TODAY, Posted, arms, run, settings, short


def priced(arm: str, price: int | None, *durations: float, **fields: Any) -> list[Run]:
    per_hour = None if price is None else Decimal(price)
    kind = {"instance_type": f"{arm}.48xlarge", "work_units": 1, "unit": "job"}
    return [run(arm, duration_s=d, price_per_hour=per_hour, **{**kind, **fields}) for d in durations]


GPU, TRN = priced("gpu", 50, 3600, 3700, 3500), priced("trn2", 40, 4000, 4100, 3900)
DEMAND: dict[str, Any] = {"demand": {"units_per_month": 1000}}


def contract(*covers: str, **fields: Any) -> Contract:
    known: dict[str, Any] = {
        "id": "c1",
        "kind": "take_or_pay",
        "starts_on": date(2026, 1, 1),
        "ends_on": date(2027, 6, 30),
        "covers": {"instance_types": list(covers or ("gpu.48xlarge",))},
        "commitment": {"instances": 1},
        "rate": 38,
    }
    return Contract.model_validate({**known, **fields})


def plan(**fields: Any) -> Contract:
    """A savings plan that either arm's hours may draw on."""
    rates = {"gpu.48xlarge": 31, "trn2.48xlarge": 24}
    terms = {"kind": "savings_plan_compute", "rate": 0, "commitment": {"currency_per_hour": 36}, "covered_rates": rates}
    return contract(*rates, **{**terms, **fields})


def spend(**fields: Any) -> Contract:
    """A spend commitment that either arm's hours count towards."""
    terms = {"kind": "spend_commitment", "rate": 0, "commitment": {"currency_total": 90000}}
    return contract("gpu.48xlarge", "trn2.48xlarge", **{**terms, **fields})


def economics(
    incumbent: Posted = GPU,
    candidate: Posted = TRN,
    held: tuple[Contract, ...] = (),
    several: bool = False,
    **given: Any,
) -> tuple[Economics, list[Problem]]:
    of = settings(**given)
    both = arms(incumbent, candidate, of)
    cost, time = cost_comparison(both, of.confidence), time_comparison(both, of.confidence)
    return economics_of(both, cost, time, Setup(of, (), held, PriceBook(), ()), TODAY, several)


@pytest.mark.parametrize(
    ("reason", "asked", "case"),
    [
        (None, [], DEMAND),
        ("no-demand", [], {}),
        ("question", ["demand-missing"], {"migration_cost": 1000}),
        ("question", ["demand-missing"], {"held": (contract(),)}),
        ("question", ["demand-missing"], {"held": (contract("trn2.48xlarge"),)}),
        ("no-demand", ["contract-not-drawn"], {"held": (contract("g6.xlarge"),)}),
        (None, [], {"demand": {"units_per_month": 1000, "unit": "Jobs"}}),
        ("question", ["demand-unit-differs"], {"demand": {"units_per_month": 1000, "unit": "token"}}),
        ("question", ["contracts-shared"], {"held": (contract(),), "several": True, **DEMAND}),
        ("question", ["demand-shared", "contract-not-drawn"],
         {"held": (contract("g6.xlarge"),), "several": True, **DEMAND}),
        ("question", ["demand-shared"], {"several": True, **DEMAND}),
        ("question", ["contract-covers-both"], {"held": (contract("gpu.48xlarge", "trn2.48xlarge"),), **DEMAND}),
        (None, [], {"held": (plan(),), **DEMAND}),
        ("question", ["contract-covers-both", "contract-term-not-supported"],
         {"held": (plan(covered_rates={"gpu.48xlarge": 24}),), **DEMAND}),
        ("question", ["contract-covers-both"],
         {"held": (plan(covered_rates={"gpu.48xlarge": 24}, rate=20),), **DEMAND}),
        ("question", ["plan-of-both-with"], {"held": (plan(),), "reuse_share": 0.5, **DEMAND}),
        ("question", ["plan-of-both-with"],
         {"held": (plan(), contract(minimum_utilisation="0.5", id="c2")), **DEMAND}),
        ("question", ["plan-of-both-with"], {"held": (plan(), contract(overage_rate=30, id="c2")), **DEMAND}),
        (None, [], {"held": (spend(),), **DEMAND}),
        ("question", ["spend-commitment-with"], {"held": (spend(),), "reuse_share": 0.5, **DEMAND}),
        ("question", ["spend-commitment-with"],
         {"held": (spend(), contract(minimum_utilisation="0.5", id="c2")), **DEMAND}),
        ("question", ["currency-rate-missing"], {"held": (contract(currency="EUR"),), **DEMAND}),
        (None, ["contract-not-drawn"], {"held": (contract("g6.xlarge", currency="EUR"),), **DEMAND}),
        ("no-price", [], {"candidate": priced("trn2", None, 4000, 4100, 3900), **DEMAND}),
        ("no-price", [], {"incumbent": priced("gpu", None, 4000, 4100, 3900), **DEMAND}),
        ("no-hours", [], {"candidate": [run("trn2", duration_s=None, stated_cost=Decimal(9), work_units=1, unit="job")],
                          **DEMAND}),
    ],
)  # fmt: skip
def test_what_is_missing_is_asked(reason: str | None, asked: list[str], case: dict[str, Any]) -> None:
    found, problems = economics(**case)
    assert (found.reason, [p.code for p in problems]) == (reason, asked)
    assert {p.severity.value for p in problems} <= {"question", "info"}


@pytest.mark.parametrize(
    ("wanted", "fields", "held"),
    [
        ([], {}, contract()),
        ([("contract-not-drawn", "info", "c1")], {}, contract("g6.xlarge")),
        ([], {}, contract("g6.xlarge", ends_on=date(2026, 11, 30))),
        ([("contract-not-matched", "question", "c1")], {"instance_type": None}, contract("g6.xlarge")),
    ],
)
def test_a_contract_that_neither_arm_draws_on_is_said_or_asked(
    wanted: list[Any], fields: dict[str, Any], held: Contract
) -> None:
    both = priced("gpu", 50, 3600, 3700, **fields), priced("trn2", 40, 4000, 4100, **fields)
    _, problems = economics(*both, (held,), **DEMAND)
    assert short(problems, "id") == wanted


def test_the_currency_asked_for_is_named_with_the_contracts_line() -> None:
    held = contract(currency="EUR", source={"file": "contracts.yml", "row": 3})
    _, problems = economics(held=(held,), **DEMAND)
    assert short(problems, "found", "file", "row") == [("currency-rate-missing", "question", "EUR", "contracts.yml", 3)]


def test_without_contracts_the_break_even_is_what_the_move_costs_of_what_is_spent() -> None:
    """k = 1 − M/S: 12,000 of 50 × 1,000 × 12."""
    found, _ = economics(migration_cost=12000, **DEMAND)
    assert found.break_even_theta == pytest.approx(1 - 12000 / 600000)
    assert found.stay_npv == pytest.approx(600000)
    assert found.best is not None
    assert found.best.saving == pytest.approx(600000 * (1 - 8 / 9) - 12000)


def test_costs_alone_give_the_same_break_even() -> None:
    def stated(arm: str, cost: int) -> list[Run]:
        return [run(arm, duration_s=None, stated_cost=Decimal(cost), work_units=1, unit="job") for _ in range(2)]

    found, _ = economics(stated("gpu", 50), stated("trn2", 40), migration_cost=12000, **DEMAND)
    assert (found.reason, found.break_even_theta) == ("no-hours", pytest.approx(1 - 12000 / 600000))


def test_a_commitment_lowers_the_break_even() -> None:
    """730 of 1,000 hours are paid for already: what the candidate can save is on the rest alone."""
    found, _ = economics(held=(contract(ends_on=date(2028, 12, 31)),), **DEMAND)
    assert found.incumbent_contracts == ("c1",)
    assert found.candidate_contracts == ()
    assert found.best is not None
    assert found.best.starts_at == 0
    assert found.best.full_at == len(found.months)


def test_flows_carry_hours_prices_and_where_they_ran() -> None:
    found, _ = economics(
        priced("gpu", 50, 3600, 3600, instance_count=2, region="us-east-1"), priced("trn2", 40, 1800, 1800)
    )
    assert found.incumbent == ArmFlow(
        arm="gpu",
        hours_per_unit=2.0,
        price_per_hour=50.0,
        instance_type="gpu.48xlarge",
        region="us-east-1",
    )
    assert found.hours_ratio == 0.25


def test_an_hour_for_an_hour_without_demand() -> None:
    found, _ = economics()
    assert found.walk_away.candidate_price is not None
    assert found.walk_away.incumbent_price is not None
    assert found.walk_away.candidate_price.point == pytest.approx(50 * 0.9)
    assert found.walk_away.incumbent_price.point == pytest.approx(40 / 0.9)


@pytest.mark.parametrize(("has_interval", "candidate"), [(True, TRN), (False, TRN[:1])])
def test_the_ratio_of_hours_has_the_relative_interval_of_the_cost(has_interval: bool, candidate: Posted) -> None:
    both = arms(GPU, candidate)
    cost, time = cost_comparison(both, 0.95), time_comparison(both, 0.95)
    a = ArmFlow(arm="gpu", hours_per_unit=2.0, price_per_hour=50)
    b = ArmFlow(arm="trn2", hours_per_unit=1.0, price_per_hour=40)
    found = hours_ratio(a, b, cost, time)
    assert found.point == 0.5
    assert cost is not None
    assert cost.theta.point is not None
    if not has_interval:
        assert (found.lo, found.hi) == (None, None)
        return
    assert found.lo == pytest.approx(0.5 * (cost.theta.lo or 0) / cost.theta.point)
    assert found.hi == pytest.approx(0.5 * (cost.theta.hi or 0) / cost.theta.point)


OFFERED = "arm,run,duration_s,price_usd_per_hour\n" + "".join(
    f"{arm},{i},{seconds + i},50\n" for arm, seconds in (("gpu", 3600), ("trn2", 3000)) for i in range(4)
)
STATED = OFFERED.replace("price_usd_per_hour", "cost_usd")


@pytest.mark.parametrize(
    ("wanted", "prices", "posted", "more"),
    [
        ([("trn2", "2026-12-31", "2027-01-01")], "{trn2: {per_hour: 30, expires_on: 2026-12-31}}", OFFERED, ""),
        ([("trn2", "2026-12-15", "2027-01-01")], "{TRN2: {per_hour: 30, expires_on: 2026-12-15}}", OFFERED, ""),
        ([], "{trn2: {per_hour: 30, expires_on: 2027-01-01}}", OFFERED, ""),
        ([], "{trn2: {per_hour: 30}}", OFFERED, ""),
        ([], "{gpu: {per_hour: 50, expires_on: 2026-12-31}}", OFFERED, ""),
        ([], "{trn2: {per_hour: 90, expires_on: 2026-12-31}}", OFFERED, ""),
        ([], "{trn2: {per_hour: 30, expires_on: 2026-12-31}}", STATED, "cost_source: stated\n"),
        ([], "{trn2: {per_hour: 30, expires_on: 2026-12-31}}", OFFERED, "approved_regions: [eu-west-1]\n"),
    ],
)
def test_an_offer_that_ends_before_the_move_names_both_days(
    wanted: list[Any], prices: str, posted: str, more: str
) -> None:
    decision = csv(posted, settings=f"decision_date: 2026-12-15\nbaseline: gpu\ndemand: 1000\nprices: {prices}\n{more}")
    found = [p for p in decision.problems if p.code == "offer-expires-before-move"]
    assert [(p.arguments["arm"], p.found, p.expected) for p in found] == wanted
    assert all(p.severity is Severity.WARNING for p in found)


@pytest.mark.parametrize(
    ("wanted", "expires"),
    [
        ([("q", "2026-12-20", "2027-01-01")], "2026-12-20"),
        ([], "2027-01-01"),
        ([], "2026-12-14"),
    ],
)
def test_an_offered_commitment_that_ends_before_the_move_names_both_days(wanted: list[Any], expires: str) -> None:
    offered = f"[{{id: q, term_months: 6, rate: 20, expires_on: {expires}}}]"
    given = "decision_date: 2026-12-15\nbaseline: gpu\ndemand: 1000\nprices: {trn2: 30}\n"
    decision = csv(OFFERED, settings=f"{given}commitment_options: {offered}\n")
    found = [p for p in decision.problems if p.code == "option-expires-before-move"]
    assert [(p.arguments["id"], p.found, p.expected) for p in found] == wanted
    told = [(due.kind.value, due.matters) for due in decision.dates or ()]
    assert told == ([] if expires < "2026-12-15" else [("option", not wanted)])
