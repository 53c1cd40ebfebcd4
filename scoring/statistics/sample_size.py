"""How many runs an arm: by the width of an interval, by power, at the pilot's spread and at a cautious one."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc, gammaincinv, nctdtr

from scoring.model.estimates import RatioEstimate, SampleSize
from scoring.statistics.samples import t_quantile, welch_nu

POWER = 0.8
POWER_FOR_EVERY_LOOK = 0.91
"""Of a first look at n, where looks after every run from the third to n find an effect with power .8.

Simulated (4·10⁴ pilots a cell, n = 4 to 30 of at most 10 or 30): .89 to .93.
"""
SAFE_PROBABILITY = 0.2
EFFECT_PRECISION = 1e-6
FAR_OUT, HERMITE_NODES = 30.0, 32
"""Standard errors beyond which the non-central t is integrated: the library's gives NaN from 38 on."""


def runs_for_half_width(cv_a: float, cv_b: float, h: float, confidence: float, limit: int) -> int | None:
    """Smallest n an arm with t_ν·√((cv_A² + cv_B²)/n) ≤ log(1 + h); None above `limit`."""
    for n in range(2, limit + 1):
        a, b = cv_a**2 / n, cv_b**2 / n
        if a + b == 0 or t_quantile((1 + confidence) / 2, welch_nu(a, n, b, n)) * math.sqrt(a + b) <= math.log1p(h):
            return n
    return None


def power_of(cv_a: float, cv_b: float, effect: float, n: int, alpha: float) -> float:
    """Power of the one-sided test of a log ratio `effect` > 0 with n runs an arm, by the non-central t."""
    a, b = cv_a**2 / n, cv_b**2 / n
    if alpha <= 0 or a + b == 0:
        return 1.0 if alpha > 0 else 0.0
    nu = welch_nu(a, n, b, n)
    return _power(nu, effect / math.sqrt(a + b), t_quantile(1 - alpha, nu))


def paired_power_of(sd: float, effect: float, n: int, alpha: float) -> float:
    """The same for n pairs whose relative differences have standard deviation `sd`."""
    if alpha <= 0 or sd == 0:
        return 1.0 if alpha > 0 else 0.0
    return _power(n - 1, effect * math.sqrt(n) / sd, t_quantile(1 - alpha, n - 1))


def _power(nu: float, shift: float, critical: float) -> float:
    """P(T > critical) of the non-central t; by Gauss and Hermite far out, where `nctdtr` gives no number.

    T > c is χ²_ν < ν((shift + Z)/c)² for a standard normal Z, and shift + Z is above zero there.
    """
    if shift <= FAR_OUT:
        return 1 - float(nctdtr(nu, shift, critical))
    if critical <= 0 or not math.isfinite(shift):
        return 1.0
    nodes, weights = _hermite()
    below = gammainc(nu / 2, nu / 2 * ((shift + nodes) / critical) ** 2)
    return float(weights @ below)


@lru_cache(maxsize=1)
def _hermite() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Nodes and weights of a standard normal's mean."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(HERMITE_NODES)
    return nodes, weights / weights.sum()


def smallest_runs(power: Callable[[int], float], wanted: float, least: int, limit: int) -> int | None:
    """Smallest number of runs, at least `least`, from which on a rising power reaches `wanted`; None above `limit`."""
    if least > limit or power(limit) < wanted:
        return None
    low, high = least - 1, limit
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle) >= wanted else (middle, high)
    return high


def largest_spread(power: Callable[[float], float], effect: float) -> float | None:
    """The widest spread between runs at which a falling power is still .8; None where hardly any is small enough."""
    low, high = effect / 1000, effect * 1000
    if power(low) < POWER:
        return None
    while high / low > 1 + EFFECT_PRECISION:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if power(middle) >= POWER else (low, middle)
    return low


def smallest_effect(power: Callable[[float], float]) -> float | None:
    """The log ratio from which on a rising power reaches .8; None above log 20 (a saving of 95 %)."""
    low, high = 0.0, math.log(20)
    if power(high) < POWER:
        return None
    while high - low > EFFECT_PRECISION:
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= POWER else (middle, high)
    return high


def runs_for_power(cv_a: float, cv_b: float, ratio_over_k: float, alpha: float, power: float, limit: int) -> int | None:
    """Smallest n an arm that tells the ratio from its break-even with this power; None above `limit`."""
    effect = abs(math.log(ratio_over_k))
    return next((n for n in range(2, limit + 1) if power_of(cv_a, cv_b, effect, n, alpha) >= power), None)


def upper_spread(spread: float, nu: float) -> float:
    """The spread that the true one stays below with 80 % confidence: s·√(ν/χ²_{ν,.2})."""
    chi2 = 2 * float(gammaincinv(nu / 2, SAFE_PROBABILITY))
    return spread * math.sqrt(nu / chi2)


def runs_to_tell_apart(
    theta: RatioEstimate, cv_a: float, cv_b: float, k: float, level: Callable[[int], float], least: int, limit: int
) -> SampleSize:
    """Runs an arm, `least` or more, until theta is told from k with power .8; paired where the pilot was.

    `level` is the one-sided level of a look at so many runs of each arm.
    """
    assert theta.point is not None and theta.se_log is not None and theta.nu is not None  # noqa: S101
    effect = abs(math.log(theta.point / k)) if k > 0 else math.inf

    def runs_for(power: Callable[[int, float], float]) -> int | None:
        return smallest_runs(lambda n: power(n, level(n)), POWER, least, limit) if effect else None

    if theta.paired:
        sd = theta.se_log * math.sqrt(theta.nu + 1)
        safe_sd = upper_spread(sd, theta.nu)
        likely = runs_for(lambda n, alpha: paired_power_of(sd, effect, n, alpha))
        safe = runs_for(lambda n, alpha: paired_power_of(safe_sd, effect, n, alpha))
    else:
        safe_a, safe_b = (
            upper_spread(cv, max(n - 1, 1)) for cv, n in ((cv_a, theta.n_incumbent), (cv_b, theta.n_candidate))
        )
        likely = runs_for(lambda n, alpha: power_of(cv_a, cv_b, effect, n, alpha))
        safe = runs_for(lambda n, alpha: power_of(safe_a, safe_b, effect, n, alpha))
    return SampleSize(goal="tell-apart", likely=likely, safe=safe, limit=limit)
