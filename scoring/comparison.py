"""From two arms to figures: the cost ratio, the ratio of time, quality within its margin, latency per repetition."""

import math
from collections.abc import Callable, Sequence

from scoring.arms import ArmData, Arms
from scoring.blocks import weighed_runs
from scoring.checks.serving import error_rate
from scoring.checks.warmup import slow_first_run
from scoring.model.decision import ArmResult, Comparison, CostedRun
from scoring.model.estimates import MeanSpread, RatioEstimate
from scoring.model.pilot import Summary
from scoring.statistics.blocks import design_of
from scoring.statistics.ratio import (
    geometric_welch,
    paired_log_ratio,
    ratio_from_summaries,
    ratio_of_means,
    relative_residuals,
    variance_of_mean,
)
from scoring.statistics.samples import ArmSample
from scoring.statistics.slow_runs import slow_run_bound

SECONDS_PER_HOUR = 3600.0
Measure = Callable[[CostedRun], float | None]


def cost_of(costed: CostedRun) -> float | None:
    """What the run cost."""
    return costed.cost


def hours_of(costed: CostedRun) -> float | None:
    """How many instance-hours the run took."""
    return costed.hours


def time_of(costed: CostedRun) -> float | None:
    """How long the run took, in seconds; a throughput stands for one hour of work."""
    if costed.run.duration_s is not None:
        return costed.run.duration_s
    return SECONDS_PER_HOUR if costed.run.throughput is not None else None


def time_with_initialisation(costed: CostedRun) -> float | None:
    """The run's time with the initialisation that ran outside of it."""
    if costed.run.duration_s is None:
        return None
    return costed.run.duration_s + (costed.run.initialisation_s or 0.0)


def cost_with_initialisation(costed: CostedRun) -> float | None:
    """The run's cost with its initialisation paid, whether or not its hours hold it already."""
    seconds = time_with_initialisation(costed)
    if costed.cost is None or seconds is None or not costed.hours:
        return costed.cost
    return costed.cost * seconds * costed.run.instance_count / SECONDS_PER_HOUR / costed.hours


def sample_of(runs: Sequence[CostedRun], measure: Measure) -> ArmSample | None:
    """The runs that have the measure, or None when none has. A run without it is not silently left out:
    then there is no sample, unless it failed (a failed run's time may be unknown)."""
    measured = [(value, c) for c in runs if (value := measure(c)) is not None]
    missing = [c for c in runs if measure(c) is None and c.work > 0]
    if not measured or missing:
        return None
    return ArmSample(
        cost=tuple(value for value, _ in measured),
        work=tuple(c.work for _, c in measured),
        block=tuple(c.run.block for _, c in measured),
        weight=tuple(c.weight for _, c in measured),
    )


def compare(arms: Arms, measure: Measure, confidence: float) -> RatioEstimate | None:
    """The ratio candidate / incumbent of a measure per unit of work; None where an arm lacks the measure."""
    if any(arm.summary is not None for arm in arms.both):
        return _compare_summaries(arms, measure, confidence)
    samples = [sample_of(arm.runs, measure) for arm in arms.both]
    if samples[0] is None or samples[1] is None:
        return None
    theta = ratio_of_means(samples[0], samples[1], confidence)
    return theta.model_copy(update={"qualifier": "screening", "units": 1}) if arms.days_apart else theta


def _compare_summaries(arms: Arms, measure: Measure, confidence: float) -> RatioEstimate | None:
    a, b = (_spread(arm, measure) for arm in arms.both)
    if a is None or b is None:
        return None
    return ratio_from_summaries(a.mean, a.sd, a.n, b.mean, b.sd, b.n, confidence)


def _spread(arm: ArmData, measure: Measure) -> MeanSpread | None:
    """Mean, standard deviation and n per unit of work, of the summary or of the runs."""
    if arm.summary is None:
        sample = sample_of(arm.runs, measure)
        if sample is None or sample.per_unit is None:
            return None
        worked, sd = sample.worked, None
        if worked > 1:
            sd = sample.per_unit * (worked * variance_of_mean(relative_residuals(sample), worked)) ** 0.5
        return MeanSpread(mean=sample.per_unit, sd=sd, n=worked)
    return summary_cost(arm.summary) if measure is cost_of else _summary_time(arm.summary)


def _summary_time(summary: Summary) -> MeanSpread | None:
    """Seconds per unit of work; a throughput's relative spread is that of its inverse to first order."""
    whole_run = summary.work_units is None and summary.throughput is not None
    if summary.duration_s is not None and not whole_run:
        scale = 1.0 / (summary.work_units or 1.0)
        return _scaled(summary.duration_s, scale, summary.n)
    if summary.throughput is not None and summary.throughput.mean > 0:
        mean, sd = 1.0 / summary.throughput.mean, summary.throughput.sd
        relative = None if sd is None else sd / summary.throughput.mean
        n = summary.throughput.n or summary.n
        return MeanSpread(mean=mean, sd=None if relative is None else relative * mean, n=n)
    return None


def summary_cost(summary: Summary) -> MeanSpread | None:
    """Cost per unit of work of a posted summary: its own, or its time at its price (already in one currency).

    None where the work behind a posted cost is not known: a throughput without its duration does not tell it.
    """
    if summary.cost is not None and summary.work_units is None and summary.throughput is not None:
        return None
    if summary.cost is not None:
        return _scaled(summary.cost, 1.0 / (summary.work_units or 1.0), summary.n)
    time = _summary_time(summary)
    if time is None or summary.price_per_hour is None:
        return None
    return _scaled(time, float(summary.price_per_hour) * summary.instance_count / SECONDS_PER_HOUR, summary.n)


