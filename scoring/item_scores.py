"""Scores by item of both arms, as matrices over the items that all runs have."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.arms import ArmData, Arms
from scoring.checks.guardrails import metric_key
from scoring.model.pilot import ItemScores
from scoring.model.problem import Problem
from scoring.problems import info, warning
from scoring.statistics.items import Scores

FEWEST_ITEMS = 2


@dataclass(frozen=True)
class SharedItems:
    """One row a run, one column an item of those that every run scored; `total` counts all items."""

    incumbent: Scores
    candidate: Scores
    total: int


def shared_items(arms: Arms, metric: str) -> SharedItems | None:
    """None where an arm has no scores by item of the metric, or the runs share less than two items."""
    both = [_of(arm, metric) for arm in arms.both]
    if not both[0] or not both[1]:
        return None
    runs = [dict(zip(run.items, run.scores, strict=True)) for arm in both for run in arm]
    shared = [item for item in runs[0] if all(item in run for run in runs)]
    if len(shared) < FEWEST_ITEMS:
        return None
    matrices = [np.array([[run[item] for item in shared] for run in part]) for part in _parts(runs, len(both[0]))]
    return SharedItems(matrices[0], matrices[1], len({item for run in runs for item in run}))


def _of(arm: ArmData, metric: str) -> list[ItemScores]:
    return [scores for scores in arm.items if metric_key(scores.metric) == metric_key(metric)]


def _parts(runs: Sequence[dict[str, float]], of_first: int) -> tuple[Sequence[dict[str, float]], ...]:
    return runs[:of_first], runs[of_first:]


def said_of_items(arms: Arms) -> list[Problem]:
    """`items-differ`, `items-not-shared` (warnings) and `stderr-not-used` (info)."""
    problems: list[Problem] = []
    names = [dict.fromkeys(scores.metric for scores in arm.items) for arm in arms.both]
    for metric in (name for name in names[0] if name in names[1]):
        found = shared_items(arms, metric)
        if found is None:
            problems.append(warning("items-not-shared", metric=metric))
        elif found.total > found.incumbent.shape[1]:
            shown = f"{found.incumbent.shape[1]:,}"
            problems.append(warning("items-differ", metric=metric, found=shown, total=found.total))
    runs = (c.run for arm in arms.both for c in arm.ok_runs)
    with_stderr = dict.fromkeys(name for run in runs for name, q in run.quality.items() if q.stderr is not None)
    return problems + [info("stderr-not-used", metric=metric) for metric in with_stderr]
