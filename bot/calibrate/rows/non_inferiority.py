"""A candidate that is worse by just the margin: how often its quality is passed all the same."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from bot.calibrate.engine import CONFIDENCE
from bot.calibrate.generators import same_items
from bot.calibrate.judgement import Bar
from bot.calibrate.measures import share
from bot.calibrate.row import Array, Cell, Measure, Row
from scoring.model.estimates import Direction
from scoring.statistics.quality import (
    counts_difference,
    non_inferior,
    paired_counts_difference,
    paired_difference,
    welch_difference,
)

UP = Direction.HIGHER
SCORE, MARGIN = 0.7, 0.01
T, TANGO, NEWCOMBE = Bar(high=0.055), Bar(high=0.052), Bar(high=0.056)


@dataclass(frozen=True)
class Scores:
    """Normal scores of runs, with a seed's own part in both arms where they are paired. Column: passed."""

    runs: tuple[int, int]
    spread: tuple[float, float]
    paired: bool

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a pilot."""
        seeds = rng.normal(0, 0.01, (size, max(self.runs))) if self.paired else np.zeros((size, max(self.runs)))
        a, b = (
            centre + seeds[:, :n] + rng.normal(0, sd, (size, n))
            for centre, n, sd in zip((SCORE, SCORE - MARGIN), self.runs, self.spread, strict=True)
        )
        judge = paired_difference if self.paired else welch_difference
        passed = [
            non_inferior(judge(x.tolist(), y.tolist(), UP, False, CONFIDENCE), MARGIN)
            for x, y in zip(a, b, strict=True)
        ]
        return np.array(passed, dtype=float)[:, None]


@dataclass(frozen=True)
class SameItems:
    """The same items in both arms; `discordant` is the share that the arms answer differently. Column: passed."""

    items: int
    discordant: float
    margin: float

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a pilot."""
        only_a, only_b = (self.discordant + self.margin) / 2, (self.discordant - self.margin) / 2
        b, c = same_items(rng, self.items, only_a, only_b, size)
        return np.array(
            [_tango(int(x), int(y), self.items, self.margin) for x, y in zip(b, c, strict=True)], dtype=float
        )[:, None]


@dataclass(frozen=True)
class OtherItems:
    """Items of their own in each arm. Column: passed."""

    items: tuple[int, int]
    accuracy: float
    margin: float

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a pilot."""
        n_a, n_b = self.items
        a, b = rng.binomial(n_a, self.accuracy, size), rng.binomial(n_b, self.accuracy - self.margin, size)
        return np.array(
            [_newcombe(int(x), n_a, int(y), n_b, self.margin) for x, y in zip(a, b, strict=True)], dtype=float
        )[:, None]


@cache
def _tango(b: int, c: int, n: int, margin: float) -> bool | None:
    return non_inferior(paired_counts_difference(b, c, n, UP, CONFIDENCE), margin)


@cache
def _newcombe(a: int, n_a: int, b: int, n_b: int, margin: float) -> bool | None:
    return non_inferior(counts_difference(a, n_a, b, n_b, UP, CONFIDENCE), margin)


def _passed(bar: Bar) -> tuple[Measure, ...]:
    return (Measure("false-pass", share(0), bar),)


RUNS = Row(
    key="quality-runs",
    cells=(
        *[Cell(f"paired by seed; n = {n}", Scores((n, n), (0.005, 0.005), True)) for n in (3, 5, 10, 30)],
        *[Cell(f"unpaired; n = {n}", Scores((n, n), (0.005, 0.005), False)) for n in (3, 5, 10, 30)],
        *[Cell(f"unpaired, twice the spread; n = {n}", Scores((n, n), (0.005, 0.01), False)) for n in (3, 5, 10, 30)],
    ),
    measures=_passed(T),
)
SAME_ITEMS = Row(
    key="quality-same-items",
    cells=tuple(
        Cell(f"{items} items, {share_:.0%} answered differently, margin {margin:.0%}", SameItems(items, share_, margin))
        for items in (100, 200, 500, 1000)
        for share_, margin in ((0.08, 0.02), (0.20, 0.05))
    ),
    measures=_passed(TANGO),
    share=4,
)
OTHER_ITEMS = Row(
    key="quality-other-items",
    cells=tuple(
        Cell(
            f"{items} items an arm, {accuracy:.0%} right, margin {margin:.0%}",
            OtherItems((items, items), accuracy, margin),
        )
        for items in (200, 500, 1000, 2000)
        for accuracy, margin in ((0.70, 0.05), (0.90, 0.02))
    ),
    measures=_passed(NEWCOMBE),
    share=4,
)
