"""What a kind of contract answers: hours promised between two days, what they cost, what an hour above them costs."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from scoring.contracts.kinds.leaving import recoveries_of
from scoring.contracts.kinds.promise import HOURS, Promise, own_overage_rate, promised_hours
from scoring.model.contract import Contract
from scoring.model.leaving import Recovery


class Weight(StrEnum):
    """What leaving a term out does to a figure."""

    CHANGES_CASH = "changes-cash"
    ONLY_RECOVERS = "only-recovers"
    NOTHING = "nothing"


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
NO_TERMS = frozenset({
    "payment", "ramp", "minimum_utilisation", "true_up", "resale", "exchange", "early_termination", "refund_cap",
})  # fmt: skip
PLAN_NEVER = frozenset(
    {"ramp", "resale", "exchange", "early_termination", "true_up", "minimum_utilisation", "overage_rate"}
)


@dataclass(frozen=True)
class Kind:
    """How one kind turns its terms into hours and money.

    `promise(contract, first, last, rate, instance_type)`: what stands from the first day to the last of one month,
    ramp and minimum included, upfront payment and true-up not. `rate` is the hourly rate of the term, the renewal's
    after a renewal; a savings plan needs the type whose hours it is asked about. `overage_rate(contract, rate)`: price
    of an hour above, None where it is the on-demand price. `recoveries(contract, day)`: the ways to leave it on that
    day. `commitments`: the forms of commitment that it takes. `never`: terms that contradict it.
    `refused`: what to do instead, of a kind that no book can hold.
    A further term whose name holds a word of `changes_cash` is not modelled and would change what is paid: the
    contract is refused. One that holds a word of `only_recovers` could only save money: it is left out with a warning.
    """

    name: str
    aliases: tuple[str, ...] = ()
    promises: bool = True
    promise: Callable[[Contract, date, date, float, str | None], Promise] = promised_hours
    overage_rate: Callable[[Contract, float], float | None] = own_overage_rate
    recoveries: Callable[[Contract, date], tuple[Recovery, ...]] = recoveries_of
    commitments: frozenset[str] = HOURS
    never: frozenset[str] = frozenset()
    needs_rate: bool = True
    refused: str | None = None
    changes_cash: frozenset[str] = CHANGES_CASH
    only_recovers: frozenset[str] = ONLY_RECOVERS

    def weight_of(self, term: str) -> Weight:
        """What leaving out a term of that name (lower case, words joined by underscores) does."""
        words = set(term.split("_"))
        if words & self.only_recovers:
            return Weight.ONLY_RECOVERS
        return Weight.CHANGES_CASH if words & self.changes_cash else Weight.NOTHING
