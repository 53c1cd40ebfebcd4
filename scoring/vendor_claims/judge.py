"""A claim against one comparison: supported, contradicted, open (and how many runs decide it), or not tested.

The bounds are those of this look (`scoring/looks.py`): each alone is wrong in at most alpha of all pilots, however
often it is looked at. A claim is supported where the whole interval is within it, contradicted where all is outside.
"""

import math
import re

from scoring.decide import ENOUGH_RUNS
from scoring.looks import next_level, with_bounds
from scoring.model.decision import Comparison, Decision
from scoring.model.estimates import BLOCKS, LEAST, NOT_BY_RUNS, SampleSize
from scoring.statistics.sample_size import runs_to_tell_apart
from scoring.vendor_claims import words
from scoring.vendor_claims.values import Judgement, Metric, Statement, Word

GOAL = "claim"
WHOLE_RUN = "run"
POINTLESS = ("other-arms", "both-arms", "other-unit", "unanswered")
"""Reasons with which a measured ratio is no answer to the claim."""
COUNTED_ALIKE = (frozenset({"token", "output_token"}),)
"""Units that a claim does not tell apart."""


def judge(statement: Statement, decision: Decision) -> Judgement:
    """How one comparison of a pilot stands to a claim."""
    side = _side(statement, decision)
    oriented = statement.inverted() if side == "incumbent" else statement
    compared = decision.time if statement.metric is Metric.TIME else decision.cost
    notes = ("unit-of-run",) if statement.unit and compared is not None and compared.unit == WHOLE_RUN else ()
    base = Judgement(
        statement=oriented,
        word=Word.NOT_TESTED,
        incumbent=decision.incumbent,
        candidate=decision.candidate,
        inverted=side == "incumbent",
        point=compared.theta.point if compared else None,
        notes=notes,
    )
    reason = _why_not(statement, decision, compared, side)
    if reason is not None or compared is None:
        shown = {} if reason in POINTLESS or statement.ratio is None else {"point": base.point}
        return base.model_copy(
            update={"point": None, **shown, "reason": reason, "more": _least(decision, compared, reason)}
        )
    return _tested(base, decision, compared)


def _tested(base: Judgement, decision: Decision, compared: Comparison) -> Judgement:
    looks = with_bounds(decision.looks, compared.theta) if decision.looks else None
    if looks is None or looks.theta_lower is None or looks.theta_upper is None:
        return base.model_copy(update={"reason": "looks-used-up"})
    lower, upper = looks.theta_lower, looks.theta_upper
    claim = base.statement
    word = word_of(claim.low, claim.high, lower, upper)
    told: dict[str, object] = {"lower": lower, "upper": upper, "alpha": looks.alpha, "word": word}
    if claim.is_limit and claim.ratio is not None:
        told["as_least"] = word_of(None, claim.ratio, lower, upper)
    if word is Word.NOT_SUPPORTED:
        open_ends = [end for end in (claim.low, claim.high) if end is not None and lower <= end <= upper]
        told["more"] = _runs(decision, compared, open_ends)
    return base.model_copy(update=told)


def word_of(low: float | None, high: float | None, lower: float, upper: float) -> Word:
    """The interval `lower` to `upper` against a claim that the ratio lies between `low` and `high` (None: open)."""
    least, most = low if low is not None else 0.0, high if high is not None else math.inf
    if upper < least or lower > most:
        return Word.CONTRADICTED
    return Word.SUPPORTED if lower >= least and upper <= most else Word.NOT_SUPPORTED


def _why_not(statement: Statement, decision: Decision, compared: Comparison | None, side: str) -> str | None:
    if statement.metric not in (Metric.COST, Metric.TIME):
        return statement.metric.value
    if side in ("other", "both"):
        return f"{side}-arms"
    if decision.verdict.word is None:
        return "unanswered"
    if compared is None or compared.theta.point is None:
        return "no-time" if statement.metric is Metric.TIME else "no-cost"
    if not _same_unit(statement.unit, compared.unit):
        return "other-unit"
    theta = compared.theta
    if not theta.has_interval:
        return "one-run" if theta.reason == "one-run" else "no-interval"
    if theta.qualifier == "screening" or decision.looks is None:
        return "screening"
    return None


