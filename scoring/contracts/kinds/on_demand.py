"""On demand: no promise, nothing to pay unless it is used; its rate is the agreed price of an hour."""

from datetime import date

from scoring.contracts.kinds.interface import CHANGES_CASH, ONLY_RECOVERS, Kind
from scoring.model.contract import Contract


def committed_hours(contract: Contract, first: date, last: date) -> float:
    """None are promised."""
    return 0.0


def cost(hours: float, rate: float) -> float:
    """Nothing stands to be paid before it is used."""
    return 0.0


def overage_rate(contract: Contract, rate: float) -> float | None:
    """Every hour is one above the promise: it costs the agreed rate, or the overage rate where that is lower."""
    return rate if contract.overage_rate is None else min(rate, float(contract.overage_rate))


KIND = Kind(
    name="on_demand",
    aliases=("pay_as_you_go",),
    promises=False,
    committed_hours=committed_hours,
    cost=cost,
    overage_rate=overage_rate,
    changes_cash=CHANGES_CASH,
    only_recovers=ONLY_RECOVERS,
)
