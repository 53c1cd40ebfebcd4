"""What a kind of contract answers: hours promised between two days, what they cost, what an hour above them costs."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from scoring.model.contract import Contract


class Weight(StrEnum):
    """What leaving a term out does to a figure."""

    CHANGES_CASH = "changes-cash"
    ONLY_RECOVERS = "only-recovers"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Kind:
    """How one kind turns its terms into hours and money.

    `committed_hours(contract, first, last)`: instance-hours promised from the first day to the last of one month.
    `cost(hours, rate)`: what these hours cost, used or not. `overage_rate(contract, rate)`: price of an hour above
    them, None where it is the on-demand price. `rate` is the hourly rate of the term, the renewal's after a renewal.
    A further term whose name holds a word of `changes_cash` is not modelled and would change what is paid: the
    contract is refused. One that holds a word of `only_recovers` could only save money: it is left out with a warning.
    """

    name: str
    aliases: tuple[str, ...]
    promises: bool
    committed_hours: Callable[[Contract, date, date], float]
    cost: Callable[[float, float], float]
    overage_rate: Callable[[Contract, float], float | None]
    changes_cash: frozenset[str]
    only_recovers: frozenset[str]

    def weight_of(self, term: str) -> Weight:
        """What leaving out a term of that name (lower case, words joined by underscores) does."""
        words = set(term.split("_"))
        if words & self.only_recovers:
            return Weight.ONLY_RECOVERS
        return Weight.CHANGES_CASH if words & self.changes_cash else Weight.NOTHING


CHANGES_CASH = frozenset({
    "ramp", "ramps", "step", "steps", "minimum", "min", "true", "trueup", "shortfall", "payment", "prepayment",
    "prepaid", "prepay", "upfront", "escalator", "escalation", "uplift", "indexation", "fee", "fees", "surcharge",
    "discount", "credit", "credits", "rebate", "penalty", "penalties", "charge", "charges", "deposit", "tax", "taxes",
    "vat", "iva", "monthly", "mensual", "anual", "annual", "yearly", "cuota", "increase", "tier", "tiers", "tiered",
    "bonus", "instalment", "installment", "setup", "support", "price", "precio", "cost", "coste", "costo", "amount",
    "importe", "flat", "burst", "spot",
})  # fmt: skip
ONLY_RECOVERS = frozenset(
    {"resale", "resell", "termination", "transfer", "exchange", "refund", "sublease", "buyback", "cancellation"}
)
