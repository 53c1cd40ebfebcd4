"""What further runs are worth, by brute force: draw the truth, draw the runs, update by quadrature, decide, average.

Normal log costs with one unknown variance for both arms, the reference prior 1/σ² for it, and N(0, 0.5²) for log theta.
"""

import math
from dataclasses import dataclass

import numpy as np

from bot.calibrate.row import Array

PRIOR_VARIANCE = 0.25
NODES = np.sinh(np.linspace(-7.0, 7.0, 241))


@dataclass(frozen=True)
class Pilot:
    """So far `runs` an arm with that CV each, and the ratio; `more` runs an arm are weighed at break-even k."""

    ratio: float
    runs: int
    cv: float
    more: int
    k: float

    @property
    def nu(self) -> int:
        """Degrees of freedom of the pooled variance."""
        return 2 * (self.runs - 1)

    @property
    def se(self) -> float:
        """Standard error of the log ratio."""
        return self.cv * math.sqrt(2 / self.runs)


def draw_values(pilot: Pilot, rng: np.random.Generator, size: int) -> tuple[Array, Array]:
    """Importance weights, and what knowing the further runs was worth in each draw, in units of theta.

    That is what a changed decision avoids: the expected ratio before is the mean of those after, so that decisions
    that stay as they were average to nothing.
    """
    weights, after = draw_means(pilot, rng, size)
    k, now = pilot.k, mean_now(pilot)
    return weights, np.maximum(after - k, 0.0) if now < k else np.maximum(k - after, 0.0)


def mean_now(pilot: Pilot) -> float:
    """E(theta) before the further runs."""
    return float(mean_ratio(np.array([math.log(pilot.ratio)]), np.array([pilot.se]), pilot.nu)[0])


def draw_means(pilot: Pilot, rng: np.random.Generator, size: int) -> tuple[Array, Array]:
    """Importance weights, and E(theta) after the further runs in each draw."""
    d, n, j = math.log(pilot.ratio), pilot.runs, pilot.more
    variance = pilot.nu * pilot.cv**2 / rng.chisquare(pilot.nu, size)
    noise = 2 * variance / n
    weights = np.exp(-d * d / (PRIOR_VARIANCE + noise) / 2) / np.sqrt(PRIOR_VARIANCE + noise)
    shrunk = PRIOR_VARIANCE / (PRIOR_VARIANCE + noise)
    truth = rng.normal(shrunk * d, np.sqrt(shrunk * noise))
    # the incumbent was measured at 0 and the candidate at d; given their true difference only a shift is unknown
    level = rng.normal((d - truth) / 2, np.sqrt(variance / (2 * n)))
    new_a = rng.normal(level, np.sqrt(variance / j))
    new_b = rng.normal(level + truth, np.sqrt(variance / j))
    within = variance * (rng.chisquare(2 * (j - 1), size) if j > 1 else 0.0)
    between = (new_a**2 + (new_b - d) ** 2) * n * j / (n + j)
    nu = 2 * (n + j - 1)
    spread = np.sqrt((pilot.nu * pilot.cv**2 + within + between) / nu)
    estimate = (n * d + j * (new_b - new_a)) / (n + j)
    return weights, mean_ratio(estimate, spread * math.sqrt(2 / (n + j)), nu)


def mean_ratio(estimate: Array, se: Array, nu: int) -> Array:
    """E(theta) after an estimate of log theta, by quadrature of Student's t times the prior at 241 nodes each."""
    x = estimate[:, None] + se[:, None] * NODES
    logs = -(nu + 1) / 2 * np.log1p(NODES**2 / nu) - x * x / PRIOR_VARIANCE / 2
    density = np.exp(logs - logs.max(axis=1, keepdims=True)) * np.gradient(NODES)
    mean: Array = (density * np.exp(np.clip(x, -50, 50))).sum(axis=1) / density.sum(axis=1)
    return mean