def _same_unit(claimed: str | None, counted: str) -> bool:
    if claimed is None or counted in (WHOLE_RUN, claimed):
        return True
    return any({claimed, counted} <= alike for alike in COUNTED_ALIKE)


def _side(statement: Statement, decision: Decision) -> str:
    """Of which arm it speaks: the candidate unless names say otherwise; `other` for machines that were not piloted, and
    `both` where one side names both arms and no move from one to the other.
    """
    named = {
        side: _names(decision, arm)
        for side, arm in (("incumbent", decision.incumbent), ("candidate", decision.candidate))
    }
    subject = _hits(statement.subject, named)
    reference = _hits(statement.reference, named)
    for text, hits in ((statement.reference, reference), (statement.subject, subject)):
        if not hits and words.ACCELERATORS.search(text) and any(named.values()):
            return "other"
    if len(subject) > 1 or len(reference) > 1:
        moved = words.MOVED.search(f"{statement.subject} {statement.reference}")
        before, after = (_hits(moved[i], named) if moved else set() for i in (1, 2))
        return after.pop() if before and len(after) == 1 and before.isdisjoint(after) else "both"
    if reference == {"candidate"} or (not reference and subject == {"incumbent"}):
        return "incumbent"
    return "candidate"


def _names(decision: Decision, arm: str | None) -> set[str]:
    compared = decision.cost or decision.time
    result = compared.arms.get(arm) if compared and arm else None
    told = (arm, result.accelerator if result else None, result.instance_type if result else None)
    return {_plain(name) for name in told if name}


def _hits(text: str, named: dict[str, set[str]]) -> set[str]:
    plain = _plain(text)
    models = {_plain(m).replace(" ", "") for m in words.ACCELERATORS.findall(text)}
    found = set()
    for side, names in named.items():
        whole = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", plain) for name in names)
        if whole or any(model in name.replace(" ", "") for model in models for name in names):
            found.add(side)
    return found


def _plain(text: str) -> str:
    return words.normalised(text).replace("trainium", "trn").replace("inferentia", "inf")


def _least(decision: Decision, compared: Comparison | None, reason: str | None) -> SampleSize | None:
    """The fewest runs after which a claim can be tested at all, where runs are what is missing."""
    if compared is None or reason not in ("one-run", "screening"):
        return None
    theta, limit = compared.theta, decision.settings.planned_runs_per_arm
    fewest = min(theta.n_incumbent, theta.n_candidate)
    if fewest >= ENOUGH_RUNS:
        return SampleSize(goal=BLOCKS, likely=max(ENOUGH_RUNS - theta.units, 1), safe=None, limit=limit)
    return SampleSize(goal=LEAST, likely=max(ENOUGH_RUNS - fewest, 1), safe=None, limit=limit)


def _runs(decision: Decision, compared: Comparison, ends: list[float]) -> SampleSize | None:
    """Further runs an arm that tell the ratio from every open end with power .8, after the looks so far."""
    theta, settings, looks = compared.theta, decision.settings, decision.looks
    if theta.point is None or theta.se_log is None or theta.reason in NOT_BY_RUNS or not ends or looks is None:
        return None
    done, limit = min(looks.now.runs_incumbent, looks.now.runs_candidate), settings.planned_runs_per_arm
    spread = theta.se_log * math.sqrt(done / 2)
    level = next_level(looks, limit, 1 - settings.confidence)
    needed = [runs_to_tell_apart(theta, spread, spread, end, level, max(done + 1, ENOUGH_RUNS), limit) for end in ends]
    likely, safe = ([getattr(n, which) for n in needed] for which in ("likely", "safe"))
    return SampleSize(
        goal=GOAL,
        likely=None if None in likely else max(likely) - done,
        safe=None if None in safe else max(safe) - done,
        limit=limit,
    )
