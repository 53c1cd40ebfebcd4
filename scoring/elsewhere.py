"""What other comparisons of a posting measured: a limit that one of them is judged by is not missing here."""

from collections.abc import Iterable, Mapping, Sequence

from scoring.checks.guardrails import TRAINING, metric_key
from scoring.checks.scene import Elsewhere
from scoring.model.pilot import Pilot, Run, RunStatus, Summary
from scoring.selection import Group


def elsewhere(group: Group, groups: Sequence[Group], pilot: Pilot) -> Elsewhere:
    """Metrics by which another of the `groups` with two arms was measured, each with the name of the first that was.

    Training is not judged by latency, so a latency that was measured there is nobody's.
    """
    others = [other for other in groups if other.key != group.key and len(other.arm_names) > 1]
    serving = [other for other in others if other.phase not in TRAINING]
    return Elsewhere(
        quality=_first({other.name: _qualities(other, pilot) for other in others}),
        latency=_first({other.name: (name for row in _rows(other) for name in row.latency) for other in serving}),
    )


def _first(measured: Mapping[str, Iterable[str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for whose, names in measured.items():
        for name in names:
            found.setdefault(metric_key(name), whose)
    return found


def _rows(group: Group) -> list[Run | Summary]:
    return [*(run for run in group.runs if run.status is RunStatus.OK), *group.summaries]


def _qualities(group: Group, pilot: Pilot) -> list[str]:
    of_items = [i.metric for i in pilot.items if i.workload == group.workload and i.arm in group.arm_names]
    return [*(name for row in _rows(group) for name in row.quality), *of_items]
