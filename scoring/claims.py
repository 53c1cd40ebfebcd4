"""How strong the claim "moving saves and nothing gets worse" is: one p for each part, and the largest for the whole.

An intersection–union test (Berger 1982): cost and each guardrail must pass at the full level, without correction, and
the p of the whole is the largest of theirs. Each p holds for all looks together: it is the smallest alpha at which the
bound of this look would prove the part (Maurer and Bretz 2013).
"""

import math
from collections.abc import Callable

from scipy.special import stdtr

from scoring.decide import ENOUGH_RUNS, Case
from scoring.model.decision import LatencyComparison, QualityComparison
from scoring.model.estimates import RatioEstimate
from scoring.statistics.multiplicity import smallest_level
from scoring.statistics.quality import margin_of

AtAlpha = Callable[[float], Case]
"""The same case with every bound as it would be at another alpha."""


def p_of_parts(case: Case, at_alpha: AtAlpha) -> dict[str | None, float]:
    """p of the cost (key None: "moving does not save") and of each guardrail by its metric ("it does not hold").

    Empty where no claim is possible: no interval, or a screening (fewer than three runs or blocks an arm).
    """
    if case.theta is None or not case.theta.has_interval or case.looks is None:
        return {}
    if min(case.runs) < ENOUGH_RUNS or case.theta.qualifier == "screening":
        return {}
    over_looks = _OverLooks(case, at_alpha)
    parts: dict[str | None, float] = {None: over_looks(p_below(case.theta, case.k))}
    for number, quality in enumerate(case.quality):
        parts[quality.metric] = _agreeing(
            over_looks(_p_quality(quality)), quality.non_inferior, case, _quality_passes(at_alpha, number)
        )
    for number, latency in enumerate(case.latency):
        if latency.is_guardrail:
            told = _p_latency(latency)
            known = None if told is None else max(over_looks(told), min(1.0, 2 * told))
            parts[latency.metric] = _agreeing(known, latency.passes, case, _latency_passes(at_alpha, number))
    return parts


def p_below(theta: RatioEstimate, k: float) -> float:
    """One-sided p of one look against a ratio of k or more: Student's t of the log ratio."""
    assert theta.point and theta.se_log and theta.nu  # noqa: S101 - an interval has all of them
    return 1.0 if k <= 0 else float(stdtr(theta.nu, (math.log(theta.point) - math.log(k)) / theta.se_log))


class _OverLooks:
    """From the p of one look to the alpha over all looks at which this look would be held against that p."""

    def __init__(self, case: Case, at_alpha: AtAlpha) -> None:
        assert case.looks is not None  # noqa: S101 - the caller looked
        self.looks, self.at_alpha = case.looks, at_alpha

    def __call__(self, p: float | None) -> float:
        if p is None:
            return 1.0
        if not self.looks.earlier and self.looks.level > 0:  # what the only look may spend is proportional to alpha
            return min(1.0, p * self.looks.alpha / self.looks.level)
        return smallest_level(lambda alpha: p < self._level(alpha))

    def _level(self, alpha: float) -> float:
        looks = self.at_alpha(alpha).looks
        return looks.level if looks else 0.0


def _agreeing(p: float | None, passes: bool | None, case: Case, at: Callable[[float], bool]) -> float:
    """The p by formula where it says what the rules say; else it is searched for with the rules themselves."""
    assert case.looks is not None  # noqa: S101 - as above
    if passes is None:
        return 1.0
    return p if p is not None and (p < case.looks.alpha) == passes else smallest_level(at)


def _p_quality(quality: QualityComparison) -> float | None:
    """One-sided t against a loss of the whole margin; None where the bound is no t bound."""
    d = quality.difference
    if d.point is None or not d.se or d.nu is None:
        return None
    return float(stdtr(d.nu, -(d.point + margin_of(quality.margin, quality.margin_is_relative)) / d.se))


def _p_latency(latency: LatencyComparison) -> float | None:
    if latency.limit_s is not None or not latency.ratio.has_interval:
        return None
    return p_below(latency.ratio, 1 + latency.margin)


def _quality_passes(at_alpha: AtAlpha, number: int) -> Callable[[float], bool]:
    return lambda alpha: bool(at_alpha(alpha).quality[number].non_inferior)


def _latency_passes(at_alpha: AtAlpha, number: int) -> Callable[[float], bool]:
    return lambda alpha: bool(at_alpha(alpha).latency[number].passes)
