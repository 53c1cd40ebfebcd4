"""How many runs an arm: by the width of an interval, by power, at the pilot's spread and at a cautious one."""

import math
from collections.abc import Callable

from scipy.special import gammaincinv, nctdtr

from scoring.model.estimates import RatioEstimate, SampleSize
from scoring.statistics.samples import t_quantile, welch_nu

POWER = 0.8
SAFE_PROBABILITY = 0.2
EFFECT_PRECISION = 1e-6


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
    if a + b == 0:
        return 1.0
    nu = welch_nu(a, n, b, n)
    return 1 - float(nctdtr(nu, effect / math.sqrt(a + b), t_quantile(1 - alpha, nu)))


def paired_power_of(sd: float, effect: float, n: int, alpha: float) -> float:
    """The same for n pairs whose relative differences have standard deviation `sd`."""
    if sd == 0:
        return 1.0
    return 1 - float(nctdtr(n - 1, effect * math.sqrt(n) / sd, t_quantile(1 - alpha, n - 1)))


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
    theta: RatioEstimate, cv_a: float, cv_b: float, k: float, alpha: float, limit: int
) -> SampleSize:
    """Runs an arm until theta is told from k, two-sided at alpha with power .8; paired where the pilot was."""
    assert theta.point is not None and theta.se_log is not None and theta.nu is not None  # noqa: S101
    effect = abs(math.log(theta.point / k)) if k > 0 else math.inf
    n_a, n_b = theta.n_incumbent, theta.n_candidate
    if theta.paired:
        sd = theta.se_log * math.sqrt(theta.nu + 1)
        safe_sd = upper_spread(sd, theta.nu)
        likely = _smallest_pairs(sd, effect, alpha / 2, limit)
        return SampleSize(
            goal="tell-apart", likely=likely, safe=_smallest_pairs(safe_sd, effect, alpha / 2, limit), limit=limit
        )
    likely = _smallest(cv_a, cv_b, effect, alpha / 2, limit)
    safe = _smallest(upper_spread(cv_a, max(n_a - 1, 1)), upper_spread(cv_b, max(n_b - 1, 1)), effect, alpha / 2, limit)
    return SampleSize(goal="tell-apart", likely=likely, safe=safe, limit=limit)


def _smallest(cv_a: float, cv_b: float, effect: float, alpha: float, limit: int) -> int | None:
    if effect == 0 or power_of(cv_a, cv_b, effect, limit, alpha) < POWER:
        return None
    return next((n for n in range(2, limit + 1) if power_of(cv_a, cv_b, effect, n, alpha) >= POWER), None)


def _smallest_pairs(sd: float, effect: float, alpha: float, limit: int) -> int | None:
    if effect == 0 or paired_power_of(sd, effect, limit, alpha) < POWER:
        return None
    return next((n for n in range(2, limit + 1) if paired_power_of(sd, effect, n, alpha) >= POWER), None)
