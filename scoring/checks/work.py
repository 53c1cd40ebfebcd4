"""Did both arms do the same work? Different amounts are put on one unit; different units are refused."""

from scoring.arms import ArmData
from scoring.checks.scene import Scene
from scoring.model.pilot import Run, Summary
from scoring.model.problem import Problem
from scoring.problems import error, warning
from scoring.selection import WHOLE_RUN

SAME_WORK = 0.02
SHOWN = 5


def check(scene: Scene) -> list[Problem]:
    """`unit-differs`, `work-missing` (errors) and `different-work` (warning)."""
    incumbent, candidate = scene.arms.both
    units = dict.fromkeys(unit for arm in (incumbent, candidate) for unit in sorted(arm.values("unit")))
    if len(units) > 1:
        return [error("unit-differs", found=" / ".join(units), expected="one unit of work for both arms")]
    problems = [p for arm in (incumbent, candidate) for p in _missing(arm, scene.arms.unit)]
    if problems:
        return problems
    a, b = _mean_work(incumbent), _mean_work(candidate)
    if a and b and abs(a - b) > SAME_WORK * max(a, b):
        details = {"incumbent": incumbent.name, "candidate": candidate.name, "unit": scene.arms.unit}
        problems.append(warning("different-work", found=f"{a:g} / {b:g}", work_a=a, work_b=b, **details))
    return problems


def _missing(arm: ArmData, unit: str) -> list[Problem]:
    rows: list[Run | Summary] = [c.run for c in arm.ok_runs if c.work <= 0 and c not in arm.evaluations]
    if arm.summary is not None and unit != WHOLE_RUN and _without_work(arm.summary):
        rows = [arm.summary]
    expected = "the amount of work that this run did"
    return [error("work-missing", file=row.file, row=row.row, expected=expected) for row in rows[:SHOWN]]


def _without_work(summary: Summary) -> bool:
    """Whether a figure of the summary is of a whole run, and nothing tells how much work that was."""
    return summary.work_units is None and (summary.cost is not None or summary.throughput is None)


def _mean_work(arm: ArmData) -> float | None:
    if arm.summary is not None:
        return arm.summary.work_units
    works = [c.work for c in arm.ok_runs if c.run.duration_s is not None or c.run.throughput is None]
    return sum(works) / len(works) if works else None
