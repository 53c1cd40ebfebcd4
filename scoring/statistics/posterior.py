"""What the cost ratio may be after the runs, and what that means in money: a proper prior times Student's t, on a grid.

Method: Box & Tiao 1973, ch. 2 (t kernel); expected losses and the value of perfect information: Raiffa & Schlaifer
1961. Everything is in units of theta: times S (value of a unit of theta) it is money.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from scoring.model.estimates import RatioEstimate
from scoring.statistics.samples import bounded_exp

Column = NDArray[np.float64]
PRIOR_SD = 0.5
"""Of log theta before any run: 95 % of what is compared lies between × 0.38 and × 2.7."""
REACH, STEP = 2.0, 0.005
"""The grid of log theta, 801 points; it is refined about the estimate and extended to it."""
IMPOSSIBLE = 8.0
"""Prior standard deviations beyond which a measured ratio is none that a posterior can be formed of."""
HARDLY_POSSIBLE = 2.5
"""Prior standard deviations (× 3.5 and × 0.29) beyond which no expected loss is told: a proof needs none, and runs
that prove nothing give way to the prior there, so that a better measured candidate would look worse."""
NO_DRIFT = 1e-3
"""A drift below a tenth of a per cent is none."""
CERTAIN = 1e-12
NODES, TAIL = 65, 1e-7
"""Points between which quantiles are interpolated, and the probability beyond which they are not looked for."""
COARSE = 10
"""Steps in a standard error from which on the even grid is fine enough."""
REFINED: Column = np.sinh(np.linspace(-12.0, 12.0, 241))
"""Standard errors about the estimate, dense at it: what a grid of equal steps misses when the error is small."""


def lognormal_put(k: float, mean: Column | float, sd: Column | float) -> Column:
    """E(k − theta)⁺ of lognormal theta with that mean and standard deviation of the log (Black & Scholes 1973).

    `sd` of 0 is a theta that is known.
    """
    if k <= 0:
        return np.zeros(np.broadcast_shapes(np.shape(mean), np.shape(sd)))
    spread = np.maximum(sd, CERTAIN)
    d1 = np.log(k / np.asarray(mean)) / spread + spread / 2
    value: Column = k * ndtr(d1) - mean * ndtr(d1 - spread)
    return np.maximum(value, np.maximum(k - np.asarray(mean), 0.0))


def lognormal_regrets(m: float, s: float, k: float) -> tuple[float, float, float]:
    """Of log theta ~ N(m, s²): E(k − theta)⁺ (regret of staying), E(theta − k)⁺ (of moving) and P(theta < k)."""
    mean = bounded_exp(m + s * s / 2)
    stay = float(lognormal_put(k, mean, s))
    below = float(ndtr((math.log(k) - m) / s)) if k > 0 else 0.0
    return stay, stay + mean - k, below


@dataclass(frozen=True)
class Posterior:
    """Of theta. `x` holds log theta, `cdf` P(log theta ≤ x) and `partial` E[theta; log theta ≤ x], rising to `mean`.

    `drift_sd` is how far production may lie from the pilot, a standard deviation of the logarithm that leaves the
    expected bill as it is.
    """

    x: Column
    density: Column
    cdf: Column
    partial: Column
    drift_sd: float

    @property
    def mean(self) -> float:
        """E(theta)."""
        return float(self.partial[-1])

    def below(self, k: float) -> float:
        """P(theta < k): the chance that moving saves money at break-even k."""
        if k <= 0:
            return 0.0
        at = math.log(k)
        if self.drift_sd:
            z = (at + self.drift_sd**2 / 2 - self.x) / self.drift_sd
            return min(1.0, float(self._masses @ ndtr(z)))
        return self._at(at)[0]

    def gain(self, k: float) -> float:
        """E(k − theta)⁺: what staying loses on average."""
        if k <= 0:
            return 0.0
        if self.drift_sd:
            return float(self._masses @ lognormal_put(k, np.exp(self.x), self.drift_sd))
        below, partial = self._at(math.log(k))
        return max(k * below - partial, 0.0)

    def loss(self, k: float) -> float:
        """E(theta − k)⁺: what moving loses on average."""
        return max(self.gain(k) + self.mean - k, 0.0)

    def value_of_certainty(self, k: float) -> float:
        """EVPI: what knowing theta exactly would be worth, the smaller of the two losses."""
        return min(self.gain(k), self.loss(k))

    def interval(self, level: float) -> tuple[float, float]:
        """The equal-tailed credible interval of theta."""
        tail = (1 - level) / 2
        return self._quantile(tail), self._quantile(1 - tail)

    def stratum_means(self, count: int) -> Column:
        """E(theta) in each of `count` strata of equal probability, from the lowest to the highest.

        A sum over them is exact for whatever is linear in theta within a stratum. With a drift each is the value at
        the middle of its stratum, read from `NODES` points of the distribution's normal scores.
        """
        if not self.drift_sd:
            at = np.interp(np.linspace(0, 1, count + 1), self.cdf, self.x)
            edges = np.exp(at)
            means: Column = (edges[1:] + edges[:-1]) / 2
            wide = np.diff(at) > STEP
            rims = np.interp(np.array([np.flatnonzero(wide), np.flatnonzero(wide) + 1]) / count, self.cdf, self.partial)
            means[wide] = count * (rims[1] - rims[0])
            return means
        ends = np.interp([TAIL, 1 - TAIL], self.cdf, self.x) + np.array([-6.0, 6.0]) * self.drift_sd
        at, masses = np.linspace(ends[0], ends[1], NODES), self._masses
        held = masses > TAIL
        z = (at[:, None] + self.drift_sd**2 / 2 - self.x[held]) / self.drift_sd
        scores = ndtri(np.clip(ndtr(z) @ masses[held], TAIL, 1 - TAIL))
        rising = np.concatenate([[True], np.diff(np.maximum.accumulate(scores)) > 0])
        middles = ndtri((np.arange(count) + 0.5) / count)
        drifted: Column = np.exp(np.interp(middles, scores[rising], at[rising]))
        return drifted

    @property
    def _masses(self) -> Column:
        """The share of the posterior about each point, by trapezoids."""
        steps = np.diff(self.x, prepend=self.x[0], append=self.x[-1])
        return (steps[:-1] + steps[1:]) / 2 * self.density

    def _at(self, x: float) -> tuple[float, float]:
        """`cdf` and `partial` at any x, the density being linear between two points."""
        if x <= self.x[0]:
            return 0.0, 0.0
        if x >= self.x[-1]:
            return 1.0, self.mean
        i = int(np.searchsorted(self.x, x, side="right")) - 1
        left, right = float(self.x[i]), float(self.x[i + 1])
        f, g = float(self.density[i]), float(self.density[i + 1])
        here = f + (g - f) * (x - left) / (right - left)
        step = (x - left) / 2
        below = float(self.cdf[i]) + step * (f + here)
        partial = float(self.partial[i]) + step * (f * math.exp(left) + here * math.exp(x))
        return min(below, 1.0), partial

    def _quantile(self, probability: float) -> float:
        if not self.drift_sd:
            return math.exp(float(np.interp(probability, self.cdf, self.x)))
        reach = 8 * self.drift_sd
        low, high = float(self.x[0]) - reach, float(self.x[-1]) + reach
        return math.exp(brentq(lambda at: self.below(math.exp(at)) - probability, low, high, xtol=1e-6))


def posterior_of_estimate(theta: RatioEstimate, drift_sd: float) -> Posterior | None:
    """The posterior that losses are told from; None without an interval, or for a ratio that is hardly possible."""
    if not theta.point or not theta.se_log or not theta.nu or not theta.has_interval:
        return None
    posterior = posterior_of(theta.point, theta.se_log, theta.nu, drift_sd)
    return None if abs(math.log(theta.point)) > HARDLY_POSSIBLE * PRIOR_SD else posterior


@lru_cache(maxsize=8)
def posterior_of(
    ratio: float, se_log: float, nu: float, drift_sd: float = 0.0, prior_sd: float = PRIOR_SD
) -> Posterior | None:
    """The posterior of theta after an estimate with ν degrees of freedom: t_ν((log ratio − x)/se) × N(x; 0, prior²).

    None where none can be formed: a figure that is not a finite number above zero, or a ratio so far out that the
    prior holds it for impossible.
    """
    if not all(math.isfinite(v) and v > 0 for v in (ratio, se_log, nu)):
        return None
    centre = math.log(ratio)
    if abs(centre) > IMPOSSIBLE * prior_sd:
        return None
    drift = drift_sd if drift_sd >= NO_DRIFT else 0.0
    x = _points(centre, se_log, drift)
    logs = -(nu + 1) / 2 * np.log1p(((x - centre) / se_log) ** 2 / nu) - (x / prior_sd) ** 2 / 2
    density = np.exp(logs - logs.max())
    steps = np.diff(x) / 2
    cdf = _running(steps, density)
    partial = _running(steps, density * np.exp(x))
    return Posterior(x, density / cdf[-1], cdf / cdf[-1], partial / cdf[-1], drift)


@lru_cache(maxsize=8)
def _even(reach: float, step: float) -> Column:
    return np.linspace(-reach, reach, 2 * round(reach / step) + 1)


def _points(centre: float, se: float, drift: float) -> Column:
    """Even steps over all that is plausible, finer where a drift is, and the estimate's own neighbourhood."""
    reach = REACH if abs(centre) + 1 <= REACH else 2 * REACH + 1
    even = _even(reach, min(STEP, drift or STEP))
    if se >= COARSE * STEP:
        return even
    near = centre + se * REFINED
    merged = np.concatenate([even, near[(near > -reach) & (near < reach)]])
    merged.sort(kind="stable")  # quick, since both parts are sorted
    return merged


def _running(half_steps: Column, values: Column) -> Column:
    """The integral up to each point, by trapezoids of unequal steps."""
    integral = np.zeros_like(values)
    np.cumsum(half_steps * (values[:-1] + values[1:]), out=integral[1:])
    return integral
