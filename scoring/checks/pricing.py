"""Spot against on-demand is not a comparison of accelerators: refused until the team says which it means."""

from scoring.arms import ArmData
from scoring.checks.scene import Scene
from scoring.model.pilot import Pricing, Run, Summary
from scoring.model.problem import Problem
from scoring.problems import error, warning

NOT_GIVEN = "not given"


def check(scene: Scene) -> list[Problem]:
    """`pricing-mixed`: an error unless the settings accept it, then a warning."""
    make = error if scene.settings.mixed_pricing == "refuse" else warning
    terms = {arm.name: _terms(arm) for arm in scene.arms.both}
    named = {term for of_arm in terms.values() for term in of_arm}
    if Pricing.SPOT.value not in named or len(named) < 2:
        return []
    found = "; ".join(f"{arm}: {', '.join(of_arm)}" for arm, of_arm in terms.items())
    return [make("pricing-mixed", found=found, expected="one pricing for both arms")]


def _terms(arm: ArmData) -> list[str]:
    """The terms that the arm's rows name; a row that names none beside one on spot may be on any."""
    rows: list[Run | Summary] = [c.run for c in arm.runs] or ([arm.summary] if arm.summary else [])
    return sorted({r.pricing.value if r.pricing else NOT_GIVEN for r in rows})
