"""The verdict by formula: the rules of the engine's `decide`, from named cells of the other sheets."""

from bot.render.workbook.cells import Book
from scoring.decide import ENOUGH_RUNS
from scoring.model.decision import Word


def verdict_formula(book: Book) -> str:
    """One of the five words, or NO VERDICT where the record has open questions."""
    missing = [f'{name}=""' for name in ("price_a", "price_b") if name in book.names]
    blocked = ",".join(['record_blocked="yes"', *missing])
    none = book.words("memo.no-verdict")
    moving = f'IF({_is_split(book)},"{Word.SPLIT}","{Word.SWITCH}")'
    guarded = "AND(quality_open=0,latency_open=0)"
    return (
        f'IF(record_unanswered="yes","{none}",IF(OR({blocked}),"{Word.BLOCKED}",'
        f'IF(theta="","{none}",'
        f'IF(AND(fewest_runs>={ENOUGH_RUNS},OR(quality_inferior>0,latency_failed>0)),"{Word.STAY}",'
        f'IF(OR(theta_hi="",fewest_runs<{ENOUGH_RUNS}),"{Word.EXTEND}",'
        f"IF(AND({_saves(book)},{guarded}),{moving},"
        f'IF(AND({_gains_too_little(book)},{guarded}),"{Word.STAY}",'
        f'IF({_loses(book)},"{Word.STAY}","{Word.EXTEND}"))))))))'
    )


def _has_timeline(book: Book) -> bool:
    return "plan_start" in book.names


def _saves(book: Book) -> str:
    """The whole interval lies below the break-even."""
    if not _has_timeline(book):
        return f"theta_hi<{book.decision.economics.break_even_theta!r}"
    months = len(book.decision.economics.months)
    return f"plan_start<{months},shown_at_hi<stay_npv"


def _loses(book: Book) -> str:
    """The whole interval lies above it: even at its lower end no plan that moves pays."""
    if not _has_timeline(book):
        return f"theta_lo>{book.decision.economics.break_even_theta!r}"
    months = len(book.decision.economics.months)
    return f"IF(plan_start<{months},shown_at_lo>stay_npv,best_at_lo>=stay_npv-npv_tie)"


def _gains_too_little(book: Book) -> str:
    """A plan that moves saves at every end of the interval, and less than a split is worth."""
    if not _has_timeline(book):
        return "FALSE"
    months = len(book.decision.economics.months)
    return f"AND(plan_start>={months},best_at_hi<stay_npv-npv_tie)"


def _is_split(book: Book) -> str:
    if not _has_timeline(book):
        return "FALSE"
    return "OR(plan_start<plan_full,capped_after>0)"
