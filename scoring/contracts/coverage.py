"""Which contracts an arm's hours may draw on, and what each of their terms promises and costs in a month."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.kinds import Kind, kind_named
from scoring.contracts.notices import renewed_until, renews_automatically, status_on
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, DeadlineStatus

Column = NDArray[np.float64]


def covers(contract: Contract, flow: ArmFlow) -> bool:
    """Whether the arm's instance type and region, where both sides name them, are the contract's."""
    types = {t.casefold() for t in contract.covers.instance_types}
    if types and (flow.instance_type or flow.arm).casefold() not in types:
        return False
    regions = {r.casefold() for r in contract.covers.regions}
    return not regions or flow.region is None or flow.region.casefold() in regions


@dataclass(frozen=True)
class Term:
    """A contract's own term, or one after a renewal with its rate.

    `optional` marks a renewal that notice can still prevent.
    """

    contract: Contract
    kind: Kind
    starts_on: date
    ends_on: date
    rate: float
    renewed: bool = False
    optional: bool = False

    def hours_in(self, first: date, last: date) -> float:
        """Instance-hours promised between two days of one month."""
        return self.in_month(first, last)[0]

    def in_month(self, first: date, last: date) -> tuple[float, float, float]:
        """Hours, their cost, and the price of an hour above them, infinite where the contract names none.

        A month that the term touches has its overage price for the whole month.
        """
        first, last = max(first, self.starts_on), min(last, self.ends_on)
        if first > last:
            return 0.0, 0.0, np.inf
        hours = self.kind.committed_hours(self.contract, first, last)
        above = self.kind.overage_rate(self.contract, self.rate)
        return hours, self.kind.cost(hours, self.rate), np.inf if above is None else above


def terms_of(contracts: Sequence[Contract], today: date, renewed: frozenset[str]) -> tuple[Term, ...]:
    """Every contract's term; and its renewal where the deadline has passed or its id is among `renewed`.

    They come in the order in which hours are used: the contract that ends first is used first.
    """
    terms = []
    for contract in sorted(contracts, key=lambda c: (c.ends_on, c.id)):
        kind = kind_named(contract.kind)
        assert kind is not None  # noqa: S101 - the book refuses unknown kinds
        terms.append(Term(contract, kind, contract.starts_on, contract.ends_on, float(contract.rate)))
        missed = status_on(contract, today) is DeadlineStatus.MISSED
        if renews_automatically(contract) and (missed or contract.id in renewed):
            rate = float(contract.rate if contract.renewal.rate is None else contract.renewal.rate)
            starts, ends = contract.ends_on + timedelta(days=1), renewed_until(contract)
            terms.append(Term(contract, kind, starts, ends, rate, renewed=True, optional=not missed))
    return tuple(terms)


@dataclass(frozen=True)
class Promised:
    """Hours, cost and overage price of each term in each month, rows in the order of `terms`."""

    terms: tuple[Term, ...]
    hours: Column
    cost: Column
    overage: Column

    def where_renewed(self, renewed: frozenset[str]) -> "Promised":
        """What is promised when of the optional terms only those of these contracts come."""
        keep = [i for i, term in enumerate(self.terms) if not term.optional or term.contract.id in renewed]
        terms = tuple(self.terms[i] for i in keep)
        return Promised(terms, self.hours[keep], self.cost[keep], self.overage[keep])

    @property
    def cheapest_overage(self) -> Column:
        """The lowest price of an hour above the promises month by month, infinite where no contract names one."""
        lowest: Column = self.overage.min(axis=0, initial=np.inf)
        return lowest


def promised(terms: Sequence[Term], months: Sequence[tuple[date, date]]) -> Promised:
    """What the terms promise and cost in each month, given by its first and last day."""
    cells = np.array([[term.in_month(*month) for month in months] for term in terms], dtype=float)
    hours, cost, overage = np.moveaxis(cells.reshape(len(terms), len(months), 3), 2, 0)
    return Promised(tuple(terms), hours, cost, overage)