def _scaled(spread: MeanSpread, scale: float, n: int | None) -> MeanSpread:
    sd = None if spread.sd is None else spread.sd * scale
    return MeanSpread(mean=spread.mean * scale, sd=sd, n=spread.n or n)


def cost_comparison(arms: Arms, confidence: float) -> Comparison | None:
    """Cost per unit of work; an arm without a price keeps the other's figure and gives no ratio."""
    results = {arm.name: arm_result(arm) for arm in arms.both}
    theta = compare(arms, cost_of, confidence)
    if theta is None:
        if all(r.cost_per_unit is None for r in results.values()):
            return None
        theta = RatioEstimate(point=None, confidence=confidence, method="none", reason="no-price")
    sensitivity = _sensitivity(arms, confidence) if theta.has_interval else {}
    return Comparison(unit=arms.unit, currency=arms.currency, theta=theta, arms=results, sensitivity=sensitivity)


def time_comparison(arms: Arms, confidence: float, cost: Comparison | None = None) -> Comparison | None:
    """Time for the same work; it needs no price. With the comparison of `cost` the arms' totals are those in it."""
    theta = compare(arms, time_of, confidence)
    if theta is None:
        return None
    results = cost.arms if cost else {arm.name: arm_result(arm) for arm in arms.both}
    return Comparison(unit=arms.unit, theta=theta, arms=results)


def _sensitivity(arms: Arms, confidence: float) -> dict[str, RatioEstimate]:
    """The same question by the methods that others would use, on runs that did work."""
    per_unit = [[c.cost / c.work for c in arm.ok_runs if c.cost and c.work > 0] for arm in arms.both]
    if min(len(values) for values in per_unit) < 2:
        return {}
    methods = {"geometric-welch": geometric_welch(per_unit[0], per_unit[1], confidence)}
    samples = [sample_of(arm.runs, cost_of) for arm in arms.both]
    if samples[0] and samples[1] and design_of(samples[0], samples[1]).value == "paired":
        of_block = [{c.run.block: c.cost / c.work for c in arm.ok_runs if c.cost and c.work > 0} for arm in arms.both]
        shared = [block for block in of_block[0] if block in of_block[1]]
        pairs = [[side[block] for block in shared] for side in of_block]
        if shared:
            methods["paired-log-ratio"] = paired_log_ratio(pairs[0], pairs[1], confidence)
    return methods


def without_first_runs(arms: Arms) -> Arms | None:
    """Both arms without their first run in time, where an arm's first run is far slower; else None."""
    if all(slow_first_run(arm) is None for arm in arms.both):
        return None
    first, second = (ArmData(arm.name, _after_first(arm)) for arm in arms.both)
    return weighed_runs(Arms(first, second, arms.unit, arms.currency))


def _after_first(arm: ArmData) -> tuple[CostedRun, ...]:
    """The runs without the first that did work: one that failed was not slow."""
    ordered = arm.in_time_order()
    first = next((i for i, c in enumerate(ordered) if c.work > 0), len(ordered))
    return ordered[:first] + ordered[first + 1 :]


def arm_result(arm: ArmData) -> ArmResult:
    """An arm's totals: the bill over the work, failed runs included, each run by its weight."""
    shared = {field: arm.one(field) for field in ("instance_type", "accelerator", "region")}
    if arm.summary is not None:
        return _summary_result(arm, arm.summary, shared)
    work = math.fsum(c.weight * c.work for c in arm.runs)
    hours, costs, times = (_total(arm, measure) for measure in (hours_of, cost_of, time_of))
    initialisation = [c.run.initialisation_s for c in arm.runs if c.run.initialisation_s is not None]
    return ArmResult(
        arm=arm.name,
        n=len(arm.runs),
        n_failed=arm.n_failed,
        work=work,
        cost_per_unit=costs / work if costs is not None and work else None,
        duration_per_unit_s=times / work if times is not None and work else None,
        hours_per_unit=hours / work if hours is not None and work else None,
        price_per_hour=costs / hours if costs is not None and hours else None,
        price_source=next((c.note for c in arm.runs if c.note), None),
        cv=_cv([c.cost / c.work for c in arm.ok_runs if c.cost is not None and c.work]),
        error_rate=error_rate(arm),
        initialisation_first_s=initialisation[0] if initialisation else None,
        initialisation_mean_s=sum(initialisation) / len(initialisation) if initialisation else None,
        slow_run_bound=slow_run_bound(len(arm.runs)) if arm.runs else None,
    ).model_copy(update=shared)


def _summary_result(arm: ArmData, summary: Summary, shared: dict[str, str | None]) -> ArmResult:
    cost, time = summary_cost(summary), _summary_time(summary)
    return ArmResult(
        arm=arm.name,
        n=arm.n,
        work=summary.work_units or float(arm.n),
        cost_per_unit=cost.mean if cost else None,
        duration_per_unit_s=time.mean if time else None,
        hours_per_unit=time.mean * summary.instance_count / SECONDS_PER_HOUR if time else None,
        price_per_hour=float(summary.price_per_hour) if summary.price_per_hour is not None else None,
        price_source=summary.price_source,
        cv=cost.sd / cost.mean if cost and cost.sd is not None and cost.mean else None,
    ).model_copy(update=shared)


def _total(arm: ArmData, measure: Measure) -> float | None:
    """Over the runs that the ratio is of, so that the arms' figures and the ratio agree."""
    sample = sample_of(arm.runs, measure)
    return sample.total_cost if sample else None


def _cv(values: Sequence[float]) -> float | None:
    if len(values) < 2:
        return None
    mean = sum(values) / len(values)
    variance = sum((v - mean) ** 2 for v in values) / (len(values) - 1)
    return float(variance**0.5 / mean) if mean else None
