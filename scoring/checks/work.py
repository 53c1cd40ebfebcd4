"""Did both arms do the same work? Different amounts are put on one unit; different units are refused."""

from scoring.arms import ArmData
from scoring.checks.scene import Scene
from scoring.model.problem import Problem
from scoring.problems import error, warning

SAME_WORK = 0.02


def check(scene: Scene) -> list[Problem]:
    """`unit-differs`, `work-missing` (errors) and `different-work` (warning)."""
    incumbent, candidate = scene.arms.both
    units = [unit for arm in (incumbent, candidate) if (unit := arm.one("unit"))]
    if len(set(units)) > 1:
        return [error("unit-differs", found=" / ".join(units), expected="one unit of work for both arms")]
    problems = [p for arm in (incumbent, candidate) for p in _missing(arm)]
    if problems:
        return problems
    a, b = _mean_work(incumbent), _mean_work(candidate)
    if a and b and abs(a - b) > SAME_WORK * max(a, b):
        details = {"incumbent": incumbent.name, "candidate": candidate.name, "unit": scene.arms.unit}
        problems.append(warning("different-work", found=f"{a:g} / {b:g}", work_a=a, work_b=b, **details))
    return problems


def _missing(arm: ArmData) -> list[Problem]:
    return [
        error("work-missing", file=c.run.file, row=c.run.row, expected="the amount of work that this run did")
        for c in arm.ok_runs
        if c.work <= 0
    ][:5]


def _mean_work(arm: ArmData) -> float | None:
    if arm.summary is not None:
        return arm.summary.work_units
    works = [c.work for c in arm.ok_runs if c.run.duration_s is not None or c.run.throughput is None]
    return sum(works) / len(works) if works else None
