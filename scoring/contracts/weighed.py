"""Which terms of a contract a decision on one workload cannot count; and which months do not follow from one rate."""

from collections.abc import Iterator, Sequence
from datetime import date

from scoring.contracts.coverage import covers
from scoring.contracts.family_sizes import size_ratio
from scoring.contracts.kinds.promise import plan_rate
from scoring.contracts.notices import renews_automatically
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow
from scoring.model.leaving import TerminationKind
from scoring.model.paying import PaymentKind
from scoring.model.settings import Settings

NOT_GIVEN = "not given"
Left = tuple[str, str]
"""A term of a contract and what it holds."""


def not_weighed(contract: Contract, flow: ArmFlow, today: date) -> Left | None:
    """A term of a contract, and what it holds, that a decision on this arm cannot count; None where all are counted."""
    if contract.kind == "on_demand":
        return None
    return next(_left(contract, flow.instance_type or flow.arm, today), None)


def _left(contract: Contract, named: str, today: date) -> Iterator[Left]:
    commitment = contract.commitment
    if commitment.currency_total is not None:
        yield from _spending_left(contract)
    if size_ratio(contract, named) is None:
        yield "covers.size_flexible", named
    if commitment.currency_per_hour is not None and not plan_rate(contract, float(contract.rate), named):
        yield "covered_rates", f"{named} {NOT_GIVEN}"
    if _upfront_unknown(contract, today):
        yield "payment.upfront", NOT_GIVEN
    if renews_automatically(contract):
        yield from _renewal_left(contract)


def cost_not_told(contract: Contract, since: date) -> Iterator[str]:
    """Terms from which a cost of days from `since` on would follow, and does not: figures with it would be too low."""
    if _upfront_unknown(contract, since):
        yield "payment.upfront"
    if renews_automatically(contract):
        yield from (term for term, _ in _renewal_left(contract))


def _upfront_unknown(contract: Contract, since: date) -> bool:
    """All is paid on a day to come, and the book does not say how much."""
    payment = contract.payment
    return payment.kind is PaymentKind.ALL_UPFRONT and not payment.upfront and contract.starts_on >= since


def _spending_left(contract: Contract) -> Iterator[Left]:
    """A total of which nobody says whose spending counts, or that is paid or ended otherwise than by its periods."""
    if not (contract.covers.instance_types or contract.covers.families):
        yield "covers.instance_types", NOT_GIVEN
    if contract.early_termination is not None and contract.early_termination.kind is not TerminationKind.NONE:
        yield "early_termination", contract.early_termination.kind.value
    if contract.payment.upfront:
        yield "payment.upfront", str(contract.payment.upfront)
    if contract.overage_rate is not None:
        yield "overage_rate", str(contract.overage_rate)
    if renews_automatically(contract):
        yield "renewal.kind", contract.renewal.kind.value


def _renewal_left(contract: Contract) -> Iterator[Left]:
    """What a renewal costs by the hour, where neither the renewal nor one rate of the term before says it."""
    plan, rate = contract.commitment.currency_per_hour is not None, contract.renewal.rate
    upfront = contract.payment.upfront > 0 or contract.payment.kind is PaymentKind.ALL_UPFRONT
    if plan and upfront:
        yield "payment.upfront", str(contract.payment.upfront)
    if plan and rate is not None and contract.covered_rates:
        yield "renewal.rate", str(rate)
    if not plan and rate is None and (upfront or any(step.rate is not None for step in contract.ramp)):
        yield "renewal.rate", NOT_GIVEN


def not_shared(
    contract: Contract, drawn_on: Sequence[Contract], types: Sequence[str], settings: Settings
) -> str | None:
    """Why hours of a contract that covers both arms, of these types, cannot be shared out; None where they can.

    `alone`: it is neither a spend commitment nor a savings plan with a rate for each of them. Else a term beside it
    with which it is not told whose hours come first.
    """
    rated = {name.casefold() for name in contract.covered_rates}
    if contract.commitment.currency_total is not None:
        return None
    if contract.commitment.currency_per_hour is None or not rated.issuperset(t.casefold() for t in types):
        return "alone"
    beside = {
        "minimum_utilisation": any(c.minimum_utilisation < 1 for c in drawn_on),
        "overage_rate": any(c.overage_rate is not None or c.kind == "on_demand" for c in drawn_on),
        "reuse_share": settings.reuse_share > 0,
        "other_workloads": bool(settings.other_workloads),
    }
    return next((term for term, there in beside.items() if there), None)


def not_beside_spending(drawn_on: Sequence[Contract], settings: Settings) -> tuple[Contract, str] | None:
    """A spend commitment, and what is beside it that would change what is spent and is not counted; None without."""
    spending = next((c for c in drawn_on if c.commitment.currency_total is not None), None)
    beside = {
        "minimum_utilisation": any(c.minimum_utilisation < 1 for c in drawn_on),
        "early_termination": any(_may_end(c) for c in drawn_on),
        "resale": any(c.resale is not None and c.resale.allowed for c in drawn_on),
        "reuse_share": settings.reuse_share > 0,
        "other_workloads": bool(settings.other_workloads),
        "commitment_options": bool(settings.commitment_options),
    }
    term = next((term for term, there in beside.items() if there), None)
    return None if spending is None or term is None else (spending, term)


def _may_end(contract: Contract) -> bool:
    ends = contract.early_termination
    cancelled = contract.kind in ("capacity_reservation", "azure_reservation")
    return cancelled or (ends is not None and ends.kind is not TerminationKind.NONE)


def told_by_month(contract: Contract, flows: tuple[ArmFlow | None, ...], currency: str, first: date) -> bool:
    """Whether the months from `first` on do not follow from one amount of hours and one rate in the currency."""
    flow = next((f for f in flows if f is not None and covers(contract, f)), None)
    if flow is None or contract.kind == "on_demand":
        return False
    commitment = contract.commitment
    return (
        (commitment.instances is None and commitment.instance_hours_per_month is None)
        or bool(contract.ramp)
        or (contract.payment.upfront > 0 and contract.starts_on >= first)
        or contract.minimum_utilisation < 1
        or size_ratio(contract, flow.instance_type or flow.arm) != 1
        or contract.currency != currency
    )
