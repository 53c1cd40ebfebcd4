"""The prices and the ratio at which a plan saves nothing.

A cost is linear in a price between the knots at which a contract's overage price takes over, so a price is found
in closed form: price = knot + gain(knot) / hours that pay it. Without such a contract the only knot is zero.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from scoring.contracts.months import Grid
from scoring.contracts.plans import Matrix, moving_plans, npv_matrix, shares_of
from scoring.contracts.true_ups import SpendPeriod
from scoring.model.economics import Band, Plan

Gains = Callable[[float], Matrix]
DOUBLINGS = 60
NOISE = 1e-11
"""Of a gain: what two costs that are equal may differ by in floating point."""
JUMP = 1e-9
"""Of a gain: more than that at a price where it should be 0 is a jump."""
UNBOUNDED_RATIO = 1e9
"""A ratio that no accelerator reaches: moving pays however slow the candidate is."""
NEAR = 0.01
"""Of the break-even ratio: how far from it a slope is taken at least."""


@dataclass(frozen=True)
class Question:
    """The months if contracts lapse and in each way to let some renew, and what moving costs once."""

    grid: Grid
    renewed: tuple[Grid, ...]
    migration_cost: float

    @cached_property
    def stay_npv(self) -> float:
        """The cheapest way to stay."""
        return min(grid.stay_npv for grid in self.stays)

    @property
    def stays(self) -> tuple[Grid, ...]:
        """The ways to stay."""
        return (self.grid, *self.renewed)

    def npv(self, s: int, u: int, grid: Grid) -> float:
        """Cost of the plan (s, u) on other months of the same shape."""
        shares = shares_of(grid, s, u)
        cost = grid.factor * grid.cost(*shares)
        moving = grid.factor[s] * self.migration_cost if s < len(grid.factor) else 0.0
        return float(cost.sum() + moving + grid.true_ups(*shares))

    def gain(self, plan: Plan | None, stay_npv: float, grid: Grid) -> Matrix:
        """What staying costs more than the plan on other months; than each plan that moves where None."""
        if plan is None:
            return stay_npv - moving_plans(npv_matrix(grid, self.migration_cost))
        return np.array([stay_npv - self.npv(plan.starts_at, plan.full_at, grid)])


def largest_root(gains: Gains, knots: list[float]) -> float | None:
    """Largest x from which the greatest of the gains is below 0; None where it is so everywhere or nowhere.

    Gains never rise with x and are linear between the knots and after the last one.
    """
    at = [gains(knot) for knot in knots]
    last = next((i for i in reversed(range(len(knots))) if at[i].max() > 0), None)
    if last is None:
        return None
    step = knots[last + 1] - knots[last] if last + 1 < len(knots) else 1.0
    after = at[last + 1] if last + 1 < len(knots) else gains(knots[last] + 1.0)
    positive = at[last] > 0
    slope = (at[last] - after)[positive]
    if (slope <= NOISE * np.abs(at[last]).max()).any():
        return None
    return knots[last] + step * float((at[last][positive] / slope).max())


def _knots(overage: NDArray[np.float64]) -> list[float]:
    return [0.0, *(float(x) for x in np.unique(overage) if np.isfinite(x) and x > 0)]


def _knots_of(grid: Grid, of_incumbent: bool) -> list[float]:
    """Prices of an arm between which the cost of its hours is linear."""
    overage, other = (grid.overage_a, grid.price_b) if of_incumbent else (grid.overage_b, grid.price_a)
    further = grid.further.knots(other, of_incumbent) if grid.further is not None else ()
    within = [knot for part in grid.parts for knot in _knots_of(part, of_incumbent)]
    return _knots(np.concatenate([overage, np.array([*further, *within])]))


def _if_zero(price: float | None, gains: Gains, grid: Grid) -> float | None:
    """The price, or None where plans of both arms make the cost jump there: vendors' order is not the cheapest one."""
    if price is None or not (grid.spending or (grid.further is not None and grid.further.plans)):
        return price
    tiny = JUMP * max(float(np.abs(gains(x)).max()) for x in (0.0, price))
    return price if abs(float(gains(price).max())) <= tiny else None


def candidate_price(question: Question, plan: Plan | None, ratio: float) -> float | None:
    """Candidate price above which the plan, or where None every plan that moves, costs more than staying.

    None where no price pays, or where moving pays at any.
    """
    grid, stay = question.grid.at(ratio=ratio), question.stay_npv

    def gains(price: float) -> Matrix:
        return question.gain(plan, stay, grid.at(price_b=price))

    if grid.spending:
        return _if_zero(_bisected(gains, max(grid.price_b, 1.0)), gains, grid)
    return _if_zero(largest_root(gains, _knots_of(grid, of_incumbent=False)), gains, grid)


def _bisected(gains: Gains, start: float) -> float | None:
    """Where the greatest of the gains, which never rise with x, becomes negative; None where it is so or never is."""
    if gains(0.0).max() <= 0:
        return None
    high = start
    for _ in range(DOUBLINGS):
        if gains(high).max() < 0:
            return float(brentq(lambda x: float(gains(x).max()), 0.0, high, xtol=1e-12))
        high *= 2
    return None


