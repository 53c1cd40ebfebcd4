"""Looking again after every run: alpha is spent look by look (Lan and DeMets 1983), so that all looks together keep it.

The recursive joint density of Armitage, McPherson and Rowe (1969) is integrated by Gauss–Legendre nodes.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

Array = NDArray[np.float64]
Spending = Callable[[float, float], float]

FAR = -6.0
"""Standard deviations below which a path never comes back to the boundary that matters."""
PANEL_NODES, PANEL_STEPS, MOST_PANELS = 16, 6.0, 40
"""Nodes of a panel, its width in standard deviations of a step (the kernel is then integrated to nine digits)."""
NOTHING = 1e-12
"""A smaller spend is rounding: the look has no boundary."""
PRECISE = 1e-8
MOST_LOOKS = 60
"""Looks that are integrated; beyond them the last one's level is what it may spend, which is never too much."""


def pocock_spending(alpha: float, fraction: float) -> float:
    """What of a one-sided alpha may be spent up to an information fraction: α·ln(1 + (e − 1)·t) (Lan–DeMets 1983)."""
    return alpha * math.log1p((math.e - 1) * min(max(fraction, 0.0), 1.0))


def obrien_fleming_spending(alpha: float, fraction: float) -> float:
    """The same with almost nothing early: 2·(1 − Φ(z_{1−α/2}/√t))."""
    fraction = min(max(fraction, 0.0), 1.0)
    return 0.0 if fraction == 0 else 2 * float(ndtr(float(ndtri(alpha / 2)) / math.sqrt(fraction)))


def nominal_levels(alpha: float, fractions: tuple[float, ...], spending: Spending = pocock_spending) -> list[float]:
    """The one-sided level of each look at rising information fractions, so that all of them spend alpha at most."""
    return [float(ndtr(-z)) for z in boundaries(fractions, tuple(spending(alpha, t) for t in fractions))]


def last_level(fractions: tuple[float, ...], spent: tuple[float, ...]) -> float:
    """The one-sided level of the last of these looks; 0 where nothing is left for it.

    `fractions` rise strictly and may pass 1; `spent` is what has been spent up to each of them, and never falls.
    """
    left = spent[-1] - (spent[-2] if len(spent) > 1 else 0.0)
    if left < NOTHING:
        return 0.0
    if len(fractions) > MOST_LOOKS:
        return left
    return float(ndtr(-boundaries(fractions, spent)[-1]))


@lru_cache(maxsize=1024)
def boundaries(fractions: tuple[float, ...], spent: tuple[float, ...]) -> tuple[float, ...]:
    """Upper z boundaries: under no difference the paths that first cross at a look are what it spends.

    Infinite at a look that spends nothing. Raises ValueError for fractions that do not rise.
    """
    if any(b <= a for a, b in zip((0.0, *fractions), fractions, strict=False)):
        raise ValueError("information fractions must rise from above 0")
    found: list[float] = []
    nodes, mass, before, spent_before = np.zeros(1), np.ones(1), 0.0, 0.0
    for number, (fraction, total) in enumerate(zip(fractions, spent, strict=True)):
        step = math.sqrt(fraction - before)
        spend, spent_before = max(total - spent_before, 0.0), max(total, spent_before)
        limit = _crossed_by(nodes, mass, step, spend)
        found.append(limit / math.sqrt(fraction))
        if number + 1 < len(fractions):
            next_step = math.sqrt(fractions[number + 1] - fraction)
            nodes, mass = _carried(nodes, mass, step, math.sqrt(fraction), limit, next_step)
        before = fraction
    return tuple(found)


def _crossed_by(nodes: Array, mass: Array, step: float, spend: float) -> float:
    """Where that much of the mass ends above after one more step; safeguarded Newton."""
    if spend < NOTHING:
        return math.inf
    low, high = float(nodes[0]) - 9 * step, float(nodes[-1]) + 9 * step
    at = float(nodes[-1]) - step * float(ndtri(min(spend, 0.5)))
    for _ in range(200):
        z = (nodes - at) / step
        excess = float(mass @ ndtr(z)) - spend
        low, high = (at, high) if excess > 0 else (low, at)
        slope = float(mass @ np.exp(-0.5 * z * z)) / (step * math.sqrt(2 * math.pi))
        after = at + excess / slope if slope > 0 else math.nan
        if not low <= after <= high:
            after = (low + high) / 2
        if abs(after - at) < PRECISE:
            return after
        at = after
    return at


def _carried(
    nodes: Array, mass: Array, step: float, spread: float, limit: float, next_step: float
) -> tuple[Array, Array]:
    """The paths that go on, as weighted nodes below the limit; as many as the next step needs."""
    low, high = FAR * spread, min(limit, -FAR * spread)
    panels = min(math.ceil((high - low) / (PANEL_STEPS * min(step, next_step))), MOST_PANELS)
    x, panel_weight = _legendre()
    half = (high - low) / (2 * panels)
    at = (low + half * (2 * np.arange(panels)[:, None] + 1 + x[None, :])).ravel()
    weight = np.tile(panel_weight * half, panels)
    z = (at[:, None] - nodes[None, :]) / step
    density = np.exp(-0.5 * z * z) @ mass / (step * math.sqrt(2 * math.pi))
    return at, density * weight


@lru_cache(maxsize=1)
def _legendre() -> tuple[Array, Array]:
    x, weight = np.polynomial.legendre.leggauss(PANEL_NODES)
    return x, weight
