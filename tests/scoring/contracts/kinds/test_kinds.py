"""What each kind promises, what it costs, and what leaving it on a day brings."""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from scoring.contracts.kinds import KINDS, kind_named
from scoring.contracts.kinds.leaving import obligation
from scoring.contracts.kinds.rules import longest_block_days, marketplace_fee, refund_window_days, vendor_rules
from scoring.contracts.kinds.spend_commitment import shortfall_charge
from scoring.model.contract import Contract
from scoring.model.leaving import Recovery

CASES = {
    case["id"]: case
    for case in json.loads(Path("tests/data/reference/contracts.json").read_text(encoding="utf-8"))["cases"]
}
JUNE = (date(2027, 6, 1), date(2027, 6, 30))


def contract(kind: str = "take_or_pay", **terms: Any) -> Contract:
    base = {"id": "c", "kind": kind, "starts_on": "2026-07-01", "ends_on": "2027-06-30", "rate": "30"}
    return Contract.model_validate({**base, "commitment": {"instance_hours_per_month": 720}, **terms})


def leave(held: Contract, day: date = date(2027, 1, 1)) -> tuple[Recovery, ...]:
    kind = kind_named(held.kind)
    assert kind is not None
    return kind.recoveries(held, day)


def stands(held: Contract, instance_type: str | None = None, rate: float | None = None) -> tuple[float, ...]:
    kind = kind_named(held.kind)
    assert kind is not None
    found = kind.promise(held, *JUNE, float(held.rate) if rate is None else rate, instance_type)
    return found.hours, found.paid_hours, found.cost


def test_each_kind_has_names_of_its_own() -> None:
    names = [name for kind in KINDS for name in (kind.name, *kind.aliases)]
    assert len(names) == len(set(names))
    assert len(KINDS) == 12


def test_resale_is_the_reference_case() -> None:
    case = CASES["resale"]
    terms = case["input"]
    resale = {"allowed": True, "discount": str(terms["resale_discount"]), "fee": str(terms["marketplace_fee"])}
    (sold,) = leave(contract("reserved_standard", resale=resale))
    assert float(sold.obligation) == pytest.approx(case["expected"]["remaining_commitment"], abs=case["tol"])
    assert float(-sold.cash) == pytest.approx(case["expected"]["net_sunk"], abs=case["tol"])
    assert float(sold.obligation + sold.cash) == pytest.approx(case["expected"]["proceeds"], abs=case["tol"])
    assert sold.subject_to == ("buyer",)


def test_early_termination_is_the_reference_case() -> None:
    case = CASES["early_termination"]
    share = str(case["input"]["fee_share"])
    (ended,) = leave(contract(early_termination={"kind": "fee_share", "share": share, "notice_days": 30}))
    assert float(-ended.cash) == pytest.approx(case["expected"]["fee"], abs=1e-6)
    assert float(ended.obligation + ended.cash) == pytest.approx(case["expected"]["saved"], abs=1e-6)
    assert ended.notice_by == date(2026, 12, 2)


BLOCK: dict[str, Any] = {"commitment": {"instances": 1}}
STANDS: list[tuple[str, tuple[float, float, float], Contract]] = [
    ("the calendar's hours", (720, 720, 21_600), contract(**BLOCK)),
    ("half of it is paid whatever is used", (720, 360, 10_800), contract(**BLOCK, minimum_utilisation="0.5")),
    (
        "a step in the middle of a month, by days",
        (1_080, 1_080, 360 * 30 + 720 * 20),
        contract(**BLOCK, ramp=[{"starts_on": "2027-06-16", "instances": 2, "rate": 20}]),
    ),
    ("nothing on demand", (0, 0, 0), contract("on_demand", **BLOCK)),
    (
        "10 an hour at 5 an hour are two instances",
        (1_440, 1_440, 7_200),
        contract("savings_plan_compute", rate="5", commitment={"currency_per_hour": 10}),
    ),
    (
        "a plan paid at the start charges nothing more",
        (1_440, 1_440, 0),
        contract(
            "savings_plan_compute", rate="5", commitment={"currency_per_hour": 10}, payment={"kind": "all_upfront"}
        ),
    ),
    ("a spend commitment promises no hours", (0, 0, 0), contract("edp", commitment={"currency_total": 1000})),
]


@pytest.mark.parametrize(("wanted", "held"), [row[1:] for row in STANDS], ids=[row[0] for row in STANDS])
def test_what_stands_in_june(wanted: tuple[float, float, float], held: Contract) -> None:
    assert stands(held) == pytest.approx(wanted)


