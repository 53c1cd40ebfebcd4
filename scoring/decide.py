"""The verdict. Guardrails first, then the interval of theta against the break-even ratio k, then money.

Reads like `docs/method.md`: policy blocks, an inferior guardrail stays, a proven saving switches, a proven
loss stays, and everything else needs more runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from scoring.model.decision import Basis, LatencyComparison, QualityComparison, Reason, Verdict, Word
from scoring.model.economics import Economics, Plan
from scoring.model.estimates import RatioEstimate
from scoring.model.problem import Problem, Severity

ENOUGH_RUNS = 3
WHOLE = 1 - 1e-9

BLOCKING = frozenset(
    {
        "price-missing",
        "price-ambiguous",
        "quote-expired",
        "currency-rate-missing",
        "cost-disagrees",
        "region-unknown",
        "demand-missing",
        "guardrail-not-measured",
        "quality-one-arm",
        "margin-too-wide",
        "quality-not-finite",
        "contract-not-matched",
        "contract-covers-both",
        "capacity-price-unknown",
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
    elif min(case.runs) < ENOUGH_RUNS:
        reason = Reason(code="screening", arguments={"runs": min(case.runs)})
    else:
        return None
    return Verdict(word=Word.EXTEND, basis=Basis.ECONOMIC, reasons=(reason,))


def _proven_saving(case: Case) -> Verdict | None:
    assert case.theta is not None and case.theta.hi is not None  # noqa: S101 - as above
    if case.theta.hi >= case.k or _undecided(case):
        return None
    reasons = [Reason(code="cheaper-proven", arguments={"hi": case.theta.hi, "k": case.k})]
    if _stays(case.economics):
        reasons.append(Reason(code="gain-too-small", arguments={"share": case.economics.split_minimum_gain}))
        return Verdict(word=Word.STAY, basis=Basis.ECONOMIC, reasons=tuple(reasons))
    if case.quality or any(x.is_guardrail for x in case.latency):
        reasons.append(Reason(code="guardrails-hold"))
    plan = case.economics.best
    if plan is None:
        return Verdict(word=Word.SWITCH, basis=Basis.PROVEN, reasons=tuple(reasons))
    on, full_on = _day(case.economics, plan.starts_at), _day(case.economics, plan.full_at)
    word = Word.SPLIT if is_split(case.economics, plan) else Word.SWITCH
    reasons.append(Reason(code=_timing(case.economics, plan, word)))
    return Verdict(word=word, on=on, full_on=full_on, basis=Basis.PROVEN, reasons=tuple(reasons))


def _proven_loss(case: Case) -> Verdict | None:
    assert case.theta is not None and case.theta.lo is not None  # noqa: S101 - as above
    if case.theta.lo <= case.k:
        return None
    arguments: dict[str, str | int | float] = {"lo": case.theta.lo, "k": case.k}
    return Verdict(
        word=Word.STAY, basis=Basis.PROVEN, reasons=(Reason(code="not-cheaper-proven", arguments=arguments),)
    )


def _open(case: Case) -> Verdict:
    undecided = [Reason(code="guardrail-undecided", arguments={"metric": m}) for m in _undecided(case)]
    assert case.theta is not None and case.theta.hi is not None  # noqa: S101 - as above
    if case.theta.hi >= case.k:
        undecided.insert(0, Reason(code="interval-holds-break-even", arguments={"k": case.k}))
    return Verdict(word=Word.EXTEND, basis=Basis.ECONOMIC, reasons=tuple(undecided))


RULES = (
    _unanswered,
    _blocked,
    _nothing_to_compare,
    _guardrail_failed,
    _too_few_runs,
    _proven_saving,
    _proven_loss,
    _open,
)


def _undecided(case: Case) -> list[str]:
    metrics = [q.metric for q in case.quality if not q.non_inferior]
    return metrics + [x.metric for x in case.latency if x.is_guardrail and not x.passes]


def _stays(economics: Economics) -> bool:
    """Whether the best plan moves nothing: where only a part may move, a small gain is not worth two platforms."""
    return economics.best is not None and economics.best.starts_at >= len(economics.months)


def is_split(economics: Economics, plan: Plan) -> bool:
    """Whether a plan leaves work on both arms for a time or for good."""
    if plan.starts_at < plan.full_at:
        return True
    return any(month.full_share < WHOLE for month in economics.months[plan.full_at :])


def _timing(economics: Economics, plan: Plan, word: Word) -> str:
    if word is Word.SPLIT:
        capped = any(month.full_share < WHOLE for month in economics.months)
        return "split-capacity" if capped else "split-overflow-first"
    return "move-when-commitment-ends" if plan.starts_at > 0 else "move-now"


def _day(economics: Economics, index: int) -> date | None:
    return economics.months[index].starts_on if index < len(economics.months) else None


def _reasons(problems: Sequence[Problem]) -> tuple[Reason, ...]:
    codes = dict.fromkeys(p.code for p in problems)
    first = {p.code: p for p in reversed(problems)}
    return tuple(Reason(code=code, arguments=_shown(first[code])) for code in codes)


def _shown(problem: Problem) -> dict[str, str | int | float]:
    places = {"found": problem.found, "expected": problem.expected, "column": problem.column}
    return {**problem.arguments, **{k: v for k, v in places.items() if v is not None}}
