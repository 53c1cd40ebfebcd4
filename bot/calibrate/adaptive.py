"""The engine as a buyer follows it: post three runs an arm, do what the verdict says, post again, until it decides."""

from dataclasses import dataclass
from datetime import date
from functools import cache

from bot.calibrate.market import MOST, SPEND, K, Pilot
from bot.calibrate.row import Array
from scoring.arms import ArmData, Arms
from scoring.comparison import cost_comparison
from scoring.decide import Case, decide
from scoring.economics import no_economics
from scoring.looks import Plan, looks_at, with_bounds
from scoring.model.decision import Basis, CostedRun, Verdict, Word
from scoring.model.economics import Economics
from scoring.model.looks import EarlierLook
from scoring.model.pilot import Run
from scoring.model.settings import Settings
from scoring.regret import regret_of

FIRST = 3
DAY = date(2026, 12, 15)


@dataclass(frozen=True)
class Followed:
    """Where the verdicts led: moved or not, proven or not, after how many runs an arm and how many looks."""

    switches: bool
    proven: bool
    runs: int
    looks: int


def follow(pilot: Pilot, plan: int = MOST) -> Followed:
    """One pilot to its end: as many more runs each time as the verdict found worth their cost."""
    runs, earlier = FIRST, list[EarlierLook]()
    while True:
        verdict, more = _verdict(pilot.a[:runs], pilot.b[:runs], earlier, plan)
        earlier.append(EarlierLook(runs_incumbent=runs, runs_candidate=runs, planned=plan))
        if verdict.word is not Word.EXTEND:
            return Followed(verdict.word is Word.SWITCH, verdict.basis is Basis.PROVEN, runs, len(earlier))
        if runs >= plan:
            raise ValueError("asked for more runs than were planned")
        runs = min(runs + more, plan)


def _verdict(a: Array, b: Array, earlier: list[EarlierLook], plan: int) -> tuple[Verdict, int]:
    """What `analyse` would answer to these runs, and how many more an arm are worth the most."""
    settings, runs = _settings(plan), (len(a), len(b))
    arms = Arms(_arm("a", a), _arm("b", b), "run", settings.currency)
    cost = cost_comparison(arms, settings.confidence)
    theta = cost.theta if cost else None
    looks = with_bounds(looks_at("", runs, earlier, Plan.of(settings, ["planned_runs_per_arm"])), theta)
    regret = regret_of(arms, cost, _economics(plan), settings)
    verdict = decide(Case(theta, runs, (), (), _economics(plan), (), looks=looks, regret=regret, planned=plan))
    return verdict, regret.best.runs if regret and regret.best else 1


@cache
def _settings(plan: int) -> Settings:
    return Settings(planned_runs_per_arm=plan)


@cache
def _economics(plan: int) -> Economics:
    known = no_economics(_settings(plan), DAY, "no-hours")
    return known.model_copy(update={"break_even_theta": K, "value_per_theta": SPEND})


@cache
def _run(arm: str, number: int) -> Run:
    return Run(arm=arm, file="pilot.csv", row=number)


def _arm(name: str, costs: Array) -> ArmData:
    runs = [CostedRun(run=_run(name, i), hours=None, cost=float(cost), work=1.0) for i, cost in enumerate(costs)]
    return ArmData(name=name, runs=tuple(runs))
