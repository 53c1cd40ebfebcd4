"""What would change the answer, and how many more runs would settle it."""

from collections.abc import Mapping, Sequence
from math import sqrt

from scoring.arms import Arms
from scoring.decide import ENOUGH_RUNS
from scoring.looks import next_level
from scoring.model.decision import Comparison, Flip, QualityComparison, Reason, Verdict, Word
from scoring.model.economics import Economics
from scoring.model.estimates import BLOCKS, LEAST, NOT_BY_RUNS, PAYS, SampleSize
from scoring.model.looks import Looks
from scoring.model.regret import Regret
from scoring.model.settings import Settings
from scoring.statistics.sample_size import runs_to_tell_apart

MOVING = (Word.SWITCH, Word.SPLIT)
GOAL = "settle"
GUARDRAILS = {"quality-inferior": "quality-within-margin", "latency-too-high": "latency-within-limit"}
"""A failed guardrail and what would undo it; no price does."""


def flips_of(verdict: Verdict, economics: Economics, quality: Sequence[QualityComparison]) -> tuple[Flip, ...]:
    """Prices and limits at which the verdict changes."""
    if any(r.code == "guardrail-not-judged" for r in verdict.reasons):
        return (Flip(code="fresh-runs"),)
    failed = [(code, r) for r in verdict.reasons if (code := _undone_by(r, quality)) is not None]
    if failed:
        return tuple(Flip(code=code, arguments={"metric": r.arguments["metric"]}) for code, r in failed)
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


def _undone_by(reason: Reason, quality: Sequence[QualityComparison]) -> str | None:
    if reason.code == "guardrail-undecidable":
        of_quality = any(q.metric == reason.arguments["metric"] for q in quality)
        return GUARDRAILS["quality-inferior" if of_quality else "latency-too-high"]
    return GUARDRAILS.get(reason.code)


def runs_to_settle(
    arms: Arms,
    cost: Comparison | None,
    k: float,
    verdict: Verdict,
    settings: Settings,
    looks: Looks | None = None,
    regret: Regret | None = None,
    guardrail_runs: Mapping[str, int | None] | None = None,
) -> SampleSize | None:
    """More runs an arm that the verdict asks for; 0 where it asks for none.

    Those that pay where money says so, else until theta and k can be told apart, and as many as an open guardrail
    needs. None where cost is settled and a guardrail is not, and nobody can tell how many would settle that; and where
    it is not runs that are missing.
    """
    limit = settings.planned_runs_per_arm
    if verdict.word in (*MOVING, Word.STAY):
        return SampleSize(goal=GOAL, likely=0, safe=0, limit=limit)
    if cost is None or cost.theta.point is None or verdict.word is None or cost.theta.reason in NOT_BY_RUNS:
        return None
    of_cost = _for_the_cost(arms, cost, k, verdict, settings, looks, regret)
    undecided = [str(r.arguments["metric"]) for r in verdict.reasons if r.code == "guardrail-undecided"]
    return _with_guardrails(of_cost, [(guardrail_runs or {}).get(m) for m in undecided]) if undecided else of_cost


def _with_guardrails(of_cost: SampleSize, needed: Sequence[int | None]) -> SampleSize | None:
    """As many as all of them take; None where cost takes none and that of a guardrail cannot be told."""
    known = [runs for runs in needed if runs]
    if len(known) < len(needed):
        return of_cost if of_cost.likely != 0 else None
    if of_cost.likely is None:
        return of_cost
    goal = of_cost.goal if of_cost.likely >= max(known) else GOAL
    return of_cost.model_copy(update={"goal": goal, "likely": max(of_cost.likely, *known), "safe": None})


def _for_the_cost(
    arms: Arms,
    cost: Comparison,
    k: float,
    verdict: Verdict,
    settings: Settings,
    looks: Looks | None,
    regret: Regret | None,
) -> SampleSize:
    """The power to tell theta from k is that of the next look, after those so far.

    A failed run spreads the bill over less work: with any, the spread is that of the whole ratio.
    """
    theta, limit, done = cost.theta, settings.planned_runs_per_arm, min(arm.n for arm in arms.both)
    codes = [reason.code for reason in verdict.reasons]
    if theta.reason == "confounded" or "screening-blocks" in codes:
        shared = 0 if theta.reason == "confounded" else theta.units
        return SampleSize(goal=BLOCKS, likely=max(ENOUGH_RUNS - shared, 1), safe=None, limit=limit)
    if looks is not None and _settled(looks, k):
        return SampleSize(goal=GOAL, likely=0, safe=0, limit=limit)
    if not theta.has_interval or theta.se_log is None:
        counted = min(theta.n_incumbent, theta.n_candidate, done)
        if counted > 1:  # several runs and no interval: all the work was done in one block
            return SampleSize(goal=BLOCKS, likely=ENOUGH_RUNS - 1, safe=None, limit=limit)
        return SampleSize(goal=LEAST, likely=max(ENOUGH_RUNS - counted, 1), safe=None, limit=limit)
    if regret is not None and regret.is_weighed and verdict.word is Word.EXTEND:
        asked = "screening" in codes or "runs-pay" in codes
        paying = regret.best.runs if asked and regret.best is not None and regret.pays else 0
        least = max(ENOUGH_RUNS - done, 1) if "screening" in codes else 0
        goal = PAYS if paying > least else LEAST if least else GOAL
        return SampleSize(goal=goal, likely=max(paying, least), safe=None, limit=limit)
    spreads = [cost.arms[arm.name].cv for arm in arms.both]
    if any(arm.n_failed for arm in arms.both):
        spreads = [theta.se_log * sqrt(done / 2)] * 2
    level, least = next_level(looks, limit, 1 - settings.confidence), max(done + 1, ENOUGH_RUNS)
    needed = runs_to_tell_apart(theta, spreads[0] or 0.0, spreads[1] or 0.0, k, level, least, limit)
    return needed.model_copy(
        update={"goal": GOAL, "likely": _more(needed.likely, done), "safe": _more(needed.safe, done)}
    )


def _settled(looks: Looks, k: float) -> bool:
    """Whether a bound that holds however often it was looked at lies beyond the break-even."""
    below = looks.theta_upper is not None and looks.theta_upper < k
    return below or (looks.theta_lower is not None and looks.theta_lower > k)


def _more(needed: int | None, done: int) -> int | None:
    return None if needed is None else needed - done
