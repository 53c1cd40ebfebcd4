"""Terms beyond one amount and one rate by hand figures: savings plans, ramps, payments to come, other sizes."""

from datetime import date
from typing import Any

import pytest

from scoring.contracts.current_term import current_term
from scoring.contracts.timeline import build_timeline
from scoring.contracts.weighed import not_weighed
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, Band, Economics, Month
from scoring.model.odds import Ask
from scoring.model.settings import Settings

TODAY = date(2026, 12, 15)
PRICE_A, PRICE_B = 50.0, 30.0
PLAN = {"kind": "savings_plan_instance", "rate": "0", "commitment": {"currency_per_hour": "36"}}
PLAN_AT_24 = {**PLAN, "covered_rates": {"p5.48xlarge": "24"}}
SPEND = {"kind": "spend_commitment", "rate": "0", "covers": {"instance_types": ["p5.48xlarge", "trn2.48xlarge"]}}
AUTOMATIC = {"notice": {"days": 30}, "renewal": {"kind": "automatic", "months": 12}}
FLEXIBLE = {
    "kind": "reserved_standard",
    "covers": {"instance_types": ["p4d.24xlarge"], "size_flexible": True},
    "commitment": {"instances": "2"},
}


def contract(**terms: Any) -> Contract:
    return Contract.model_validate({
        "id": "c", "kind": "take_or_pay", "starts_on": "2026-01-01", "ends_on": "2027-12-31", "rate": "10",
        "covers": {"instance_types": ["p5.48xlarge"]}, "commitment": {"instances": "1"}, **terms,
    })  # fmt: skip


def timeline(
    held: Contract, need: float, named: str = "p5.48xlarge", today: date = TODAY, months: int = 6
) -> Economics:
    settings = {"horizon_months": months, "demand": {"units_per_month": need}, "annual_discount_rate": 0}
    return build_timeline(
        incumbent=ArmFlow(arm="a", hours_per_unit=1.0, price_per_hour=PRICE_A, instance_type=named),
        candidate=ArmFlow(arm="b", hours_per_unit=1.0, price_per_hour=PRICE_B, instance_type="trn2.48xlarge"),
        contracts=[held],
        settings=Settings.model_validate(settings),
        today=today,
        hours_ratio=Band(point=1.0),
    )


def month(e: Economics, of: date) -> Month:
    return next(m for m in e.months if m.starts_on == of)


def test_a_savings_plan_promises_its_amount_in_hours_at_its_rate_and_more_is_on_demand() -> None:
    e = timeline(contract(**PLAN_AT_24), need=1500)
    assert e.contracts_by_month == ("c",)
    january = month(e, date(2027, 1, 1))
    assert january.committed_incumbent_hours == 744 * 1.5
    assert january.commitment_cost == 744 * 36
    assert january.stay_cost == 744 * 36 + (1500 - 1116) * PRICE_A
    assert january.full_cost == 744 * 36 + 1500 * PRICE_B
    assert january.contracts[0].overage_rate is None
    assert e.months[1].committed_incumbent_hours == 672 * 1.5


def test_an_upfront_payment_to_come_is_paid_in_the_month_of_its_day_and_one_before_is_sunk() -> None:
    """365 days at 36 are 315,360; a quarter of it upfront leaves 27 an hour."""
    paid = {**PLAN_AT_24, "payment": {"kind": "partial_upfront", "upfront": "78840"}}
    to_come = timeline(contract(**paid, starts_on="2027-02-01", ends_on="2028-01-31"), need=100)
    assert [m.commitment_cost for m in to_come.months[:3]] == pytest.approx([0, 78840 + 672 * 27, 744 * 27])
    assert to_come.months[1].contracts[0].cost == pytest.approx(78840 + 672 * 27)
    sunk = timeline(contract(**paid, starts_on="2026-02-01", ends_on="2027-01-31"), need=100)
    assert [m.commitment_cost for m in sunk.months[:2]] == pytest.approx([744 * 27, 0])
    reserved = contract(payment={"kind": "all_upfront", "upfront": "9000"}, rate="0", starts_on="2027-03-10")
    assert [m.commitment_cost for m in timeline(reserved, need=100).months[:4]] == [0, 0, 9000, 0]


