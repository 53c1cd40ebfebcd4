"""Runs that repeat a seed: of quality they say again what the seed says, so they are averaged before anything else."""

from collections.abc import Sequence

from scoring.arms import ArmData, Arms
from scoring.model.pilot import Quality
from scoring.model.problem import Problem
from scoring.problems import warning

Readings = Sequence[tuple[str | None, Quality]]
"""Seed and value of each run."""
ENOUGH_SEEDS = 3


def by_seed(readings: Readings) -> list[tuple[str | None, Quality]]:
    """One reading a seed, the mean of its runs; a count stays one where they all counted the same.

    A seed fixes the order of the data and the first weights: what its runs differ by is the machine's noise, which
    says nothing of other seeds. Runs without a seed stand for themselves. The runs' time and cost are not touched:
    there every run is a measurement of the machine.
    """
    if not repeats(readings):
        return list(readings)
    of_seed: dict[str, list[Quality]] = {}
    found: list[tuple[str | None, Quality]] = []
    for seed, quality in readings:
        if seed is None:
            found.append((None, quality))
        else:
            of_seed.setdefault(seed, []).append(quality)
    return [*((seed, _mean(of)) for seed, of in of_seed.items()), *found]


def repeats(readings: Readings) -> bool:
    """Whether a seed stands at more than one run."""
    seeds = [seed for seed, _ in readings if seed is not None]
    return len(set(seeds)) < len(seeds)


def _mean(of: Sequence[Quality]) -> Quality:
    if len(set(of_counts := [(q.correct, q.items) for q in of])) == 1 and of_counts[0][0] is not None:
        return of[0]
    return Quality(value=sum(q.value for q in of) / len(of), in_percent=of[0].in_percent)


def said_of_seeds(arms: Arms) -> list[Problem]:
    """`seed-repeated`: how many runs of an arm are how many seeds."""
    return [problem for arm in arms.both if (problem := _said(arm)) is not None]


def _said(arm: ArmData) -> Problem | None:
    readings = [(c.run.seed, quality) for c in arm.ok_runs for quality in list(c.run.quality.values())[:1]]
    if not repeats(readings):
        return None
    return warning("seed-repeated", arm=arm.name, found=str(len(by_seed(readings))), total=len(readings))
