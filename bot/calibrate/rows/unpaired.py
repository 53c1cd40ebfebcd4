"""Two arms without blocks: the interval covers, and its one-sided end does not promise savings that are not there."""

from dataclasses import dataclass

import numpy as np

from bot.calibrate.engine import CONFIDENCE, below, cost_ratio, covers
from bot.calibrate.generators import Gamma, LogNormal, Normal, Population, SlowRuns, two_arms
from bot.calibrate.judgement import Bar
from bot.calibrate.measures import share
from bot.calibrate.row import Array, Cell, Measure, Row

THETA = 0.85
"""The truth, and the break-even ratio as well: whoever finds a saving there is wrong."""
ONE_SIDED = 2 * CONFIDENCE - 1
"""The two-sided interval whose upper end is a one-sided bound at the confidence."""


@dataclass(frozen=True)
class Pilots:
    """Columns: covered, false switch."""

    incumbent: Population
    candidate: Population
    runs: tuple[int, int]

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a pilot."""
        drawn = zip(*two_arms(rng, self.incumbent, self.candidate, self.runs, THETA, size), strict=True)
        return np.array([self._line(a, b) for a, b in drawn], dtype=float)

    def _line(self, a: Array, b: Array) -> tuple[bool, bool]:
        measured = b.mean() < THETA * a.mean()  # nobody promises a saving that was not even measured
        return covers(cost_ratio(a, b), THETA), measured and below(cost_ratio(a, b, ONE_SIDED), THETA)


ALIKE: tuple[Population, ...] = (
    Normal(0.01), Normal(0.05), Normal(0.20), LogNormal(0.10), LogNormal(0.30), LogNormal(0.50), Gamma(0.20),
    Gamma(0.50), SlowRuns(0.03), SlowRuns(0.10),
)  # fmt: skip
APART: tuple[tuple[Population, Population], ...] = ((Normal(0.05), Normal(0.20)), (Normal(0.20), Normal(0.05)))


def _cells(worlds: list[tuple[Population, Population]], sizes: list[tuple[int, int]]) -> tuple[Cell, ...]:
    return tuple(Cell(_name(a, b, runs), Pilots(a, b, runs)) for a, b in worlds for runs in sizes)


def _name(a: Population, b: Population, runs: tuple[int, int]) -> str:
    world = a.name if a == b else f"{a.name} v {b.name}"
    return f"{world}; n = {runs[0]}" if runs[0] == runs[1] else f"{world}; n = {runs[0]} v {runs[1]}"


COVERAGE, FALSE_SWITCH = share(0), share(1)
UNPAIRED = Row(
    key="unpaired",
    cells=_cells([*[(p, p) for p in ALIKE], *APART], [(n, n) for n in (3, 5, 10)]),
    measures=(
        Measure("coverage", COVERAGE, Bar(0.935, 0.985)),
        Measure("false-switch", FALSE_SWITCH, Bar(high=0.07)),
    ),
)
UNEQUAL = Row(
    key="unequal",
    cells=_cells(
        [(Normal(0.05), Normal(0.05)), (LogNormal(0.20), LogNormal(0.20)), *APART, (Gamma(0.30), Gamma(0.30))],
        [(3, 10), (10, 3)],
    ),
    measures=(Measure("coverage", COVERAGE, Bar(low=0.93)),),
    share=3,
)
ONE_ARM_SLOW = Row(
    key="one-arm-slow",
    cells=_cells([(Normal(0.03), SlowRuns(0.03))], [(n, n) for n in (3, 5, 10, 30)]),
    measures=(Measure("coverage", COVERAGE), Measure("false-switch", FALSE_SWITCH)),
)
"""Without a bar: what no interval from a few runs can do, and why the slow-run bound is always printed."""
