"""A plan made better: a few workloads decide anew while all else is held, again and again.

Large neighbourhood search (Shaw 1998): many small searches take as long as a few nodes of the whole. Which
workloads are free is drawn by a fixed seed, and the searches are counted, not timed.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.quarter.cumulative import cumulative
from scoring.quarter.program import Program
from scoring.quarter.solver import Integer, Rows

Floats = NDArray[np.float64]
SEED = 20_270_101
COLUMNS, MOST_COLUMNS, PATIENCE = 60, 400, 5
"""Choices that one search weighs: of as many workloads as have them together; doubled after so many in vain."""
NEAR = 0.1
"""Of the room between the plan and the relaxation: the reduced cost up to which a free workload's choice is weighed."""
IN_VAIN = 20
"""The most searches in a row that bring nothing."""
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

    def improved(self, best: Integer, relaxed: float, enough: float, searches: int) -> Integer:
        """A plan that costs no more than `enough`, or the best that so many find. Costs are of the columns."""
        in_vain, columns, drawn = 0, COLUMNS, np.random.default_rng([SEED, searches])
        for _ in range(searches):
            if best.cost <= enough or in_vain == IN_VAIN:
                break
            weighed = self._weighed(best, NEAR * (best.cost - relaxed))
            found = self._among(self._free(weighed, columns, drawn), weighed, best)
            in_vain = in_vain + 1 if found is None else 0
            columns = min(2 * columns, MOST_COLUMNS) if in_vain % PATIENCE == PATIENCE - 1 else columns
            best = found or best
        return best

    def _weighed(self, best: Integer, near: float) -> NDArray[np.bool_]:
        """The plan's own choices, and those whose reduced cost is at most `near`."""
        assert best.x is not None  # noqa: S101 - the caller's condition
        choices = len(self.program.choices)
        weighed: NDArray[np.bool_] = self.reduced[:choices] <= near
        return weighed | (best.x[:choices] > HALF)

    def _free(self, weighed: NDArray[np.bool_], columns: int, drawn: np.random.Generator) -> NDArray[np.bool_]:
        """Which workloads decide anew: drawn ones that have a choice at all, until their choices are enough."""
        count = np.bincount(self._owner[weighed], minlength=len(self.program.scene.workloads))
        order = drawn.permutation(len(count))
        order = order[count[order] > 1]
        free = np.zeros(len(count), dtype=bool)
        free[order[: max(2, int(np.searchsorted(np.cumsum(count[order]), columns)))]] = True
        return free

    def _among(self, free: NDArray[np.bool_], weighed: NDArray[np.bool_], best: Integer) -> Integer | None:
        """The best plan in which only the free workloads choose anew; None where it is no cheaper."""
        assert best.x is not None  # noqa: S101 - the caller's condition
        choices, levers = len(self.program.choices), len(self.program.network.levers)
        x, cost = best.x, self.program.cost
        keep = np.ones(len(x), dtype=bool)
        keep[:choices] = free[self._owner] & weighed
        keep[choices : choices + levers] = False
        held = np.flatnonzero(~keep & (x != 0))
        columns = np.flatnonzero(keep)
        found = cumulative(
            cost[columns],
            self._less(held, np.round(x[held]), free).only(columns),
            self.program.most[columns],
            columns < choices,
            [self.program.choices[j] for j in columns[columns < choices]],
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