def test_a_plan_has_a_rate_for_each_type() -> None:
    held = contract(
        "savings_plan_compute", rate="0", commitment={"currency_per_hour": 10}, covered_rates={"a": 5, "B": 20}
    )
    assert [stands(held, name)[0] for name in ("A", "b", "c")] == [1_440, 360, 0]


def test_a_renewed_term_has_its_own_rate() -> None:
    held = contract(ends_on="2027-05-31", commitment={"instances": 1}, ramp=[{"starts_on": "2027-01-01", "rate": 20}])
    assert stands(held, rate=40.0)[2] == 720 * 40


def test_azure_exchanges_end_by_a_dated_rule() -> None:
    terms: dict[str, Any] = {"commitment": {"instances": 1}, "exchange": {"allowed": True}, "ends_on": "2029-01-01"}
    for starts_on, barred in (("2027-02-01", None), ("2027-02-02", "rule")):
        held = contract("azure_reservation", **{**terms, "starts_on": starts_on})
        assert [r.barred_by for r in leave(held, date(2028, 1, 1))] == [barred]


def test_azure_refunds_have_a_cap() -> None:
    terms: dict[str, Any] = {
        "commitment": {"instances": 1},
        "rate": "0",
        "payment": {"kind": "all_upfront", "upfront": 36_500},
        "early_termination": {"kind": "fixed", "amount": 0},
    }
    day = date(2027, 6, 1)
    for used, barred in ((0, None), (47_001, "refund-cap")):
        (refund,) = leave(contract("azure_reservation", **terms, refund_cap={"amount": 50_000, "used": used}), day)
        assert (refund.cash, refund.barred_by) == (Decimal(3_000), barred)
    (refund,) = leave(contract("azure_reservation", **terms), day)
    assert refund.barred_by == "refund-cap-unknown"


@pytest.mark.parametrize(
    ("barred", "currency", "upfront"),
    [("refund-cap-unknown", "USD", 50_000), ("refund-cap", "USD", 60_000), ("refund-cap-unknown", "EUR", 60_000)],
)
def test_what_is_above_the_vendors_whole_cap_is_above_what_is_left_of_it(
    barred: str, currency: str, upfront: int
) -> None:
    held = contract(
        "azure_reservation",
        rate="0",
        currency=currency,
        payment={"kind": "all_upfront", "upfront": upfront},
        early_termination={"kind": "fixed", "amount": 0},
    )
    (refund,) = leave(held, date(2026, 7, 1))
    assert refund.barred_by == barred


def test_a_sale_on_the_marketplace_has_its_fee_by_a_dated_rule() -> None:
    by_rule, stated, other = (
        leave(contract(kind, resale={"allowed": True, "discount": "0.1", **fee}))
        for kind, fee in (("reserved_standard", {}), ("reserved_standard", {"fee": "0.12"}), ("take_or_pay", {}))
    )
    assert by_rule == stated
    assert other == ()


def test_every_vendors_rule_names_its_page_and_the_day_on_which_it_was_seen() -> None:
    assert {name: rule.page[:8] for name, rule in vendor_rules().items()} == dict.fromkeys(vendor_rules(), "https://")
    assert all(date(2026, 1, 1) < rule.seen_on < date(2027, 1, 1) for rule in vendor_rules().values())
    assert (marketplace_fee(), refund_window_days(), longest_block_days()) == (Decimal("0.12"), 365, 182)


def test_only_capacity_reservations_end_for_nothing() -> None:
    held = contract("capacity_reservation", commitment={"instances": 1})
    (ended,) = leave(held)
    assert (ended.cash, ended.obligation) == (Decimal(0), obligation(held, date(2027, 1, 1)))
    for kind in ("capacity_block", "savings_plan_compute", "committed_use", "take_or_pay"):
        assert leave(contract(kind)) == ()


@pytest.mark.parametrize("day", [date(2026, 6, 30), date(2027, 7, 1)])
def test_outside_its_term_there_is_nothing_to_leave(day: date) -> None:
    assert leave(contract(early_termination={"kind": "fixed", "amount": 5}), day) == ()


def test_a_sale_may_have_to_wait() -> None:
    resale = {"allowed": True, "discount": 0, "fee": 0, "from_months": 7}
    held = contract("reserved_standard", resale=resale)
    assert [leave(held, date(2027, m, 1))[0].barred_by for m in (1, 2)] == ["not-held-long-enough", None]


def test_a_shortfall_is_charged_by_its_share() -> None:
    held = contract("edp", commitment={"currency_total": 1000}, true_up="0.5")
    assert [shortfall_charge(held, Decimal(1000), Decimal(s)) for s in (400, 1000, 1200)] == [300, 0, 0]
