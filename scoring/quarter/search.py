"""The search for the cheapest plan: the relaxation first, then few columns, then all that could still be better.

The relaxation's duals give each choice a reduced cost: a plan that takes a choice costs at least the relaxation plus
that. So a plan found among few choices bounds what the others can bring, and those that cannot beat it are left out
without loss (reduced-cost fixing: Dantzig, Fulkerson and Johnson 1954).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, vstack

from scoring.quarter.cumulative import cumulative
from scoring.quarter.neighbourhoods import Neighbourhoods
from scoring.quarter.options import Choice
from scoring.quarter.program import Decided, Program
from scoring.quarter.solver import Integer, Rows, integer, linear

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
BEST_EACH = 1
"""Choices of each workload that the first search has at least."""
NARROW = 0.075
"""Of the gap: the reduced cost up to which a choice is in the first search, a share of the whole cost."""
SAFE = 1e-7
HALF, MOST_SHARE, ANY = 0.5, 1e3, 0.9
FIRST = 0.8
"""Of the gap that the first search ends at."""
UNITS = 1e4
"""The target in the solver's units, so that its tolerance of a row is a hundred-millionth of a per cent of the cost."""
ROUNDS = 6
BEFORE, AFTER = 24, 25
"""Small searches before and after the bound is known better; two numbers draw other workloads."""
ROOT = 1
"""Nodes of the first search where more than MANY of its columns are whole; branching on fewer soon proves the gap."""
MANY = 400
FITTING_S = 10.0


@dataclass(frozen=True)
class Found:
    """The cheapest plan found, what no plan can cost less than, and whether the time sufficed."""

    decided: Decided
    bound: float
    in_time: bool


def search(program: Program) -> Found | None:
    """The cheapest plan within the gap that the input asks for; None where no plan fits the caps."""
    return _Search(program).run()


