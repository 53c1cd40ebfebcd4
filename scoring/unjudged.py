"""Guardrails that more runs of the same kind would never settle, and what would: an EXTEND must name a way out."""

from collections.abc import Sequence

from scoring.guardrails import SEED_METHODS
from scoring.model.decision import LatencyComparison, QualityComparison
from scoring.model.problem import Problem
from scoring.problems import warning
from scoring.seeds import ENOUGH_SEEDS


def unjudged(
    quality: Sequence[QualityComparison], latency: Sequence[LatencyComparison], candidate: str
) -> list[Problem]:
    """`quality-no-spread`, `seeds-too-few`, and `limit-one-block`: one day or machine tells nothing of the others."""
    of_latency = [
        warning("limit-one-block", metric=x.metric, arm=candidate)
        for x in latency
        if x.is_guardrail and x.limit_s is not None and len(x.block_means.get(candidate, ())) == 1
    ]
    return [problem for q in quality if (problem := _of_quality(q)) is not None] + of_latency


def _of_quality(q: QualityComparison) -> Problem | None:
    reason, fewest = q.difference.reason, min(arm.n for arm in q.arms.values())
    if reason == "no-spread":
        return warning("quality-no-spread", metric=q.metric)
    if reason == "one-seed" or (q.difference.method in SEED_METHODS and fewest < ENOUGH_SEEDS):
        return warning("seeds-too-few", metric=q.metric, found=str(fewest))
    return None
