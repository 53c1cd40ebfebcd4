"""Latency quantiles: the repetition is the sample, not the request."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from scoring.model.estimates import RatioEstimate
from scoring.statistics.ratio import geometric_welch, paired_log_ratio
from scoring.statistics.samples import bounded_exp, mean, t_quantile, variance

BATCHES = 10


def latency_ratio(a: Sequence[float], b: Sequence[float], confidence: float) -> RatioEstimate:
    """Ratio candidate / incumbent of one quantile, one value a repetition: Welch's t on the logs."""
    return geometric_welch(a, b, confidence)


def paired_latency_ratio(a: Sequence[float], b: Sequence[float], confidence: float) -> RatioEstimate:
    """The same for repetitions that share a block, in the same order."""
    return paired_log_ratio(a, b, confidence)


def quantile_bounds(values: Sequence[float], confidence: float) -> tuple[float | None, float | None]:
    """One-sided bounds of one arm's quantile over its repetitions, t on the logs; None for one repetition."""
    if len(values) < 2 or min(values) <= 0:
        return None, None
    logs = [math.log(v) for v in values]
    half = t_quantile(confidence, len(logs) - 1) * math.sqrt(variance(logs) / len(logs))
    return bounded_exp(mean(logs) - half), bounded_exp(mean(logs) + half)


def quantiles(values: NDArray[np.float64], probabilities: Sequence[float]) -> list[float]:
    """Quantiles by linear interpolation between order statistics at (n − 1)p, as numpy's default."""
    n = len(values)
    positions = [(n - 1) * p for p in probabilities]
    ranks = sorted({k for x in positions for k in (math.floor(x), math.ceil(x))})
    ordered = np.partition(values, ranks)
    found = []
    for x in positions:
        low, high = ordered[math.floor(x)], ordered[math.ceil(x)]
        found.append(float(low + (high - low) * (x - math.floor(x))))
    return found


def order_statistic_ranks(n: int, q: float, confidence: float) -> tuple[int | None, int | None]:
    """1-based ranks of the order statistics that bound the q-quantile of n independent values.

    The ranks are [F⁻¹(α/2), F⁻¹(1 − α/2) + 1] of the binomial (n, q); None where that side has no bound.
    """
    alpha = 1 - confidence
    lo, hi = _binomial_quantile(n, q, alpha / 2), _binomial_quantile(n, q, 1 - alpha / 2) + 1
    return (lo if lo >= 1 else None), (hi if hi <= n else None)


def _binomial_quantile(n: int, q: float, probability: float) -> int:
    below, above = -1, n
    while above - below > 1:
        middle = (below + above) // 2
        if float(bdtr(middle, n, q)) >= probability:
            above = middle
        else:
            below = middle
    return above


def smallest_n_for_upper_bound(q: float, alpha: float) -> int:
    """Smallest number of values for which the largest bounds the q-quantile from above: ⌈ln α / ln q⌉."""
    return math.ceil(math.log(alpha) / math.log(q))


def within_one_run(
    requests_a: NDArray[np.float64], requests_b: NDArray[np.float64], q: float, confidence: float
) -> RatioEstimate | None:
    """Ratio of a quantile from one repetition an arm, by ten time batches each; it speaks of these runs only."""
    if min(len(requests_a), len(requests_b)) < BATCHES * 10:
        return None
    batches = [
        [quantiles(batch, [q])[0] for batch in np.array_split(requests, BATCHES)]
        for requests in (requests_a, requests_b)
    ]
    estimate = geometric_welch(batches[0], batches[1], confidence)
    return estimate.model_copy(update={"qualifier": "within-one-run", "n_incumbent": 1, "n_candidate": 1})
