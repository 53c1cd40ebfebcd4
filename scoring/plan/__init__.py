"""A pilot before it begins: how many runs an arm, what they can see, and in which order to run them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scoring.decide import ENOUGH_RUNS
from scoring.looks import next_level
from scoring.model.decision import Decision
from scoring.plan.guardrails import guardrail_needs, with_tolerated
from scoring.plan.money import allocation_of, costs_of, stake_of
from scoring.plan.sheet import columns_of, next_number, run_sheet, work_of
from scoring.plan.spread import Spread, spread_of
from scoring.plan.values import (
    Aim,
    Allocation,
    GuardrailNeed,
    PlannedRun,
    PlanRequest,
    RunPlan,
    Stake,
    Worth,
)
from scoring.plan.worth import worth_of
from scoring.statistics.sample_size import POWER, POWER_FOR_EVERY_LOOK, smallest_effect, smallest_runs
from scoring.statistics.sequential import pocock_spending

__all__ = [
    "Aim",
    "Allocation",
    "GuardrailNeed",
    "PlanRequest",
    "PlannedRun",
    "RunPlan",
    "Spread",
    "Stake",
    "Worth",
    "plan_runs",
    "run_sheet",
]

DEFAULT_DETECT = 0.10
SHOWN_DETECTS = (0.02, 0.05, 0.10, 0.20)
WIDEST = math.log(1000)
"""Half an interval that says nothing any more."""
RECOMMENDED_LIMIT = 10
"""Most runs an arm to declare, where they suffice: the fewer looks are allowed for, the more each run proves."""


@dataclass(frozen=True)
class _Rule:
    """How the verdict will judge cost: one-sided, at the `level` of a look at so many runs after those so far."""

    spread: Spread
    level: Callable[[int], float]
    done: int
    limit: int
    per_block: int

    def power(self, effect: float, runs: int) -> float:
        return self.spread.power(effect, runs, self.level(runs), self.per_block)

    def runs_for(self, detect: float, wanted: float = POWER) -> int | None:
        effect, made = -math.log1p(-detect), min(self.done, self.limit)
        sofar = smallest_runs(lambda runs: self.power(effect, runs), wanted, ENOUGH_RUNS, made)
        least = max(made + 1, ENOUGH_RUNS)
        return sofar or smallest_runs(lambda runs: self.power(effect, runs), wanted, least, self.limit)


@dataclass(frozen=True)
class _Choice:
    """Runs an arm, the saving that they aim at, whether they reach it, and what took most runs."""

    runs: int
    detect: float | None
    reached: bool
    decided_by: str


def plan_runs(decision: Decision, request: PlanRequest) -> RunPlan:
    """A plan for the pilot that a decision was made of; one without runs gives defaults that say so."""
    settings, done = decision.settings, _done(decision)
    alpha, limit = 1 - settings.confidence, settings.planned_runs_per_arm
    level = next_level(decision.looks, limit, alpha)
    rule = _Rule(spread_of(decision, request.cv), level, done, limit, request.per_block)
    detects = sorted({*SHOWN_DETECTS, *([request.detect] if request.detect else [])})
    aims = tuple(_aim(detect, rule) for detect in detects)
    needs = guardrail_needs(decision, level, done)
    choice = _chosen(decision, request, rule, needs, done)
    runs, spread = choice.runs, rule.spread
    smallest = smallest_effect(lambda effect: rule.power(effect, runs))
    saving = None if smallest is None else -math.expm1(-smallest)
    arms = (
        decision.incumbent or settings.baseline or "incumbent",
        decision.candidate or settings.candidate or "candidate",
    )
    costs = costs_of(decision, arms, request.cost_per_run)
    more = max(runs - done, 0)
    per_run = None if costs[0] is None or costs[1] is None else costs[0] + costs[1]
    stake = stake_of(decision, arms[0], costs[0], saving, None if per_run is None else more * per_run)
    spend = stake.spend if stake else None
    is_set = "planned_runs_per_arm" in decision.settings_given
    fixed = is_set or decision.looks is not None
    declare, if_declared = (None, None) if fixed else _declared(rule, choice, aims, alpha)
    return RunPlan(
        incumbent=arms[0],
        candidate=arms[1],
        runs=runs,
        done=done,
        limit=limit,
        limit_is_set=is_set,
        declare=declare,
        runs_if_declared=if_declared,
        runs_if_every=_if_every(rule, choice) if decision.looks is None else None,
        reached=choice.reached,
        settled=0 < done == runs and request.detect is request.runs is request.half_width is None,
        detect=choice.detect,
        asked_half_width=request.half_width,
        decided_by=choice.decided_by,
        spread=spread,
        smallest_saving=saving,
        half_width=_share_of(spread.half_width(runs, settings.confidence, request.per_block)),
        power=POWER,
        spent=pocock_spending(alpha, runs / limit),
        confidence=settings.confidence,
        aims=aims,
        guardrails=tuple(with_tolerated(need, runs, level(runs)) for need in needs),
        currency=settings.currency,
        cost_incumbent=costs[0],
        cost_candidate=costs[1],
        allocation=allocation_of(arms, costs),
        stake=stake,
        worth=worth_of(decision, spread, per_run, request.cost_per_run is not None, spend, limit - done),
        seed=request.seed,
        per_block=request.per_block,
        sheet=run_sheet(*arms, next_number(decision, done), more, request.seed, request.per_block),
        sheet_of=work_of(decision),
        columns=columns_of(decision),
    )


def _share_of(log_width: float) -> float | None:
    return math.expm1(log_width) if log_width < WIDEST else None


def _done(decision: Decision) -> int:
    """Runs that did work, of the arm that has fewer."""
    counted = decision.cost or decision.time
    if counted is None or decision.incumbent is None or decision.candidate is None:
        return 0
    return min(counted.arms[name].n_worked for name in (decision.incumbent, decision.candidate))


def _aim(detect: float, rule: _Rule) -> Aim:
    cautious = rule.spread.cautious()
    safe = None if cautious is None else replace(rule, spread=cautious).runs_for(detect)
    return Aim(detect=detect, likely=rule.runs_for(detect), safe=safe)


def _chosen(
    decision: Decision, request: PlanRequest, rule: _Rule, needs: Sequence[GuardrailNeed], done: int
) -> _Choice:
    if request.runs is not None:
        return _Choice(request.runs, request.detect, True, "asked")
    if request.half_width is not None:
        return _for_half_width(request.half_width, decision.settings.confidence, rule)
    more = decision.next_runs.likely if decision.next_runs is not None and request.detect is None else None
    if more is not None:
        return _Choice(_whole_blocks(done + more, done, rule), None, True, "settle")
    detect, cost = _for_cost(decision, request.detect, rule)
    open_needs = [need for need in needs if need.spread is not None and not need.holds]
    numbers = {"cost": cost} | {need.metric: need.likely for need in open_needs}
    beyond = next((name for name, runs in numbers.items() if runs is None), None)
    if beyond is not None:
        return _Choice(max(rule.limit, done), detect, False, beyond)
    reached = {name: runs for name, runs in numbers.items() if runs is not None}
    most = max(reached, key=lambda name: reached[name])
    return _Choice(_whole_blocks(max(reached[most], done), done, rule), detect, True, most)


def _for_cost(decision: Decision, detect: float | None, rule: _Rule) -> tuple[float | None, int | None]:
    """The saving aimed at, and the runs an arm that it takes; none for a cost that is settled."""
    codes = {reason.code for reason in decision.verdict.reasons}
    if detect is None and "guardrail-undecided" in codes and "interval-holds-break-even" not in codes:
        return None, ENOUGH_RUNS
    aim = detect or DEFAULT_DETECT
    return aim, rule.runs_for(aim)


def _for_half_width(half_width: float, confidence: float, rule: _Rule) -> _Choice:
    wide = math.log1p(half_width)
    found = (
        n for n in range(ENOUGH_RUNS, rule.limit + 1) if rule.spread.half_width(n, confidence, rule.per_block) <= wide
    )
    runs = next(found, None)
    return _Choice(rule.limit if runs is None else runs, None, runs is not None, "half-width")


def _whole_blocks(runs: int, done: int, rule: _Rule) -> int:
    more = math.ceil((runs - done) / rule.per_block) * rule.per_block
    return max(min(done + more, rule.limit), runs)


def _if_every(rule: _Rule, choice: _Choice) -> int | None:
    decided = choice.decided_by == "cost" and choice.detect is not None
    return rule.runs_for(choice.detect, POWER_FOR_EVERY_LOOK) if decided and choice.detect else None


def _declared(rule: _Rule, choice: _Choice, aims: Sequence[Aim], alpha: float) -> tuple[int | None, int | None]:
    """The most runs an arm to declare where none are, and the runs that the aim then takes."""
    if not choice.reached:
        return None, None
    aim = next((aim for aim in aims if aim.detect == choice.detect), None)
    declare = max(RECOMMENDED_LIMIT, choice.runs, (aim.safe or 0) if aim else 0)
    if declare >= rule.limit:
        return None, None
    narrower = replace(rule, level=next_level(None, declare, alpha), limit=declare)
    return declare, narrower.runs_for(choice.detect) if choice.detect and choice.decided_by == "cost" else None
