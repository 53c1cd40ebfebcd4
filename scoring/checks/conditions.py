"""Hidden dimensions: what differs between the arms besides the accelerator, and what varies within one arm."""

import re

from scoring.arms import ArmData
from scoring.checks.scene import Scene
from scoring.model.pilot import Run, Summary
from scoring.model.problem import Problem
from scoring.problems import error, info, warning

SHOWN = 8
PER_REQUEST = ("input_tokens_per_request", "output_tokens_per_request")
ALIKE_BETWEEN, ALIKE_WITHIN = 0.05, 0.2
"""Mean lengths of requests come out a little different each time: so far apart they are of other work."""


def check(scene: Scene) -> list[Problem]:
    """`condition-varies` (error), `condition-differs` (warning), `condition-one-sided` and `device-count-differs`."""
    problems = [p for arm in scene.arms.both for p in _varying(arm)]
    incumbent, candidate = (_constant(arm) for arm in scene.arms.both)
    differing = [
        f"{name}: {incumbent[name]} / {candidate[name]}"
        for name in sorted(incumbent.keys() & candidate.keys())
        if incumbent[name] != candidate[name]
    ]
    differing += _lengths_between(*scene.arms.both)
    one_sided = sorted(incumbent.keys() ^ candidate.keys())
    if differing:
        found = "; ".join(differing[:SHOWN]) + ("; …" if len(differing) > SHOWN else "")
        problems.append(warning("condition-differs", found=found, count=len(differing)))
    if one_sided:
        found = ", ".join(one_sided[:SHOWN]) + (", …" if len(one_sided) > SHOWN else "")
        problems.append(info("condition-one-sided", found=found, count=len(one_sided)))
    return problems + _instances(scene)


def _rows(arm: ArmData) -> list[Run | Summary]:
    return [c.run for c in arm.runs] or ([arm.summary] if arm.summary else [])


def _conditions(row: Run | Summary) -> dict[str, str]:
    own = {name: getattr(row, name) for name in ("instance_type", "region", "accelerator")}
    told = {name: value for name, value in row.conditions.items() if name not in PER_REQUEST}
    return {**told, **{name: value for name, value in own.items() if value}}


def _lengths(arm: ArmData) -> dict[str, list[float]]:
    """Mean lengths of the requests of each run, by what was counted."""
    lengths: dict[str, list[float]] = {}
    for row in _rows(arm):
        for name in PER_REQUEST:
            if (value := row.conditions.get(name)) and re.fullmatch(r"[0-9.]{1,15}", value):
                lengths.setdefault(name, []).append(float(value))
    return lengths


def _lengths_between(incumbent: ArmData, candidate: ArmData) -> list[str]:
    means = [{n: sum(of) / len(of) for n, of in _lengths(arm).items()} for arm in (incumbent, candidate)]
    return [
        f"{name}: {means[0][name]:g} / {means[1][name]:g}"
        for name in sorted(means[0].keys() & means[1].keys())
        if abs(means[0][name] - means[1][name]) > ALIKE_BETWEEN * max(means[0][name], means[1][name])
    ]


def _values(arm: ArmData) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for row in _rows(arm):
        for name, value in _conditions(row).items():
            seen = values.setdefault(name, [])
            if value not in seen:
                seen.append(value)
    return values


def _varying(arm: ArmData) -> list[Problem]:
    several = {name: seen for name, seen in _values(arm).items() if len(seen) > 1}
    several |= {
        name: [f"{min(lengths):g}", f"{max(lengths):g}"]
        for name, lengths in _lengths(arm).items()
        if max(lengths) - min(lengths) > ALIKE_WITHIN * max(lengths)
    }
    for name in ("instance_count", "device_count"):
        counts = {n for c in arm.runs if (n := getattr(c.run, name)) is not None}
        if len(counts) > 1:
            several[name] = [str(n) for n in sorted(counts)]
    return [
        error("condition-varies", arm=arm.name, column=name, found=", ".join(seen[:SHOWN]), expected="one value")
        for name, seen in several.items()
    ]


def _constant(arm: ArmData) -> dict[str, str]:
    """Conditions that are one value within the arm; what the arms are compared by is left out."""
    compared = ("instance_type", "region", "accelerator")
    return {name: seen[0] for name, seen in _values(arm).items() if len(seen) == 1 and name not in compared}


def _instances(scene: Scene) -> list[Problem]:
    counts = [arm.first.instance_count for arm in scene.arms.both if arm.first]
    if len(set(counts)) < 2:
        return []
    return [info("device-count-differs", found=" / ".join(str(n) for n in counts))]
