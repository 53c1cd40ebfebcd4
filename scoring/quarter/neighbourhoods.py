"""A plan made better: a few workloads decide anew while all else is held, again and again.

Large neighbourhood search (Shaw 1998): many small searches take as long as a few nodes of the whole. Which
workloads are free is drawn by a fixed seed, and the searches are counted, not timed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.quarter.program import Program
from scoring.quarter.solver import Integer, Rows, integer

Floats = NDArray[np.float64]
SEED = 20_270_101
FREE = 12
"""Workloads that decide anew in one search."""
NEAR = 0.2
"""Of the room between the plan and the relaxation: the reduced cost up to which a free workload's choice is weighed."""
SEARCHES, IN_VAIN = 80, 40
"""The most, and the most of them in a row that bring nothing."""
NODES = 20
GAP = 1e-5
BETTER, HALF = 1e-9, 0.5


@dataclass(frozen=True)
class Neighbourhoods:
    """The program, its rows and reduced costs; `seconds` is the longest of one search, which none should need."""

    program: Program
    rows: Rows
    reduced: Floats
    seconds: float

    def improved(self, best: Integer, relaxed: float, enough: float) -> Integer:
        """A plan that costs no more than `enough`, or the best that the searches find. Costs are of the columns."""
        in_vain = 0
        for free in self._drawn():
            if best.cost <= enough or in_vain == IN_VAIN:
                break
            found = self._among(free, best, relaxed)
            in_vain = in_vain + 1 if found is None else 0
            best = found or best
        return best

    def _drawn(self) -> Iterator[NDArray[np.bool_]]:
        """Which workloads are free."""
        count, rng = len(self.program.scene.workloads), np.random.default_rng(SEED)
        for _ in range(SEARCHES):
            free = np.zeros(count, dtype=bool)
            free[rng.choice(count, min(FREE, count), replace=False)] = True
            yield free

    def _among(self, free: NDArray[np.bool_], best: Integer, relaxed: float) -> Integer | None:
        """The best plan in which only the free workloads choose anew; None where it is no cheaper."""
        assert best.x is not None  # noqa: S101 - the caller's condition
        choices, levers = len(self.program.choices), len(self.program.network.levers)
        x, cost = best.x, self.program.cost
        mine = free[self._owner]
        keep = np.ones(len(x), dtype=bool)
        near = self.reduced[:choices] <= NEAR * (best.cost - relaxed)
        keep[:choices] = mine & (near | (x[:choices] > HALF))
        keep[choices : choices + levers] = False
        held = np.flatnonzero(~keep & (x != 0))
        columns = np.flatnonzero(keep)
        found = integer(
            cost[columns],
            self._less(held, np.round(x[held]), free).only(columns),
            self.program.most[columns],
            columns < choices,
            GAP,
            self.seconds,
            NODES,
        )
        better = np.where(keep, 0.0, np.round(x))
        if found.x is None:
            return None
        better[columns] = found.x
        total = float(cost @ better)
        return replace(best, x=better, cost=total) if total < best.cost - BETTER * abs(best.cost) else None

    @cached_property
    def _owner(self) -> NDArray[np.intp]:
        return np.array([choice.workload for choice in self.program.choices], dtype=np.intp)

    def _less(self, held: NDArray[np.intp], values: Floats, free: NDArray[np.bool_]) -> Rows:
        """The rows with what is held on their right sides; assignments of workloads that are held are left out."""
        rows, kept = self.rows, np.ones(self.rows.equal.shape[0], dtype=bool)
        kept[: len(free)] = free
        b_equal = rows.b_equal - rows.equal[:, held] @ values
        return Rows(rows.equal[kept], b_equal[kept], rows.upper, rows.b_upper - rows.upper[:, held] @ values)