def candidate_band(question: Question, plan: Plan | None, ratio: Band) -> Band | None:
    """The walk-away price of the candidate with its values at the ends of the ratio's interval."""
    point = candidate_price(question, plan, ratio.point)
    if point is None:
        return None
    known = [candidate_price(question, plan, end) for end in (ratio.lo, ratio.hi) if end is not None]
    ends = [end for end in known if end is not None]
    return Band(point=point, lo=min(ends), hi=max(ends)) if len(ends) == 2 else Band(point=point)


def incumbent_price(question: Question, plan: Plan) -> float | None:
    """On-demand price of the incumbent at which staying costs what the plan costs, the nearest to today's.

    None where that price changes nothing. A freed hour saves the on-demand price where no other value is set.
    """
    now = question.grid.price_a
    knots = sorted({now, *(knot for grid in question.stays for knot in _knots_of(grid, of_incumbent=True))})

    def gains(price: float) -> Matrix:
        moved = question.npv(plan.starts_at, plan.full_at, question.grid.at(price_a=price))
        return np.array([grid.at(price_a=price).stay_npv - moved for grid in question.stays])

    knots = sorted({*knots, *_hinges(question, plan, knots)})
    below = gains(now).min() > 0
    found = (
        _root_below(gains, [k for k in knots if k <= now])
        if below
        else _root_above(gains, [k for k in knots if k >= now])
    )
    return _if_zero(found, lambda price: gains(price).min(keepdims=True), question.grid)


def _hinges(question: Question, plan: Plan, knots: list[float]) -> Iterator[float]:
    """Prices of the incumbent at which the plan or a stay meets a period's commitment: linear between the knots."""
    months = len(question.grid.factor)
    told = [(grid, months, months) for grid in question.stays] + [(question.grid, plan.starts_at, plan.full_at)]
    for grid, s, u in told:
        for period in grid.spending:

            def missing(price: float, grid: Grid = grid, s: int = s, u: int = u, of: SpendPeriod = period) -> float:
                there = grid.at(price_a=price)
                return of.committed - float(there.counted(of, *shares_of(there, s, u)).sum())

            for low, high in zip(knots, [*knots[1:], None], strict=True):
                at_low, slope = missing(low), missing(low + 1.0 if high is None else high) - missing(low)
                at = low + at_low / -slope * (1.0 if high is None else high - low) if slope else -1.0
                if at > low and (high is None or at < high):
                    yield at


def _root_below(gains: Gains, knots: list[float]) -> float | None:
    """Highest x at which the least of the gains, positive at the last knot, is 0."""
    pairs = list(pairwise(knots))
    for low, high in reversed(pairs):
        at_low, at_high = gains(low), gains(high)
        falls = at_low <= 0
        if falls.any():
            share = at_high[falls] / (at_high - at_low)[falls]
            found = high - (high - low) * float(share.min())
            return found if found > 0 else None
    return None


def _root_above(gains: Gains, knots: list[float]) -> float | None:
    """Lowest x at which all of the gains, some of them not positive at the first knot, are at least 0."""
    for low, high in zip(knots, [*knots[1:], None], strict=True):
        step = max(low, 1.0) if high is None else high - low
        at_low = gains(low)
        rise = gains(low + step) - at_low
        slope = np.where(np.abs(rise) <= NOISE * np.abs(at_low), 0.0, rise / step)
        behind = at_low < 0
        if (slope[behind] <= 0).any():
            continue
        found = low + float((-at_low[behind] / slope[behind]).max(initial=0.0))
        if (high is None or found <= high) and (at_low + slope * (found - low) >= -1e-9 * abs(at_low).max()).all():
            return found
    return None


def break_even_ratio(question: Question, plan: Plan | None) -> float:
    """Hours ratio at which the plan, or where None the best plan that moves, costs what staying costs.

    Costs rise with the ratio. It is linear unless capacity or the candidate's own commitments bend it; then it
    is bracketed and solved by Brent's method. 0 where no ratio would pay.
    """
    stay = question.stay_npv

    def gains(ratio: float) -> Matrix:
        return question.gain(plan, stay, question.grid.at(ratio=ratio))

    if gains(0.0).max() <= 0:
        return 0.0
    grid = question.grid
    if grid.capacity is None and grid.further is None and not grid.spending and not grid.committed_b.any():
        root = largest_root(gains, [0.0])
        return UNBOUNDED_RATIO if root is None else root
    high = max(question.grid.ratio, 1e-9)
    for _ in range(DOUBLINGS):
        if gains(high).max() < 0:
            return float(brentq(lambda ratio: float(gains(ratio).max()), 0.0, high, xtol=1e-12))
        high *= 2
    return UNBOUNDED_RATIO


def saving_slope(question: Question, plan: Plan | None, break_even: float) -> float | None:
    """What the plan saves more for a unit that the hours ratio is lower, between the measured ratio and break-even.

    Where no plan moves at the measured ratio it is that of the plan that pays first below break-even. None where no
    ratio breaks even.
    """
    if not 0 < break_even < UNBOUNDED_RATIO:
        return None
    at = question.grid.ratio
    if plan is not None and abs(break_even - at) >= NEAR * break_even:
        slope = plan.saving / (break_even - at)
    else:
        near = question.grid.at(ratio=break_even * (1 - NEAR))
        slope = float(question.gain(plan, question.stay_npv, near).max()) / (break_even * NEAR)
    return slope if slope > 0 else None
