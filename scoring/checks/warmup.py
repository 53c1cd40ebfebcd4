"""Compilation and warm-up: a far slower first run, and what runs outside the timed part. Shown, never dropped."""

from scoring.arms import ArmData
from scoring.checks.scene import Scene
from scoring.model.problem import Problem
from scoring.problems import info, warning
from scoring.statistics.slow_runs import first_run_factor

FAR_SLOWER = 1.5
WORTH_SAYING = 0.01


def check(scene: Scene) -> list[Problem]:
    """`first-run-slow` (warning), `initialisation-outside-run` and `warmup-inside-run` (info)."""
    problems = [p for arm in scene.arms.both for p in _first_run(arm)]
    return problems + _initialisation(scene) + _warmup(scene)


def slow_first_run(arm: ArmData) -> float | None:
    """How many times slower the arm's first run is than its others, where that is far."""
    times = [c.run.duration_s / c.work for c in arm.in_time_order() if c.run.duration_s and c.work]
    if len(times) < 3:
        return None
    factor = first_run_factor(times)
    return factor if factor is not None and factor > FAR_SLOWER else None


def _first_run(arm: ArmData) -> list[Problem]:
    factor = slow_first_run(arm)
    if factor is None:
        return []
    first = next(c.run for c in arm.in_time_order() if c.run.duration_s and c.work)
    return [warning("first-run-slow", arm=arm.name, file=first.file, row=first.row, factor=factor)]


def _initialisation(scene: Scene) -> list[Problem]:
    arguments: dict[str, object] = {}
    for role, arm in zip(("incumbent", "candidate"), scene.arms.both, strict=True):
        seconds = [c.run.initialisation_s for c in arm.runs if c.run.initialisation_s is not None]
        if not seconds:
            return []
        arguments |= {role: arm.name, f"first_{role}": seconds[0], f"mean_{role}": sum(seconds) / len(seconds)}
    code = "initialisation-counted" if scene.settings.count_initialisation else "initialisation-outside-run"
    return [info(code, **arguments)]


def _warmup(scene: Scene) -> list[Problem]:
    problems = []
    for arm in scene.arms.both:
        timed = [(c.run.warmup_s, c.run.duration_s) for c in arm.ok_runs if c.run.warmup_s and c.run.duration_s]
        share = sum(w for w, _ in timed) / sum(d for _, d in timed) if timed else 0.0
        if share > WORTH_SAYING:
            problems.append(info("warmup-inside-run", arm=arm.name, share=share))
    return problems
