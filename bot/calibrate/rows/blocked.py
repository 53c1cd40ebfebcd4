"""Runs that share days: the paired interval covers, and is narrower than the unpaired one on the same runs."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.calibrate.engine import CONFIDENCE, arm, covers
from bot.calibrate.generators import Days, LogNormal, Normal
from bot.calibrate.judgement import Bar
from bot.calibrate.measures import ratio, share
from bot.calibrate.row import Array, Cell, Measure, Row
from scoring.model.estimates import Design, RatioEstimate
from scoring.statistics.ratio import ratio_of_means

THETA = 0.9


@dataclass(frozen=True)
class Pilots:
    """Columns: covered, width of the logs, width of the unpaired interval of the same runs (paired designs)."""

    world: Days
    days: int
    runs_a_day: tuple[int, int] = (1, 1)
    uneven: bool = False

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a pilot."""
        both = zip(*self.world.draw(rng, self.days, self.runs_a_day, THETA, size), strict=True)
        made = [self._made(runs, backwards) for runs, backwards in zip(self.runs_a_day, (False, True), strict=True)]
        labels = [[f"d{day}" for day in np.nonzero(kept)[0]] for kept in made]
        return np.array([self._line(a[made[0]], b[made[1]], labels) for a, b in both], dtype=float)

    def _made(self, runs: int, backwards: bool) -> NDArray[np.bool_]:
        """Which runs of each day were made: all, or 1, 2, … and again, in the other arm the other way round."""
        days = np.arange(self.days)[:: -1 if backwards else 1]
        counts = 1 + days % runs if self.uneven else np.full(self.days, runs)
        kept: NDArray[np.bool_] = np.arange(runs)[None, :] < counts[:, None]
        return kept

    def _line(self, a: Array, b: Array, labels: list[list[str]]) -> tuple[bool, float, float]:
        incumbent, candidate = arm(a, labels[0]), arm(b, labels[1])
        blocked = ratio_of_means(incumbent, candidate, CONFIDENCE)
        if self.runs_a_day != (1, 1):
            return covers(blocked, THETA), _width(blocked), math.nan
        unpaired = ratio_of_means(incumbent, candidate, CONFIDENCE, Design.UNPAIRED)
        return covers(blocked, THETA), _width(blocked), _width(unpaired)


def _width(estimate: RatioEstimate) -> float:
    return math.log(estimate.hi / estimate.lo) if estimate.lo and estimate.hi else math.inf


DAYS = (Days(Normal(0.10), Normal(0.03)), Days(LogNormal(0.10), LogNormal(0.03)))
PAIRED = Row(
    key="paired",
    cells=tuple(
        Cell(f"{world.name}; n = {n}", Pilots(world, n), known={"width": "two-days"} if n == 2 else {})
        for world in DAYS
        for n in (2, 3, 5, 10, 30)
    ),
    measures=(
        Measure("coverage", share(0), Bar(0.93, 0.98)),
        Measure("width", ratio(1, 2), Bar(high=0.5)),
    ),
)
BLOCKED = Row(
    key="blocked",
    cells=(
        *[
            Cell(f"{world.name}; {days} days, {a} and {b} runs a day", Pilots(world, days, (a, b)))
            for world in DAYS[:1]
            for days in (3, 5, 10)
            for a, b in ((2, 2), (3, 1))
        ],
        *[
            Cell(f"{world.name}; {days} days, 1 to 3 runs a day, unevenly", Pilots(world, days, (3, 3), uneven=True))
            for world in DAYS
            for days in (3, 5, 10)
        ],
    ),
    measures=(Measure("coverage", share(0), Bar(0.93, 0.98)),),
)


@dataclass(frozen=True)
class ApartDays:
    """Each arm on a day of its own. Columns: refused, the truth told as if runs were all there is."""

    world: Days
    runs: int

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a pilot."""
        a, _ = self.world.draw(rng, 1, (self.runs, 1), THETA, size)
        _, b = self.world.draw(rng, 1, (1, self.runs), THETA, size)
        return np.array([self._line(x.ravel(), y.ravel()) for x, y in zip(a, b, strict=True)], dtype=float)

    def _line(self, a: Array, b: Array) -> tuple[bool, bool]:
        posted = ratio_of_means(arm(a, ["monday"] * self.runs), arm(b, ["friday"] * self.runs), CONFIDENCE)
        naive = ratio_of_means(arm(a), arm(b), CONFIDENCE)
        return not posted.has_interval and posted.reason == "confounded", covers(naive, THETA)


CONFOUNDED = Row(
    key="confounded",
    cells=tuple(Cell(f"{world.name}; n = {n}", ApartDays(world, n)) for world in DAYS for n in (3, 10)),
    measures=(
        Measure("refused", share(0), Bar(low=1.0)),
        Measure("naive-coverage", share(1)),
    ),
)