def test_a_ramp_steps_to_the_day_in_amount_and_rate_and_keeps_its_overage_price_at_zero() -> None:
    steps = [{"starts_on": "2027-02-11", "instances": "3", "rate": "8"}, {"starts_on": "2027-04-01", "instances": "0"}]
    e = timeline(contract(ramp=steps, overage_rate="20"), need=2000)
    assert [m.committed_incumbent_hours for m in e.months[:4]] == [744, 240 + 18 * 72, 3 * 744, 0]
    assert [m.commitment_cost for m in e.months[:4]] == [7440, 2400 + 18 * 72 * 8, 3 * 744 * 8, 0]
    assert e.months[3].stay_cost == 2000 * 20
    assert e.months[3].contracts[0].overage_rate == 20
    assert e.contracts_by_month == ("c",)


def test_the_renewal_of_a_ramp_keeps_its_last_amount_at_the_renewals_own_rate() -> None:
    """Staying renews in April; the record's renewals hold what comes on top of the term itself."""
    renewal = {"notice": {"days": 30}, "renewal": {"kind": "automatic", "months": 12, "rate": "7"}}
    steps = [{"starts_on": "2027-02-01", "instances": "2", "rate": "12"}]
    e = timeline(contract(ramp=steps, ends_on="2027-03-31", **renewal), need=1440)
    april = month(e, date(2027, 4, 1))
    assert e.stay_renews == ("c",)
    assert april.contracts == ()
    (renewed,) = april.renewals
    assert (renewed.committed_hours, renewed.cost, renewed.used_hours) == (1440, 1440 * 7, 1440)
    assert april.stay_renewed_cost == 1440 * 7


def test_a_term_that_has_renewed_is_at_its_renewals_rate_and_not_at_a_step_of_the_term_before() -> None:
    renewal = {"notice": {"days": 30}, "renewal": {"kind": "automatic", "months": 12, "rate": "7"}}
    steps = [{"starts_on": "2025-06-01", "instances": "2", "rate": "12"}]
    upfront = {"kind": "partial_upfront", "upfront": "5000"}
    old = contract(ramp=steps, payment=upfront, starts_on="2025-01-01", ends_on="2025-12-31", **renewal)
    rolled, _ = current_term(old, date(2026, 1, 1))
    e = timeline(rolled, need=100, today=date(2026, 1, 1))
    assert e.months[0].committed_incumbent_hours == 2 * 744
    assert e.months[0].commitment_cost == 2 * 744 * 7


def test_another_size_of_a_flexible_family_has_hours_by_the_vendors_factors() -> None:
    """24xlarge counts 192 units, 48xlarge 384, 12xlarge 96; the cost is that of the reserved size."""
    for named, hours in (("p4d.24xlarge", 2 * 744), ("p4d.12xlarge", 4 * 744), ("p4d.48xlarge", 744)):
        e = timeline(contract(**FLEXIBLE), need=9000, named=named)
        assert e.months[0].committed_incumbent_hours == hours, named
        assert e.months[0].commitment_cost == 2 * 744 * 10
        assert e.months[0].stay_cost == 2 * 744 * 10 + (9000 - hours) * PRICE_A
        assert bool(e.contracts_by_month) is (named != "p4d.24xlarge")


def test_above_a_minimum_hours_cost_their_rate_only_where_they_are_used_and_never_more_than_elsewhere() -> None:
    """60 % of 744 hours at 10 are paid in any case; of 700 needed 253.6 more cost 10; of 1,000 the last 256 cost 50."""
    least = contract(minimum_utilisation="0.6")
    january = timeline(least, need=700).months[0]
    assert (january.committed_incumbent_hours, january.commitment_cost) == pytest.approx((446.4, 4464))
    assert january.stay_cost == pytest.approx(7000)
    assert january.full_cost == pytest.approx(4464 + 700 * PRICE_B)
    assert timeline(least, need=400).months[0].stay_cost == pytest.approx(4464)
    assert timeline(least, need=1000).months[0].stay_cost == pytest.approx(7440 + 256 * PRICE_A)
    dear = contract(minimum_utilisation="0.6", rate="80")
    assert timeline(dear, need=700).months[0].stay_cost == pytest.approx(446.4 * 80 + 253.6 * PRICE_A)


@pytest.mark.parametrize(("rate", "kept"), [("20", 744), ("35", 446.4)])
def test_a_plan_that_moves_a_part_first_keeps_the_hours_whose_rate_is_below_the_candidates(
    rate: str, kept: float
) -> None:
    january = timeline(contract(minimum_utilisation="0.6", rate=rate), need=1000).months[0]
    assert january.partial_share == pytest.approx(1 - kept / 1000)
    assert january.further is not None and january.further.kept_hours == pytest.approx(kept)


