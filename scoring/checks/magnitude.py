"""A factor of 60, 100, 1,000 … between the arms is more often a unit than a fact: asked, never fixed."""

import math
from collections.abc import Iterator

from scoring.arms import ArmData
from scoring.checks.scene import Scene
from scoring.model.estimates import MeanSpread
from scoring.model.problem import Problem
from scoring.problems import question

FACTORS = (60.0, 1000.0, 3600.0, 1e6)
QUALITY_FACTORS = (100.0, 1000.0)
NEAR = math.log(1.35)
NEAR_DEVICES = math.log(1.1)


def check(scene: Scene) -> list[Problem]:
    """`magnitude-factor` per quantity that both arms have; `per-device-suspected` for a throughput per device."""
    problems = []
    for name, a, b, factors in _quantities(scene):
        factor = _near_factor(a, b, factors)
        if factor is not None:
            details = {"column": name, "found": f"{a:g} / {b:g}", "factor": factor}
            problems.append(question("magnitude-factor", **details))
    return problems + _per_device(scene)


def _quantities(scene: Scene) -> Iterator[tuple[str, float, float, tuple[float, ...]]]:
    a, b = scene.arms.both
    yield from _pair("duration", _mean(a, "duration_s"), _mean(b, "duration_s"), FACTORS)
    yield from _pair("throughput", _mean(a, "throughput"), _mean(b, "throughput"), FACTORS)
    yield from _pair("work", _mean(a, "work_units"), _mean(b, "work_units"), FACTORS)
    for field, factors in (("quality", QUALITY_FACTORS), ("latency", FACTORS)):
        values_a, values_b = _by_name(a, field), _by_name(b, field)
        for name in (n for n in values_a if n in values_b):
            yield from _pair(name, values_a[name], values_b[name], factors)


def _pair(
    name: str, a: float | None, b: float | None, factors: tuple[float, ...]
) -> Iterator[tuple[str, float, float, tuple[float, ...]]]:
    if a and b and a > 0 and b > 0:
        yield name, a, b, factors


def _near_factor(a: float, b: float, factors: tuple[float, ...]) -> float | None:
    distance = abs(math.log(a / b))
    near = [f for f in factors if abs(distance - math.log(f)) <= NEAR]
    return min(near, key=lambda f: abs(distance - math.log(f))) if near else None


def _mean(arm: ArmData, field: str) -> float | None:
    if arm.summary is not None:
        value = getattr(arm.summary, field)
        return float(value.mean) if isinstance(value, MeanSpread) else value
    values = [v for c in arm.ok_runs if (v := getattr(c.run, field)) is not None]
    return sum(values) / len(values) if values else None


def _by_name(arm: ArmData, field: str) -> dict[str, float]:
    if arm.summary is not None:
        return {name: value.mean for name, value in getattr(arm.summary, field).items()}
    collected: dict[str, list[float]] = {}
    for costed in arm.ok_runs:
        for name, value in getattr(costed.run, field).items():
            collected.setdefault(name, []).append(value if isinstance(value, float) else value.value)
    return {name: sum(values) / len(values) for name, values in collected.items()}


def _per_device(scene: Scene) -> list[Problem]:
    """One arm per device and the other per instance: the throughputs differ by an arm's number of devices."""
    a, b = (_mean(arm, "throughput") for arm in scene.arms.both)
    if not a or not b:
        return []
    slower = scene.arms.incumbent if a < b else scene.arms.candidate
    devices = _devices(scene, slower)
    if devices < 4 or abs(abs(math.log(a / b)) - math.log(devices)) > NEAR_DEVICES:
        return []
    return [question("per-device-suspected", arm=slower.name, found=f"{a:g} / {b:g}", factor=devices)]


def _devices(scene: Scene, arm: ArmData) -> int:
    own = {c.run.device_count for c in arm.runs if c.run.device_count}
    if len(own) == 1:
        return own.pop()
    rows = scene.prices.find(arm.one("instance_type") or "", None)
    return next((r.accelerator_count for r in rows if r.accelerator_count), 0)
