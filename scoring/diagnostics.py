"""From two arms to what their few runs cannot show; nothing here changes the answer."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, log
from statistics import median

from scoring.arms import ArmData, Arms
from scoring.blocks import design_of_arms, weighed_runs
from scoring.comparison import Measure, compare, cost_of, time_of
from scoring.model.decision import CostedRun
from scoring.model.diagnostics import ArmDiagnostics, Diagnostics, Outlier, SlowShare
from scoring.model.estimates import RatioEstimate
from scoring.statistics.slow_runs import (
    ENOUGH_FOR_DRIFT,
    ENOUGH_FOR_OUTLIERS,
    first_run_factor,
    flipping_slow_share,
    lag1_autocorrelation,
    robust_distances,
    slow_run_bound,
)

SLOW = 1.5
SLOWDOWNS = (1.5, 2.0, 3.0)
FAR = 3.5
"""Robust standard deviations beyond which a value is called an outlier (Iglewicz and Hoaglin 1993)."""
WORTH_SAYING = 0.02
"""Of the median, and of the ratio: nearer runs, and runs that move the ratio less, are not worth a word."""
MOST_OUTLIERS = 3
FEW = 0.2
"""Of an arm's runs: where more lie far off it runs at several levels, and none of them is the odd one."""


def diagnose(arms: Arms, theta: RatioEstimate | None, k: float, confidence: float) -> Diagnostics | None:
    """None for posted summaries, which hold no runs."""
    if any(arm.summary is not None for arm in arms.both):
        return None
    measure = cost_of if all(c.cost is not None for arm in arms.both for c in arm.ok_runs) else time_of
    blocks = [{c.run.block for c in arm.runs} - {None} for arm in arms.both]
    return Diagnostics(
        design=design_of_arms(arms),
        blocks_shared=len(blocks[0] & blocks[1]),
        arms=tuple(_arm(arm, measure, confidence) for arm in arms.both if _measured(arm, measure)),
        slow_shares=_slow_shares(theta.point if theta else None, k),
        outliers=_outliers(arms, measure, theta, k),
    )


def _measured(arm: ArmData, measure: Measure) -> list[tuple[CostedRun, float]]:
    """Runs that did work, in time order, with what a unit of it took."""
    runs = [(c, measure(c)) for c in arm.in_time_order() if c.work > 0]
    return [(c, value / c.work) for c, value in runs if value is not None]


def _arm(arm: ArmData, measure: Measure, confidence: float) -> ArmDiagnostics:
    values = [value for _, value in _measured(arm, measure)]
    slow = sum(value > SLOW * median(values) for value in values)
    timed = len(values) >= ENOUGH_FOR_DRIFT and all(c.run.started_at for c in arm.runs)
    return ArmDiagnostics(
        arm=arm.name,
        n=len(values),
        slow_seen=slow,
        slow_run_bound=slow_run_bound(len(values), 1 - confidence, slow),
        autocorrelation=lag1_autocorrelation(values) if timed else None,
        first_run_factor=first_run_factor(values) if len(values) > 2 else None,
    )


def _slow_shares(theta: float | None, k: float) -> tuple[SlowShare, ...]:
    """Where theta is below k: a share above one cannot happen and is left out."""
    if theta is None or not 0 < theta < k:
        return ()
    shares = ((slowdown, flipping_slow_share(theta, k, slowdown)) for slowdown in SLOWDOWNS)
    return tuple(SlowShare(slowdown=slowdown, share=share) for slowdown, share in shares if share <= 1)


def _outliers(arms: Arms, measure: Measure, theta: RatioEstimate | None, k: float) -> tuple[Outlier, ...]:
    """The runs worth knowing of: far off, few, and such that the answer's ratio hangs on them; the weightiest first."""
    if theta is None or not theta.point:
        return ()
    point = theta.point
    found = [outlier for arm in arms.both for outlier in _outliers_of(arms, arm, measure, theta.confidence)]
    return tuple(sorted((o for o in found if _matters(o, theta, k)), key=lambda o: -_moved(o, point))[:MOST_OUTLIERS])


def _moved(outlier: Outlier, point: float) -> float:
    """By how much the logarithm of the ratio would be another without the run."""
    without = outlier.ratio_without.point if outlier.ratio_without else None
    return abs(log(without / point)) if without else inf


def _matters(outlier: Outlier, theta: RatioEstimate, k: float) -> bool:
    point, without = theta.point or 0.0, outlier.ratio_without.point if outlier.ratio_without else None
    return without is None or _moved(outlier, point) > WORTH_SAYING or (point < k) != (without < k)


def _outliers_of(arms: Arms, arm: ArmData, measure: Measure, confidence: float) -> list[Outlier]:
    measured = _measured(arm, measure)
    values = [value for _, value in measured]
    if len(values) < ENOUGH_FOR_OUTLIERS:
        return []
    centre = median(values)
    far = [
        (distance, c, value)
        for (c, value), distance in zip(measured, robust_distances(values), strict=True)
        if distance > FAR and abs(value / centre - 1) > WORTH_SAYING
    ]
    if len(far) > FEW * len(values):
        return []
    return [
        Outlier(
            arm=arm.name,
            run=c.run.run,
            file=c.run.file,
            row=c.run.row,
            per_unit=value,
            median=centre,
            distance=distance,
            ratio_without=_without(arms, c, measure, confidence),
        )
        for distance, c, value in sorted(far, key=lambda f: -f[0])[:MOST_OUTLIERS]
    ]


def _without(arms: Arms, left_out: CostedRun, measure: Measure, confidence: float) -> RatioEstimate | None:
    a, b = (replace(arm, runs=_others(arm.runs, left_out)) for arm in arms.both)
    return compare(weighed_runs(replace(arms, incumbent=a, candidate=b)), measure, confidence)


def _others(runs: Sequence[CostedRun], left_out: CostedRun) -> tuple[CostedRun, ...]:
    return tuple(c for c in runs if c is not left_out)
