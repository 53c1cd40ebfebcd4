"""Non-inferiority within a margin: the candidate passes when its one-sided bound does, never by "no difference"."""

import math
from collections.abc import Callable, Hashable, Sequence

from scipy.special import betainc, ndtri

from scoring.model.estimates import DifferenceEstimate, Direction
from scoring.statistics.samples import mean, t_quantile, variance, welch_nu

EXACT = 1e-30


def pair_by(
    keys_a: Sequence[Hashable], values_a: Sequence[float], keys_b: Sequence[Hashable], values_b: Sequence[float]
) -> tuple[list[float], list[float]] | None:
    """Values of both arms in the same order of keys, where every key stands once in each arm; else None."""
    unique = len(set(keys_a)) == len(keys_a) and len(set(keys_b)) == len(keys_b)
    if not unique or set(keys_a) != set(keys_b) or None in set(keys_a) or len(keys_a) < 2:
        return None
    by_key = dict(zip(keys_b, values_b, strict=True))
    return list(values_a), [by_key[key] for key in keys_a]


def _oriented(values: Sequence[float], direction: Direction, relative: bool) -> list[float] | None:
    """Signed so that more is better; logs for a relative margin. None where a log does not exist."""
    if relative and min(values) <= 0:
        return None
    sign = -1.0 if direction is Direction.LOWER else 1.0
    return [sign * (math.log(v) if relative else v) for v in values]


def refused_difference(reason: str, point: float | None, confidence: float, paired: bool = False) -> DifferenceEstimate:
    """A difference without an interval; `reason` says why there is none."""
    return DifferenceEstimate(point=point, confidence=confidence, method="none", reason=reason, paired=paired)


def bounded_difference(
    point: float, se: float, nu: float, confidence: float, method: str, paired: bool = False
) -> DifferenceEstimate:
    """Point and t intervals with `nu` degrees of freedom, two-sided and one-sided at `confidence`."""
    two_sided, one_sided = t_quantile((1 + confidence) / 2, nu) * se, t_quantile(confidence, nu) * se
    return DifferenceEstimate(
        point=point,
        lo=point - two_sided,
        hi=point + two_sided,
        lower=point - one_sided,
        upper=point + one_sided,
        confidence=confidence,
        method=method,
        paired=paired,
        nu=nu,
        se=se,
    )


def paired_difference(
    a: Sequence[float], b: Sequence[float], direction: Direction, relative: bool, confidence: float
) -> DifferenceEstimate:
    """Paired t on the differences of runs that share a seed, in the order given."""
    x, y = _oriented(a, direction, relative), _oriented(b, direction, relative)
    if x is None or y is None:
        return refused_difference("not-positive", None, confidence, paired=True)
    d = [after - before for before, after in zip(x, y, strict=True)]
    point = mean(d)
    if len(d) < 2:
        return refused_difference("one-run", point, confidence, paired=True)
    if variance(d) < EXACT:
        return refused_difference("no-spread", point, confidence, paired=True)
    return bounded_difference(point, math.sqrt(variance(d) / len(d)), len(d) - 1, confidence, "paired-t", paired=True)


def welch_difference(
    a: Sequence[float], b: Sequence[float], direction: Direction, relative: bool, confidence: float
) -> DifferenceEstimate:
    """Welch's t on the runs' values: the eval set's own standard error alone would be too small."""
    x, y = _oriented(a, direction, relative), _oriented(b, direction, relative)
    if x is None or y is None:
        return refused_difference("not-positive", None, confidence)
    point = mean(y) - mean(x)
    if min(len(x), len(y)) < 2:
        return refused_difference("one-run", point, confidence)
    return _welch(point, variance(x) / len(x), len(x), variance(y) / len(y), len(y), confidence, "welch-t")


def _welch(
    point: float, va: float, n_a: int, vb: float, n_b: int, confidence: float, method: str
) -> DifferenceEstimate:
    if va + vb < EXACT:
        return refused_difference("no-spread", point, confidence)
    return bounded_difference(point, math.sqrt(va + vb), welch_nu(va, n_a, vb, n_b), confidence, method)


def summary_difference(
    mean_a: float,
    sd_a: float | None,
    n_a: int | None,
    mean_b: float,
    sd_b: float | None,
    n_b: int | None,
    direction: Direction,
    relative: bool,
    confidence: float,
) -> DifferenceEstimate:
    """Welch's t from posted means, standard deviations and n; on logs the sd is divided by the mean."""
    x, y = _oriented([mean_a], direction, relative), _oriented([mean_b], direction, relative)
    if x is None or y is None:
        return refused_difference("not-positive", None, confidence)
    point = y[0] - x[0]
    if n_a is None or n_b is None:
        return refused_difference("summary-without-n", point, confidence)
    if min(n_a, n_b) < 2:
        return refused_difference("one-run", point, confidence)
    if sd_a is None or sd_b is None:
        return refused_difference("summary-without-sd", point, confidence)
    scale_a, scale_b = (mean_a, mean_b) if relative else (1.0, 1.0)
    va, vb = (sd_a / scale_a) ** 2 / n_a, (sd_b / scale_b) ** 2 / n_b
    return _welch(point, va, n_a, vb, n_b, confidence, "summary-welch")


def margin_of(size: float, relative: bool) -> float:
    """The margin on the scale of the difference: logs for a relative one."""
    return math.log1p(size) if relative else size


