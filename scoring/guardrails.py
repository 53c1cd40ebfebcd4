"""Quality and latency must each hold: within a margin, or under a limit; never averaged into the cost."""

from collections.abc import Sequence

from scoring.arms import ArmData, Arms
from scoring.checks.guardrails import metric_key
from scoring.model.decision import LatencyComparison, QualityArm, QualityComparison
from scoring.model.estimates import DifferenceEstimate, Direction
from scoring.model.pilot import Quality
from scoring.model.settings import Margin, Settings
from scoring.statistics.latency import latency_ratio, quantile_bounds
from scoring.statistics.quality import (
    counts_difference,
    inferior,
    margin_of,
    non_inferior,
    pair_by,
    paired_difference,
    summary_difference,
    welch_difference,
)

POINTS = 100
"""Points of per cent in one."""
TAIL_ORDER = ("p99", "p95", "p90", "p50", "mean")


def compare_quality(arms: Arms, directions: dict[str, Direction], settings: Settings) -> tuple[QualityComparison, ...]:
    """Each metric that both arms have and whose direction is known, in the order posted."""
    names = [n for n in _metric_names(arms.incumbent) if n in _metric_names(arms.candidate)]
    directed = [(n, d) for n in names if (d := _direction(n, directions, settings)) is not None]
    return tuple(_quality(arms, name, direction, settings) for name, direction in directed)


def _metric_names(arm: ArmData) -> list[str]:
    if arm.summary is not None:
        return list(arm.summary.quality)
    return list(dict.fromkeys(name for c in arm.ok_runs for name in c.run.quality))


def _direction(name: str, directions: dict[str, Direction], settings: Settings) -> Direction | None:
    configured = _configured_margin(name, settings)
    return configured.direction if configured and configured.direction else directions.get(name)


def quality_units(arm: ArmData, name: str) -> set[bool]:
    """Whether the arm's values of a metric were posted as per cent: both where they were mixed."""
    if arm.summary is not None:
        return {arm.summary.quality[name].in_percent} if name in arm.summary.quality else set()
    return {c.run.quality[name].in_percent for c in arm.ok_runs if name in c.run.quality}


def _configured_margin(name: str, settings: Settings) -> Margin | None:
    return {metric_key(key): margin for key, margin in settings.margins.items()}.get(metric_key(name))


def _limit(name: str, settings: Settings) -> float | None:
    return {metric_key(key): limit for key, limit in settings.latency_limits_s.items()}.get(metric_key(name))


def _quality(arms: Arms, name: str, direction: Direction, settings: Settings) -> QualityComparison:
    configured = _configured_margin(name, settings)
    relative = configured.absolute is None if configured else True
    size = (configured.absolute or configured.relative) if configured else settings.default_margin
    assert size is not None  # noqa: S101 - a margin is one or the other
    in_percent = not relative and all(quality_units(arm, name) == {True} for arm in arms.both)
    size = size / POINTS if in_percent else size
    difference = _difference(arms, name, direction, relative, settings.confidence)
    return QualityComparison(
        metric=name,
        direction=direction,
        margin=size,
        margin_is_relative=relative,
        margin_is_default=configured is None,
        in_percent=all(quality_units(arm, name) == {True} for arm in arms.both),
        difference=difference,
        non_inferior=non_inferior(difference, margin_of(size, relative)),
        inferior=inferior(difference, margin_of(size, relative)),
        paired=difference.paired,
        arms={arm.name: _quality_arm(arm, name) for arm in arms.both},
    )


def _difference(arms: Arms, name: str, direction: Direction, relative: bool, confidence: float) -> DifferenceEstimate:
    if any(arm.summary is not None for arm in arms.both):
        a, b = (_quality_arm(arm, name) for arm in arms.both)
        assert a.mean is not None and b.mean is not None  # noqa: S101 - both arms have the metric
        return summary_difference(
            a.mean, a.sd, a.n or None, b.mean, b.sd, b.n or None,
            direction=direction, relative=relative, confidence=confidence,
        )  # fmt: skip
    read_a, read_b = (_readings(arm, name) for arm in arms.both)
    counts = _counts(read_a, read_b)
    if counts is not None and not relative:
        return counts_difference(*counts, direction=direction, confidence=confidence)
    values_a, values_b = [q.value for _, q in read_a], [q.value for _, q in read_b]
    pairs = pair_by([key for key, _ in read_a], values_a, [key for key, _ in read_b], values_b)
    if pairs is not None:
        return paired_difference(*pairs, direction=direction, relative=relative, confidence=confidence)
    return welch_difference(values_a, values_b, direction=direction, relative=relative, confidence=confidence)


