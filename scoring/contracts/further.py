"""What contracts make cheaper beyond the hours that an arm has paid in any case: above a minimum, and plans of both."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.model.switching import FurtherMonth, HoursAtRate, PlanMonth

Column = NDArray[np.float64]
TINY = 1e-300
PLACES_OF_A_PERCENTAGE = 12
"""Decimal places to which two savings are equal: rates are quotients of decimal prices."""


@dataclass(frozen=True)
class Tranches:
    """Hours above the paid ones that cost a contract's own rate where they are used, the cheapest of a month first.

    Both are [tranches, months]. An hour is taken at its rate only where it would cost more otherwise.
    """

    hours: Column
    rates: Column

    @classmethod
    def of(cls, hours: Column, rates: Column) -> "Tranches":
        """In any order and with empty ones."""
        kept = hours.any(axis=1)
        rates = np.where(hours[kept] > 0, rates[kept], np.inf)
        order = np.argsort(rates, axis=0, kind="stable")
        return cls(np.take_along_axis(hours[kept], order, axis=0), np.take_along_axis(rates, order, axis=0))

    def saved(self, above: Column, price: Column) -> Column:
        """What the hours above the paid ones cost less than all of them at the price."""
        saved: Column = np.zeros_like(above)
        before: Column | float = 0.0
        for hours, rate in zip(self.hours, self.rates, strict=True):
            saved = saved + np.clip(above - before, 0.0, hours) * np.maximum(0.0, price - rate)
            before = before + hours
        return saved

    def below(self, price: Column) -> Column:
        """Hours of each month whose rate is below the price."""
        hours: Column = np.where(self.rates < price, self.hours, 0.0).sum(axis=0)
        return hours

    def in_month(self, month: int) -> tuple[HoursAtRate, ...]:
        """Those of one month."""
        cells = zip(self.hours[:, month].tolist(), self.rates[:, month].tolist(), strict=True)
        return tuple(HoursAtRate(hours=hours, rate=rate) for hours, rate in cells if hours > 0)

    @property
    def known_rates(self) -> list[float]:
        """Every rate once."""
        return [float(rate) for rate in np.unique(self.rates) if np.isfinite(rate)]


@dataclass(frozen=True)
class PlanOfBoth:
    """A savings plan that is paid whatever is used: its currency of each month, what an hour of each arm takes of it.

    A rate None: the plan does not cover that arm. Listed with plans that cover both.
    """

    id: str
    amount: Column
    rate_a: float | None
    rate_b: float | None

    def served(self, hours: "Pair", on_demand: "Prices") -> "Pair":
        """Hours of either arm that it pays: the largest percentage saving first, of equal ones the lowest rate.

        AWS's order (Savings Plans User Guide, sp-applying); those that are equal in both share what there is.
        """
        a, b = (hours[0] * (self.rate_a or 0.0), hours[1] * (self.rate_b or 0.0))
        total = np.minimum(self.amount, a + b)
        saving_a, saving_b = _percentage(self.rate_a, on_demand[0]), _percentage(self.rate_b, on_demand[1])
        rate_a, rate_b = self.rate_a or np.inf, self.rate_b or np.inf
        alike = (saving_a == saving_b) & (rate_a == rate_b)
        a_first = (saving_a > saving_b) | ((saving_a == saving_b) & (rate_a < rate_b))
        alone = np.where(a_first, np.minimum(a, self.amount), np.minimum(a, np.maximum(0.0, self.amount - b)))
        of_a = np.where(alike, total * (a / np.maximum(a + b, TINY)), alone)
        of_b = np.minimum(b, total - of_a)
        return of_a / rate_a, of_b / rate_b

    def equal_at(self, other_price: float, of_a: bool) -> float | None:
        """The price of an arm at which both arms save the same share; None where only one is covered."""
        if not self.rate_a or not self.rate_b:
            return None
        ours, theirs = (self.rate_a, self.rate_b) if of_a else (self.rate_b, self.rate_a)
        return ours * other_price / theirs


Pair = tuple[Column, Column]
Prices = tuple[Column | float, Column | float]


def _percentage(rate: float | None, price: Column | float) -> Column:
    price = np.asarray(price, dtype=float)
    if rate is None:
        return np.full_like(price, -np.inf)
    share = np.round(1 - rate / np.where(price > 0, price, 1.0), PLACES_OF_A_PERCENTAGE)
    return np.where(price > 0, share, -np.inf)


@dataclass(frozen=True)
class Further:
    """All of it for the months of one scenario; `kept` are hours of the incumbent that a plan to move first leaves it.

    Those are what is paid in any case, and above it what costs less than the candidate at today's figures.
    """

    above_a: Tranches
    above_b: Tranches
    plans: tuple[PlanOfBoth, ...]
    kept: Column

    def left(self, above: Pair, on_demand: Prices) -> Pair:
        """The hours above the paid ones that no plan of both arms pays."""
        for plan in self.plans:
            served = plan.served(above, on_demand)
            above = (above[0] - served[0], above[1] - served[1])
        return above

    def saved(self, above: Pair, on_demand: Prices, rates: Pair) -> Column:
        """What the hours above the paid ones of both arms cost less than at their rates."""
        saved: Column = np.zeros(np.broadcast_shapes(above[0].shape, above[1].shape))
        for plan in self.plans:
            served = plan.served(above, on_demand)
            saved = saved + served[0] * rates[0] + served[1] * rates[1]
            above = (above[0] - served[0], above[1] - served[1])
        return saved + self.above_a.saved(above[0], rates[0]) + self.above_b.saved(above[1], rates[1])

    def in_month(self, month: int) -> FurtherMonth:
        """One month of it, for the record."""
        plans = (
            PlanMonth(
                contract_id=plan.id,
                amount=float(plan.amount[month]),
                incumbent_rate=plan.rate_a,
                candidate_rate=plan.rate_b,
            )
            for plan in self.plans
        )
        return FurtherMonth(
            kept_hours=float(self.kept[month]),
            above_incumbent=self.above_a.in_month(month),
            above_candidate=self.above_b.in_month(month),
            plans=tuple(plan for plan in plans if plan.amount > 0),
        )

    def knots(self, other_price: float, of_a: bool) -> Iterator[float]:
        """Prices of an arm at which the cost of its hours bends or the plans serve the arms in another order."""
        yield from (self.above_a if of_a else self.above_b).known_rates
        for plan in self.plans:
            if (at := plan.equal_at(other_price, of_a)) is not None:
                yield at
