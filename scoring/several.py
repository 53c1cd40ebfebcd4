"""Several comparisons in one posting: claims are held to Holm's levels together, and one candidate is chosen.

A workload, a phase or a candidate can be moved to on its own, so each is a claim of its own and all are one family:
the chance of even one false SWITCH in the posting stays at the level of a single test.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scoring.arms import Arms
from scoring.claims import p_of_parts
from scoring.decide import Case, decide
from scoring.flips import flips_of, runs_to_settle
from scoring.guardrail_runs import runs_for_guardrails
from scoring.guardrails import compare_latency, compare_quality
from scoring.looks import as_earlier
from scoring.model.decision import Basis, Claim, Decision, Multiplicity, Reason, Verdict, Word
from scoring.model.looks import Looks
from scoring.model.settings import Settings
from scoring.statistics.multiplicity import benjamini_hochberg, holm, holm_levels

MOVING = (Word.SWITCH, Word.SPLIT)
PREFERRED = (*MOVING, Word.EXTEND, Word.BLOCKED, None, Word.STAY)
"""Which answer is told where no candidate is proven: what may still become a move before what may not."""
OPEN = frozenset({"not-among-several", "interval-holds-break-even", "looks-widen", "looks-used-up"})
"""Reasons why nothing is proven of the cost."""
UNCORRECTED = (OPEN - {"not-among-several"}) | {"guardrail-undecided"}
"""Reasons that are true of the corrected bounds only, while the reply shows the others."""


@dataclass(frozen=True)
class Compared:
    """A comparison with what it takes to judge it again at another alpha; without `arms` there is nothing to judge.

    `look` gives the looks at it, with their bounds, for an alpha of all of them.
    """

    decision: Decision
    case: Case | None = None
    arms: Arms | None = None
    look: Callable[[float], Looks | None] | None = None

    def at_alpha(self, alpha: float) -> Case:
        """The case with every bound as it would be at that alpha."""
        assert self.case is not None and self.arms is not None and self.look is not None  # noqa: S101 - it has a p
        settings, looks = self.settings_at(alpha), self.look(alpha)
        level = looks.level if looks else 0.0
        return replace(
            self.case,
            looks=looks,
            quality=compare_quality(self.arms, self.decision.pilot.directions, settings, level),
            latency=compare_latency(self.arms, settings, level),
        )

    def settings_at(self, alpha: float) -> Settings:
        """The settings with that alpha's confidence."""
        return self.decision.settings.model_copy(update={"confidence": 1 - alpha})

    @property
    def name(self) -> tuple[str, str, str]:
        """What tells it from the others, whatever their order."""
        d = self.decision
        return (d.workload or "", d.phase or "", d.candidate or "")

    @cached_property
    def parts(self) -> dict[str | None, float]:
        """p of the cost (None) and of each guardrail; empty where no claim is possible."""
        told = self.case is not None and self.decision.verdict.word is not None
        return p_of_parts(self.case, self.at_alpha) if told and self.case is not None else {}

    @property
    def p(self) -> float | None:
        """Of the whole claim: every part must pass."""
        return max(self.parts.values()) if self.parts else None


def decide_together(groups: Sequence[Sequence[Compared]]) -> tuple[Decision, ...]:
    """One decision a group, which holds a workload's comparisons; a single comparison is left as it is."""
    everything = sorted((c for group in groups for c in group), key=lambda c: c.name)
    if len(everything) < 2:
        return tuple(c.decision for c in everything)
    judged = _judged(everything)
    told = [_of_group([judged[c.name] for c in group]) for group in groups]
    claims = tuple(claim for claim_and_rivals in told for claim in claim_and_rivals[1])
    alpha = 1 - everything[0].decision.settings.confidence
    family = Multiplicity(alpha=alpha, size=sum(c.p is not None for c in claims), claims=claims)
    return tuple(decision.model_copy(update={"multiplicity": family}) for decision, _ in told)


def _judged(everything: Sequence[Compared]) -> dict[tuple[str, str, str], tuple[Decision, Claim | None]]:
    """Each comparison's decision after the correction, with its claim; None of one that never had two arms."""
    tested = sorted((c for c in everything if c.p is not None), key=lambda c: (c.p or 0.0, c.parts[None], c.name))
    p = [c.p or 0.0 for c in tested]
    alpha = 1 - everything[0].decision.settings.confidence
    found = zip(tested, holm(p), benjamini_hochberg(p), holm_levels(p, alpha), strict=True)
    figures = {c.name: {"p": c.p, "p_adjusted": a, "p_triage": t, "level": at} for c, a, t, at in found}
    order = [c.name for c in (*tested, *(c for c in everything if c.p is None and c.arms is not None))]
    ranks = {name: rank for rank, name in enumerate(order, start=1)}
    return {c.name: _claimed(c, figures.get(c.name, {}), len(tested), ranks.get(c.name, 0)) for c in everything}


