"""Contracts in another currency: every amount is exchanged, shares, hours and dates are not, and old rates are told."""

from datetime import date
from decimal import Decimal

import pytest

from scoring.contracts.exchange import currencies_taken, in_currency, old_rates
from scoring.model.contract import Contract
from scoring.model.settings import Settings

TODAY = date(2026, 12, 2)
TERMS = {"id": "c", "kind": "take_or_pay", "starts_on": "2026-07-01", "ends_on": "2027-06-30", "currency": "EUR"}


def dollars(on: str = "2026-11-02") -> Settings:
    return Settings.model_validate({"rates": [{"source": "EUR", "target": "USD", "rate": "2", "on": on}]})


def euros(**more: object) -> Contract:
    return Contract.model_validate({**TERMS, "commitment": {"currency_per_hour": 3}, "rate": 5, **more})


def test_every_amount_is_exchanged_and_nothing_else() -> None:
    def terms(factor: int) -> dict[str, object]:
        return {
            "rate": 5 * factor,
            "overage_rate": 7 * factor,
            "other_spend_per_month": 11 * factor,
            "commitment": {"currency_per_hour": 3 * factor},
            "payment": {"kind": "partial_upfront", "upfront": 13 * factor},
            "ramp": [{"starts_on": "2027-01-01", "currency_per_hour": 17 * factor, "rate": 19 * factor}],
            "covered_rates": {"p5.48xlarge": 23 * factor},
            "early_termination": {"kind": "fixed", "amount": 29 * factor, "notice_days": 30},
            "refund_cap": {"amount": 31 * factor, "used": 37 * factor},
            "renewal": {"kind": "automatic", "months": 12, "rate": 41 * factor},
            "resale": {"allowed": True, "discount": "0.3", "fee": "0.12", "from_months": 1},
            "minimum_utilisation": "0.8",
        }

    assert in_currency(euros(**terms(1)), dollars(), TODAY) == euros(**terms(2)).model_copy(update={"currency": "USD"})


def test_the_total_of_a_commitment_is_exchanged_too() -> None:
    exchanged = in_currency(euros(commitment={"currency_total": 100}), dollars(), TODAY)
    assert exchanged is not None
    assert exchanged.commitment.currency_total == Decimal(200)


@pytest.mark.parametrize(("told", "on"), [(0, "2026-09-03"), (1, "2026-09-02")])
def test_a_rate_of_more_than_ninety_days_ago_is_told(told: int, on: str) -> None:
    problems = old_rates([euros(), euros()], dollars(on), TODAY)
    assert [(p.code, p.found, p.expected, p.arguments["on"]) for p in problems] == [
        ("currency-rate-old", "EUR", "USD", on)
    ] * told


@pytest.mark.parametrize(
    ("named", "of_amounts", "told"),
    [
        ({}, "EUR", [("contract-currency-taken", "USD", "EUR")]),
        ({"currency": "USD"}, "EUR", []),
        ({"currency": "EUR"}, "EUR", []),
        ({}, "USD", []),
    ],
)
def test_a_contract_without_a_currency_is_told_where_amounts_are_in_another(
    named: dict[str, str], of_amounts: str, told: list[tuple[str, str, str]]
) -> None:
    """A rate of 7 in a book of euros would be read as dollars, and nobody would know."""
    silent = {key: value for key, value in TERMS.items() if key != "currency"}
    contract = Contract.model_validate({**silent, "commitment": {"currency_per_hour": 3}, "rate": 5, **named})
    problems = currencies_taken([contract], Settings.model_validate({"currency": of_amounts}))
    assert [(p.code, p.found, p.expected) for p in problems] == told
