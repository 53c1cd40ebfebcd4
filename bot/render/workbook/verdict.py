"""The verdict by formula: the rules of the engine's `decide`, from named cells of the other sheets."""

from bot.render.workbook.cells import Book, Sheet
from bot.render.workbook.columns import FIRST
from bot.render.workbook.recorded import CHANGED, is_recorded
from scoring.decide import ENOUGH_RUNS
from scoring.model.decision import Word

UNCHANGED = 1e-8
"""Of a figure: what its formula may differ from the record by though nothing was changed."""


def verdict_formula(book: Book) -> str:
    """One of the five words, or NO VERDICT where the record has open questions."""
    yes, words = book.answer(True), {word: book.verdict(word) for word in Word}
    missing = [f'{name}=""' for name in ("price_a", "price_b") if name in book.names]
    blocked = ",".join([f'record_blocked="{yes}"', *missing, "margins_wide>0", *_capacity_ends(book)])
    none = book.words("memo.no-verdict")
    if is_recorded(book.decision.economics):
        return (
            f'IF(record_unanswered="{yes}","{none}",IF(OR({blocked}),"{words[Word.BLOCKED]}",'
            f'IF(theta="","{none}",{_weighed(book)})))'
        )
    again = book.words("memo.weigh-again")
    moving = f'IF({_is_split(book)},"{words[Word.SPLIT]}","{words[Word.SWITCH]}")'
    guarded = "AND(quality_open=0,latency_open=0)"
    return (
        f'IF(record_unanswered="{yes}","{none}",IF(OR({blocked}),"{words[Word.BLOCKED]}",'
        f'IF(theta="","{none}",'
        f'IF(fewest_runs<{ENOUGH_RUNS},"{words[Word.EXTEND]}",IF(verdict_stale>0,"{again}",'
        f'IF(OR(quality_inferior>0,latency_failed>0),"{words[Word.STAY]}",'
        f'IF(OR(theta_hi="",fewest_units<{ENOUGH_RUNS}),"{words[Word.EXTEND]}",'
        f"IF(AND({_saves(book)},{guarded}{_among_several(book)}),{moving},"
        f'IF(AND({_gains_too_little(book)},{guarded}),"{words[Word.STAY]}",'
        f'IF({_loses(book)},"{words[Word.STAY]}",{_weighed(book)}))))))))))'
    )


def _capacity_ends(book: Book) -> list[str]:
    """The candidate's capacity is confirmed only until a day before the plan begins to use it."""
    if "capacity_until" not in book.names or not _has_timeline(book):
        return []
    flow = Sheet(book, book.workbook[book.words("sheet.cash-flow")])
    months = flow.span(1, FIRST, FIRST + len(book.decision.economics.months) - 1)
    begins = f"INDEX({months},MIN(plan_start+1,{len(book.decision.economics.months)}))"
    return [f"AND(plan_start<horizon,{begins}>capacity_until)"]


def _weighed(book: Book) -> str:
    """The word that the record weighed, while what it weighed is as it was; else that it must be weighed anew."""
    word, again = book.decision.verdict.word, book.words("memo.weigh-again")
    if word is None or word is Word.BLOCKED or "theta" not in book.values:
        return f'"{again}"'
    if not is_recorded(book.decision.economics):
        return f'IF(changed_inputs=0,"{book.verdict(word)}","{again}")'
    names = ("theta", "se_log", "stay_npv", "shown_npv", "break_even", "quality_open", "latency_open", "theta_lower",
             "theta_upper", "quality_inferior", "latency_failed", "fewest_runs", CHANGED)  # fmt: skip
    same = [f"ABS(N({name})-{book.number(name)!r})<={abs(book.number(name)) * UNCHANGED!r}" for name in names
            if name in book.names]  # fmt: skip
    return f'IF(AND({",".join(same)}),"{book.verdict(word)}","{again}")'


def _among_several(book: Book) -> str:
    """Of several comparisons tested together, whether this one is still proven."""
    return ",several_open=0" if "several_open" in book.names else ""


def _has_timeline(book: Book) -> bool:
    return "plan_start" in book.names


def _saves(book: Book) -> str:
    """Everything that the looks leave open lies below the break-even."""
    if not _has_timeline(book):
        return 'theta_upper<>"",N(theta_upper)<break_even_alone'
    return 'theta_upper<>"",plan_start<horizon,shown_at_upper<stay_npv'


def _loses(book: Book) -> str:
    """All of it lies above: even at the lower end no plan that moves pays."""
    if not _has_timeline(book):
        return "N(theta_lower)>break_even_alone"
    pays_never = "IF(plan_start<horizon,shown_at_lower>stay_npv,best_at_lower>=stay_npv-npv_tie)"
    return f'IF(theta_lower="",FALSE,{pays_never})'


def _gains_too_little(book: Book) -> str:
    """A plan that moves is proven to save, and less than a split is worth."""
    if not _has_timeline(book):
        return "FALSE"
    return 'AND(theta_upper<>"",plan_start>=horizon,best_at_upper<stay_npv-npv_tie)'


def _is_split(book: Book) -> str:
    if not _has_timeline(book):
        return "FALSE"
    return "OR(plan_start<plan_full,capped_after>0)"
