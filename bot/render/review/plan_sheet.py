"""The sheet of the plan: both plans month by month with their difference by formula, the moves, and what binds."""

from bot.render.review.pages import Pages
from bot.render.review.plan import bought, bound_alike
from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet
from scoring.quarter.answer import BindingCode, Move, QuarterPlan

HEAD, FIRST = 3, 4


def build(pages: Pages) -> None:
    """Absent without a plan: a contradiction stands in the comment."""
    found = pages.review.plan
    if not isinstance(found, QuarterPlan):
        return
    sheet = pages.table("plan", [20, 22, 22, 34, 12, 18, 14, 15], ["month", "today-month", "best-month", "difference"])
    last = FIRST + len(found.months) - 1
    pairs = zip(found.months, found.today.cost_by_month, found.optimal.cost_by_month, strict=True)
    for row, (month, today, best) in enumerate(pairs, start=FIRST):
        sheet.put(1, row, month, "yyyy-mm")
        sheet.put(2, row, today, styles.MONEY)
        sheet.put(3, row, best, styles.MONEY)
        sheet.formula(4, row, f"B{row}-C{row}", today - best, styles.MONEY)
    _sums(sheet, found, last)
    pages.rows("plan-saves", sheet, last + 2, 1)
    after = _moves(pages, sheet, found, last + 4)
    _bindings(pages, sheet, found, after + 2)


def _sums(sheet: Sheet, found: QuarterPlan, last: int) -> None:
    sheet.word(1, last + 1, "plan.undiscounted", "st_strong")
    sums = (sum(found.today.cost_by_month), sum(found.optimal.cost_by_month))
    for column, value in zip((2, 3), sums, strict=True):
        letter = "ABC"[column - 1]
        sheet.formula(column, last + 1, f"SUM({letter}{FIRST}:{letter}{last})", value, styles.MONEY, "st_total")
    sheet.formula(4, last + 1, f"B{last + 1}-C{last + 1}", sums[0] - sums[1], styles.MONEY, "st_total")
    sheet.word(1, last + 2, "plan.discounted", "st_strong")
    sheet.put(2, last + 2, found.today.cost, styles.MONEY)
    sheet.put(3, last + 2, found.optimal.cost, styles.MONEY)
    sheet.formula(4, last + 2, f"B{last + 2}-C{last + 2}", found.saving, styles.MONEY, "st_total")


def _moves(pages: Pages, sheet: Sheet, found: QuarterPlan, row: int) -> int:
    heads = ("move", "subject", "before", "after", "from-day", "decide-by", "saves", "pays-in")
    sheet.heads(row, [f"head.{head}" for head in heads])
    for number, move in enumerate(found.moves, start=row + 1):
        _move(pages, sheet, number, move)
    sheet.word(1, row + len(found.moves) + 1, "plan.note-moves", "st_note")
    sheet.merge(row + len(found.moves) + 1, 1, 8, 28)
    return row + len(found.moves) + 1


def _move(pages: Pages, sheet: Sheet, row: int, move: Move) -> None:
    what = pages.words(f"plan.move.{move.kind.value}")
    sheet.text(1, row, pages.words("plan.unproven", what=what) if move.unproven else what)
    sheet.text(2, row, move.subject)
    sheet.text(3, row, move.from_option)
    sheet.text(4, row, move.to_option or (None if move.instances is None else bought(move, pages.words)))
    sheet.put(5, row, move.on, styles.DAY)
    sheet.put(6, row, move.deadline, styles.DAY)
    sheet.put(7, row, move.saving, styles.MONEY)
    sheet.put(8, row, move.pays_in, styles.PERCENT)


def _bindings(pages: Pages, sheet: Sheet, found: QuarterPlan, row: int) -> None:
    """What keeps the plan from saving more: of a pool what its room is worth in all, and by formula each hour of it."""
    bound = list(bound_alike(found))
    if not bound:
        return
    heads = ("binds", "subject", "workload", "after", "month", "worth-most", "lacks", "each-more")
    sheet.heads(row, [f"head.{head}" for head in heads])
    for number, (one, months) in enumerate(bound, start=row + 1):
        sheet.text(1, number, pages.words(f"plan.binding-name.{one.code.value}"))
        sheet.text(2, number, one.subject)
        sheet.text(3, number, one.workload)
        sheet.text(4, number, one.option)
        sheet.put(5, number, months[0] if months else None, "yyyy-mm")
        if one.code is BindingCode.CONTRACT_EXHAUSTED:
            sheet.put(8, number, one.worth, styles.PRICE)
            continue
        sheet.put(6, number, one.worth, styles.MONEY)
        sheet.put(7, number, one.hours, styles.HOURS)
        if one.hours and one.worth is not None:
            sheet.formula(8, number, f"F{number}/G{number}", one.worth / one.hours, styles.PRICE)
