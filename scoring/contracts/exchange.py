"""Contracts in the decision's currency, by a configured and dated rate and never by a guess."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from scoring.model.contract import Contract
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import question


def exchange_rate(currency: str, settings: Settings, today: date) -> Decimal | None:
    """What one unit is worth in the decision's currency by the latest rate on or before today; None without one."""
    if currency == settings.currency:
        return Decimal(1)
    known = [r for r in settings.rates if r.on <= today]
    direct = [(r.on, r.rate) for r in known if (r.source, r.target) == (currency, settings.currency)]
    inverse = [(r.on, 1 / r.rate) for r in known if (r.target, r.source) == (currency, settings.currency)]
    return max(direct or inverse, default=(today, None), key=lambda dated: dated[0])[1]


def in_currency(contract: Contract, settings: Settings, today: date) -> Contract | None:
    """The contract with its rates in the decision's currency; None where no rate is configured."""
    rate = exchange_rate(contract.currency, settings, today)
    if rate is None or contract.currency == settings.currency:
        return contract if rate is not None else None

    def exchanged(amount: Decimal | None) -> Decimal | None:
        return None if amount is None else amount * rate

    renewal = contract.renewal.model_copy(update={"rate": exchanged(contract.renewal.rate)})
    rates = {"rate": contract.rate * rate, "overage_rate": exchanged(contract.overage_rate)}
    return contract.model_copy(update={**rates, "renewal": renewal, "currency": settings.currency})


def contracts_without_rate(contracts: Sequence[Contract], settings: Settings, today: date) -> list[Problem]:
    """`currency-rate-missing`, once for each currency of a contract that has no rate."""
    missing = {c.currency: c for c in reversed(contracts) if exchange_rate(c.currency, settings, today) is None}
    return [
        question(
            "currency-rate-missing", file=c.source.file, row=c.source.row, found=currency, expected=settings.currency
        )
        for currency, c in sorted(missing.items())
    ]
