"""Single latencies of one run to quantiles, and to what those quantiles are inside the run."""

import numpy as np
from numpy.typing import NDArray

from scoring.model.pilot import WithinRun
from scoring.statistics.latency import batch_quantiles, quantiles, quantiles_with_bounds

PROBABILITIES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
WITHIN_CONFIDENCE = 0.95
Values = NDArray[np.float64]


def quantiles_of(kind: str, seconds: Values) -> dict[str, float]:
    """p50, p90, p95, p99 and mean of a kind of latency, in seconds."""
    found = quantiles(seconds, list(PROBABILITIES.values()))
    named = {f"{kind}_{name}": float(value) for name, value in zip(PROBABILITIES, found, strict=True)}
    return {**named, f"{kind}_mean": float(seconds.mean())}


def within_of(kind: str, seconds: Values) -> dict[str, WithinRun]:
    """What each quantile is inside the run, for arms that have no other; `seconds` as measured."""
    probabilities = list(PROBABILITIES.values())
    bounds = quantiles_with_bounds(seconds, probabilities, WITHIN_CONFIDENCE)
    batches = batch_quantiles(seconds, probabilities)
    return {
        f"{kind}_{name}": WithinRun(n=b.n, lo=b.lo, hi=b.hi, confidence=WITHIN_CONFIDENCE, batches=of_batches)
        for name, b, of_batches in zip(PROBABILITIES, bounds, batches, strict=True)
    }
