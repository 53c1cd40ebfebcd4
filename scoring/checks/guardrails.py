"""Are the guardrails measured? A limit that is set and cannot be judged must not pass for one that holds."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache

from scoring.arms import ArmData
from scoring.checks.scene import Scene
from scoring.model.pilot import Phase
from scoring.model.problem import Problem
from scoring.problems import info, question, warning

Names = Callable[[ArmData], set[str]]
TRAINING = (Phase.TRAIN, Phase.FINETUNE, Phase.BATCH)


def check(scene: Scene) -> list[Problem]:
    """`guardrail-not-measured`, `quality-one-arm` (questions), `limit-not-measured`, `quality-not-posted`,
    `quality-incomplete` (warnings), `limit-of-another` (info).
    """
    limits = [] if _phase(scene) in TRAINING else list(scene.settings.latency_limits_s)
    margins, of_others = _told_apart(scene, list(scene.settings.margins), _quality_names, scene.elsewhere.quality)
    limits, too = _told_apart(scene, limits, _latency_names, scene.elsewhere.latency)
    return [
        *_limits(scene, margins, _quality_names, _quality_names, _phase(scene) is not Phase.SERVE),
        *_limits(scene, limits, _latency_names, _whole_latencies, True),
        *of_others,
        *too,
        *_quality(scene),
    ]


def _told_apart(
    scene: Scene, configured: list[str], mentioned: Names, elsewhere: Mapping[str, str]
) -> tuple[list[str], list[Problem]]:
    """Limits that this comparison is judged by, and what is said of those that are another's of the posting."""
    held = {name for arm in scene.arms.both for name in mentioned(arm)}
    others = {name: elsewhere[key] for name in configured if (key := metric_key(name)) in elsewhere and key not in held}
    told = [info("limit-of-another", metric=name, found=whose or "another") for name, whose in others.items()]
    return [name for name in configured if name not in others], told


def _phase(scene: Scene) -> Phase | None:
    first = scene.arms.incumbent.first
    return first.phase if first is not None else None


def _limits(scene: Scene, configured: list[str], mentioned: Names, judged: Names, expected: bool) -> list[Problem]:
    """Configured metrics by which both arms cannot be judged.

    One that no row holds may belong to another workload of the repository, unless it is `expected` that this one
    has one of them and it has none.
    """
    held = {name for arm in scene.arms.both for name in mentioned(arm)}
    none_held = expected and not any(metric_key(name) in held for name in configured)
    problems = []
    for name in configured:
        without = [arm.name for arm in scene.arms.both if metric_key(name) not in judged(arm)]
        if without and (none_held or metric_key(name) in held):
            problems.append(question("guardrail-not-measured", metric=name, found=", ".join(without)))
        elif without:
            problems.append(warning("limit-not-measured", metric=name))
    return problems


def _quality(scene: Scene) -> list[Problem]:
    a, b = (_quality_names(arm) for arm in scene.arms.both)
    if not a and not b:
        return [warning("quality-not-posted")]
    configured = {metric_key(name) for name in scene.settings.margins}
    lone = sorted((a ^ b) - configured)
    problems = [question("quality-one-arm", metric=name, found=_without(scene, name)) for name in lone]
    for arm in (arm for arm in scene.arms.both if arm.summary is None):
        held = Counter(metric_key(n) for c in arm.ok_runs for n in c.run.quality)
        total = len(arm.evaluations or arm.ok_runs)
        by_item = {metric_key(scores.metric) for scores in arm.items}
        for name in (name for name in sorted((a & b) - by_item) if held[name] < total):
            found = str(held[name])
            problems.append(warning("quality-incomplete", arm=arm.name, metric=name, found=found, total=total))
    return problems


def _without(scene: Scene, metric: str) -> str:
    return ", ".join(arm.name for arm in scene.arms.both if metric not in _quality_names(arm))


@lru_cache(maxsize=1024)
def metric_key(name: str) -> str:
    """A metric's name as it is compared, whatever the case and the dashes of the settings."""
    return name.casefold().replace("-", "_")


def _quality_names(arm: ArmData) -> set[str]:
    held = [arm.summary.quality] if arm.summary is not None else [c.run.quality for c in arm.ok_runs]
    by_item = {metric_key(scores.metric) for scores in arm.items}
    return by_item | {metric_key(name) for quality in held for name in quality}


def _latency_names(arm: ArmData) -> set[str]:
    held = [arm.summary.latency] if arm.summary is not None else [c.run.latency for c in arm.ok_runs]
    return {metric_key(name) for latency in held for name in latency}


def _whole_latencies(arm: ArmData) -> set[str]:
    """Latencies of every finished run; those of a summary are no repetitions and give no interval."""
    if arm.summary is not None:
        return set()
    return {n for n in _latency_names(arm) if all(n in map(metric_key, c.run.latency) for c in arm.timed_runs)}
