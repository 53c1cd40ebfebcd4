"""Truths drawn from the prior: the credible interval holds them as often as it says, and so does P(saves)."""

import math
from dataclasses import dataclass

import numpy as np

from bot.calibrate.engine import cost_ratio
from bot.calibrate.generators import LogNormal, Normal, two_arms
from bot.calibrate.judgement import Bar
from bot.calibrate.measures import share, share_of
from bot.calibrate.row import Array, Cell, Measure, Row
from scoring.statistics.posterior import posterior_of

K = 0.95
PRIOR_SPREAD = 0.5
"""Of log theta, as docs/method.md states the prior; the code under test has its own constant."""
LEVEL, SURE = 0.90, 0.95
CVS = (0.01, 0.30)


def spread_of_runs(rng: np.random.Generator) -> float:
    """A CV between 1 and 30 %, even on the logarithm."""
    return math.exp(rng.uniform(math.log(CVS[0]), math.log(CVS[1])))


@dataclass(frozen=True)
class Pilots:
    """Each pilot has a truth and a CV of its own. Columns: credible interval holds it, sure to save, sure and right."""

    runs: int
    kind: type[Normal] | type[LogNormal]

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a pilot."""
        return np.array([self._line(rng) for _ in range(size)], dtype=float)

    def _line(self, rng: np.random.Generator) -> tuple[bool, bool, bool]:
        theta, population = math.exp(rng.normal(0, PRIOR_SPREAD)), self.kind(spread_of_runs(rng))
        a, b = two_arms(rng, population, population, (self.runs, self.runs), theta, 1)
        estimate = cost_ratio(a[0], b[0])
        if estimate.point is None or estimate.se_log is None or estimate.nu is None:
            return False, False, False
        posterior = posterior_of(estimate.point, estimate.se_log, estimate.nu)
        if posterior is None:
            return False, False, False
        low, high = posterior.interval(LEVEL)
        sure = posterior.below(K) >= SURE
        return low <= theta <= high, sure, sure and theta < K


KINDS: tuple[type[Normal] | type[LogNormal], ...] = (Normal, LogNormal)
CREDIBLE = Row(
    key="credible",
    cells=tuple(
        Cell(f"{'normal' if kind is Normal else 'log-normal'} 1 – 30%; n = {n}", Pilots(n, kind))
        for kind in KINDS
        for n in (3, 5, 10)
    ),
    measures=(
        Measure("credible-coverage", share(0), Bar(0.88, 0.94)),
        Measure("sure-is-right", share_of(2, 1), Bar(low=0.95)),
    ),
)
