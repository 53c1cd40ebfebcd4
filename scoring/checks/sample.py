"""Is the sample one? Too few runs, values that never vary, runs that overlap on one instance, runs that drift."""

from datetime import datetime

from scoring.arms import ArmData
from scoring.checks.scene import Scene
from scoring.model.pilot import RunStatus
from scoring.model.problem import Problem
from scoring.problems import info, warning
from scoring.statistics.slow_runs import AUTOCORRELATION_LIMIT, ENOUGH_FOR_DRIFT, lag1_autocorrelation

MIDNIGHT = (0, 0, 0)
"""Where all runs start at it, only their days were posted."""


def check(scene: Scene) -> list[Problem]:
    """`one-run`, `constant-values`, `runs-overlap`, `runs-drift` and the failed runs, counted or not."""
    problems: list[Problem] = []
    for arm in scene.arms.both:
        problems += _too_few(arm) + _constant(arm) + _overlap(arm) + _drift(arm) + _failed(arm)
    return problems


def _too_few(arm: ArmData) -> list[Problem]:
    return [warning("one-run", arm=arm.name, found=str(arm.n), expected="3 runs or more")] if arm.n == 1 else []


def _constant(arm: ArmData) -> list[Problem]:
    for column, field in (("duration", "duration_s"), ("throughput", "throughput")):
        values = [v for c in arm.ok_runs if (v := getattr(c.run, field)) is not None]
        if len(values) >= 3 and len(set(values)) == 1:
            found = f"{values[0]:g}"
            return [warning("constant-values", arm=arm.name, column=column, found=found, count=len(values))]
    return []


def _overlap(arm: ArmData) -> list[Problem]:
    """Two runs at once on one instance slow each other; only runs that share a block (an instance, a day) count."""
    timed = [(c.run.started_at, c.run.duration_s, c.run) for c in arm.runs if c.run.started_at and c.run.duration_s]
    if all((start.hour, start.minute, start.second) == MIDNIGHT for start, _, _ in timed):
        return []
    busy: dict[str | None, tuple[datetime, float]] = {}
    for start, duration, run in sorted(timed, key=lambda t: t[0]):
        since, length = busy.get(run.block, (start, 0.0))
        left = length - (start - since).total_seconds()
        if left > 0:
            place = {"file": run.file, "row": run.row}
            return [warning("runs-overlap", arm=arm.name, **place, found=start.isoformat())]
        busy[run.block] = (start, duration)
    return []


def _drift(arm: ArmData) -> list[Problem]:
    times = [c.run.duration_s / c.work for c in arm.in_time_order() if c.run.duration_s and c.work]
    if len(times) < ENOUGH_FOR_DRIFT or not all(c.run.started_at for c in arm.runs):
        return []
    correlation = lag1_autocorrelation(times)
    if correlation is None or correlation <= AUTOCORRELATION_LIMIT:
        return []
    return [warning("runs-drift", arm=arm.name, found=f"{correlation:.2f}", expected=f"≤ {AUTOCORRELATION_LIMIT}")]


def _failed(arm: ArmData) -> list[Problem]:
    failed = [c for c in arm.runs if c.run.status is RunStatus.FAILED]
    uncounted = [c.run for c in failed if c.hours is None and c.cost is None]
    problems = []
    if len(failed) > len(uncounted):
        found = str(len(failed) - len(uncounted))
        problems.append(info("failed-runs", arm=arm.name, found=found, total=len(arm.runs)))
    if uncounted:
        place = {"file": uncounted[0].file, "row": uncounted[0].row}
        problems.append(warning("failed-runs-not-counted", arm=arm.name, **place, found=str(len(uncounted))))
    return problems
