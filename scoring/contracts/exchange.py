"""Contracts in the decision's currency, by a configured and dated rate and never by a guess."""

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from decimal import Decimal

from scoring.model.base import Value
from scoring.model.contract import Contract
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import question, warning

OLD_AFTER = timedelta(days=90)
"""A quarter: the usual interval at which budgets take new rates."""


def exchange_rate(currency: str, settings: Settings, today: date) -> Decimal | None:
    """What one unit is worth in the decision's currency by the latest rate on or before today; None without one."""
    dated = _dated_rate(currency, settings, today)
    return None if dated is None else dated[1]


def _dated_rate(currency: str, settings: Settings, today: date) -> tuple[date, Decimal] | None:
    if currency == settings.currency:
        return today, Decimal(1)
    known = [r for r in settings.rates if r.on <= today]
    direct = [(r.on, r.rate) for r in known if (r.source, r.target) == (currency, settings.currency)]
    inverse = [(r.on, 1 / r.rate) for r in known if (r.target, r.source) == (currency, settings.currency)]
    return max(direct or inverse, default=None, key=lambda dated: dated[0])


def in_currency(contract: Contract, settings: Settings, today: date) -> Contract | None:
    """The contract with its rates in the decision's currency; None where no rate is configured."""
    rate = exchange_rate(contract.currency, settings, today)
    if rate is None or contract.currency == settings.currency:
        return contract if rate is not None else None

    def exchanged(amount: Decimal | None) -> Decimal | None:
        return None if amount is None else amount * rate

    def of(value: Value, *names: str) -> dict[str, Decimal | None]:
        return {name: exchanged(getattr(value, name)) for name in names}

    def copied(value: Value, *names: str) -> Value:
        return value.model_copy(update=of(value, *names))

    leaving, cap = contract.early_termination, contract.refund_cap
    amounts = of(contract, "rate", "overage_rate", "other_spend_per_month")
    parts = {
        "commitment": copied(contract.commitment, "currency_per_hour", "currency_total"),
        "payment": copied(contract.payment, "upfront"),
        "ramp": tuple(copied(step, "currency_per_hour", "rate") for step in contract.ramp),
        "covered_rates": {name: value * rate for name, value in contract.covered_rates.items()},
        "early_termination": leaving and copied(leaving, "amount"),
        "refund_cap": cap and copied(cap, "amount", "used"),
        "renewal": copied(contract.renewal, "rate"),
    }
    return contract.model_copy(update={**amounts, **parts, "currency": settings.currency})


def contracts_without_rate(contracts: Sequence[Contract], settings: Settings, today: date) -> list[Problem]:
    """`currency-rate-missing`, once for each currency of a contract that has no rate."""
    missing = {c.currency: c for c in reversed(contracts) if exchange_rate(c.currency, settings, today) is None}
    return [
        question(
            "currency-rate-missing",
            file=c.source.file,
            row=c.source.row,
            column="currency",
            found=currency,
            expected=settings.currency,
        )
        for currency, c in sorted(missing.items())
    ]


def currencies_taken(contracts: Sequence[Contract], settings: Settings) -> list[Problem]:
    """`contract-currency-taken`, for contracts that name no currency where amounts are told in another than theirs."""
    silent = [c for c in contracts if "currency" not in c.model_fields_set and c.currency != settings.currency]
    return [
        warning(
            "contract-currency-taken",
            file=c.source.file,
            row=c.source.row,
            column="currency",
            id=c.id,
            found=c.currency,
            expected=settings.currency,
        )
        for c in silent
    ]


def old_rates(contracts: Sequence[Contract], settings: Settings, today: date) -> list[Problem]:
    """`currency-rate-old`, once for each currency of a contract whose latest rate is of more than a quarter ago."""
    return old_rates_of({c.currency for c in contracts}, settings, today)


def old_rates_of(currencies: Collection[str], settings: Settings, today: date) -> list[Problem]:
    """`currency-rate-old`, once for each of the currencies whose latest rate is of more than a quarter ago."""
    dated = {currency: _dated_rate(currency, settings, today) for currency in currencies}
    return [
        warning("currency-rate-old", found=currency, expected=settings.currency, on=rate[0].isoformat())
        for currency, rate in sorted(dated.items())
        if rate is not None and today - rate[0] > OLD_AFTER
    ]
