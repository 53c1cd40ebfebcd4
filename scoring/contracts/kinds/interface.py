"""What a kind of contract answers: how many hours are promised between two days."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from scoring.model.contract import Contract


@dataclass(frozen=True)
class Kind:
    """`committed_hours(contract, first, last)`: instance-hours promised from the first day to the last, both whole.

    `changes_cash` names further terms of such a contract that this engine does not model and that would change
    what is paid: a contract with one of them is refused. `only_recovers` names terms that could only save money:
    they are left out with a warning.
    """

    name: str
    aliases: tuple[str, ...]
    committed_hours: Callable[[Contract, date, date], float]
    changes_cash: frozenset[str]
    only_recovers: frozenset[str]


CHANGES_CASH = frozenset(
    {
        "ramp",
        "minimum",
        "minimum_utilisation",
        "true_up",
        "shortfall",
        "payment",
        "prepayment",
        "escalator",
    }
)
ONLY_RECOVERS = frozenset({"resale", "early_termination", "transfer", "exchange", "refund_cap", "sublease"})
