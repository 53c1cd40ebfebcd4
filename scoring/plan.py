"""A pilot before it begins: how many runs an arm, what they can see, and in which order to run them."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal

from scoring.decide import ENOUGH_RUNS
from scoring.model.base import Value
from scoring.model.decision import Comparison, Decision
from scoring.statistics.sample_size import (
    POWER,
    paired_power_of,
    power_of,
    smallest_effect,
    upper_spread,
)
from scoring.statistics.samples import t_quantile, welch_nu

ASSUMED_CV = 0.05
"""Of an arm's runs where nothing was measured: published training runs lie between 1 and 10 %."""
DEFAULT_DETECT = 0.10
_NUMBER = re.compile(r"(?<!\d)\d{1,6}\Z", re.ASCII)
SHOWN_DETECTS = (0.02, 0.05, 0.10, 0.20)


class Spread(Value):
    """How much runs differ: relative standard deviations of either arm's cost per unit, or of pairs within blocks.

    `pairs` is that of the relative difference inside a block; None where runs are not blocked. `nu` are the degrees
    of freedom behind either arm's figure, or twice those of the pairs; None for an assumption.
    """

    source: Literal["pilot", "given", "assumed"]
    incumbent: float
    candidate: float
    pairs: float | None
    nu: tuple[float, float] | None = None

    @classmethod
    def of_cv(cls, cv: float, source: Literal["given", "assumed"]) -> "Spread":
        """Both arms alike, one run of each in a block, and nothing gained by the block."""
        return cls(source=source, incumbent=cv, candidate=cv, pairs=math.sqrt(2) * cv)

    def cautious(self) -> "Spread | None":
        """What the true spread stays below with 80 % confidence; None where nothing was measured."""
        if self.nu is None:
            return None
        a, b = self.nu
        return self.model_copy(
            update={
                "incumbent": upper_spread(self.incumbent, a),
                "candidate": upper_spread(self.candidate, b),
                "pairs": None if self.pairs is None else upper_spread(self.pairs, a),
            }
        )

    def power(self, effect: float, runs: int, alpha: float) -> float:
        """Power to tell a log ratio from none with that many runs an arm, one-sided at alpha."""
        if self.pairs is not None:
            return paired_power_of(self.pairs, effect, runs, alpha)
        return power_of(self.incumbent, self.candidate, effect, runs, alpha)

    def half_width(self, runs: int, confidence: float) -> float:
        """Half of the two-sided interval of the log ratio that such a pilot is expected to give."""
        quantile = (1 + confidence) / 2
        if self.pairs is not None:
            return float(t_quantile(quantile, runs - 1)) * self.pairs / math.sqrt(runs)
        a, b = self.incumbent**2 / runs, self.candidate**2 / runs
        return float(t_quantile(quantile, welch_nu(a, runs, b, runs))) * math.sqrt(a + b)


class PlanRequest(Value):
    """What is asked: a number of runs an arm, or a saving to be told from none; a cost of one run where known."""

    runs: int | None = None
    detect: float | None = None
    cost_per_run: float | None = None
    cv: float | None = None
    seed: int


class Aim(Value):
    """Runs an arm that tell a saving from none with power .8: at the spread as it is, and at its cautious bound.

    None where it takes more than the plan's limit, or where there is no cautious bound.
    """

    detect: float
    likely: int | None
    safe: int | None


class PlannedRun(Value):
    """One line of the run sheet, in the order of running."""

    arm: str
    run: int
    block: str


class RunPlan(Value):
    """The plan. `runs` an arm in all, `done` of them already posted; costs are of one run, in `currency`.

    `settled` says that the runs so far give a verdict and more were not asked for.
    `smallest_saving` is what is told from none with power .8, None where nothing below 95 % is; `half_width` is the
    expected half interval as a share. `reached` is False where the aim takes more runs than `limit`.
    """

    incumbent: str
    candidate: str
    runs: int
    done: int
    limit: int
    reached: bool
    settled: bool
    detect: float | None
    spread: Spread
    smallest_saving: float | None
    half_width: float
    power: float
    confidence: float
    aims: tuple[Aim, ...]
    currency: str
    cost_incumbent: float | None
    cost_candidate: float | None
    seed: int
    sheet: tuple[PlannedRun, ...]

    @property
    def more(self) -> int:
        """Runs an arm that are still to be made."""
        return max(self.runs - self.done, 0)

    def cost_of(self, runs: int) -> float | None:
        """What that many runs of each arm cost together; None where a run's cost is not known."""
        if self.cost_incumbent is None or self.cost_candidate is None:
            return None
        return runs * (self.cost_incumbent + self.cost_candidate)


def plan_runs(decision: Decision, request: PlanRequest) -> RunPlan:
    """A plan for the pilot that a decision was made of; one without runs gives defaults that say so."""
    settings = decision.settings
    alpha, limit = (1 - settings.confidence) / 2, settings.planned_runs_per_arm
    spread, done = _spread(decision, request), _done(decision)
    detects = sorted({*SHOWN_DETECTS, *([request.detect] if request.detect else [])})
    aims = tuple(_aim(detect, spread, alpha, limit) for detect in detects)
    runs, detect, reached = _chosen(decision, request, aims, done, limit)
    smallest = smallest_effect(lambda effect: spread.power(effect, runs, alpha))
    incumbent = decision.incumbent or settings.baseline or "incumbent"
    candidate = decision.candidate or settings.candidate or "candidate"
    costs = [request.cost_per_run or _mean_cost(decision, arm) for arm in (incumbent, candidate)]
    return RunPlan(
        incumbent=incumbent,
        candidate=candidate,
        runs=runs,
        done=done,
        limit=limit,
        reached=reached,
        settled=0 < done == runs and detect is None and request.runs is None,
        detect=detect,
        spread=spread,
        smallest_saving=None if smallest is None else -math.expm1(-smallest),
        half_width=math.expm1(spread.half_width(runs, settings.confidence)),
        power=POWER,
        confidence=settings.confidence,
        aims=aims,
        currency=settings.currency,
        cost_incumbent=costs[0],
        cost_candidate=costs[1],
        seed=request.seed,
        sheet=run_sheet(incumbent, candidate, _next_number(decision, done), max(runs - done, 0), request.seed),
    )


