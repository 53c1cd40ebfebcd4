"""From decisions to the facts that a review asks of them."""

from collections.abc import Iterator
from math import isfinite

from scoring.model.decision import Comparison, Decision, QualityComparison
from scoring.model.economics import Band, Month, Plan
from scoring.model.estimates import RatioEstimate
from scoring.review.given import DecisionFact, MonthForecast, QualityForecast


def facts_of(
    decision: Decision,
    issue: int,
    seq: int,
    url: str | None = None,
    memo_sha256: str | None = None,
    repository: str | None = None,
) -> Iterator[DecisionFact]:
    """One fact for each comparison of a decision, in their order; `repository` None for the home's."""
    for part, one in enumerate((decision, *decision.others), start=1):
        economics, verdict, regret = one.economics, one.verdict, one.regret
        yield DecisionFact(
            repository=repository,
            issue=issue,
            seq=seq,
            part=part,
            url=url,
            decided_on=one.decided_on,
            workload=one.workload,
            incumbent=one.incumbent,
            candidate=one.candidate,
            verdict=verdict.word,
            basis=verdict.basis,
            on=verdict.on,
            full_on=verdict.full_on,
            reasons=tuple(reason.code for reason in verdict.reasons),
            currency=economics.currency,
            horizon_months=economics.horizon_months,
            saving=_saving(one),
            theta=_theta(one.cost.theta) if one.cost else None,
            level=one.settings.confidence,
            unit=one.cost.unit if one.cost else None,
            incumbent_cost_per_unit=_unit_cost(one.cost, one.incumbent),
            candidate_cost_per_unit=_unit_cost(one.cost, one.candidate),
            quality=tuple(_quality(q, one) for q in one.quality),
            months=tuple(_month(m, economics.best) for m in economics.months),
            runs_worth=regret.best.net if regret and regret.best else None,
            further_runs=regret.best.runs if regret and regret.best else None,
            evpi=regret.evpi if regret else None,
            document=decision.document,
            memo_sha256=memo_sha256,
        )


def _saving(decision: Decision) -> Band | None:
    economics = decision.economics
    if economics.saving is not None:
        return economics.saving
    return Band(point=economics.best.saving) if economics.best else None


def _theta(theta: RatioEstimate) -> Band | None:
    if theta.point is None or not isfinite(theta.point):
        return None
    return Band(point=theta.point, lo=theta.lo, hi=theta.hi)


def _unit_cost(cost: Comparison | None, arm: str | None) -> float | None:
    found = cost.arms.get(arm) if cost and arm else None
    return found.cost_per_unit if found else None


def _quality(quality: QualityComparison, decision: Decision) -> QualityForecast:
    arm = quality.arms.get(decision.incumbent or "")
    difference = quality.difference
    return QualityForecast(
        metric=quality.metric,
        direction=quality.direction,
        incumbent_mean=arm.mean if arm else None,
        difference=difference.point,
        lo=difference.lo,
        hi=difference.hi,
        margin=quality.margin,
        margin_is_relative=quality.margin_is_relative,
        in_percent=quality.in_percent,
    )


def _month(month: Month, best: Plan | None) -> MonthForecast:
    """The plan's month: its own at each of the three levels; where staying is best, what staying costs."""
    planned = month.stay_cost
    if month.plan_cost is not None:
        planned = month.plan_cost
    elif best is not None and month.index >= best.full_at:
        planned = month.full_cost
    elif best is not None and month.index >= best.starts_at:
        planned = month.partial_cost
    return MonthForecast(
        starts_on=month.starts_on, stay_cost=month.stay_cost, planned_cost=planned, gone_share=month.gone_share
    )
