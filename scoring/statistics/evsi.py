"""What further runs are worth before they are made: their expected value of sample information (EVSI).

Raiffa & Schlaifer 1961, ch. 5, for a normal log ratio whose variance is unknown: a mixture over the true variance,
in which each component is a put on the ratio (checked against nested Monte Carlo, `docs/method.md`).
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from scoring.statistics.posterior import PRIOR_SD, lognormal_put

Column = NDArray[np.float64]
NODES = 32
MIDPOINTS: Column = (np.arange(NODES) + 0.5) / NODES


@lru_cache(maxsize=256)
def variance_factors(nu: float) -> Column:
    """True over estimated variance at 32 midpoints of its distribution: ν / χ²_ν(p)."""
    return np.asarray(nu / chdtri(nu, MIDPOINTS), dtype=np.float64)


def value_of_runs(
    ratio: float, se_log: float, nu: float, k: float, one_run: float, runs: Column, prior_sd: float = PRIOR_SD
) -> Column:
    """EVSI of that many more runs an arm (or blocks), in units of theta; one value for each of `runs`.

    `one_run` is the variance that a mean log ratio of one run of each arm (or of one block) has at the pilot's
    spread, cv_A² + cv_B². With f the true over the estimated variance: s² = 1/(1/s0² + 1/(se²f)),
    m = s²·d/(se²f), E = e^(m + s²/2), τ² = s² − 1/(1/s² + 1/(v_j f)), v_j = one_run/j;
    EVSI = Σ w put(k, E, τ) − (k − Σ w E)⁺, w the weight of f given the estimate. It rises with j to the EVPI.
    """
    f = variance_factors(nu)
    d, prior, noise = math.log(ratio), prior_sd**2, se_log**2 * f
    weights = np.exp(-d * d / (prior + noise) / 2) / np.sqrt(prior + noise)
    weights /= weights.sum()
    s2 = prior * noise / (prior + noise)
    mean = np.exp(s2 * d / noise + s2 / 2)
    more = one_run * f[:, None] / runs[None, :]
    told = s2[:, None] / np.sqrt(s2[:, None] + more)
    puts = lognormal_put(k, mean[:, None], told)
    now = max(k - float(weights @ mean), 0.0)
    value: Column = np.maximum(weights @ puts - now, 0.0)
    return value
