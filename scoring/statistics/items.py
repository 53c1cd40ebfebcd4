"""Non-inferiority from scores of single items in several runs: both the runs and the items are samples.

Two-way layout, arm a, run i of n_a, item j of I, the same items everywhere:
y_aij = µ_a + r_ai + t_j + d_aj + e_aij. Then for the difference of the arms' means
Var = σ²_rA/n_A + σ²_rB/n_B + σ²_d/I + σ²_eA/(n_A·I) + σ²_eB/(n_B·I).
The variance s²_a of an arm's run means has the expectation σ²_ra + σ²_ea/I; the variance s²_item over items of the
difference of the arms' item means has σ²_d + σ²_eA/n_A + σ²_eB/n_B. Their sum s²_A/n_A + s²_B/n_B + s²_item/I holds the
error terms twice, so that (s²_eA/n_A + s²_eB/n_B)/I, from the residuals of run and item, is taken off once. Degrees of
freedom after Satterthwaite 1946; the layout is that of random effects for both factors (Cornfield and Tukey 1956).
"""

import math

import numpy as np
from numpy.typing import NDArray

from scoring.model.estimates import DifferenceEstimate, Direction
from scoring.statistics.quality import bounded_difference, paired_counts_difference, refused_difference, relative_to

Scores = NDArray[np.float64]
"""One row a run, one column an item."""
EXACT = 1e-30


def item_difference(
    a: Scores, b: Scores, direction: Direction, relative: bool, confidence: float
) -> DifferenceEstimate:
    """Candidate less incumbent over the same items, oriented so that above 0 is better.

    Of one run an arm it is Tango's interval where every score is 0 or 1, else the paired t over items: those hold for
    these two runs only. Several runs of one arm and one of the other give no interval. A relative difference is of
    logarithms, linearised at the arms' means.
    """
    mean_a, mean_b = float(a.mean()), float(b.mean())
    if relative and min(mean_a, mean_b) <= 0:
        return refused_difference("not-positive", None, confidence, paired=True)
    if len(a) == len(b) == 1 and _is_binary(a) and _is_binary(b):
        counted = _counts(a[0], b[0], direction, confidence)
        return relative_to(counted, mean_a, direction) if relative else counted
    sign = -1.0 if direction is Direction.LOWER else 1.0
    point = sign * (math.log(mean_b / mean_a) if relative else mean_b - mean_a)
    if a.shape[1] < 2 or (min(len(a), len(b)) < 2 and len(a) != len(b)):
        return refused_difference("one-run", point, confidence, paired=True)
    if relative:
        a, b = a / mean_a, b / mean_b
    variance, nu = _variance(a, b)
    if variance < EXACT:
        return refused_difference("no-spread", point, confidence, paired=True)
    method, scope = ("item-level", "items") if len(a) > 1 else ("paired-items", "one-run")
    found = bounded_difference(point, math.sqrt(variance), nu, confidence, method, paired=True)
    return found.model_copy(update={"scope": scope})


def _is_binary(scores: Scores) -> bool:
    return bool(np.isin(scores, (0.0, 1.0)).all())


def _counts(a: Scores, b: Scores, direction: Direction, confidence: float) -> DifferenceEstimate:
    only_a, only_b = int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum())
    return paired_counts_difference(only_a, only_b, a.size, direction, confidence)


def _variance(a: Scores, b: Scores) -> tuple[float, float]:
    """Variance of the difference of means and its degrees of freedom, as derived above.

    It is never below what the runs alone or the items alone show: each has a smaller expectation than the whole.
    """
    items = a.shape[1]
    terms = [(float((b.mean(axis=0) - a.mean(axis=0)).var(ddof=1)) / items, items - 1.0)]
    runs, residual = [], []
    for scores in (a, b):
        n = len(scores)
        if n > 1:
            runs.append((float(scores.mean(axis=1).var(ddof=1)) / n, n - 1.0))
            residual.append((_residual_variance(scores) / (n * items), (n - 1.0) * (items - 1.0)))
    terms += runs
    whole = math.fsum(v for v, _ in terms) - math.fsum(v for v, _ in residual)
    variance = max(whole, terms[0][0], math.fsum(v for v, _ in runs))
    spread = math.fsum(v * v / nu for v, nu in [*terms, *residual])
    return variance, variance * variance / spread if spread > 0 else 1.0


def _residual_variance(scores: Scores) -> float:
    """Mean square of run and item together: what is left of the scores without both means."""
    left = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
    return float((left**2).sum()) / float((scores.shape[0] - 1) * (scores.shape[1] - 1))
