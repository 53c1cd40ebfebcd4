"""The rules for what nothing proves: run on while that pays, then act on the smaller expected loss, and say so."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring.model.decision import Basis, Reason, Verdict, Word
from scoring.model.economics import Economics
from scoring.model.estimates import RatioEstimate
from scoring.model.regret import Regret
from scoring.moving import move, stays


@dataclass(frozen=True)
class Unproven:
    """What is left to weigh: neither a saving nor a loss is proven, or a guardrail is not shown to hold.

    `undecided` names the guardrails; `guardrail_runs` the further runs an arm that would decide each of them, None
    where no number within the plan would, and no entry where that cannot be told. `done` and `planned` count runs
    of each arm. `open_by` tells what keeps the saving from being proven, None where it is. `looks_used_up`: no
    guardrail can be shown to hold or to fail any more, wherever it was measured.
    """

    theta: RatioEstimate
    k: float
    economics: Economics
    regret: Regret | None
    done: int
    planned: int
    open_by: Reason | None
    undecided: tuple[str, ...] = ()
    guardrail_runs: Mapping[str, int | None] = field(default_factory=dict)
    looks_used_up: bool = False

    @property
    def proven(self) -> bool:
        """Whether the saving is, and only a guardrail keeps the move back."""
        return self.open_by is None

    @property
    def weighed(self) -> bool:
        """Whether further runs can be held against their cost."""
        return self.regret is not None and self.regret.is_weighed

    @property
    def pays(self) -> bool:
        """Whether some number of further runs is worth more than it costs."""
        return self.weighed and self.regret is not None and self.regret.pays

    @property
    def goes_on(self) -> bool:
        """Whether more runs are due for the cost alone: by their worth, or where that is not known by the plan."""
        return not self.proven and (self.pays if self.weighed else self.done < self.planned)

    @property
    def favours_moving(self) -> bool:
        """Whether moving has the smaller expected loss; where no loss is known, the better chance."""
        if self.proven:
            return True
        if self.regret is None:
            return self.theta.point is not None and self.theta.point < self.k
        if self.regret.regret_switch is None or self.regret.regret_stay is None:
            return self.regret.p_saves > 0.5
        return self.regret.regret_switch < self.regret.regret_stay


def decide_unproven(case: Unproven) -> Verdict:
    """The first rule that applies gives the answer."""
    return next(verdict for rule in RULES if (verdict := rule(case)) is not None)


def _staying_is_better(case: Unproven) -> Verdict | None:
    """No guardrail need be settled for a move that is not worth making."""
    if case.goes_on:
        return None
    if not case.favours_moving:
        reasons = (*_open(case), _weighed(case, "stay"), _ended(case))
    elif stays(case.economics):
        reasons = (*_open(case), _no_plan(case))
    else:
        return None
    return Verdict(word=Word.STAY, basis=Basis.ECONOMIC, reasons=reasons)


def _guardrail_undecidable(case: Unproven) -> Verdict | None:
    """A move on a guardrail that was not shown to hold is no answer, and runs that cannot show it are no help."""
    over = case.done >= case.planned
    beyond = [m for m in case.undecided if over or case.guardrail_runs.get(m, 0) is None]
    if not beyond:
        return None
    code = "guardrail-not-judged" if case.looks_used_up else "guardrail-undecidable"
    reasons = [Reason(code=code, arguments={"metric": metric, "runs": case.planned}) for metric in beyond]
    return Verdict(word=Word.STAY, basis=Basis.ECONOMIC, reasons=tuple(reasons))


def _run_on(case: Unproven) -> Verdict | None:
    if not case.goes_on and not case.undecided:
        return None
    reasons = _open(case)
    if case.pays and case.goes_on and case.regret is not None and case.regret.best is not None:
        reasons.append(Reason(code="runs-pay", arguments={"runs": case.regret.best.runs}))
    reasons += [Reason(code="guardrail-undecided", arguments={"metric": metric}) for metric in case.undecided]
    return Verdict(word=Word.EXTEND, basis=Basis.ECONOMIC, reasons=tuple(reasons))


def _move(case: Unproven) -> Verdict:
    return move(case.economics, Basis.ECONOMIC, (*_open(case), _weighed(case, "switch"), _ended(case)))


RULES = (_staying_is_better, _guardrail_undecidable, _run_on, _move)


def _open(case: Unproven) -> list[Reason]:
    return [] if case.open_by is None else [case.open_by]


def _weighed(case: Unproven, answer: str) -> Reason:
    if case.regret is None:
        point = case.theta.point or 0.0
        return Reason(code=f"point-{answer}", arguments={"ratio": point, "k": case.k})
    chance = min(max(round(100 * case.regret.p_saves), 1), 99)
    return Reason(code=f"economic-{answer}", arguments={"chance": chance})


def _no_plan(case: Unproven) -> Reason:
    """Why the best plan stays though moving is likely to save: a split that gains too little, or the ratio itself."""
    point = case.theta.point or 0.0
    if point >= case.k:
        return Reason(code="point-stay", arguments={"ratio": point, "k": case.k})
    return Reason(code="gain-too-small", arguments={"share": case.economics.split_minimum_gain})


def _ended(case: Unproven) -> Reason:
    if case.done >= case.planned:
        return Reason(code="planned-runs-made", arguments={"runs": case.planned})
    return Reason(code="no-run-pays")
