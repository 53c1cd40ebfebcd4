"""On demand: no promise, nothing to pay unless it is used."""

from datetime import date

from scoring.contracts.kinds.interface import CHANGES_CASH, ONLY_RECOVERS, Kind
from scoring.model.contract import Contract


def committed_hours(contract: Contract, first: date, last: date) -> float:
    """None are promised."""
    return 0.0


KIND = Kind(
    name="on_demand",
    aliases=("pay_as_you_go",),
    committed_hours=committed_hours,
    changes_cash=CHANGES_CASH,
    only_recovers=ONLY_RECOVERS,
)
