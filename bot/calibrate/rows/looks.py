"""Looking after every run: with the spending of alpha false switches keep their share, without it they do not."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from bot.calibrate.engine import CONFIDENCE, arm
from bot.calibrate.generators import Days, Gamma, Normal, Population, two_arms
from bot.calibrate.judgement import Bar
from bot.calibrate.measures import share
from bot.calibrate.row import Array, Cell, Measure, Row
from scoring.looks import Plan, looks_at, with_bounds
from scoring.model.estimates import RatioEstimate
from scoring.model.looks import EarlierLook, Looks
from scoring.statistics.ratio import ratio_of_means

THETA = 0.9
"""The truth, and the break-even ratio as well."""
FIRST = 3
ONE_SIDED = 2 * CONFIDENCE - 1


@cache
def _looks(runs: int, planned: int) -> Looks:
    """The look at that many runs an arm, after one at each number of runs before."""
    earlier = [EarlierLook(runs_incumbent=n, runs_candidate=n, planned=planned) for n in range(FIRST, runs)]
    return looks_at("", (runs, runs), earlier, Plan(planned, declared=True, alpha=1 - CONFIDENCE))


def false_switch(estimate: RatioEstimate, runs: int, planned: int) -> bool:
    """Whether the engine's repeated bound promises a saving that is not there."""
    upper = with_bounds(_looks(runs, planned), estimate).theta_upper
    return upper is not None and upper < THETA


@dataclass(frozen=True)
class Pilots:
    """Looked at from three runs an arm on. Columns: ever a false switch by the engine, ever one by a bound that does
    not know of looks."""

    incumbent: Population
    candidate: Population
    planned: int
    day: Population | None = None

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a pilot."""
        n = self.planned
        if self.day is None:
            a, b = two_arms(rng, self.incumbent, self.candidate, (n, n), THETA, size)
        else:
            a, b = (x[:, :, 0] for x in Days(self.day, self.incumbent).draw(rng, n, (1, 1), THETA, size))
        return np.array([self._line(x, y) for x, y in zip(a, b, strict=True)], dtype=float)

    def _line(self, a: Array, b: Array) -> tuple[bool, bool]:
        ours, naive = False, False
        labels = None if self.day is None else [f"d{n}" for n in range(self.planned)]
        measured = np.cumsum(b) / np.cumsum(a)
        for n in range(FIRST, self.planned + 1):
            if measured[n - 1] >= THETA:  # nobody promises a saving that was not even measured
                continue
            blocks = labels and labels[:n]
            estimate = ratio_of_means(arm(a[:n], blocks), arm(b[:n], blocks), ONE_SIDED)
            ours = ours or false_switch(estimate, n, self.planned)
            naive = naive or (estimate.hi is not None and estimate.hi < THETA)
            if ours and naive:
                break
        return ours, naive


def _name(a: Population, b: Population) -> str:
    return a.name if a == b else f"{a.name} v {b.name}"


UNPAIRED: tuple[tuple[Population, Population], ...] = (
    (Normal(0.05), Normal(0.05)),
    (Gamma(0.50), Gamma(0.50)),
    (Normal(0.05), Normal(0.20)),
)
PAIRED = Pilots(Normal(0.03), Normal(0.03), 10, Normal(0.10))
LOOKS = Row(
    key="looks",
    cells=(
        *[Cell(f"{_name(a, b)}; up to {n} runs", Pilots(a, b, n)) for n in (10, 30) for a, b in UNPAIRED],
        *[Cell(f"paired, day normal 10%, run normal 3%; up to {n} runs", replace(PAIRED, planned=n)) for n in (10, 30)],
    ),
    measures=(
        Measure("false-switch-ever", share(0), Bar(high=0.06)),
        Measure("naive-switch-ever", share(1)),
    ),
)
