"""The months of the horizon as columns of numbers: hours needed, hours promised, what each hour costs."""

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.coverage import Term, covers, terms_of
from scoring.contracts.notices import add_months
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow
from scoring.model.settings import Settings

Column = NDArray[np.float64]
HOURS_PER_DAY = 24


def first_month(today: date) -> date:
    """The first calendar month that begins on or after today."""
    return today if today.day == 1 else add_months(today.replace(day=1), 1)


@dataclass(frozen=True)
class Grid:
    """One entry a month. Hours are instance-hours; rates and costs are per hour and per month, undiscounted."""

    starts: tuple[date, ...]
    calendar_hours: Column
    factor: Column
    demand: Column
    need_a: Column
    committed_a: Column
    committed_b: Column
    commitment_cost: Column
    overage_rate: Column
    on_demand_overage: NDArray[np.bool_]
    capacity: float | None
    reuse_value: float
    ratio: float
    price_b: float

    @property
    def need_b(self) -> Column:
        """Candidate hours for the whole demand."""
        return self.need_a * self.ratio

    @property
    def full_share(self) -> Column:
        """Share of the demand that the candidate's capacity takes."""
        if self.capacity is None:
            return np.ones_like(self.need_a)
        return np.minimum(1.0, self.capacity / np.maximum(self.need_b, 1e-300))

    @property
    def partial_share(self) -> Column:
        """Share that lies above the incumbent's commitment, within capacity."""
        above = np.maximum(0.0, 1 - self.committed_a / np.maximum(self.need_a, 1e-300))
        return np.minimum(self.full_share, above)

    def overage_hours_a(self, share: Column) -> Column:
        """Incumbent hours above its commitments when a share has moved."""
        return np.maximum(0.0, self.need_a * (1 - share) - self.committed_a)

    def overage_hours_b(self, share: Column) -> Column:
        """Candidate hours above its commitments when a share has moved."""
        return np.maximum(0.0, self.need_b * share - self.committed_b)

    def freed_hours(self, share: Column) -> Column:
        """Committed incumbent hours that the move sets free."""
        used_before = np.minimum(self.committed_a, self.need_a)
        return used_before - np.minimum(self.committed_a, self.need_a * (1 - share))

    def cost(self, share: Column) -> Column:
        """What a month costs when a share of the demand is on the candidate."""
        return (
            self.commitment_cost
            + self.overage_hours_a(share) * self.overage_rate
            + self.overage_hours_b(share) * self.price_b
            - self.freed_hours(share) * self.reuse_value
        )

    def at(self, ratio: float | None = None, price_b: float | None = None) -> "Grid":
        """The same months at another hours ratio or candidate price."""
        return replace(
            self, ratio=self.ratio if ratio is None else ratio, price_b=self.price_b if price_b is None else price_b
        )


@dataclass(frozen=True)
class Promised:
    """Hours and cost of each term in each month, rows in the order of `terms`."""

    terms: tuple[Term, ...]
    hours: Column
    cost: Column


def promised(terms: Sequence[Term], starts: Sequence[date]) -> Promised:
    """What the terms promise and cost in each month."""
    ends = [s + timedelta(days=monthrange(s.year, s.month)[1] - 1) for s in starts]
    rows = [[term.hours_in(s, e) for s, e in zip(starts, ends, strict=True)] for term in terms]
    hours = np.array(rows, dtype=float).reshape(len(terms), len(starts))
    rates = np.array([term.rate for term in terms], dtype=float).reshape(-1, 1)
    return Promised(tuple(terms), hours, hours * rates)


@dataclass(frozen=True)
class Frame:
    """What does not change between scenarios of renewal."""

    incumbent: ArmFlow
    candidate: ArmFlow
    contracts: tuple[Contract, ...]
    settings: Settings
    today: date
    ratio: float
    price_a: float
    price_b: float

    @property
    def starts(self) -> tuple[date, ...]:
        """First days of the months."""
        first = first_month(self.today)
        return tuple(add_months(first, i) for i in range(self.settings.horizon_months))

    def covering(self, flow: ArmFlow) -> tuple[Contract, ...]:
        """Contracts that the arm's hours draw on; a contract that covers both arms is the incumbent's."""
        mine = tuple(c for c in self.contracts if covers(c, flow))
        if flow is self.incumbent:
            return mine
        taken = {c.id for c in self.covering(self.incumbent)}
        return tuple(c for c in mine if c.id not in taken)

    def promised_to(self, flow: ArmFlow, renewed: frozenset[str]) -> Promised:
        """What the arm's contracts promise, some of them renewed."""
        return promised(terms_of(self.covering(flow), self.today, renewed), self.starts)

    def grid(self, renewed: frozenset[str] = frozenset()) -> Grid:
        """The months in one scenario of renewal."""
        settings, starts = self.settings, self.starts
        index = np.arange(len(starts), dtype=float)
        demand = settings.demand.units_per_month if settings.demand else 0.0
        a, b = self.promised_to(self.incumbent, renewed), self.promised_to(self.candidate, renewed)
        rate, on_demand = self._overage(a)
        reuse = settings.reuse_value_per_hour
        reuse_value = self.price_a if reuse is None else float(reuse)
        return Grid(
            starts=starts,
            calendar_hours=np.array([monthrange(s.year, s.month)[1] * HOURS_PER_DAY for s in starts], dtype=float),
            factor=(1 + settings.annual_discount_rate) ** (-index / 12),
            demand=np.full(len(starts), demand),
            need_a=np.full(len(starts), demand * self.incumbent.hours_per_unit),
            committed_a=a.hours.sum(axis=0),
            committed_b=b.hours.sum(axis=0),
            commitment_cost=a.cost.sum(axis=0) + b.cost.sum(axis=0),
            overage_rate=rate,
            on_demand_overage=on_demand,
            capacity=settings.capacity.hours_per_month,
            reuse_value=settings.reuse_share * reuse_value,
            ratio=self.ratio,
            price_b=self.price_b,
        )

    def _overage(self, a: Promised) -> tuple[Column, NDArray[np.bool_]]:
        """The cheapest of on demand and the overage rates of contracts in force, month by month."""
        rate = np.full(len(self.starts), self.price_a)
        for term, hours in zip(a.terms, a.hours, strict=True):
            if term.contract.overage_rate is not None:
                rate = np.where(hours > 0, np.minimum(rate, float(term.contract.overage_rate)), rate)
        return rate, rate >= self.price_a