def non_inferior(difference: DifferenceEstimate, margin: float) -> bool | None:
    """Whether the one-sided lower bound lies above −margin (scale of the difference); None without a bound."""
    return None if difference.lower is None else difference.lower > -margin


def inferior(difference: DifferenceEstimate, margin: float) -> bool | None:
    """Whether the one-sided upper bound lies below −margin; None without a bound."""
    return None if difference.upper is None else difference.upper < -margin


def wilson_interval(successes: int, n: int, confidence: float) -> tuple[float, float]:
    """Wilson score interval of a proportion (Wilson 1927)."""
    z = float(ndtri((1 + confidence) / 2))
    p, z2 = successes / n, z * z
    centre, half = p + z2 / (2 * n), z * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return (centre - half) / (1 + z2 / n), (centre + half) / (1 + z2 / n)


def counts_difference(
    correct_a: int, n_a: int, correct_b: int, n_b: int, direction: Direction, confidence: float
) -> DifferenceEstimate:
    """Independent counts: Newcombe's hybrid of two Wilson intervals (Newcombe 1998, method 10)."""
    if min(n_a, n_b) < 1:
        return refused_difference("no-items", None, confidence)
    two = _newcombe(correct_a, n_a, correct_b, n_b, confidence)
    one = _newcombe(correct_a, n_a, correct_b, n_b, 2 * confidence - 1)
    return _from_bounds(correct_b / n_b - correct_a / n_a, two, one, direction, confidence, "newcombe", False)


def _newcombe(x_a: int, n_a: int, x_b: int, n_b: int, confidence: float) -> tuple[float, float]:
    (l_a, u_a), (l_b, u_b) = wilson_interval(x_a, n_a, confidence), wilson_interval(x_b, n_b, confidence)
    p_a, p_b = x_a / n_a, x_b / n_b
    d = p_b - p_a
    return d - math.hypot(p_b - l_b, u_a - p_a), d + math.hypot(u_b - p_b, p_a - l_a)


def paired_counts_difference(b: int, c: int, n: int, direction: Direction, confidence: float) -> DifferenceEstimate:
    """The same n items in both arms: Tango's score interval of p_B − p_A (Tango 1998).

    `b` items only the incumbent had right, `c` only the candidate.
    """
    if n < 1:
        return refused_difference("no-items", None, confidence, paired=True)
    two, one = _tango(b, c, n, confidence), _tango(b, c, n, 2 * confidence - 1)
    return _from_bounds((c - b) / n, two, one, direction, confidence, "tango", True)


def _tango(b: int, c: int, n: int, confidence: float) -> tuple[float, float]:
    z = float(ndtri((1 + confidence) / 2))
    d = (c - b) / n

    def score(delta: float) -> float:
        """(c − b − nδ) / √(n(2q + δ(1 − δ))) with q the constrained estimate of the discordant share."""
        linear = -b - c + (2 * n - c + b) * delta
        constant = -b * delta * (1 - delta)
        q = (math.sqrt(max(linear * linear - 8 * n * constant, 0.0)) - linear) / (4 * n)
        spread = n * (2 * q + delta * (1 - delta))
        return (c - b - n * delta) / math.sqrt(spread) if spread > 0 else math.copysign(math.inf, d - delta)

    return _root(lambda x: score(x) - z, -1.0, d), _root(lambda x: score(x) + z, d, 1.0)


def _root(f: Callable[[float], float], lo: float, hi: float) -> float:
    from scipy.optimize import brentq  # a slow import that only paired counts need

    edge = 1e-12
    a, b = lo + edge, hi - edge
    if a >= b or not (f(a) > 0 > f(b)):
        return lo if lo <= -1 else hi
    return float(brentq(f, a, b, xtol=1e-14))


def _from_bounds(
    point: float,
    two: tuple[float, float],
    one: tuple[float, float],
    direction: Direction,
    confidence: float,
    method: str,
    paired: bool,
) -> DifferenceEstimate:
    if direction is Direction.LOWER:
        point, two, one = -point, (-two[1], -two[0]), (-one[1], -one[0])
    return DifferenceEstimate(
        point=point,
        lo=two[0],
        hi=two[1],
        lower=one[0],
        upper=one[1],
        confidence=confidence,
        method=method,
        paired=paired,
        scope="one-run",
    )


def relative_to(difference: DifferenceEstimate, incumbent: float, direction: Direction) -> DifferenceEstimate:
    """A difference of shares, on the scale of a relative margin: logarithms of the ratio to the incumbent's share.

    The incumbent's share is taken as known: of a margin of a few per cent its own error is a few per cent.
    """
    if incumbent <= 0:
        return refused_difference("not-positive", None, difference.confidence, difference.paired)
    sign = -1.0 if direction is Direction.LOWER else 1.0

    def on_logs(value: float | None) -> float | None:
        return None if value is None else sign * math.log(max(incumbent + sign * value, 1e-300) / incumbent)

    ends = ("point", "lo", "hi", "lower", "upper")
    return difference.model_copy(update={name: on_logs(getattr(difference, name)) for name in ends})


def mcnemar_exact(b: int, c: int) -> float:
    """Two-sided exact McNemar p: twice the smaller binomial tail at 1/2, at most 1."""
    n, k = b + c, min(b, c)
    if n == 0:
        return 1.0
    tail = float(betainc(n - k, k + 1, 0.5))
    return min(1.0, 2 * tail)
