"""The months of the horizon as columns of numbers: hours needed, hours promised, what each hour costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import pairwise

import numpy as np

from scoring.contracts.coverage import Column
from scoring.contracts.further import Further
from scoring.contracts.migration import AT_ONCE, Migration
from scoring.contracts.notices import add_months
from scoring.contracts.true_ups import SpendPeriod
from scoring.model.switching import OtherWork

Months = Sequence[tuple[date, date]]
"""First and last day of each month."""
TINY = 1e-300
DEPENDING = {
    "ratio": ("need_b", "full_share", "partial_share"),
    "price_a": ("rate_a",),
    "price_b": ("rate_b",),
}
"""Columns of a grid that are computed from these figures: a timeline asks for dozens of grids that differ in one."""


def first_month(today: date) -> date:
    """The first calendar month that begins on or after today."""
    return today if today.day == 1 else add_months(today.replace(day=1), 1)


def months_from(first: date, count: int) -> tuple[tuple[date, date], ...]:
    """First and last day of each month."""
    starts = [add_months(first, i) for i in range(count + 1)]
    return tuple((a, date.fromordinal(b.toordinal() - 1)) for a, b in pairwise(starts))


@dataclass(frozen=True)
class Others:
    """Other work that may use committed hours which are not needed: its dearest hours first.

    `reusable` are the committed hours that it may use at all, `held` those that are committed were all contracts kept
    and none renewed, `held_reusable` those of them that it may use: what it uses of those at staying is no saving.
    `within` is the share of each month's days that is told.
    """

    work: tuple[OtherWork, ...]
    reusable: Column
    held: Column
    held_reusable: Column
    within: Column | float = 1.0

    def saved(self, free: Column, need: Column) -> Column:
        """What other work saves more than at staying when that many committed hours are free; negative if fewer."""
        then = self._worth(np.clip(free, 0.0, self.reusable))
        return then - self.saved_anyway(need)

    def saved_anyway(self, need: Column) -> Column:
        """What other work saves at staying with the hours that the work does not need."""
        return self._worth(np.clip(self.held - need, 0.0, self.held_reusable))

    def _worth(self, hours: Column) -> Column:
        before: Column | float = 0.0
        worth = np.zeros_like(hours)
        for other in self.work:
            most = other.hours_per_month * self.within
            worth = worth + np.clip(hours - before, 0.0, most) * other.price_per_hour
            before = before + most
        return worth


@dataclass(frozen=True)
class Grid:
    """One entry a month, in one scenario of renewals. Hours are instance-hours, prices per hour, costs undiscounted.

    `overage_a` and `overage_b` are the contracts' prices of an hour above the promise, infinite where none is
    named; the on-demand prices `price_a` and `price_b` hold where they are lower. `reuse_price` None: a freed
    hour that is used again saves the incumbent's on-demand price. `others` is work that may use committed hours that
    are not needed. `migration` is how work moves. `parts` are the stretches of days into which contracts that begin,
    end or change within a month cut the months, the first, the second … of each: hours of one stretch are of no use
    in another, so that costs are theirs; none where no month is cut.
    """

    factor: Column
    need_a: Column
    committed_a: Column
    committed_b: Column
    commitment_cost: Column
    overage_a: Column
    overage_b: Column
    capacity: float | None
    reuse_share: float
    reuse_price: float | None
    ratio: float
    price_a: float
    price_b: float
    others: Others | None = None
    further: Further | None = None
    spending: tuple[SpendPeriod, ...] = ()
    migration: Migration = AT_ONCE
    parts: tuple["Grid", ...] = ()

    @cached_property
    def need_b(self) -> Column:
        """Candidate hours for the whole demand."""
        return self.need_a * self.ratio

    @cached_property
    def rate_a(self) -> Column:
        """Price of an incumbent hour above the commitment."""
        return np.minimum(self.overage_a, self.price_a)

    @cached_property
    def rate_b(self) -> Column:
        """Price of a candidate hour above the commitment."""
        return np.minimum(self.overage_b, self.price_b)

    @cached_property
    def full_share(self) -> Column:
        """Share of the demand that the candidate's capacity takes."""
        if self.capacity is None:
            return np.ones_like(self.need_a)
        return np.minimum(1.0, self.capacity / np.maximum(self.need_b, TINY))

    @cached_property
    def partial_share(self) -> Column:
        """Share that lies above the incumbent's commitment, within capacity."""
        above: Column = (
            sum((part.above_kept for part in self.parts), start=np.zeros(1)) if self.parts else self.above_kept
        )
        return np.minimum(self.full_share, above / np.maximum(self.need_a, TINY))

    @property
    def above_kept(self) -> Column:
        """Hours at staying above those that a plan to move first leaves the incumbent."""
        return np.maximum(0.0, self.need_a - (self.committed_a if self.further is None else self.further.kept))

    def overage_hours_b(self, share: Column) -> Column:
        """Candidate hours above its commitments when a share has moved."""
        return np.maximum(0.0, self.need_b * share - self.committed_b)

    def cost(self, share: Column, gone: Column | None = None) -> Column:
        """What a month costs when a share of the demand is on the candidate.

        `gone` is the share that has left the incumbent, the same unless some of it runs on both.
        """
        if self.parts:
            return sum((part.cost(share, gone) for part in self.parts), start=np.zeros(1))
        left = self.need_a * (1 - (share if gone is None else gone))
        paid: Column = (
            self.commitment_cost
            + np.maximum(0.0, left - self.committed_a) * self.rate_a
            + self.overage_hours_b(share) * self.rate_b
        )
        if self.further is not None:
            paid = paid - self._cheaper(left, share)
        return paid - self._recovered(left) if self.reuse_share or self.others is not None else paid

    def _cheaper(self, left: Column, share: Column) -> Column:
        """What contracts make cheaper of the hours above those that are committed."""
        assert self.further is not None  # noqa: S101 - the caller's condition
        above = np.maximum(0.0, left - self.committed_a), self.overage_hours_b(share)
        return self.further.saved(above, (self.price_a, self.price_b), (self.rate_a, self.rate_b))

    def _recovered(self, left: Column) -> Column:
        """What committed hours that are freed save where other work uses them; `left` is what stays."""
        if self.others is not None:
            return self.others.saved(self.committed_a - left, self.need_a)
        freed = np.minimum(self.committed_a, self.need_a) - np.minimum(self.committed_a, left)
        return freed * self.reuse_share * (self.price_a if self.reuse_price is None else self.reuse_price)

    @property
    def stay_cost(self) -> Column:
        """What each month costs at staying."""
        if self.parts:
            return sum((part.stay_cost for part in self.parts), start=np.zeros(1))
        above: Column = self.commitment_cost + np.maximum(0.0, self.need_a - self.committed_a) * self.rate_a
        if self.further is not None:
            above = above - self._cheaper(self.need_a, np.zeros_like(self.need_a))
        return above if self.others is None else above - self._recovered(self.need_a)

    @property
    def stay_npv(self) -> float:
        """What staying costs in this scenario, discounted."""
        return float((self.factor * self.stay_cost).sum() + self.true_ups(np.zeros_like(self.need_a)))

    def counted(self, period: SpendPeriod, share: Column, gone: Column | None = None) -> Column:
        """What counts of each month towards a period of a spend commitment; shares as of a cost."""
        return period.counted(self._paid_on_demand(share, gone))

    def _paid_on_demand(self, share: Column, gone: Column | None) -> tuple[Column, Column]:
        """What either arm pays in each month by the hour above its contracts."""
        if self.parts:
            paid = [part._paid_on_demand(share, gone) for part in self.parts]
            return sum((a for a, _ in paid), start=np.zeros(1)), sum((b for _, b in paid), start=np.zeros(1))
        left = self.need_a * (1 - (share if gone is None else gone))
        above = np.maximum(0.0, left - self.committed_a), self.overage_hours_b(share)
        hours = above if self.further is None else self.further.left(above, (self.price_a, self.price_b))
        return hours[0] * self.rate_a, hours[1] * self.rate_b

    @property
    def saved_anyway(self) -> Column | float:
        """What other work saves at staying with the hours that the work does not need."""
        if self.parts:
            return sum(part.saved_anyway for part in self.parts)
        return 0.0 if self.others is None else self.others.saved_anyway(self.need_a)

    def true_ups(self, share: Column, gone: Column | None = None) -> Column | float:
        """What all periods charge, discounted, when a share of each month is on the candidate; shares as of a cost."""
        charges = [
            self.factor[period.month] * period.charge(self.counted(period, share, gone).sum(axis=-1))
            for period in self.spending
        ]
        return sum(charges) if charges else 0.0

    def shares(self) -> Sequence[Column]:
        """The shares of the three levels of a plan: nothing, the partial share, everything that capacity takes."""
        return np.zeros_like(self.need_a), self.partial_share, self.full_share

    def at(self, **other: float) -> "Grid":
        """The same months at another `ratio`, `price_a` or `price_b`; columns that do not hang on it are kept."""
        spoiled = {column for name in other for column in DEPENDING[name]}
        there = object.__new__(Grid)
        there.__dict__.update({name: value for name, value in self.__dict__.items() if name not in spoiled}, **other)
        if self.parts:
            there.__dict__["parts"] = tuple(part.at(**other) for part in self.parts)
        return there