def _claimed(c: Compared, figures: dict[str, float | None], size: int, rank: int) -> tuple[Decision, Claim | None]:
    decision, level, adjusted = c.decision, figures.get("level"), figures.get("p_adjusted")
    alone = decision.verdict
    if decision.incumbent is None or decision.candidate is None:
        return decision, None
    failed = level is not None and adjusted is not None and (c.p or 0.0) > level
    if failed and alone.word in MOVING and alone.basis is Basis.PROVEN and level is not None:
        decision = _fallen(c, level, {"p": c.p or 0.0, "adjusted": adjusted or 0.0, "claims": size})
    claim = Claim(
        workload=decision.workload,
        phase=decision.phase,
        incumbent=decision.incumbent or "",
        candidate=decision.candidate or "",
        word=decision.verdict.word,
        alone=alone.word,
        basis=decision.verdict.basis,
        theta=decision.cost.theta if decision.cost else None,
        k=decision.economics.break_even_theta,
        p_cost=c.parts.get(None),
        p_guardrails={metric: p for metric, p in c.parts.items() if metric is not None},
        rank=rank,
        saving=_saving(decision),
        look=as_earlier(decision.looks) if decision.looks else None,
        reasons=decision.verdict.reasons,
    )
    return decision, claim.model_copy(update=figures)


def _fallen(c: Compared, level: float, arguments: dict[str, str | int | float]) -> Decision:
    """Proven alone and not among the others: what the rules say at the alpha that all of them leave to it."""
    assert c.arms is not None  # noqa: S101 - it has a p
    decision, case, settings = c.decision, c.at_alpha(level), c.settings_at(level)
    needed = runs_for_guardrails(case.quality, case.latency, c.arms.candidate.name, settings, case.looks)
    verdict = decide(replace(case, guardrail_runs=needed))
    if verdict.word in MOVING and verdict.basis is Basis.PROVEN:
        verdict = Verdict(word=Word.EXTEND, basis=Basis.ECONOMIC)
    more = runs_to_settle(c.arms, decision.cost, case.k, verdict, settings, case.looks, decision.regret, needed)
    kept = tuple(r for r in verdict.reasons if r.code not in UNCORRECTED)
    reason = Reason(code="not-among-several", arguments=arguments)
    verdict = verdict.model_copy(update={"reasons": (reason, *kept)})
    flips = flips_of(verdict, decision.economics, decision.quality)
    return decision.model_copy(update={"verdict": verdict, "next_runs": more, "flips": flips})


def _saving(decision: Decision) -> float | None:
    economics = decision.economics
    return economics.saving.point if economics.saving else economics.best.saving if economics.best else None


def _of_group(judged: Sequence[tuple[Decision, Claim | None]]) -> tuple[Decision, list[Claim]]:
    """The decision of the candidate to answer with, and the claims of all in the order posted."""
    claims = [claim for _, claim in judged if claim is not None]
    if not claims:
        return judged[0][0], []
    if len(claims) > 1:
        judged = [_never_best_of_many(decision, claim, len(claims)) for decision, claim in judged]
        claims = [claim for _, claim in judged if claim is not None]
    chosen = min(claims, key=_preference)
    decision = next(d for d, claim in judged if claim is chosen)
    told = [claim.model_copy(update={"is_chosen": claim is chosen}) for claim in claims]
    rivals = tuple(_not_chosen(claim, chosen) for claim in told if not claim.is_chosen)
    own = next(claim for claim in told if claim.is_chosen)
    everyone = [own if claim.is_chosen else rivals[_index(rivals, claim)] for claim in told]
    return decision.model_copy(update={"claim": own, "rivals": rivals}), everyone


def _never_best_of_many(decision: Decision, claim: Claim | None, count: int) -> tuple[Decision, Claim | None]:
    """Of several candidates none is moved to without proof: the best of many looks better than it is."""
    if claim is None or claim.is_proven or claim.word not in MOVING:
        return decision, claim
    why = tuple(r for r in claim.reasons if r.code in OPEN)
    reasons = (*why, Reason(code="best-of-several", arguments={"candidates": count}))
    verdict = Verdict(word=Word.EXTEND, basis=Basis.ECONOMIC, reasons=reasons)
    flips = flips_of(verdict, decision.economics, decision.quality)
    decision = decision.model_copy(update={"verdict": verdict, "next_runs": None, "flips": flips})
    return decision, claim.model_copy(update={"word": verdict.word, "reasons": reasons})


def _index(rivals: Sequence[Claim], claim: Claim) -> int:
    return next(i for i, r in enumerate(rivals) if r.candidate == claim.candidate)


def _not_chosen(claim: Claim, chosen: Claim) -> Claim:
    """Proven as well, and another one saves more: said first."""
    if not claim.is_proven:
        return claim
    reason = Reason(code="another-saves-more", arguments={"candidate": chosen.candidate})
    return claim.model_copy(update={"reasons": (reason, *claim.reasons)})


def _preference(claim: Claim) -> tuple[bool, int, float, float, str]:
    """Proven before the rest, then the larger saving, the lower ratio; the name settles what is equal."""
    theta = claim.theta.point if claim.theta is not None and claim.theta.point is not None else float("inf")
    order = 0 if claim.is_proven else PREFERRED.index(claim.word)
    return (not claim.is_proven, order, -(claim.saving or 0.0), theta, claim.candidate)