def test_a_savings_plan_of_both_arms_pays_the_largest_percentage_saving_first_each_at_its_own_rate() -> None:
    """26,784 a month: 24 of 50 saves 52 %, 18 of 30 saves 40 %. Moved, it pays 1,488 h at 18; staying, 1,116 at 24."""
    rates = {"p5.48xlarge": "24", "trn2.48xlarge": "18"}
    both = contract(**PLAN, covered_rates=rates, covers={"instance_types": list(rates)})
    e = timeline(both, need=2000)
    january = e.months[0]
    assert e.shared_contracts == ("c",)
    assert january.committed_incumbent_hours == 0
    assert january.stay_cost == pytest.approx(744 * 36 + (2000 - 1116) * PRICE_A)
    assert january.full_cost == pytest.approx(744 * 36 + (2000 - 1488) * PRICE_B)
    assert january.partial_share == pytest.approx((2000 - 1116) / 2000)
    assert january.partial_cost == pytest.approx(744 * 36 + (2000 - 1116) * PRICE_B)


@pytest.mark.parametrize(
    ("terms", "committed", "charged"),
    [
        ({"starts_on": "2027-01-01", "ends_on": "2027-03-31"}, 200_000, 110_000),
        ({"starts_on": "2027-01-01", "ends_on": "2027-03-31", "true_up": "0.5"}, 200_000, 55_000),
        ({"starts_on": "2027-01-01", "ends_on": "2027-03-31", "other_spend_per_month": "20000"}, 200_000, 50_000),
        ({"starts_on": "2026-10-01", "ends_on": "2027-03-31"}, 200_000 * 90 / 182, 200_000 * 90 / 182 - 90_000),
        ({"starts_on": "2027-04-01", "ends_on": "2027-12-31"}, 200_000 * 91 / 275, 0),
    ],
)
def test_what_is_not_spent_of_a_commitment_is_charged_where_its_period_ends(
    terms: dict[str, str], committed: float, charged: float
) -> None:
    """1,000 h a month at 30 of the candidate are 90,000 in three months, and 150,000 of the incumbent at 50."""
    e = timeline(contract(**{**SPEND, **terms}, commitment={"currency_total": "200000"}), need=1000)
    (row,) = e.true_ups
    assert row.committed == pytest.approx(committed)
    assert e.best is not None
    assert all(m.full_cost == 1000 * PRICE_B for m in e.months)
    assert e.switch_npv_by_month[0] == pytest.approx(6 * 1000 * PRICE_B + charged)
    assert row.stay_charged == pytest.approx(max(0.0, committed - row.stay_spent) * float(terms.get("true_up", "1")))
    assert row.stay_spent == pytest.approx(3 * (1000 * PRICE_A + float(terms.get("other_spend_per_month", 0))))


