"""Audit's history: the earlier decisions of the issue, who signed them, and what changed since the last one."""

from bot.render.history import SHOWN_DIGITS, change_text, signature_text, word_text
from bot.render.locales import locale
from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet
from bot.render.workbook.flips import capital, plain
from scoring.model.history import EarlierDecision

HEIGHT, WIDTH_OF_TEXT, WIDTH_OF_ALL = 14, 60, 150
HEADS = [f"audit.earlier-{h}" for h in ("on", "verdict", "saving", "ratio", "document")]


def history_block(sheet: Sheet, row: int) -> int:
    """The row after it; where nothing was decided before, the row that was given."""
    history = sheet.book.decision.history
    if history is None or not history.earlier:
        return row
    sheet.word(1, row, "audit.earlier", "st_section")
    sheet.heads(row + 1, HEADS)
    row += 2
    for earlier in history.earlier:
        _earlier(sheet, row, earlier)
        row += 1
    sheet.word(1, row, "audit.changes" if history.changes else "audit.no-changes", "st_strong")
    row += 1
    for change in history.changes:
        text = f"{_sentence(change_text(change, sheet.book.decision.settings.language))}."
        sheet.text(1, row, text, "st_text")
        sheet.merge(row, 1, 5, HEIGHT * (1 + len(text) // WIDTH_OF_ALL))
        row += 1
    return row + 1


def _sentence(text: str) -> str:
    """A name of a file or a setting at its beginning stays as it is written."""
    return plain(text) if text.startswith(("`", "<code>")) else capital(plain(text))


def _earlier(sheet: Sheet, row: int, earlier: EarlierDecision) -> None:
    language = sheet.book.decision.settings.language
    sheet.put(1, row, earlier.decided_on, styles.DAY, "st_value")
    sheet.text(2, row, plain(word_text(earlier, language)), "st_text")
    if earlier.saving is not None:
        sheet.put(3, row, earlier.saving, locale().money_format("#,##0", earlier.currency or ""), "st_value")
    if earlier.theta is not None:
        sheet.put(4, row, earlier.theta, styles.RATIO, "st_value")
    signatures = [plain(signature_text(s, language)) for s in earlier.signatures]
    text = "; ".join([(earlier.document or "–")[:SHOWN_DIGITS], *signatures])
    sheet.text(5, row, text, "st_text")
    sheet.worksheet.row_dimensions[row].height = HEIGHT * (1 + len(text) // WIDTH_OF_TEXT)
