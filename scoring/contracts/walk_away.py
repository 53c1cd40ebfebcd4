"""The prices and the ratio at which the recommended plan saves nothing: linear in each, so in closed form."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoring.contracts.months import Grid
from scoring.contracts.plans import Matrix, npv_matrix, shares_of
from scoring.model.economics import Band, Plan

BISECTIONS = 60


@dataclass(frozen=True)
class Question:
    """The months, what staying costs and what moving costs once."""

    grid: Grid
    stay_npv: float
    migration_cost: float

    def npv(self, s: int, u: int, grid: Grid) -> float:
        """Cost of the plan (s, u) on other months of the same shape."""
        cost = grid.factor * grid.cost(shares_of(grid, s, u))
        moving = grid.factor[s] * self.migration_cost if s < len(grid.factor) else 0.0
        return float(cost.sum() + moving)


def candidate_price(question: Question, plan: Plan, ratio: float) -> float | None:
    """Candidate price at which the plan costs what staying costs, at an hours ratio; None where it needs no hour."""
    grid = question.grid.at(ratio=ratio, price_b=0.0)
    hours = grid.overage_hours_b(shares_of(grid, plan.starts_at, plan.full_at))
    discounted = float((grid.factor * hours).sum())
    if discounted <= 0:
        return None
    return (question.stay_npv - question.npv(plan.starts_at, plan.full_at, grid)) / discounted


def highest_candidate_price(question: Question, ratio: float) -> float | None:
    """The highest candidate price at which some plan still costs no more than staying."""
    free, at_one = (
        npv_matrix(question.grid.at(ratio=ratio, price_b=price), question.migration_cost) for price in (0.0, 1.0)
    )
    best = _largest_root(question, free, at_one)
    return best if best is not None and best > 0 else None


def _largest_root(question: Question, at_zero: Matrix, at_one: Matrix) -> float | None:
    """Largest x at which a plan that moves, linear in x with these costs at 0 and 1, costs what staying costs."""
    moving = np.isfinite(at_zero)
    moving[-1] = False
    slope = at_one[moving] - at_zero[moving]
    roots = (question.stay_npv - at_zero[moving])[slope > 0] / slope[slope > 0]
    return float(roots.max()) if roots.size else None


def candidate_band(question: Question, plan: Plan | None, ratio: Band) -> Band | None:
    """The walk-away price of the candidate with its values at the ends of the ratio's interval."""

    def price(at: float) -> float | None:
        if plan is None:
            return highest_candidate_price(question, at)
        return candidate_price(question, plan, at)

    point = price(ratio.point)
    if point is None or point <= 0:
        return None
    ends = [price(at) for at in (ratio.lo, ratio.hi) if at is not None]
    known = sorted(end for end in ends if end is not None)
    return Band(point=point, lo=known[0], hi=known[1]) if len(known) == 2 else Band(point=point)


def incumbent_price(question: Question, plan: Plan) -> float | None:
    """On-demand price of the incumbent at which staying costs what the plan costs.

    Linear as long as the same months pay the on-demand price; None where it changes nothing.
    """
    grid = question.grid
    shares = shares_of(grid, plan.starts_at, plan.full_at)
    stay_hours, plan_hours = grid.overage_hours_a(np.zeros_like(shares)), grid.overage_hours_a(shares)
    priced = grid.factor * grid.on_demand_overage
    slope = float((priced * (stay_hours - plan_hours)).sum())
    if slope <= 0:
        return None
    price = float(grid.overage_rate[grid.on_demand_overage].max())
    found = price - plan.saving / slope
    return found if found > 0 else None


def break_even_ratio(question: Question, plan: Plan | None) -> float:
    """Hours ratio at which the plan, or where None the best plan that moves, costs what staying costs.

    Costs rise with the ratio, so it is found by bisection; 0 where no ratio would pay.
    """
    months = len(question.grid.factor)

    def gain(ratio: float) -> float:
        grid = question.grid.at(ratio=ratio)
        if plan is not None:
            return question.stay_npv - question.npv(plan.starts_at, plan.full_at, grid)
        return question.stay_npv - float(npv_matrix(grid, question.migration_cost)[:months].min())

    if _is_linear(question.grid):
        if plan is not None:
            return _linear_root(gain)
        at_zero, at_one = (npv_matrix(question.grid.at(ratio=x), question.migration_cost) for x in (0.0, 1.0))
        return max(_largest_root(question, at_zero, at_one) or 0.0, 0.0)
    low, high = 0.0, max(question.grid.ratio, 1e-9)
    if gain(low) <= 0:
        return 0.0
    for _ in range(60):
        if gain(high) < 0:
            break
        low, high = high, high * 2
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if gain(middle) >= 0 else (low, middle)
    return (low + high) / 2


def _is_linear(grid: Grid) -> bool:
    return grid.capacity is None and not grid.committed_b.any()


def _linear_root(gain: Callable[[float], float]) -> float:
    at_zero, at_one = gain(0.0), gain(1.0)
    slope = at_zero - at_one
    return max(at_zero / slope, 0.0) if slope > 0 else (1e9 if at_zero > 0 else 0.0)
