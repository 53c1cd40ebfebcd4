"""All plans at once: start at month s with the overflow, move everything from month u; and the best of them.

NPV(s, u) = Σ_{t<s} f·stay + Σ_{s≤t<u} f·partial + Σ_{t≥u} f·full + f_s·M, with f the discount factor, where work moves
at once (`slow_plans` has the rest); and for each period of a spend commitment f·share·max(0, committed − what the plan
spends in it).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.months import Grid
from scoring.contracts.slow_plans import npv_of_all
from scoring.contracts.true_ups import SpendPeriod
from scoring.model.economics import Plan

Matrix = NDArray[np.float64]
TIE = 1e-9


def npv_matrix(grid: Grid, migration_cost: float) -> Matrix:
    """NPV of the plan (s, u) at [s, u], infinite where none is; [H, H] is staying. Shape (H + 1, H + 1)."""
    if not grid.migration.at_once:
        return npv_of_all(grid, migration_cost)
    months = len(grid.factor)
    stay, partial, full = (_sums(grid.factor * grid.cost(share)) for share in grid.shares())
    moving = np.append(grid.factor * migration_cost, 0.0)
    npv: Matrix = (stay - partial + moving)[:, None] + (partial - full)[None, :] + full[-1]
    for period in grid.spending:
        npv += grid.factor[period.month] * period.charge(_spent(grid, period))
    npv[_impossible(months + 1)] = np.inf
    return npv


def _spent(grid: Grid, period: SpendPeriod) -> Matrix:
    """What counts towards the period in the plan (s, u) at [s, u]."""
    stay, partial, full = (_sums(grid.counted(period, share)) for share in grid.shares())
    spent: Matrix = (stay - partial)[:, None] + (partial - full)[None, :] + full[-1]
    return spent


@lru_cache(maxsize=8)
def _impossible(size: int) -> NDArray[np.bool_]:
    """Plans that would be complete before they begin."""
    return np.tri(size, k=-1, dtype=bool)


def moving_plans(npv: Matrix) -> Matrix:
    """NPVs of all plans that move anything, one after another."""
    return npv[:-1][np.isfinite(npv[:-1])]


def _sums(values: Matrix) -> Matrix:
    """Sums of the first 0, 1, … values."""
    return np.concatenate([[0.0], np.cumsum(values)])


@dataclass(frozen=True)
class Found:
    """The best plan, the best full move, and the cheapest stay it is measured against."""

    best: Plan
    best_full: Plan
    stay_npv: float


def best_plans(npv: Matrix, stay_npv: float, split_minimum_gain: float) -> Found:
    """The cheapest plan; one that splits must beat the best simple one by a share of what staying costs.

    Simple are the best full move and, where that saves nothing, staying. Of plans that cost the same the earlier
    wins, and of those the one that ends the split first.
    """
    months = npv.shape[0] - 1
    slack = TIE * abs(stay_npv)
    diagonal = np.diag(npv)[:months]
    s = int(np.flatnonzero(diagonal <= diagonal.min() + slack)[0])
    full = _plan(npv, s, s, stay_npv)
    stay = Plan(starts_at=months, full_at=months, npv=stay_npv, saving=0.0)
    simple = full if full.npv < stay_npv - slack else stay
    gain = max(split_minimum_gain, TIE) * abs(stay_npv)
    row, column = (int(i) for i in np.argwhere(npv <= npv.min() + slack)[0])
    split = _plan(npv, row, column, stay_npv)
    return Found(split if split.npv < simple.npv - gain else simple, full, stay_npv)


def _plan(npv: Matrix, s: int, u: int, stay_npv: float) -> Plan:
    cost = float(npv[s, u])
    return Plan(starts_at=s, full_at=u, npv=cost, saving=stay_npv - cost)


def shares_of(grid: Grid, s: int, u: int) -> tuple[Matrix, Matrix]:
    """The share of the demand on the candidate in each month of the plan (s, u), and the share gone from the incumbent.

    They differ where both arms run the same work.
    """
    index = np.arange(len(grid.factor))
    level = np.where(index < s, 0.0, np.where(index < u, grid.partial_share, grid.full_share))
    if grid.migration.at_once:
        return level, level
    return grid.migration.shares(level, np.maximum.accumulate(level, axis=-1))
