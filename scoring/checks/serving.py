"""Requests that did not complete: throughput counts completed ones only, too many lost ones refuse the comparison."""

from scoring.arms import ArmData
from scoring.checks.scene import Scene
from scoring.model.problem import Problem
from scoring.problems import error, warning


def error_rate(arm: ArmData) -> float | None:
    """Share of attempted requests that did not complete, over all runs of the arm; None when not posted."""
    attempted, lost = _requests(arm)
    return lost / attempted if attempted else None


def _requests(arm: ArmData) -> tuple[int, int]:
    """Requests attempted and lost, over the runs that tell both how many were sent and how many came back."""
    counted = [
        (c.run.requests_attempted, c.run.requests_completed)
        for c in arm.runs
        if c.run.requests_attempted is not None and c.run.requests_completed is not None
    ]
    return sum(a for a, _ in counted), sum(max(a - b, 0) for a, b in counted)


def check(scene: Scene) -> list[Problem]:
    """`error-rate-high` (error) above the limit, `requests-lost` (warning) below it."""
    return [p for arm in scene.arms.both for p in lost_requests(arm, scene.settings.error_rate_limit)]


def lost_requests(arm: ArmData, limit: float) -> list[Problem]:
    """The problem of one arm's lost requests, if it has one."""
    rate = error_rate(arm)
    if not rate:
        return []
    attempted, lost = _requests(arm)
    make, code = (error, "error-rate-high") if rate > limit else (warning, "requests-lost")
    found = f"{lost:,} of {attempted:,}"
    return [
        make(code, arm=arm.name, found=found, expected=f"at most {limit:.2%}", rate=rate, file=arm.runs[0].run.file)
    ]
