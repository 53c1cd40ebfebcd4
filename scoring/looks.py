"""Which looks count at a comparison and at what level it is judged now, so that asking often proves nothing more.

Information is the harmonic mean of both arms' runs over the planned runs an arm: the variance of the log ratio falls
with 1/n_A + 1/n_B. It is the same for shared blocks, since the plan counts runs an arm there too.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from scoring.decide import ENOUGH_RUNS
from scoring.model.decision import Decision, Word
from scoring.model.estimates import RatioEstimate
from scoring.model.looks import EarlierLook, Look, Looks
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import warning
from scoring.statistics.samples import bounded_exp, t_quantile
from scoring.statistics.sequential import last_level, pocock_spending

KEY_DIGITS = 16
SAME = 1e-9
"""Fractions that differ by less are one look."""
ANSWERS = (Word.SWITCH, Word.STAY, Word.SPLIT, Word.EXTEND)
"""Words in whose place a proof could have stood; a blocked look or one without an answer spends nothing."""


def comparison_key(workload: str | None, phase: str | None, arms: Iterable[str]) -> str:
    """The same for the same work and the same two arms, whichever of them is the incumbent."""
    named = "\x1f".join([workload or "", phase or "", *sorted(arms)])
    return sha256(named.encode()).hexdigest()[:KEY_DIGITS]


@dataclass(frozen=True)
class Plan:
    """Planned runs an arm, whether a team said so, and the one-sided alpha of all looks together."""

    planned: int
    declared: bool
    alpha: float

    @classmethod
    def of(cls, settings: Settings, given: Iterable[str]) -> "Plan":
        """As the settings in force say; alpha is one-sided, as for quality."""
        return cls(settings.planned_runs_per_arm, "planned_runs_per_arm" in given, 1 - settings.confidence)

    def look(self, runs: tuple[int, int], planned: int | None = None) -> Look:
        """A look at so many runs, with what may be spent up to it by the larger of both plans' functions."""
        fraction = _information(runs, self.planned)
        spent = max(pocock_spending(self.alpha, f) for f in (fraction, _information(runs, planned or self.planned)))
        return Look(runs_incumbent=runs[0], runs_candidate=runs[1], fraction=fraction, spent=spent)


def looks_at(key: str, runs: tuple[int, int], earlier: Iterable[EarlierLook], plan: Plan) -> Looks:
    """The looks at the comparison `key` with these runs of both arms. In which order looks were made does not matter.

    One with as many runs is the same look. A plan that was changed between looks gives nothing of what was spent back.
    """
    made = [plan.look((e.runs_incumbent, e.runs_candidate), e.planned) for e in earlier if _counts(e, key)]
    now = plan.look(runs)
    others = _distinct([look for look in made if abs(look.fraction - now.fraction) > SAME])
    before = [look for look in others if look.fraction < now.fraction]
    most = others[-1].spent if others else 0.0
    state: Literal["open", "used-up", "fewer-runs"] = "open"
    if len(before) < len(others):
        state = "fewer-runs"
        level = max(pocock_spending(plan.alpha, others[-1].fraction + 1 / plan.planned) - most, 0.0)
    else:
        spent = (*(look.spent for look in before), max(now.spent, most))
        level = last_level((*(look.fraction for look in before), now.fraction), spent)
    now = now.model_copy(update={"spent": max(now.spent, most + level if state == "fewer-runs" else most)})
    if level <= 0:
        state = "used-up"
    return Looks(
        key=key,
        earlier=tuple(others),
        now=now,
        planned=plan.planned,
        declared=plan.declared,
        alpha=plan.alpha,
        level=level,
        state=state,
    )


def with_bounds(looks: Looks, theta: RatioEstimate | None) -> Looks:
    """The looks with the repeated one-sided bounds of theta: its own t quantile, at the level of this look."""
    if theta is None or not theta.has_interval or theta.se_log is None or theta.nu is None or looks.level <= 0:
        return looks
    assert theta.point is not None  # noqa: S101 - an interval has a point
    wide = bounded_exp(t_quantile(1 - looks.level, theta.nu) * theta.se_log)
    lower, upper = theta.point / wide, min(theta.point * wide, bounded_exp(math.inf))
    return looks.model_copy(update={"theta_lower": lower, "theta_upper": upper})


def looks_problems(looks: Looks | None) -> list[Problem]:
    """Runs that were there at an earlier look and are not any more."""
    if looks is None or not looks.earlier or looks.earlier[-1].fraction <= looks.now.fraction:
        return []
    return [warning("looks-fewer-runs", found=_shown(looks.now), expected=_shown(looks.earlier[-1]))]


def _shown(look: Look) -> str:
    a, b = look.runs_incumbent, look.runs_candidate
    return str(a) if a == b else f"{a}/{b}"


def next_level(looks: Looks | None, planned: int, alpha: float) -> Callable[[int], float]:
    """The one-sided level of a look at so many runs of each arm, after the looks so far, this one among them.

    At no more runs than now it is what was left by then, at most: proof that was not found there is not found later.
    """
    made = [] if looks is None else _distinct([*looks.earlier, looks.now])

    def level(runs: int) -> float:
        fraction = runs / planned
        spent = pocock_spending(alpha, fraction)
        if looks is not None and fraction <= made[-1].fraction + SAME:
            return min(spent, looks.level)
        before = made[-1].spent if made else 0.0
        fractions = (*(look.fraction for look in made), fraction)
        return last_level(fractions, (*(look.spent for look in made), max(spent, before)))

    return level


def looks_made(decision: Decision) -> tuple[EarlierLook, ...]:
    """What is to be remembered of an answer: a look for each comparison in it that could have been a proof."""
    made = []
    for one in (decision, *decision.others):
        if one.looks is not None and one.verdict.word in ANSWERS:
            made.append(as_earlier(one.looks))
        made += [claim.look for claim in one.rivals if claim.look is not None and claim.word in ANSWERS]
    return tuple(made)


def as_earlier(looks: Looks) -> EarlierLook:
    """The look that is made now, as a later one will count it."""
    now = looks.now
    runs = {"runs_incumbent": now.runs_incumbent, "runs_candidate": now.runs_candidate}
    return EarlierLook(comparison=looks.key, planned=looks.planned, **runs)


def _counts(look: EarlierLook, key: str) -> bool:
    """Whether it was of this comparison, with runs enough to prove anything."""
    return look.comparison in (None, key) and min(look.runs_incumbent, look.runs_candidate) >= ENOUGH_RUNS


def _information(runs: tuple[int, int], planned: int) -> float:
    """Harmonic mean of both arms' runs, over the planned runs an arm."""
    return 2 / (1 / runs[0] + 1 / runs[1]) / planned


def _distinct(looks: Sequence[Look]) -> list[Look]:
    """By rising information, one at each; what was spent never falls."""
    found: list[Look] = []
    for look in sorted(looks, key=lambda look: (look.fraction, look.spent)):
        spent = max(look.spent, found[-1].spent) if found else look.spent
        if found and look.fraction - found[-1].fraction <= SAME:
            found.pop()
        found.append(look.model_copy(update={"spent": spent}))
    return found
