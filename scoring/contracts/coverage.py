"""Which contracts an arm's hours may draw on, and what they promise and cost in a month."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from scoring.contracts.kinds import kind_named
from scoring.contracts.notices import renewed_until, renews_automatically, status_on
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, DeadlineStatus


def covers(contract: Contract, flow: ArmFlow) -> bool:
    """Whether the arm's instance type and region, where both sides name them, are the contract's."""
    types = {t.casefold() for t in contract.covers.instance_types}
    if types and (flow.instance_type or flow.arm).casefold() not in types:
        return False
    regions = contract.covers.regions
    return not regions or flow.region is None or flow.region in regions


@dataclass(frozen=True)
class Term:
    """A contract's own term, or the one after a renewal with its rate."""

    contract: Contract
    starts_on: date
    ends_on: date
    rate: float
    renewed: bool

    def hours_in(self, first: date, last: date) -> float:
        """Instance-hours promised between two days of one month."""
        kind = kind_named(self.contract.kind)
        assert kind is not None  # noqa: S101 - the book refuses unknown kinds
        first, last = max(first, self.starts_on), min(last, self.ends_on)
        return kind.committed_hours(self.contract, first, last) if first <= last else 0.0


def terms_of(contracts: Sequence[Contract], today: date, renewed: frozenset[str]) -> tuple[Term, ...]:
    """Every contract's term; and its renewal where the deadline has passed or its id is among `renewed`."""
    terms = []
    for contract in sorted(contracts, key=lambda c: (c.ends_on, c.id)):
        terms.append(Term(contract, contract.starts_on, contract.ends_on, float(contract.rate), False))
        missed = status_on(contract, today) is DeadlineStatus.MISSED
        if renews_automatically(contract) and (missed or contract.id in renewed):
            rate = contract.renewal.rate if contract.renewal.rate is not None else contract.rate
            starts = contract.ends_on + timedelta(days=1)
            terms.append(Term(contract, starts, renewed_until(contract), float(rate), True))
    return tuple(terms)
