"""Is it comparable? One file per family of checks; each returns problems, and a new family is one line here."""

from scoring.checks import conditions, guardrails, magnitude, pricing, regions, sample, serving, warmup, work
from scoring.checks.scene import Check, Scene
from scoring.model.problem import Problem

__all__ = ["Check", "Scene", "check_comparable"]

FAMILIES: tuple[Check, ...] = (
    work.check,
    magnitude.check,
    serving.check,
    pricing.check,
    conditions.check,
    regions.check,
    warmup.check,
    sample.check,
    guardrails.check,
)


def check_comparable(scene: Scene) -> list[Problem]:
    """All problems of all families, in the order of the families."""
    return [problem for family in FAMILIES for problem in family(scene)]
