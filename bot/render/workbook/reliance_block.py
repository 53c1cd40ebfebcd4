"""On Memo: what the plan asks of contracts and rests on, and by when what must be said, as the reply tells both."""

from bot.render.comment.deadlines import missing, notice_lines, subject_of, told_dates
from bot.render.comment.leaving import leaving_lines
from bot.render.comment.voice import Voice
from bot.render.locales import locale
from bot.render.safe_text import clean
from bot.render.workbook import flips, styles
from bot.render.workbook.cells import Sheet
from scoring.model.deadline import Advice, DueDate, DueKind
from scoring.model.economics import DeadlineStatus

LAST = 6
MOST_LINES = 5
MOST_DATES = 4
LINE_LETTERS = 105
COLUMN_LETTERS = 17
SAID = (DueKind.NOTICE, DueKind.OPTION)
"""Days by which somebody has to say something."""


def reliance_lines(sheet: Sheet) -> list[str]:
    """Contracts left early, taken up or renewed against the plan, and hours that others have to use; plain text."""
    decision = sheet.book.decision
    voice = Voice.of(decision)
    missed = [text for due, text in notice_lines(decision, voice) if _is_not_a_day(due)]
    return [clean(flips.plain(text), 400) for text in [*leaving_lines(decision, voice), *missed]][:MOST_LINES]


def write_reliance(sheet: Sheet, row: int) -> int:
    """The lines; returns the row after them."""
    for text in reliance_lines(sheet):
        sheet.text(1, row, text)
        sheet.merge(row, 1, LAST, 14 * (1 + len(text) // LINE_LETTERS))
        row += 1
    return row


def write_dates(sheet: Sheet, row: int) -> int:
    """A row for each of the next days: of what, what must be said, the day, what follows or missing it costs."""
    decision = sheet.book.decision
    voice = Voice.of(decision)
    for due in told_dates(decision)[:MOST_DATES]:
        sheet.text(1, row, clean(flips.plain(subject_of(due, voice)), 60))
        what = _what(sheet, due, voice)
        sheet.text(2, row, what)
        sheet.put(3, row, due.day, styles.DAY, "st_strong")
        _follows(sheet, row, due, voice)
        if len(what) > COLUMN_LETTERS:
            sheet.worksheet.row_dimensions[row].height = 28
        row += 1
    return row


def _what(sheet: Sheet, due: DueDate, voice: Voice) -> str:
    if due.kind is not DueKind.NOTICE:
        return flips.plain(voice(f"deadline.what-{due.kind.value}"))
    return sheet.book.words("memo.notice-missed" if due.status is DeadlineStatus.MISSED else "memo.notice-by")


def _follows(sheet: Sheet, row: int, due: DueDate, voice: Voice) -> None:
    """What missing the day costs; of a day on which something ends, what comes then."""
    told = clean(flips.plain(missing(due, voice)), 120)
    if due.kind not in SAID:
        sheet.text(4, row, told, "st_aside")
        sheet.merge(row, 4, LAST)
        return
    late = due.status is DeadlineStatus.MISSED
    sheet.word(4, row, "memo.missed-costs" if late else "memo.missing-costs", "st_aside")
    cost = due.cost_of_missing or due.cost_of_having_missed
    if cost and due.advice is not Advice.LET_RENEW:
        sheet.put(5, row, cost, _money(sheet))
        return
    sheet.text(5, row, told)
    sheet.merge(row, 5, LAST)


def _is_not_a_day(due: DueDate) -> bool:
    """A notice that was missed or is not to be given: what follows from it is more than a day."""
    return due.status is DeadlineStatus.MISSED or due.advice is Advice.LET_RENEW


def _money(sheet: Sheet) -> str:
    amount = locale().money_format("#,##0", sheet.book.decision.settings.currency)
    return f"{amount};-{amount}"
