"""A latency quantile over repetitions: its ratio's interval covers, where one that counts requests does not."""

from dataclasses import dataclass

import numpy as np

from bot.calibrate.engine import CONFIDENCE, covers
from bot.calibrate.generators import repetitions_of_requests
from bot.calibrate.judgement import Bar
from bot.calibrate.measures import share
from bot.calibrate.row import Array, Cell, Measure, Row
from scoring.statistics.latency import latency_ratio, quantiles

SCALE = 1.1
BETWEEN = 0.03
REQUESTS = 1000


@dataclass(frozen=True)
class Pilots:
    """Repetitions of a thousand requests; repetitions differ by 3 %. Column: covered."""

    repetitions: tuple[int, int]
    quantile: float

    def __call__(self, rng: np.random.Generator, size: int) -> Array:
        """One line a pilot."""
        return np.array([[self._covered(rng)] for _ in range(size)], dtype=float)

    def _covered(self, rng: np.random.Generator) -> bool:
        arms = [
            [
                quantiles(run, [self.quantile])[0]
                for run in repetitions_of_requests(rng, r, REQUESTS, BETWEEN, scale, 1)[0]
            ]
            for r, scale in zip(self.repetitions, (1.0, SCALE), strict=True)
        ]
        return covers(latency_ratio(arms[0], arms[1], CONFIDENCE), SCALE)


LATENCY = Row(
    key="latency",
    cells=tuple(
        Cell(f"p{100 * q:.0f}; r = {r}", Pilots((r, r), q))
        for q, r in ((0.5, 2), (0.5, 10), (0.99, 2), (0.99, 3), (0.99, 5), (0.99, 10))
    ),
    measures=(Measure("coverage", share(0), Bar(0.92, 0.99)),),
)
