"""The same draws judged by this engine and by what people use instead: false switches and coverage."""

from dataclasses import dataclass

import numpy as np

from bot.calibrate.adaptive import follow
from bot.calibrate.engine import CONFIDENCE, cost_ratio, covers
from bot.calibrate.generators import Gamma, LogNormal, Normal, Population, SlowRuns, two_arms
from bot.calibrate.market import RUN_COST, K, Pilot
from bot.calibrate.measures import share
from bot.calibrate.row import Array, Cell, Measure, Row
from bot.calibrate.rows.regret import FEW, MANY
from bot.calibrate.rules import bootstrap, bootstrap_interval, compare_means, mann_whitney, welch, welch_interval
from scoring.statistics.ratio import geometric_welch


@dataclass(frozen=True)
class NoSaving:
    """The candidate costs break-even or more: every move is for nothing. Columns: moved by each rule."""

    incumbent: Population
    candidate: Population
    theta: float = K

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a pilot."""
        a, b = (RUN_COST * x for x in two_arms(rng, self.incumbent, self.candidate, (MANY, MANY), self.theta, size))
        ends = [follow(Pilot(self.theta, x, y), MANY) for x, y in zip(a, b, strict=True)]
        columns = [
            np.array([e.switches and e.proven for e in ends]),
            np.array([e.switches for e in ends]),
            compare_means(a[:, :FEW], b[:, :FEW], K),
            welch(a, b, K),
            mann_whitney(a, b, K),
            bootstrap(a, b, K, rng),
        ]
        return np.column_stack(columns).astype(float)


WORLDS: tuple[tuple[Population, Population], ...] = (
    (Normal(0.05), Normal(0.05)),
    (LogNormal(0.30), LogNormal(0.30)),
    (LogNormal(0.05), LogNormal(0.30)),
    (SlowRuns(0.03), SlowRuns(0.03)),
)


def _name(a: Population, b: Population) -> str:
    return a.name if a == b else f"{a.name} v {b.name}"


DEARER = 1.05
"""Times break-even: moving loses a twentieth of the spend there."""
FALSE_SWITCH = Row(
    key="side-by-side-false-switch",
    cells=(
        *[Cell(f"{_name(a, b)}; theta = k", NoSaving(a, b)) for a, b in WORLDS],
        *[Cell(f"{_name(a, b)}; theta = 1.05 k", NoSaving(a, b, DEARER * K)) for a, b in WORLDS[:2]],
    ),
    measures=(
        Measure("by-engine-proven", share(0)),
        Measure("by-engine-any", share(1)),
        Measure("by-means", share(2)),
        Measure("by-welch", share(3)),
        Measure("by-mann-whitney", share(4)),
        Measure("by-bootstrap", share(5)),
    ),
    share=0.1,
)


@dataclass(frozen=True)
class Intervals:
    """Columns: whether each interval holds the truth."""

    population: Population
    runs: int

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a pilot."""
        a, b = two_arms(rng, self.population, self.population, (self.runs, self.runs), K, size)
        low, high = welch_interval(a, b)
        pairs = list(zip(a, b, strict=True))
        logs = [geometric_welch(x.tolist(), y.tolist(), CONFIDENCE) for x, y in pairs]
        resampled = np.array([bootstrap_interval(x, y, rng) for x, y in pairs])
        columns = [
            np.array([covers(cost_ratio(x, y), K) for x, y in pairs]),
            (low <= K - 1) & (K - 1 <= high),
            np.array([covers(estimate, K) for estimate in logs]),
            (resampled[:, 0] <= K) & (resampled[:, 1] >= K),
        ]
        return np.column_stack(columns).astype(float)


COVERAGE = Row(
    key="side-by-side-coverage",
    cells=tuple(
        Cell(f"{population.name}; n = {n}", Intervals(population, n))
        for population in (Normal(0.05), LogNormal(0.30), Gamma(0.50))
        for n in (3, 5, 10)
    ),
    measures=(
        Measure("by-engine", share(0)),
        Measure("by-welch-difference", share(1)),
        Measure("by-welch-logs", share(2)),
        Measure("by-bootstrap", share(3)),
    ),
    share=0.1,
)
