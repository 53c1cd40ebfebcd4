"""How many runs quality and latency take to pass, each within its own margin or limit."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from scoring.decide import ENOUGH_RUNS
from scoring.model.decision import Decision, LatencyComparison, QualityComparison
from scoring.model.settings import Settings
from scoring.plan.values import GuardrailNeed
from scoring.statistics.quality import margin_of
from scoring.statistics.sample_size import (
    POWER,
    largest_spread,
    paired_power_of,
    power_of,
    smallest_runs,
    upper_spread,
)
from scoring.statistics.samples import mean, variance

Power = Callable[[int, float], float]
"""Of runs an arm and a one-sided level."""


@dataclass(frozen=True)
class _Rule:
    """How the verdict judges a guardrail: one-sided, at the `level` of a look at so many runs after those so far."""

    level: Callable[[int], float]
    done: int
    limit: int
    most: float

    def runs_for(self, power: Power, most: float = 1.0) -> int | None:
        """Smallest number above those made, at which a look at level `most` or less has power .8."""
        least = max(ENOUGH_RUNS, self.done + 1)
        return smallest_runs(lambda runs: power(runs, min(self.level(runs), most)), POWER, least, self.limit)


def guardrail_needs(decision: Decision, level: Callable[[int], float], done: int) -> tuple[GuardrailNeed, ...]:
    """One for each metric that was measured on both arms or that the settings name.

    `level` is the one-sided level of a look at so many runs of each arm, `done` the runs so far.
    """
    settings = decision.settings
    rule = _Rule(level, done, settings.planned_runs_per_arm, (1 - settings.confidence) / 2)
    needs = [_of_quality(q, rule) for q in decision.quality]
    needs += [_of_latency(x, rule) for x in decision.latency if x.is_guardrail]
    known = {need.metric for need in needs} | limits_of_others(decision)
    needs += [_unmeasured(name, settings) for name in settings.margins if name not in known]
    limits = [(name, limit) for name, limit in settings.latency_limits_s.items() if name not in known]
    needs += [
        GuardrailNeed(kind="latency", metric=name, margin=settings.latency_margin, margin_is_relative=True, limit_s=s)
        for name, s in limits
    ]
    return tuple(needs)


def limits_of_others(decision: Decision) -> set[str]:
    """Margins and limits by which another comparison of the posting is judged, and this one is not."""
    return {str(p.arguments["metric"]) for p in decision.problems if p.code == "limit-of-another"}


def with_tolerated(need: GuardrailNeed, runs: int, level: float) -> GuardrailNeed:
    """With the widest spread that passes with power .8 at so many runs an arm, where no spread was measured."""
    if need.spread is not None or need.kind == "latency":
        return need
    effect = margin_of(need.margin, need.margin_is_relative)
    widest = largest_spread(lambda sd: power_of(sd, sd, effect, runs, level), effect)
    return need.model_copy(update={"tolerated": widest})


def _unmeasured(name: str, settings: Settings) -> GuardrailNeed:
    margin = settings.margins[name]
    size = margin.absolute or margin.relative or settings.default_margin
    return GuardrailNeed(kind="quality", metric=name, margin=size, margin_is_relative=margin.absolute is None)


def _of_quality(q: QualityComparison, rule: _Rule) -> GuardrailNeed:
    need = GuardrailNeed(
        kind="quality",
        metric=q.metric,
        margin=q.margin,
        margin_is_relative=q.margin_is_relative,
        in_percent=q.in_percent,
        holds=q.non_inferior is True,
    )
    effect, difference = margin_of(q.margin, q.margin_is_relative), q.difference
    if difference.paired and difference.se and difference.nu:
        sd, nu = difference.se * math.sqrt(difference.nu + 1), difference.nu
        safe = rule.runs_for(_pairs(upper_spread(sd, nu), effect))
        return _with_runs(need, sd, rule.runs_for(_pairs(sd, effect)), safe)
    spreads = [_spread_of_runs(q, arm) for arm in q.arms]
    if not difference.se or any(sd is None for sd, _ in spreads):
        return need
    (a, n_a), (b, n_b) = [(sd or 0.0, n) for sd, n in spreads]
    likely = rule.runs_for(_two_arms((a, b), effect))
    safe = rule.runs_for(_two_arms((upper_spread(a, n_a - 1), upper_spread(b, n_b - 1)), effect))
    return _with_runs(need, math.sqrt((a * a + b * b) / 2), likely, safe)


def _spread_of_runs(q: QualityComparison, name: str) -> tuple[float | None, int]:
    """Standard deviation between an arm's runs on the scale of the margin, and how many there are."""
    arm = q.arms[name]
    if arm.sd is None or arm.mean is None or arm.n < 2:
        return None, arm.n
    return (arm.sd / abs(arm.mean) if q.margin_is_relative and arm.mean else arm.sd), arm.n


def _of_latency(x: LatencyComparison, rule: _Rule) -> GuardrailNeed:
    need = GuardrailNeed(
        kind="latency",
        metric=x.metric,
        margin=x.margin,
        margin_is_relative=True,
        limit_s=x.limit_s,
        holds=x.passes is True,
    )
    logs = [[math.log(v) for v in values if v > 0] for values in x.repetitions.values()]
    if len(logs) != 2 or min(len(values) for values in logs) < 2:
        return need
    (a, nu_a), (b, nu_b) = [(math.sqrt(variance(values)), len(values) - 1.0) for values in logs]
    if x.limit_s is not None:
        room = math.log(x.limit_s) - mean(logs[1])
        return _with_runs(need, b, rule.runs_for(_pairs(b, room)), rule.runs_for(_pairs(upper_spread(b, nu_b), room)))
    effect = math.log1p(x.margin)
    likely = rule.runs_for(_two_arms((a, b), effect), rule.most)
    safe = rule.runs_for(_two_arms((upper_spread(a, nu_a), upper_spread(b, nu_b)), effect), rule.most)
    return _with_runs(need, math.sqrt((a * a + b * b) / 2), likely, safe)


def _pairs(sd: float, effect: float) -> Power:
    return lambda runs, level: paired_power_of(sd, effect, runs, level)


def _two_arms(sds: tuple[float, float], effect: float) -> Power:
    return lambda runs, level: power_of(*sds, effect, runs, level)


def _with_runs(need: GuardrailNeed, spread: float, likely: int | None, safe: int | None) -> GuardrailNeed:
    return need.model_copy(update={"spread": spread, "likely": likely, "safe": safe})
