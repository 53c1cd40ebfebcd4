"""Quality and latency must each hold: within a margin, or under a limit; never averaged into the cost."""

from collections.abc import Callable, Sequence

from scoring.arms import ArmData, Arms
from scoring.checks.guardrails import metric_key
from scoring.item_scores import shared_items
from scoring.model.decision import LatencyComparison, QualityArm, QualityComparison
from scoring.model.estimates import DifferenceEstimate, Direction
from scoring.model.pilot import Quality, WithinRun
from scoring.model.settings import Margin, Settings
from scoring.seeds import ENOUGH_SEEDS, by_seed, repeats
from scoring.statistics.items import item_difference
from scoring.statistics.latency import latency_ratio, observations, quantile_bounds, within_one_run
from scoring.statistics.quality import (
    counts_difference,
    inferior,
    margin_of,
    non_inferior,
    pair_by,
    paired_difference,
    relative_to,
    summary_difference,
    welch_difference,
)
from scoring.statistics.samples import t_quantile

POINTS = 100
"""Points of per cent in one."""
SEED_METHODS = ("paired-t-seeds", "welch-t-seeds")
TAIL_ORDER = ("p99", "p95", "p90", "p50", "mean")


def compare_quality(
    arms: Arms, directions: dict[str, Direction], settings: Settings, level: float | None = None
) -> tuple[QualityComparison, ...]:
    """Each metric that both arms have and whose direction is known, in the order posted.

    `level` is the one-sided level at which this look may prove anything, 0 for nothing; by default 1 − confidence.
    """
    level = 1 - settings.confidence if level is None else level
    names = [n for n in _metric_names(arms.incumbent) if n in _metric_names(arms.candidate)]
    directed = [(n, d) for n in names if (d := _direction(n, directions, settings)) is not None]
    return tuple(_quality(arms, name, direction, settings, level) for name, direction in directed)


def _metric_names(arm: ArmData) -> list[str]:
    by_item = [scores.metric for scores in arm.items]
    if arm.summary is not None:
        return list(dict.fromkeys([*arm.summary.quality, *by_item]))
    return list(dict.fromkeys([*(name for c in arm.ok_runs for name in c.run.quality), *by_item]))


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


def _quality(arms: Arms, name: str, direction: Direction, settings: Settings, level: float) -> QualityComparison:
    configured = _configured_margin(name, settings)
    relative = configured.absolute is None if configured else True
    size = (configured.absolute or configured.relative) if configured else settings.default_margin
    assert size is not None  # noqa: S101 - a margin is one or the other
    in_percent = not relative and all(quality_units(arm, name) == {True} for arm in arms.both)
    size = size / POINTS if in_percent else size
    difference = _difference(arms, name, direction, relative, settings.confidence)
    if difference.method in SEED_METHODS and min(len(_readings(arm, name)) for arm in arms.both) < ENOUGH_SEEDS:
        level = 0.0
    proof = _proof(difference, level, lambda: _difference(arms, name, direction, relative, 1 - level))
    return QualityComparison(
        metric=name,
        direction=direction,
        margin=size,
        margin_is_relative=relative,
        margin_is_default=configured is None,
        in_percent=all(quality_units(arm, name) == {True} for arm in arms.both),
        difference=difference,
        proven_lower=proof.lower,
        proven_upper=proof.upper,
        non_inferior=non_inferior(proof, margin_of(size, relative)),
        inferior=inferior(proof, margin_of(size, relative)),
        paired=difference.paired,
        arms={arm.name: _quality_arm(arm, name) for arm in arms.both},
    )


def _proof(difference: DifferenceEstimate, level: float, again: Callable[[], DifferenceEstimate]) -> DifferenceEstimate:
    """The difference with the one-sided bounds of that level; by the method itself where they are no t bounds."""
    if level <= 0:
        return difference.model_copy(update={"lower": None, "upper": None})
    point, se, nu = difference.point, difference.se, difference.nu
    if (
        point is None
        or se is None
        or nu is None
        or difference.lower != point - t_quantile(difference.confidence, nu) * se
    ):
        return again()
    half = t_quantile(1 - level, nu) * se
    return difference.model_copy(update={"lower": point - half, "upper": point + half})