def other(**covers: Any) -> dict[str, Any]:
    return {**FLEXIBLE, "covers": {**FLEXIBLE["covers"], **covers}}  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("term", "named", "terms"),
    [
        (None, "p5.48xlarge", {}),
        (None, "p5.48xlarge", {"minimum_utilisation": "0.8"}),
        (None, "p5.48xlarge", PLAN_AT_24),
        (None, "p5.48xlarge", {**PLAN, "rate": "24"}),
        (None, "p5.48xlarge", {"ramp": [{"starts_on": "2027-02-01", "instances": "2"}], **AUTOMATIC}),
        (None, "p5.48xlarge", {"payment": {"kind": "partial_upfront", "upfront": "9"}, "starts_on": "2027-02-01"}),
        (None, "p4d.12xlarge", FLEXIBLE),
        (None, "p4d.12xlarge", {**FLEXIBLE, "kind": "take_or_pay", "provider": "AWS"}),
        (None, "p5.48xlarge", {**AUTOMATIC, "payment": {"kind": "partial_upfront", "upfront": "9"},
                               "renewal": {"kind": "automatic", "months": 12, "rate": "7"}}),
        (None, "p5.48xlarge", {**SPEND, "commitment": {"currency_total": "9000"}}),
        ("covers.instance_types", "p5.48xlarge", {**SPEND, "covers": {}, "commitment": {"currency_total": "9000"}}),
        ("early_termination", "p5.48xlarge", {**SPEND, "commitment": {"currency_total": "9000"},
                                              "early_termination": {"kind": "fixed", "amount": "1"}}),
        ("renewal.kind", "p5.48xlarge", {**SPEND, **AUTOMATIC, "commitment": {"currency_total": "9000"}}),
        ("overage_rate", "p5.48xlarge", {**SPEND, "commitment": {"currency_total": "9000"}, "overage_rate": "9"}),
        ("payment.upfront", "p5.48xlarge", {**SPEND, "commitment": {"currency_total": "9000"},
                                            "payment": {"kind": "partial_upfront", "upfront": "9"}}),
        ("covered_rates", "p4d.24xlarge", PLAN_AT_24),
        ("covered_rates", "p5.48xlarge", PLAN),
        ("covers.size_flexible", "p4d.97xlarge", FLEXIBLE),
        ("covers.size_flexible", "p5.4xlarge", other(instance_types=["p5.48xlarge"])),
        ("covers.size_flexible", "p4d.12xlarge", other(instance_types=["p4d.24xlarge", "p4d.12xlarge"])),
        ("covers.size_flexible", "p4d.12xlarge", other(instance_types=[], families=["p4d"])),
        ("covers.size_flexible", "p4d.12xlarge", other(zones=["us-east-1a"])),
        ("covers.size_flexible", "p4d.12xlarge", {**FLEXIBLE, "overage_rate": "12"}),
        ("covers.size_flexible", "p4d.12xlarge", {**FLEXIBLE, "kind": "committed_use"}),
        ("payment.upfront", "p5.48xlarge",
         {"payment": {"kind": "all_upfront"}, "rate": "0", "starts_on": "2027-02-01"}),
        ("payment.upfront", "p5.48xlarge",
         {**PLAN_AT_24, **AUTOMATIC, "payment": {"kind": "partial_upfront", "upfront": "9"}}),
        ("renewal.rate", "p5.48xlarge", {**AUTOMATIC, "payment": {"kind": "partial_upfront", "upfront": "9"}}),
        ("renewal.rate", "p5.48xlarge", {**AUTOMATIC, "ramp": [{"starts_on": "2027-02-01", "rate": "2"}]}),
        ("renewal.rate", "p5.48xlarge",
         {**PLAN_AT_24, **AUTOMATIC, "renewal": {"kind": "automatic", "months": 12, "rate": "7"}}),
    ],
)  # fmt: skip
def test_what_a_decision_weighs_and_what_it_refuses(term: str | None, named: str, terms: dict[str, Any]) -> None:
    flow = ArmFlow(arm="a", hours_per_unit=1.0, price_per_hour=PRICE_A, instance_type=named)
    left = not_weighed(contract(**terms), flow, TODAY)
    assert (left[0] if left else None) == term


def test_a_contract_in_another_currency_is_told_by_month_in_the_decisions() -> None:
    rate = {"source": "EUR", "target": "USD", "rate": "1.1", "on": "2026-12-01"}
    settings = Settings.model_validate({"horizon_months": 2, "demand": {"units_per_month": 100}, "rates": [rate]})
    flows = [
        ArmFlow(arm=arm, hours_per_unit=1.0, price_per_hour=50.0, instance_type=named)
        for arm, named in (("a", "p5.48xlarge"), ("b", "trn2.48xlarge"))
    ]
    e = build_timeline(flows[0], flows[1], [contract(currency="EUR")], settings, TODAY, Band(point=1.0))
    assert e.contracts_by_month == ("c",)
    assert e.months[0].contracts[0].cost == pytest.approx(744 * 10 * 1.1)


def test_leaving_on_the_first_day_does_not_save_the_payment_of_that_day() -> None:
    """9,000 upfront on 1 February and a fee of 100: leaving that day saves the hours and not the 9,000."""
    paid = {"payment": {"kind": "partial_upfront", "upfront": "9000"}, "starts_on": "2027-02-01"}
    free = {"early_termination": {"kind": "fixed", "amount": "100"}, "ends_on": "2027-04-30"}
    e = timeline(contract(rate="60", **paid, **free), need=100)
    assert [(r.contract_id, r.month) for r in e.stay_releases] == [("c", 1)]
    assert e.stay_npv == pytest.approx(9000 + 100 + 6 * 100 * PRICE_A)


def test_a_smaller_commitment_at_a_lower_rate_lowers_the_steps_of_its_ramp_too() -> None:
    """From January 2 instances at 12 are paid and not needed: a tenth less of both, and 1 % of the rate."""
    steps = [{"starts_on": "2027-01-01", "instances": "2", "rate": "12"}]
    e = timeline(contract(ramp=steps, ends_on="2027-01-31"), need=100)
    assert e.negotiation is not None
    worth = {lever.ask: lever.worth for lever in e.negotiation.levers if lever.contract_id == "c"}
    assert worth[Ask.COMMITMENT] == pytest.approx(0.1 * 2 * 744 * 12)
    assert worth[Ask.RATE] == pytest.approx(0.01 * 2 * 744 * 12)