def run_sheet(incumbent: str, candidate: str, first: int, count: int, seed: int) -> tuple[PlannedRun, ...]:
    """Blocks numbered from `first` with one run of each arm; each arm begins half of them, drawn by lot.

    The lot is a hash of seed and block, so that anybody can draw it again on any machine.
    """
    drawn = sorted(range(first, first + count), key=lambda block: _lot(seed, block))
    odd_one = _lot(seed, first)[0] % 2 if count % 2 else 0
    begun_by_incumbent = set(drawn[: count // 2 + odd_one])
    sheet: list[PlannedRun] = []
    for number in range(first, first + count):
        order = (incumbent, candidate) if number in begun_by_incumbent else (candidate, incumbent)
        sheet += [PlannedRun(arm=arm, run=number, block=f"b{number}") for arm in order]
    return tuple(sheet)


def _lot(seed: int, block: int) -> bytes:
    return sha256(f"{seed}/{block}".encode()).digest()


def _spread(decision: Decision, request: PlanRequest) -> Spread:
    if request.cv is not None:
        return Spread.of_cv(request.cv, "given")
    measured = (_measured(decision, c) for c in (decision.cost, decision.time) if c is not None)
    return next((spread for spread in measured if spread is not None), Spread.of_cv(ASSUMED_CV, "assumed"))


def _measured(decision: Decision, comparison: Comparison) -> Spread | None:
    """The spread of the runs so far; None where they tell none. A failed run spreads the bill over less work."""
    theta = comparison.theta
    if not theta.se_log or theta.nu is None or decision.incumbent is None or decision.candidate is None:
        return None
    arms = [comparison.arms[name] for name in (decision.incumbent, decision.candidate)]
    if any(arm.n_failed for arm in arms) or any(arm.cv is None for arm in arms):
        each = theta.se_log * math.sqrt(min(arm.n for arm in arms) / 2)
        cvs: Sequence[float] = (each, each)
    else:
        cvs = [arm.cv or 0.0 for arm in arms]
    pairs = theta.se_log * math.sqrt(theta.nu + 1) if theta.paired else None
    nu = (theta.nu, theta.nu) if theta.paired else (max(arms[0].n - 1.0, 1.0), max(arms[1].n - 1.0, 1.0))
    return Spread(source="pilot", incumbent=cvs[0], candidate=cvs[1], pairs=pairs, nu=nu)


def _done(decision: Decision) -> int:
    """Runs that both arms have."""
    counted = decision.cost or decision.time
    if counted is None or decision.incumbent is None or decision.candidate is None:
        return 0
    return min(counted.arms[name].n for name in (decision.incumbent, decision.candidate))


def _next_number(decision: Decision, done: int) -> int:
    """Above every number of a run or a block so far: an equal one would take an earlier run's place."""
    labels = [label for c in decision.runs for label in (c.run.run, c.run.block) if label]
    numbers = [int(found[0]) for label in labels if (found := _NUMBER.search(label))]
    counts = Counter(c.run.arm for c in decision.runs)
    return max([done, *numbers, *counts.values()]) + 1


def _aim(detect: float, spread: Spread, alpha: float, limit: int) -> Aim:
    effect, cautious = -math.log1p(-detect), spread.cautious()
    likely = _runs_for(spread, effect, alpha, limit)
    safe = None if cautious is None else _runs_for(cautious, effect, alpha, limit)
    return Aim(detect=detect, likely=likely, safe=safe)


def _runs_for(spread: Spread, effect: float, alpha: float, limit: int) -> int | None:
    """Smallest n an arm, at least as many as a verdict needs; None above the limit."""
    if spread.power(effect, limit, alpha) < POWER:
        return None
    enough = (n for n in range(ENOUGH_RUNS, limit + 1) if spread.power(effect, n, alpha) >= POWER)
    return next(enough, None)


def _chosen(
    decision: Decision, request: PlanRequest, aims: Sequence[Aim], done: int, limit: int
) -> tuple[int, float | None, bool]:
    """Runs an arm, the saving that they aim at, and whether they reach it."""
    if request.runs is not None:
        return request.runs, request.detect, True
    if request.detect is None and decision.next_runs is not None and decision.next_runs.likely is not None:
        return done + decision.next_runs.likely, None, True
    detect = request.detect or DEFAULT_DETECT
    likely = next(aim.likely for aim in aims if aim.detect == detect)
    return (limit, detect, False) if likely is None else (likely, detect, True)


def _mean_cost(decision: Decision, arm: str) -> float | None:
    costs = [c.cost for c in decision.runs if c.run.arm == arm and c.cost is not None]
    return math.fsum(costs) / len(costs) if costs else None