def _difference(arms: Arms, name: str, direction: Direction, relative: bool, confidence: float) -> DifferenceEstimate:
    items = shared_items(arms, name)
    if items is not None:
        return item_difference(items.incumbent, items.candidate, direction, relative, confidence)
    if any(arm.summary is not None for arm in arms.both):
        a, b = (_quality_arm(arm, name) for arm in arms.both)
        assert a.mean is not None and b.mean is not None  # noqa: S101 - both arms have the metric
        return summary_difference(
            a.mean, a.sd, a.n or None, b.mean, b.sd, b.n or None,
            direction=direction, relative=relative, confidence=confidence,
        )  # fmt: skip
    read_a, read_b = (_readings(arm, name) for arm in arms.both)
    counts = _counts(read_a, read_b)
    if counts is not None:
        counted = counts_difference(*counts, direction=direction, confidence=confidence)
        return relative_to(counted, counts[0] / counts[1], direction) if relative and counts[1] else counted
    values_a, values_b = [q.value for _, q in read_a], [q.value for _, q in read_b]
    pairs = pair_by([key for key, _ in read_a], values_a, [key for key, _ in read_b], values_b)
    of_seeds = any(repeats(_posted(arm, name)) for arm in arms.both)
    if pairs is not None:
        paired = paired_difference(*pairs, direction=direction, relative=relative, confidence=confidence)
        return _of_seeds(paired) if of_seeds else paired
    found = welch_difference(values_a, values_b, direction=direction, relative=relative, confidence=confidence)
    of_items = any(scores.metric == name for arm in arms.both for scores in arm.items)
    if of_items:
        return found if found.reason else found.model_copy(update={"method": "welch-item-means"})
    return _of_seeds(found) if of_seeds else found


def _of_seeds(difference: DifferenceEstimate) -> DifferenceEstimate:
    """The same by the name that says that each seed's runs were averaged first."""
    if difference.reason:
        return difference.model_copy(
            update={"reason": {"one-run": "one-seed"}.get(difference.reason, difference.reason)}
        )
    return difference.model_copy(update={"method": f"{difference.method}-seeds"})


def _readings(arm: ArmData, name: str) -> list[tuple[str | None, Quality]]:
    """Seed and value of each seed, or of each run without one; a mean over items has no seed to be paired by."""
    by_item = [Quality(value=scores.mean) for scores in arm.items if scores.metric == name]
    if by_item:
        return [(None, quality) for quality in by_item]
    return by_seed(_posted(arm, name))


def _posted(arm: ArmData, name: str) -> list[tuple[str | None, Quality]]:
    return [(c.run.seed, c.run.quality[name]) for c in arm.ok_runs if name in c.run.quality]


def _counts(
    a: Sequence[tuple[str | None, Quality]], b: Sequence[tuple[str | None, Quality]]
) -> tuple[int, int, int, int] | None:
    """Correct and items of both arms, where one run each was posted as a count, or all of an arm counted the same.

    An evaluation without chance gives the same count again: its repetitions are one, and the items are what varies.
    """
    if not a or not b or any(len({(q.correct, q.items) for _, q in arm}) > 1 for arm in (a, b)):
        return None
    first, second = a[0][1], b[0][1]
    if first.correct is None or first.items is None or second.correct is None or second.items is None:
        return None
    return first.correct, first.items, second.correct, second.items


