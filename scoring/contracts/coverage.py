"""Which contracts an arm's hours may draw on, and what each of their terms promises and costs in a month."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.family_sizes import family_of, size_ratio
from scoring.contracts.kinds import Kind, kind_named
from scoring.contracts.kinds.promise import stretches
from scoring.contracts.notices import renewed_until, renews_automatically, status_on
from scoring.contracts.places import region_named
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, DeadlineStatus
from scoring.model.switching import Release

Column = NDArray[np.float64]


def covers(contract: Contract, flow: ArmFlow) -> bool:
    """Whether the arm's instance type and region, where both sides name them, are the contract's."""
    types = {t.casefold() for t in contract.covers.instance_types}
    named = (flow.instance_type or flow.arm).casefold()
    families = {f.casefold() for f in contract.covers.families}
    if contract.covers.size_flexible:
        families |= {family_of(t) for t in types}
    if (types or families) and named not in types and family_of(named) not in families:
        return False
    regions = {region_named(r) for r in contract.covers.regions}
    return not regions or flow.region is None or region_named(flow.region) in regions


@dataclass(frozen=True)
class Term:
    """A contract's own term, or one after a renewal with its rate.

    `optional` marks a renewal that notice can still prevent. `instance_type` is that of the arm that is asked about.
    """

    contract: Contract
    kind: Kind
    starts_on: date
    ends_on: date
    rate: float
    renewed: bool = False
    optional: bool = False
    instance_type: str | None = None

    def hours_in(self, first: date, last: date) -> float:
        """Instance-hours promised between two days of one month."""
        return self.in_month(first, last)[0]

    def upfront_on(self, day: date) -> float:
        """What is paid at the start, on the first day of the contract; nothing on another."""
        return float(self.contract.payment.upfront) if day == self.starts_on and not self.renewed else 0.0

    def in_month(self, first: date, last: date) -> tuple[float, float, float]:
        """Hours paid used or not, their cost, the price of an hour above; infinite where the contract names none.

        An upfront payment falls on the first day of the term: one before the months that are asked about is sunk. The
        overage price is told for all of the days.
        """
        first, last = max(first, self.starts_on), min(last, self.ends_on)
        if first > last:
            return 0.0, 0.0, np.inf
        promise = self.kind.promise(self.contract, first, last, self.rate, self.instance_type)
        hours = promise.paid_hours * (size_ratio(self.contract, self.instance_type) or 1.0)
        above = self.kind.overage_rate(self.contract, self.rate)
        return hours, promise.cost + self.upfront_on(first), np.inf if above is None else above

    def above_minimum(self, first: date, last: date) -> tuple[tuple[float, float], ...]:
        """Hours of one month above the minimum, and the rate of each where it is used; by the rates of a ramp."""
        first, last = max(first, self.starts_on), min(last, self.ends_on)
        if self.contract.minimum_utilisation == 1 or not self.kind.promises or first > last:
            return ()
        found = []
        size = size_ratio(self.contract, self.instance_type) or 1.0
        for start, end, _, _ in stretches(self.contract, first, last, self.rate):
            promise = self.kind.promise(self.contract, start, end, self.rate, self.instance_type)
            found.append(((promise.hours - promise.paid_hours) * size, promise.rate / size))
        return tuple(found)


def terms_of(
    contracts: Sequence[Contract], today: date, renewed: frozenset[str], instance_type: str | None = None
) -> tuple[Term, ...]:
    """Every contract's term; and its renewal where the deadline has passed or its id is among `renewed`.

    They come in the order in which hours are used: the contract that ends first is used first.
    """
    terms = []
    for contract in sorted(contracts, key=lambda c: (c.ends_on, c.id)):
        kind = kind_named(contract.kind)
        assert kind is not None  # noqa: S101 - the book refuses unknown kinds
        terms.append(
            Term(
                contract, kind, contract.starts_on, contract.ends_on, float(contract.rate), instance_type=instance_type
            )
        )
        missed = status_on(contract, today) is DeadlineStatus.MISSED
        if renews_automatically(contract) and (missed or contract.id in renewed):
            rate = float(contract.rate if contract.renewal.rate is None else contract.renewal.rate)
            starts, ends = contract.ends_on + timedelta(days=1), renewed_until(contract)
            terms.append(
                Term(contract, kind, starts, ends, rate, renewed=True, optional=not missed, instance_type=instance_type)
            )
    return tuple(terms)


@dataclass(frozen=True)
class Promised:
    """Hours, cost and overage price of each term in each month, rows in the order of `terms`.

    `above`: hours above a minimum and the rates that they cost where they are used, [2, terms, tranches, months].
    """

    terms: tuple[Term, ...]
    hours: Column
    cost: Column
    overage: Column
    above: Column

    def where_renewed(self, renewed: frozenset[str]) -> "Promised":
        """What is promised when of the optional terms only those of these contracts come."""
        keep = [i for i, term in enumerate(self.terms) if not term.optional or term.contract.id in renewed]
        terms = tuple(self.terms[i] for i in keep)
        return Promised(terms, self.hours[keep], self.cost[keep], self.overage[keep], self.above[:, keep])

    def left(self, releases: Sequence[Release], later: bool = False) -> "Promised":
        """What is promised when contracts are left early; what leaving brings or costs is in the cost of its month.

        `later`: these are stretches of months after their first days, on which contracts are left.
        """
        hours, cost, overage = self.hours.copy(), self.cost.copy(), self.overage.copy()
        above = self.above.copy()
        for release in releases:
            rows = [i for i, term in enumerate(self.terms) if term.contract.id == release.contract_id]
            hours[rows, release.month :] = 0.0
            cost[rows, release.month :] = 0.0
            overage[rows, release.month :] = np.inf
            above[0, rows, :, release.month :] = 0.0
            if not later:
                cost[rows[0], release.month] = self.terms[rows[0]].upfront_on(release.on) - release.cash
        return Promised(self.terms, hours, cost, overage, above)

    def hours_of(self, contracts: frozenset[str]) -> Column:
        """Hours promised by some of the contracts, month by month."""
        hours: Column = self.hours[[i for i, t in enumerate(self.terms) if t.contract.id in contracts]].sum(axis=0)
        return hours

    @property
    def cheapest_overage(self) -> Column:
        """The lowest price of an hour above the promises month by month, infinite where no contract names one."""
        lowest: Column = self.overage.min(axis=0, initial=np.inf)
        return lowest


def promised(terms: Sequence[Term], months: Sequence[tuple[date, date]]) -> Promised:
    """What the terms promise and cost in each month, given by its first and last day."""
    cells = np.array([[term.in_month(*month) for month in months] for term in terms], dtype=float)
    hours, cost, overage = np.moveaxis(cells.reshape(len(terms), len(months), 3), 2, 0)
    return Promised(tuple(terms), hours, cost, overage, _above(terms, months))


def _above(terms: Sequence[Term], months: Sequence[tuple[date, date]]) -> Column:
    cells = [[term.above_minimum(*month) for month in months] for term in terms]
    most = max((len(cell) for row in cells for cell in row), default=0)
    above = np.zeros((2, len(terms), most, len(months)))
    for t, row in enumerate(cells):
        for m, cell in enumerate(row):
            for i, (hours, rate) in enumerate(cell):
                above[:, t, i, m] = hours, rate
    return above
