"""What few runs cannot show: slow runs, a slow first run, drift. Reported, never applied."""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from scipy.special import betaincinv

from scoring.statistics.samples import mean

ENOUGH_FOR_DRIFT = 8
ENOUGH_FOR_OUTLIERS = 5
"""Of four runs none can be told to be the odd one."""
MAD_OF_NORMAL, MEAN_DEVIATION_OF_NORMAL = 1.4826, 1.2533
"""What a median or mean absolute deviation is multiplied by to be the standard deviation of normal values."""
AUTOCORRELATION_LIMIT = 0.3


def slow_run_bound(n: int, alpha: float = 0.05, seen: int = 0) -> float:
    """Upper bound on the share of slow runs after `seen` in n (Clopper and Pearson 1934): 1 − α^(1/n) after none."""
    if seen == 0:
        return float(1 - alpha ** (1 / n))
    return 1.0 if seen >= n else float(betaincinv(seen + 1, n - seen, 1 - alpha))


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


def robust_distances(values: Sequence[float]) -> list[float]:
    """Distance of each value from the median in robust standard deviations: |x − median| / (1.4826 · MAD).

    Where more than half of the values are equal the mean absolute deviation stands in for the median one (Iglewicz
    and Hoaglin 1993); all 0 for equal values.
    """
    centre = median(values)
    away = [abs(v - centre) for v in values]
    scale = MAD_OF_NORMAL * median(away) or MEAN_DEVIATION_OF_NORMAL * mean(away)
    return [distance / scale if scale > 0 else 0.0 for distance in away]
