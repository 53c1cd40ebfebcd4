"""A verdict to move: on which day, all at once or in parts, as the contracts' best plan says."""

from collections.abc import Sequence
from datetime import date

from scoring.model.decision import Basis, Reason, Verdict, Word
from scoring.model.economics import Economics, Plan

WHOLE = 1 - 1e-9


def move(economics: Economics, basis: Basis, reasons: Sequence[Reason]) -> Verdict:
    """SWITCH or SPLIT by the best plan, with its days and a last reason for its timing; without a plan SWITCH."""
    plan = economics.best
    if plan is None:
        return Verdict(word=Word.SWITCH, basis=basis, reasons=tuple(reasons))
    on, full_on = _day(economics, plan.starts_at), _day(economics, plan.full_at)
    word = Word.SPLIT if is_split(economics, plan) else Word.SWITCH
    timed = (*reasons, Reason(code=_timing(economics, plan, word)))
    return Verdict(word=word, on=on, full_on=full_on, basis=basis, reasons=timed)


def stays(economics: Economics) -> bool:
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
