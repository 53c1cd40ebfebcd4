"""What would change the answer, and how many more runs would settle it."""

from collections.abc import Sequence
from math import sqrt

from scoring.arms import Arms
from scoring.decide import ENOUGH_RUNS
from scoring.model.decision import Comparison, Flip, QualityComparison, Verdict, Word
from scoring.model.economics import Economics
from scoring.model.estimates import SampleSize
from scoring.model.settings import Settings
from scoring.statistics.sample_size import runs_to_tell_apart

MOVING = (Word.SWITCH, Word.SPLIT)
GOAL = "settle"
GUARDRAILS = {"quality-inferior": "quality-within-margin", "latency-too-high": "latency-within-limit"}
"""A failed guardrail and what would undo it; no price does."""


def flips_of(verdict: Verdict, economics: Economics, quality: Sequence[QualityComparison]) -> tuple[Flip, ...]:
    """Prices and limits at which the verdict changes."""
    failed = [r for r in verdict.reasons if r.code in GUARDRAILS]
    if failed:
        return tuple(Flip(code=GUARDRAILS[r.code], arguments=r.arguments) for r in failed)
    flips = []
    moving, staying = verdict.word in MOVING, verdict.word is Word.STAY
    if economics.walk_away.candidate_price is not None:
        code = "candidate-price-above" if moving else "candidate-price-below" if staying else "walk-away-only"
        flips.append(Flip(code=code))
    if economics.walk_away.incumbent_price is not None and (moving or staying):
        flips.append(Flip(code=f"incumbent-price-{'below' if moving else 'above'}"))
    if moving:
        flips += [Flip(code="quality-beyond-margin", arguments={"metric": q.metric}) for q in quality]
    return tuple(flips)


def runs_to_settle(
    arms: Arms, cost: Comparison | None, k: float, verdict: Verdict, settings: Settings
) -> SampleSize | None:
    """More runs an arm until theta and k can be told apart; 0 where the verdict stands already.

    A failed run spreads the bill over less work: with any, the spread is that of the whole ratio. None where cost
    is settled and a guardrail is not.
    """
    limit = settings.planned_runs_per_arm
    if verdict.word in (*MOVING, Word.STAY):
        return SampleSize(goal=GOAL, likely=0, safe=0, limit=limit)
    if cost is None or cost.theta.point is None or verdict.word is None:
        return None
    done = min(arm.n for arm in arms.both)
    theta = cost.theta
    if theta.lo is not None and theta.hi is not None and done >= ENOUGH_RUNS and not theta.lo <= k <= theta.hi:
        undecided = any(reason.code == "guardrail-undecided" for reason in verdict.reasons)
        return None if undecided else SampleSize(goal=GOAL, likely=0, safe=0, limit=limit)
    if not theta.has_interval or theta.se_log is None:
        return SampleSize(goal=GOAL, likely=max(ENOUGH_RUNS - done, 1), safe=None, limit=limit)
    spreads = [cost.arms[arm.name].cv for arm in arms.both]
    if any(arm.n_failed for arm in arms.both):
        spreads = [theta.se_log * sqrt(done / 2)] * 2
    needed = runs_to_tell_apart(theta, spreads[0] or 0.0, spreads[1] or 0.0, k, 1 - settings.confidence, limit)
    return needed.model_copy(
        update={"goal": GOAL, "likely": _more(needed.likely, done), "safe": _more(needed.safe, done)}
    )


def _more(needed: int | None, done: int) -> int | None:
    return None if needed is None else max(max(needed, ENOUGH_RUNS) - done, 1)