def _readings(arm: ArmData, name: str) -> list[tuple[str | None, Quality]]:
    return [(c.run.seed, c.run.quality[name]) for c in arm.ok_runs if name in c.run.quality]


def _counts(
    a: Sequence[tuple[str | None, Quality]], b: Sequence[tuple[str | None, Quality]]
) -> tuple[int, int, int, int] | None:
    """Correct and items of both arms, where one run each was posted as a count."""
    if len(a) != 1 or len(b) != 1:
        return None
    first, second = a[0][1], b[0][1]
    if first.correct is None or first.items is None or second.correct is None or second.items is None:
        return None
    return first.correct, first.items, second.correct, second.items


def _quality_arm(arm: ArmData, name: str) -> QualityArm:
    if arm.summary is not None:
        spread = arm.summary.quality[name]
        return QualityArm(mean=spread.mean, n=spread.n or arm.summary.n or 0, sd=spread.sd)
    values = [q.value for _, q in _readings(arm, name)]
    if not values:
        return QualityArm(mean=None, n=0)
    mean = sum(values) / len(values)
    sd = (sum((v - mean) ** 2 for v in values) / (len(values) - 1)) ** 0.5 if len(values) > 1 else None
    return QualityArm(mean=mean, n=len(values), sd=sd, values=tuple(values))


def compare_latency(arms: Arms, settings: Settings) -> tuple[LatencyComparison, ...]:
    """Each latency that both arms have. Guardrails are those with a limit, else the highest quantile of each kind."""
    if any(arm.summary is not None for arm in arms.both):
        return ()
    series = [_latencies(arm) for arm in arms.both]
    shared = [name for name in series[0] if name in series[1]]
    guardrails = {name for name in shared if _limit(name, settings) is not None} or _tails(shared)
    return tuple(
        _latency(arms, name, series[0][name], series[1][name], name in guardrails, settings) for name in shared
    )


def _latencies(arm: ArmData) -> dict[str, tuple[float, ...]]:
    """Values per repetition in run order; a metric that a finished run lacks is not compared."""
    names = dict.fromkeys(name for c in arm.ok_runs for name in c.run.latency)
    return {
        name: tuple(c.run.latency[name] for c in arm.ok_runs)
        for name in names
        if all(c.run.latency.get(name, 0.0) > 0 for c in arm.ok_runs)
    }


def _tails(names: Sequence[str]) -> set[str]:
    tails: dict[str, str] = {}
    for suffix in TAIL_ORDER:
        for name in names:
            kind, _, quantile = name.rpartition("_")
            if quantile == suffix:
                tails.setdefault(kind, name)
    return set(tails.values())


def _latency(
    arms: Arms, name: str, a: tuple[float, ...], b: tuple[float, ...], is_guardrail: bool, settings: Settings
) -> LatencyComparison:
    ratio = latency_ratio(a, b, settings.confidence)
    limit = _limit(name, settings)
    low, high = quantile_bounds(b, settings.confidence)
    if limit is not None:
        passes, fails = _judged(low, high, limit)
    else:
        passes, fails = _judged(ratio.lo, ratio.hi, 1 + settings.latency_margin)
    means = {arm.name: sum(values) / len(values) for arm, values in zip(arms.both, (a, b), strict=True)}
    return LatencyComparison(
        metric=name,
        ratio=ratio,
        arms=means,
        repetitions={arm.name: values for arm, values in zip(arms.both, (a, b), strict=True)},
        limit_s=limit,
        margin=settings.latency_margin,
        candidate_upper_s=high,
        is_guardrail=is_guardrail,
        passes=passes,
        fails=fails,
    )


def _judged(low: float | None, high: float | None, limit: float) -> tuple[bool | None, bool | None]:
    if low is None or high is None:
        return None, None
    return high <= limit, low > limit
