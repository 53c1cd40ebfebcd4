"""What every plan costs in many draws at once, or at many prices: sums of the months before each month."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.months import Grid
from scoring.contracts.plans import TIE, npv_matrix
from scoring.contracts.true_ups import SpendPeriod

Column = NDArray[np.float64]
Months = NDArray[np.int64]


@dataclass(frozen=True)
class TrueUps:
    """What counts towards one period before each month at the levels of a plan; shape (months + 1, draws)."""

    period: SpendPeriod
    factor: float
    stay: Column
    partial: Column
    full: Column

    @classmethod
    def of(cls, grid: Grid, period: SpendPeriod, draws: int) -> "TrueUps":
        """Of the same months as the costs."""
        months = len(grid.factor)
        before = np.tri(months + 1, months, -1)
        levels = (grid.counted(period, share) for share in grid.shares())
        stay, partial, full = (before @ np.broadcast_to(level, (draws, months)).T for level in levels)
        return cls(period, float(grid.factor[period.month]), stay, partial, full)

    def charged(self, s: int, u: slice) -> Column:
        """Of the plans that start in month s and move everything from those of `u`, (plans, draws)."""
        spent = self.stay[s] + self.partial[u] - self.partial[s] + self.full[-1] - self.full[u]
        return self.factor * self.period.charge(spent)

    def charged_at_once(self) -> Column:
        """Of the plans that move everything in a month, (months, draws)."""
        return self.factor * self.period.charge((self.stay + self.full[-1] - self.full)[:-1])


def costs_of(grid: Grid, migration_cost: float, draws: int) -> "PlanCosts | SlowPlanCosts":
    """The costs of all plans in months whose ratio, demand or price is a column of `draws` figures."""
    if grid.migration.at_once:
        return PlanCosts.of(grid, migration_cost, draws)
    npv = npv_matrix(grid, migration_cost)
    return SlowPlanCosts(np.broadcast_to(npv, (draws, *npv.shape[-2:])))


@dataclass(frozen=True)
class SlowPlanCosts:
    """NPV of the plan (s, u) at [draw, s, u] where moves take months or both arms run for some."""

    plans: Column

    def npv(self, s: int, u: int) -> Column:
        """Of the plan (s, u) in every draw."""
        return self.plans[:, s, u]

    def best_starts(self, stay_npv: Column, split_minimum_gain: float) -> Months:
        """The month in which the best plan begins in every draw, by the same rule that finds the recommended one."""
        full = np.diagonal(self.plans, axis1=1, axis2=2).T[:-1]
        return _best_starts(full, self.plans[:, :-1].min(axis=2).T, stay_npv, split_minimum_gain)


@dataclass(frozen=True)
class PlanCosts:
    """Discounted sums of the months before each month at the three levels of a plan; shape (months + 1, draws)."""

    stay: Column
    partial: Column
    full: Column
    moving: Column
    true_ups: tuple[TrueUps, ...] = ()

    @classmethod
    def of(cls, grid: Grid, migration_cost: float, draws: int) -> "PlanCosts":
        """Of months whose ratio, demand or price is a column of `draws` figures."""
        months = len(grid.factor)
        before = np.tri(months + 1, months, -1) * grid.factor
        levels = (grid.stay_cost, *(grid.cost(share) for share in grid.shares()[1:]))
        staying, partial, full = (before @ np.broadcast_to(cost, (draws, months)).T for cost in levels)
        moving = (grid.factor * migration_cost)[:, None]
        return cls(staying, partial, full, moving, tuple(TrueUps.of(grid, p, draws) for p in grid.spending))

    def npv(self, s: int, u: int) -> Column:
        """Of the plan (s, u) in every draw."""
        moving = self.moving[s] if s < len(self.moving) else 0.0
        total: Column = self.stay[s] + self.partial[u] - self.partial[s] + self.full[-1] - self.full[u] + moving
        for period in self.true_ups:
            total = total + period.charged(s, slice(u, u + 1))[0]
        return total

    def best_starts(self, stay_npv: Column, split_minimum_gain: float) -> Months:
        """The month in which the best plan begins in every draw, by the same rule that finds the recommended one."""
        rest = self.full[-1] - self.full
        full = self.stay[:-1] + rest[:-1] + self.moving
        full = full + sum(period.charged_at_once() for period in self.true_ups)
        after = self._cheapest_after(self.partial + rest)
        split = (self.stay - self.partial + after)[:-1] + self.moving
        return _best_starts(full, split, stay_npv, split_minimum_gain)

    def _cheapest_after(self, after: Column) -> Column:
        """The least of what follows each start over the months from which everything moves."""
        if not self.true_ups:
            for s in reversed(range(len(after) - 1)):
                np.minimum(after[s], after[s + 1], out=after[s])
            return after
        least = [
            np.min(after[s:] + sum(p.charged(s, slice(s, None)) for p in self.true_ups), axis=0)
            for s in range(len(after))
        ]
        return np.array(least)


def _best_starts(full: Column, split: Column, stay_npv: Column, split_minimum_gain: float) -> Months:
    """By the best full move and the best plan that begin in each month, in every draw; shape (months, draws)."""
    slack = TIE * np.abs(stay_npv)
    best_full, best_split = full.min(axis=0), split.min(axis=0)
    pays = best_full < stay_npv - slack
    simple = np.where(pays, best_full, stay_npv)
    gain = max(split_minimum_gain, TIE) * np.abs(stay_npv)
    starts = np.where(pays, np.argmax(full <= best_full + slack, axis=0), len(full))
    splits = best_split < simple - gain
    found: Months = np.where(splits, np.argmax(split <= best_split + slack, axis=0), starts)
    return found
