"""Audit: does the sheet agree with the engine, what was posted, how was it read, and which settings were in force."""

from bot.render.comment.details import leaves
from bot.render.comment.problems import fix, sentence
from bot.render.phrases import phrase
from bot.render.workbook import as_recorded, checks, styles
from bot.render.workbook.cells import Book, Sheet
from bot.render.workbook.flips import plain
from bot.render.workbook.history_block import history_block
from scoring.model.decision import Decision

HEIGHT, WIDTH_OF_TEXT, LETTERS = 14, 60, 110


def build(book: Book) -> None:
    """Checks first; one cell on the Memo says how many of them hold."""
    sheet = book.sheet("audit")
    sheet.widths(50, 24, 24, 26, 68, *([24] if _is_posted(book.decision) else []))
    sheet.word(1, 1, "audit.title", "st_title")
    sheet.word(1, 2, "audit.note", "st_note")
    sheet.merge(2, 1, 5, 28)
    first = 4 + checks.count(book) + 3
    row = as_recorded.build(sheet, first)
    stale = as_recorded.stale_block(sheet, row + 1)
    files = history_block(sheet, stale + 1)
    row = _files(sheet, files)
    hashes = sheet.span(5, files + 2, max(files + 2, row - 1))
    stale_rows = (int(book.number(f"{end}_stale_row")) for end in ("first", "last"))
    assert checks.build(sheet, 4, hashes, sheet.span(4, *stale_rows)) <= first  # noqa: S101 - room was left for them
    _on_memo(book)
    row = _columns(sheet, row + 1)
    row = _problems(sheet, row + 1)
    _settings(sheet, row + 1)
    sheet.print_setup(pages=0, last=6 if _is_posted(book.decision) else 5)


def _on_memo(book: Book) -> None:
    memo = Sheet(book, book.workbook[book.words("sheet.memo")])
    row = int(book.number("identity_row"))
    memo.word(1, row, "memo.checks", "st_note")
    memo.formula(2, row, book.names["checks"], book.values["checks"], styles.GENERAL, "st_strong")
    memo.merge(row, 2, 6)


def _files(sheet: Sheet, row: int) -> int:
    decision = sheet.book.decision
    sheet.word(1, row, "audit.files", "st_section")
    heads = ["name", "rows", "left-out", "reader", "hash"]
    if _is_posted(decision):
        heads.append("posted-by")
    sheet.heads(row + 1, [f"audit.file-{h}" for h in heads])
    for offset, posted in enumerate(decision.pilot.inputs, start=2):
        sheet.text(1, row + offset, posted.file, "st_value")
        sheet.put(2, row + offset, posted.rows_read, styles.COUNT)
        sheet.put(3, row + offset, posted.rows_left_out, styles.COUNT)
        sheet.text(4, row + offset, phrase("reader", posted.reader or "–"), "st_beside")
        sheet.text(5, row + offset, posted.sha256, "st_muted")
        if posted.posted_by:
            sheet.text(6, row + offset, posted.posted_by, "st_text")
    return row + 2 + len(decision.pilot.inputs)


def _is_posted(decision: Decision) -> bool:
    """Whether any file came from a thread, where people have names."""
    return any(posted.posted_by for posted in decision.pilot.inputs)


def _columns(sheet: Sheet, row: int) -> int:
    columns = sheet.book.decision.pilot.columns
    sheet.word(1, row, "audit.columns", "st_section")
    sheet.heads(row + 1, [f"audit.column-{h}" for h in ("name", "meaning", "unit", "file", "remark")])
    for offset, column in enumerate(columns, start=2):
        meaning, unit = phrase("meaning", column.meaning), phrase("column-unit", column.unit or "")
        texts = (column.column, meaning, unit, column.file, phrase("note", column.note or ""))
        for number, text in enumerate(texts, start=1):
            sheet.text(number, row + offset, text, "st_text")
    return row + 2 + len(columns)


def _problems(sheet: Sheet, row: int) -> int:
    decision = sheet.book.decision
    language = decision.settings.language
    sheet.word(1, row, "audit.problems", "st_section")
    for offset, problem in enumerate(decision.problems, start=1):
        place = ", ".join(str(p) for p in (problem.file, problem.row, problem.column) if p)
        severity = sheet.book.words(f"audit.{problem.severity.value}")
        sheet.text(1, row + offset, f"{severity}: {problem.code}", "st_text")
        sheet.text(2, row + offset, place, "st_muted")
        told = plain(f"{sentence(problem, language)} {fix(problem, language)}").strip()
        sheet.text(3, row + offset, told, "st_text")
        sheet.merge(row + offset, 3, 5, HEIGHT * (1 + len(told) // LETTERS))
    return row + 1 + len(decision.problems)


def _settings(sheet: Sheet, row: int) -> None:
    decision = sheet.book.decision
    sheet.word(1, row, "audit.settings", "st_section")
    settings = decision.settings.model_dump(mode="json", exclude_none=True)
    told = [(name, leaf) for name, value in settings.items() for leaf in leaves(name, value)]
    for offset, (name, (key, text)) in enumerate(told, start=1):
        sheet.text(1, row + offset, key, "st_text")
        sheet.text(2, row + offset, text, "st_text")
        sheet.merge(row + offset, 2, 4, HEIGHT * (1 + len(text) // WIDTH_OF_TEXT))
        sheet.word(5, row + offset, "audit.given" if name in decision.settings_given else "audit.default", "st_muted")
