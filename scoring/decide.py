"""The verdict. Guardrails first, then what is proven of theta against the break-even ratio k, then money.

Reads like `docs/method.md`: policy blocks, an inferior guardrail stays, a proven saving switches, a proven
loss stays; all else is weighed by `scoring.unproven`: more runs while they pay, then the smaller expected loss.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scoring.model.decision import Basis, LatencyComparison, QualityComparison, Reason, Verdict, Word
from scoring.model.economics import Economics
from scoring.model.estimates import RatioEstimate
from scoring.model.looks import Looks
from scoring.model.problem import Problem, Severity
from scoring.model.regret import Regret
from scoring.moving import move, stays
from scoring.unproven import Unproven, decide_unproven

ENOUGH_RUNS = 3

BLOCKING = frozenset(
    {
        "price-missing",
        "price-ambiguous",
        "quote-expired",
        "currency-rate-missing",
        "cost-disagrees",
        "region-unknown",
        "region-incomplete",
        "demand-missing",
        "guardrail-not-measured",
        "quality-one-arm",
        "quality-not-read",
        "quality-metric-missing",
        "margin-too-wide",
        "quality-not-finite",
        "contract-not-matched",
        "contract-covers-both",
        "plan-of-both-with",
        "capacity-price-unknown",
        "capacity-not-confirmed",
    }
)
"""Questions that name the one fact without which nobody may move; other questions leave no verdict at all."""


@dataclass(frozen=True)
class Case:
    """Everything that the verdict depends on."""

    theta: RatioEstimate | None
    runs: tuple[int, int]
    quality: Sequence[QualityComparison]
    latency: Sequence[LatencyComparison]
    economics: Economics
    problems: Sequence[Problem]
    unreadable: Sequence[Problem] = ()
    looks: Looks | None = None
    """None: too few runs for any proof."""
    regret: Regret | None = None
    planned: int = 30
    guardrail_runs: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def lower(self) -> float:
        """What theta is above, however often it was looked at; 0 where nothing is proven."""
        return 0.0 if self.looks is None or self.looks.theta_lower is None else self.looks.theta_lower

    @property
    def upper(self) -> float:
        """What theta is below, however often it was looked at; infinite where nothing is proven."""
        return math.inf if self.looks is None or self.looks.theta_upper is None else self.looks.theta_upper

    @property
    def k(self) -> float:
        """The break-even ratio: below it moving saves money."""
        return self.economics.break_even_theta


def decide(case: Case) -> Verdict:
    """The first rule that applies gives the answer."""
    return next(verdict for rule in RULES if (verdict := rule(case)) is not None)


def _unanswered(case: Case) -> Verdict | None:
    asked = [p for p in case.problems if p.severity is Severity.QUESTION and p.code not in BLOCKING]
    asked = [*case.unreadable, *asked]
    return Verdict(word=None, reasons=_reasons(asked)) if asked else None


def _blocked(case: Case) -> Verdict | None:
    refusing = (Severity.ERROR, Severity.QUESTION)
    blocking = [p for p in case.problems if p.severity in refusing]
    return Verdict(word=Word.BLOCKED, basis=Basis.POLICY, reasons=_reasons(blocking)) if blocking else None


def _nothing_to_compare(case: Case) -> Verdict | None:
    if case.theta is not None and case.theta.point is not None:
        return None
    reason = case.theta.reason if case.theta and case.theta.reason else "no-cost"
    return Verdict(word=None, reasons=(Reason(code=f"refused-{reason}"),))


def _guardrail_failed(case: Case) -> Verdict | None:
    if min(case.runs) < ENOUGH_RUNS:
        return None
    reasons = [Reason(code="quality-inferior", arguments={"metric": q.metric}) for q in case.quality if q.inferior]
    reasons += [
        Reason(code="latency-too-high", arguments={"metric": x.metric})
        for x in case.latency
        if x.is_guardrail and x.fails
    ]
    return Verdict(word=Word.STAY, basis=Basis.PROVEN, reasons=tuple(reasons)) if reasons else None


def _too_few_runs(case: Case) -> Verdict | None:
    assert case.theta is not None  # noqa: S101 - a case without theta ended in `_nothing_to_compare`
    if not case.theta.has_interval:
        reason = Reason(code=f"refused-{case.theta.reason or 'no-interval'}")
    elif case.theta.qualifier == "screening" and min(case.runs) >= ENOUGH_RUNS:
        reason = Reason(code="screening-blocks", arguments={"blocks": case.theta.units})
    elif min(case.runs) < ENOUGH_RUNS:
        reason = Reason(code="screening", arguments={"runs": min(case.runs)})
    else:
        return None
    return Verdict(word=Word.EXTEND, basis=Basis.ECONOMIC, reasons=(reason,))


def _proven_saving(case: Case) -> Verdict | None:
    if case.upper >= case.k or _undecided(case):
        return None
    reasons = [Reason(code="cheaper-proven", arguments={"hi": case.upper, **_held(case)}), *_one_sided(case)]
    if stays(case.economics):
        reasons.append(Reason(code="gain-too-small", arguments={"share": case.economics.split_minimum_gain}))
        return Verdict(word=Word.STAY, basis=Basis.ECONOMIC, reasons=tuple(reasons))
    if case.quality or any(x.is_guardrail for x in case.latency):
        reasons.append(Reason(code="guardrails-hold"))
    return move(case.economics, Basis.PROVEN, reasons)


def _proven_loss(case: Case) -> Verdict | None:
    if case.lower <= case.k:
        return None
    proven = Reason(code="not-cheaper-proven", arguments={"lo": case.lower, **_held(case)})
    return Verdict(word=Word.STAY, basis=Basis.PROVEN, reasons=(proven, *_one_sided(case)))


def _held(case: Case) -> dict[str, str | int | float]:
    """What a proof is against, and how many runs an arm it holds for: a look beyond the plan takes all that is left."""
    assert case.looks is not None  # noqa: S101 - nothing is proven without
    return {"k": case.k, "planned": max(case.looks.planned, min(case.runs))}


def _one_sided(case: Case) -> list[Reason]:
    """Why something is proven that the two-sided interval alone would leave open."""
    theta = case.theta
    if theta is None or theta.lo is None or theta.hi is None or not theta.lo <= case.k <= theta.hi:
        return []
    return [Reason(code="one-side-proven", arguments={"confidence": theta.confidence})]


def _unproven(case: Case) -> Verdict:
    assert case.theta is not None  # noqa: S101 - as above
    return decide_unproven(
        Unproven(
            theta=case.theta,
            k=case.k,
            economics=case.economics,
            regret=case.regret,
            done=min(case.runs),
            planned=case.planned,
            open_by=None if case.upper < case.k else _why_open(case),
            undecided=tuple(_undecided(case)),
            guardrail_runs=case.guardrail_runs,
            looks_used_up=case.looks is not None and case.looks.state == "used-up",
        )
    )


def _why_open(case: Case) -> Reason:
    """The interval holds the break-even; or it does not, and only the looks so far keep the proof back."""
    theta, looks = case.theta, case.looks
    if theta is None or looks is None or theta.lo is None or theta.hi is None or theta.lo <= case.k <= theta.hi:
        return Reason(code="interval-holds-break-even", arguments={"k": case.k})
    if looks.state == "used-up":
        return Reason(code="looks-used-up", arguments={"planned": looks.planned})
    bounds: dict[str, str | int | float] = {"lower": case.lower, "upper": case.upper}
    return Reason(code="looks-widen", arguments={"confidence": theta.confidence, **bounds, **_held(case)})


RULES = (
    _unanswered,
    _blocked,
    _nothing_to_compare,
    _guardrail_failed,
    _too_few_runs,
    _proven_saving,
    _proven_loss,
    _unproven,
)


def _undecided(case: Case) -> list[str]:
    metrics = [q.metric for q in case.quality if not q.non_inferior]
    return metrics + [x.metric for x in case.latency if x.is_guardrail and not x.passes]


def _reasons(problems: Sequence[Problem]) -> tuple[Reason, ...]:
    codes = dict.fromkeys(p.code for p in problems)
    first = {p.code: p for p in reversed(problems)}
    return tuple(Reason(code=code, arguments=_shown(first[code])) for code in codes)


def _shown(problem: Problem) -> dict[str, str | int | float]:
    places = {"found": problem.found, "expected": problem.expected, "column": problem.column}
    return {**problem.arguments, **{k: v for k, v in places.items() if v is not None}}
