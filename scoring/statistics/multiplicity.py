"""Several claims at once: Holm for what is asserted, Benjamini–Hochberg for what is looked at first."""

import math
from collections.abc import Callable, Sequence

SMALLEST, LARGEST = 1e-6, 0.499
"""Between these a p is searched for."""


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p, in the order given (Holm 1979)."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted, running = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        running = max(running, min(1.0, (len(p) - rank) * p[i]))
        adjusted[i] = running
    return adjusted


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Benjamini–Hochberg adjusted p, in the order given (Benjamini and Hochberg 1995)."""
    order = sorted(range(len(p)), key=lambda i: p[i], reverse=True)
    adjusted, running = [0.0] * len(p), 1.0
    for rank, i in enumerate(order):
        running = min(running, p[i] * len(p) / (len(p) - rank))
        adjusted[i] = running
    return adjusted


def holm_levels(p: Sequence[float], alpha: float) -> list[float]:
    """The level that each p had to reach in Holm's step-down, in the order given.

    The smallest p is held against alpha/m, the next against alpha/(m − 1) and so on; from the first that fails on,
    all are held against the level at which it failed.
    """
    order = sorted(range(len(p)), key=lambda i: p[i])
    levels, stopped = [0.0] * len(p), None
    for rank, i in enumerate(order):
        level = alpha / (len(p) - rank) if stopped is None else stopped
        stopped = level if stopped is None and p[i] > level else stopped
        levels[i] = level
    return levels


def smallest_level(passes: Callable[[float], bool]) -> float:
    """The p of a test that is only known as "passes at this level": by bisection, to 1 % and never too small.

    1 for a test that does not pass at one half.
    """
    low, high = SMALLEST, LARGEST
    if not passes(high):
        return 1.0
    if passes(low):
        return low
    while high / low > 1.01:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high