class _Search:
    def __init__(self, program: Program) -> None:
        self.program, self.wanted = program, program.scene.given.search
        self.rows = program.rows
        self.choices = len(program.choices)
        self.whole = self.choices + len(program.network.levers)
        self.in_time = True

    def run(self) -> Found | None:
        relaxed = linear(self.program.cost, self.rows, self.program.most)
        if relaxed is None:
            return None
        lowest = relaxed.cost + self.program.fixed
        reduced = self.program.cost - self.rows.equal.T @ relaxed.equal - self.rows.upper.T @ relaxed.upper
        few = self._few(relaxed.x, reduced, lowest)
        best = self._first(few, lowest)
        surely = relaxed.cost
        if best is not None:
            left_out = reduced[~few].min(initial=np.inf)
            surely = max(surely, min(best.bound, relaxed.cost + float(left_out)))
            if self._many(few):
                best = self._improved(best, reduced, relaxed.cost, surely, BEFORE)
                best, surely = self._wider(best, reduced, relaxed.cost, surely)
        for _ in range(ROUNDS if self.wanted.gap else 0):
            if best is None:
                break
            target = self._target(best)
            if target <= surely:
                return self._found(best, surely)
            better, in_time = self._cheaper(self._within(reduced, target - relaxed.cost, lowest), target)
            if better is None:
                return self._found(best, target if in_time else surely)
            best = better
        return self._exact(best, relaxed.cost, reduced, lowest)

    def _first(self, few: Mask, lowest: float) -> Integer | None:
        """Of many columns what the root's heuristics find; that they find a plan is quick, that it is best is not."""
        if self._many(few):
            found = self._solve(few, lowest, ROOT)
            if found is not None:
                return found
        return self._solve(few, lowest)

    def _many(self, few: Mask) -> bool:
        return self.wanted.gap > 0 and int(np.count_nonzero(few[: self.whole])) > MANY

    def _improved(self, best: Integer, reduced: Floats, relaxed: float, surely: float, searches: int) -> Integer:
        """Better plans nearby, until one is within the gap of what is surely needed."""
        fixed, gap = self.program.fixed, self.wanted.gap
        enough = (surely + fixed) / (1 - gap) - fixed
        nearby = Neighbourhoods(self.program, self.rows, reduced, self.wanted.seconds)
        return nearby.improved(best, relaxed, enough, searches)

    def _wider(self, best: Integer, reduced: Floats, relaxed: float, surely: float) -> tuple[Integer, float]:
        """The root of the search among all that a plan better by more than the gap can hold: what it surely costs."""
        lowest = relaxed + self.program.fixed
        target = self._target(best)
        found = self._solve(self._within(reduced, target - relaxed, lowest), lowest, ROOT) if target > surely else None
        if found is None:
            return best, surely
        surely = max(surely, min(found.bound, target))
        best = found if found.cost < best.cost else best
        return self._improved(best, reduced, relaxed, surely, AFTER), surely

    def _target(self, best: Integer) -> float:
        """What a plan would cost that is better by the gap."""
        return best.cost - self.wanted.gap * abs(best.cost + self.program.fixed)

    def _exact(self, best: Integer | None, relaxed: float, reduced: Floats, lowest: float) -> Found | None:
        """The search among all columns that can beat what was found; all of them where nothing was."""
        keep = self._within(reduced, np.inf if best is None else best.cost - relaxed, lowest)
        found = self._solve(keep, lowest)
        if found is None:
            return self._fitting(relaxed) if best is None else self._found(best, relaxed)
        cheapest = best if best is not None and best.cost < found.cost else found
        return self._found(cheapest, max(relaxed, min(found.bound, cheapest.cost)))

    def _within(self, reduced: Floats, room: float, lowest: float) -> Mask:
        """Choices that a plan within `room` of the relaxation can hold."""
        keep = np.ones(len(reduced), dtype=bool)
        keep[: self.choices] = reduced[: self.choices] <= room + SAFE * abs(lowest)
        return keep

    def _cheaper(self, keep: Mask, target: float) -> tuple[Integer | None, bool]:
        """Any plan that costs no more than the target; in time and None: there is none, the target is a bound."""
        columns = np.flatnonzero(keep)
        unit = max(abs(target), SAFE) / UNITS
        rows = self.rows.only(columns)
        cost = self.program.cost[columns] / unit
        upper = vstack([rows.upper, csc_array(cost[None, :])], format="csc")
        cut = Rows(rows.equal, rows.b_equal, upper, np.append(rows.b_upper, target / unit))
        whole, most = columns < self.whole, self.program.most[columns]
        found = cumulative(cost, cut, most, whole, self._taken(columns), ANY, self.wanted.seconds)
        return self._whole(found, columns), found.in_time

    def _taken(self, columns: NDArray[np.intp]) -> list[Choice]:
        return [self.program.choices[j] for j in columns[columns < self.choices]]

    def _whole(self, found: Integer, columns: NDArray[np.intp]) -> Integer | None:
        """What was found, in all columns and in the program's cost."""
        self.in_time &= found.in_time
        if found.x is None:
            return None
        x = np.zeros(len(self.program.cost))
        x[columns] = found.x
        return replace(found, x=x, cost=float(self.program.cost @ x))

    def _few(self, x: Floats, reduced: Floats, lowest: float) -> Mask:
        """What the relaxation uses, what is nearly as good, and the best choices of each workload."""
        keep, reduced = np.ones(len(x), dtype=bool), reduced[: self.choices]
        near = NARROW * self.wanted.gap * abs(lowest)
        keep[: self.choices] = (x[: self.choices] > SAFE) | (reduced <= near)
        owner = np.array([c.workload for c in self.program.choices], dtype=int)
        order = np.lexsort((reduced, owner))
        rank = np.arange(self.choices) - np.searchsorted(owner, owner[order])
        keep[order[rank < BEST_EACH]] = True
        return keep

    def _solve(self, keep: Mask, lowest: float, nodes: int | None = None) -> Integer | None:
        """The best among some of the columns; the gap that the solver knows leaves out what is fixed."""
        columns = np.flatnonzero(keep)
        share = abs(lowest) / max(abs(lowest - self.program.fixed), SAFE)
        gap = self.wanted.gap * FIRST * min(share, MOST_SHARE)
        whole = columns < self.whole
        rows, most = self.rows.only(columns), self.program.most[columns]
        cost, taken = self.program.cost[columns], self._taken(columns)
        found = cumulative(cost, rows, most, whole, taken, gap, self.wanted.seconds, nodes)
        return self._whole(found if nodes is None else replace(found, in_time=not found.timed_out), columns)

    def _fitting(self, bound: float) -> Found | None:
        """Where time ended the search before any plan: an assignment that keeps the caps, beside today's contracts.

        Without it a quarter that is only hard would be told as one that contradicts itself.
        """
        if self.in_time:
            return None
        limits = np.array(list(self.program.caps.values()))
        rows = Rows(self.program.assignment, np.ones(self.program.assignment.shape[0]), self.program.cap_rows, limits)
        one, whole = np.ones(self.choices), np.ones(self.choices, dtype=bool)
        found = integer(np.zeros(self.choices), rows, one, whole, 0.0, FITTING_S)
        if found.x is None:
            return None
        taken = tuple(self.program.choices[j] for j in np.flatnonzero(found.x > HALF))
        return Found(Decided(taken, self.program.today.levers), bound + self.program.fixed, in_time=False)

    def _found(self, best: Integer, bound: float) -> Found:
        assert best.x is not None  # noqa: S101 - the caller's condition
        taken = np.flatnonzero(best.x[: self.choices] > HALF)
        levers = tuple(round(float(v)) for v in best.x[self.choices : self.whole])
        decided = Decided(tuple(self.program.choices[j] for j in taken), levers)
        return Found(decided, bound + self.program.fixed, self.in_time)
