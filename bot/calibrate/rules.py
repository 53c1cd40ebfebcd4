"""What people decide by instead, each as its own tool does it: moved or not, for many pilots at once."""

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bot.calibrate.row import Array

Flags = NDArray[np.bool_]
ALPHA = 0.05


def compare_means(a: Array, b: Array, k: float) -> Flags:
    """Move when the mean is below break-even."""
    moved: Flags = b.mean(axis=1) < k * a.mean(axis=1)
    return moved


def welch(a: Array, b: Array, k: float) -> Flags:
    """Move when the mean is below break-even and Welch's two-sided p is below .05."""
    p = stats.ttest_ind(k * a, b, axis=1, equal_var=False).pvalue
    moved: Flags = (p < ALPHA) & (b.mean(axis=1) < k * a.mean(axis=1))
    return moved


def mann_whitney(a: Array, b: Array, k: float) -> Flags:
    """As benchstat: move when the median is below break-even and the exact Mann–Whitney p is below .05."""
    p = stats.mannwhitneyu(k * a, b, axis=1, method="exact").pvalue
    moved: Flags = (p < ALPHA) & (np.median(b, axis=1) < k * np.median(a, axis=1))
    return moved


def bootstrap(a: Array, b: Array, k: float, rng: np.random.Generator) -> Flags:
    """Move when the whole interval of `scipy.stats.bootstrap` as it comes (BCa) is below break-even."""
    return np.array([bootstrap_interval(x, y, rng)[1] < k for x, y in zip(a, b, strict=True)])


def bootstrap_interval(a: Array, b: Array, rng: np.random.Generator) -> tuple[float, float]:
    """The 95 % interval of the ratio of means."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of degenerate resamples: two runs have few
        found = stats.bootstrap((a, b), _ratio, vectorized=True, rng=rng).confidence_interval
    return float(found.low), float(found.high)


def _ratio(a: Array, b: Array, axis: int = -1) -> Array:
    return np.asarray(b.mean(axis=axis) / a.mean(axis=axis))


def welch_interval(a: Array, b: Array) -> tuple[Array, Array]:
    """Welch's 95 % interval of the difference of means, candidate less incumbent."""
    found = stats.ttest_ind(b, a, axis=1, equal_var=False).confidence_interval(1 - ALPHA)
    return np.asarray(found.low), np.asarray(found.high)
