"""Buyers who run pilots: what each stands to save, what a run costs, and what a decision cost them in the end."""

import math
from dataclasses import dataclass

import numpy as np

from bot.calibrate.generators import LogNormal
from bot.calibrate.row import Array

SPEND, K, RUN_COST = 2e6, 0.95, 400.0
"""Spend on the incumbent over the horizon; break-even, so that moving costs 100,000; a run of the incumbent."""
CVS = (0.01, 0.30)
MOST = 30


@dataclass(frozen=True)
class Pilot:
    """One buyer: the truth, and what up to thirty runs of each arm will cost, in the order that they are made."""

    theta: float
    a: Array
    b: Array

    def regret(self, switches: bool, runs: int) -> float:
        """What was lost to the right decision, and what the runs cost that were made."""
        return self.loss(switches) + float(self.a[:runs].sum() + self.b[:runs].sum())

    def loss(self, switches: bool) -> float:
        """S·(theta − k) for moving wrongly, S·(k − theta) for staying wrongly."""
        return SPEND * max(self.theta - K if switches else K - self.theta, 0.0)


def draw_pilot(rng: np.random.Generator, spread: float, theta: float | None = None) -> Pilot:
    """log theta ~ N(0, spread²) unless told; runs are log-normal with one CV for both arms, even on the logarithm."""
    population = LogNormal(math.exp(rng.uniform(math.log(CVS[0]), math.log(CVS[1]))))
    true = math.exp(rng.normal(0.0, spread)) if theta is None else theta
    costs = RUN_COST * population.draw(rng, (2, MOST))
    return Pilot(true, costs[0], true * costs[1])