def _quality_arm(arm: ArmData, name: str) -> QualityArm:
    if arm.summary is not None and not any(scores.metric == name for scores in arm.items):
        spread = arm.summary.quality[name]
        return QualityArm(mean=spread.mean, n=spread.n or arm.summary.n or 0, sd=spread.sd)
    values = tuple(q.value for _, q in _readings(arm, name))
    if not values:
        return QualityArm(mean=None, n=0)
    mean = sum(values) / len(values)
    sd = (sum((v - mean) ** 2 for v in values) / (len(values) - 1)) ** 0.5 if len(values) > 1 else None
    return QualityArm(mean=mean, n=len(values), sd=sd, values=values)


def compare_latency(arms: Arms, settings: Settings, level: float | None = None) -> tuple[LatencyComparison, ...]:
    """Each latency that both arms have. Guardrails are those with a limit, else the highest quantile of each kind.

    `level` as for quality.
    """
    level = 1 - settings.confidence if level is None else level
    if any(arm.summary is not None for arm in arms.both):
        return ()
    series = [_latencies(arm) for arm in arms.both]
    shared = [name for name in series[0] if name in series[1]]
    guardrails = {name for name in shared if _limit(name, settings) is not None} or _tails(shared)
    return tuple(
        _latency(arms, name, series[0][name], series[1][name], name in guardrails, settings, level) for name in shared
    )


def _latencies(arm: ArmData) -> dict[str, tuple[float, ...]]:
    """Values per repetition in run order; a metric that a finished run lacks is not compared."""
    names = dict.fromkeys(name for c in arm.timed_runs for name in c.run.latency)
    return {
        name: tuple(c.run.latency[name] for c in arm.timed_runs)
        for name in names
        if all(c.run.latency.get(name, 0.0) > 0 for c in arm.timed_runs)
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
    arms: Arms,
    name: str,
    a: tuple[float, ...],
    b: tuple[float, ...],
    is_guardrail: bool,
    settings: Settings,
    level: float,
) -> LatencyComparison:
    blocks = [tuple(c.run.block for c in arm.timed_runs) for arm in arms.both]
    within = _within_one_run(arms, name)
    ratio = latency_ratio(a, b, settings.confidence, *blocks)
    if len(within) == len(arms.both):
        batches_a, batches_b = (within[arm.name].batches for arm in arms.both)
        ratio = within_one_run(batches_a, batches_b, settings.confidence) or ratio
    limit = _limit(name, settings)
    means_of_blocks = observations(b, blocks[1])
    _, high = quantile_bounds(means_of_blocks, settings.confidence)
    lower = upper = None
    if level > 0 and limit is not None:
        lower, upper = quantile_bounds(means_of_blocks, 1 - level)
    elif level > 0:
        # The interval that is shown is two-sided: what it does not show is not claimed, however little was spent.
        proof = latency_ratio(a, b, 1 - 2 * min(level, (1 - settings.confidence) / 2), *blocks)
        lower, upper = proof.lo, proof.hi
    passes, fails = _judged(lower, upper, 1 + settings.latency_margin if limit is None else limit)
    means = {arm.name: sum(values) / len(values) for arm, values in zip(arms.both, (a, b), strict=True)}
    return LatencyComparison(
        metric=name,
        ratio=ratio,
        arms=means,
        within=within,
        repetitions={arm.name: values for arm, values in zip(arms.both, (a, b), strict=True)},
        block_means={} if means_of_blocks == b else {arms.candidate.name: means_of_blocks},
        limit_s=limit,
        margin=settings.latency_margin,
        candidate_upper_s=high,
        proven_lower=lower,
        proven_upper=upper,
        is_guardrail=is_guardrail,
        passes=passes,
        fails=fails,
    )


def _within_one_run(arms: Arms, name: str) -> dict[str, WithinRun]:
    """Of the arms that have one repetition, what the latency is inside of it."""
    alone = {arm.name: arm.timed_runs[0].run.within for arm in arms.both if len(arm.timed_runs) == 1}
    return {arm: within[name] for arm, within in alone.items() if name in within}


def _judged(low: float | None, high: float | None, limit: float) -> tuple[bool | None, bool | None]:
    if low is None or high is None:
        return None, None
    return high <= limit, low > limit
