"""What few runs cannot show: slow runs, a slow first run, drift. Reported, never applied."""

import math
from collections.abc import Sequence
from itertools import pairwise

from scoring.statistics.samples import mean

AUTOCORRELATION_LIMIT = 0.3


def slow_run_bound(n: int, alpha: float = 0.05) -> float:
    """Upper bound on the share of slow runs after none in n: 1 − α^(1/n)."""
    return float(1 - alpha ** (1 / n))


def flipping_slow_share(theta: float, k: float, slowdown: float) -> float:
    """Share of candidate runs slower by `slowdown` that would flip the verdict: (k/theta − 1) / (f − 1)."""
    return (k / theta - 1) / (slowdown - 1)


def first_run_factor(values: Sequence[float]) -> float | None:
    """The first value over the mean of the others; None where there are none or they are not positive."""
    others = values[1:]
    if not others or mean(others) <= 0:
        return None
    return values[0] / mean(others)


def lag1_autocorrelation(values: Sequence[float]) -> float | None:
    """Lag-1 autocorrelation in the order given; None for constant or fewer than three values."""
    if len(values) < 3:
        return None
    centre = mean(values)
    total = math.fsum((v - centre) ** 2 for v in values)
    if total <= 0:
        return None
    return math.fsum((a - centre) * (b - centre) for a, b in pairwise(values)) / total
