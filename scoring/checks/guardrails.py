"""Are the guardrails measured? A limit that is set and cannot be judged must not pass for one that holds."""

from scoring.arms import ArmData
from scoring.checks.scene import Scene
from scoring.model.problem import Problem
from scoring.problems import question, warning


def check(scene: Scene) -> list[Problem]:
    """`guardrail-not-measured` (question), `quality-not-posted`, `quality-one-arm`, `quality-incomplete` (warnings)."""
    return _limits(scene) + _quality(scene)


def _limits(scene: Scene) -> list[Problem]:
    """A configured metric that some row holds and that both arms cannot be judged by.

    A metric that no row holds belongs to another workload of the repository.
    """
    problems = []
    kinds = (
        (scene.settings.margins, _quality_names, _quality_names),
        (scene.settings.latency_limits_s, _latency_names, _whole_latencies),
    )
    for configured, mentioned, judged in kinds:
        for name in configured:
            metric = metric_key(name)
            without = [arm.name for arm in scene.arms.both if metric not in judged(arm)]
            if without and any(metric in mentioned(arm) for arm in scene.arms.both):
                problems.append(question("guardrail-not-measured", metric=name, found=", ".join(without)))
    return problems


def _quality(scene: Scene) -> list[Problem]:
    a, b = (_quality_names(arm) for arm in scene.arms.both)
    if not a and not b:
        return [warning("quality-not-posted")]
    configured = {metric_key(name) for name in scene.settings.margins}
    lone = sorted((a ^ b) - configured)
    problems = [warning("quality-one-arm", metric=name) for name in lone]
    for arm in scene.arms.both:
        for name in sorted(a & b):
            held, total = sum(name in map(metric_key, c.run.quality) for c in arm.ok_runs), len(arm.ok_runs)
            if arm.summary is None and held < total:
                problems.append(warning("quality-incomplete", arm=arm.name, metric=name, found=str(held), total=total))
    return problems


def metric_key(name: str) -> str:
    """A metric's name as it is compared, whatever the case and the dashes of the settings."""
    return name.casefold().replace("-", "_")


def _quality_names(arm: ArmData) -> set[str]:
    held = [arm.summary.quality] if arm.summary is not None else [c.run.quality for c in arm.ok_runs]
    return {metric_key(name) for quality in held for name in quality}


def _latency_names(arm: ArmData) -> set[str]:
    held = [arm.summary.latency] if arm.summary is not None else [c.run.latency for c in arm.ok_runs]
    return {metric_key(name) for latency in held for name in latency}


def _whole_latencies(arm: ArmData) -> set[str]:
    """Latencies of every finished run; those of a summary are no repetitions and give no interval."""
    if arm.summary is not None:
        return set()
    return {n for n in _latency_names(arm) if all(n in map(metric_key, c.run.latency) for c in arm.ok_runs)}
