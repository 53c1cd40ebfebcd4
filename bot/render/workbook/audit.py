"""Audit: does the sheet agree with the engine, what was posted, how was it read, and which settings were in force."""

from bot.render.comment.details import leaves
from bot.render.comment.problems import fix, sentence
from bot.render.phrases import phrase
from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.flips import plain
from bot.render.workbook.history_block import history_block
from scoring.model.decision import Decision

HEIGHT, WIDTH_OF_TEXT = 14, 60
CLOSE = "0.000000001"


def build(book: Book) -> None:
    """Checks first; one cell on the Memo says how many of them hold."""
    sheet = book.sheet("audit")
    sheet.widths(38, 24, 24, 16, 60, *([24] if _is_posted(book.decision) else []))
    sheet.word(1, 1, "audit.title", "st_title")
    sheet.word(1, 2, "audit.note", "st_note")
    sheet.merge(2, 1, 5, 28)
    row = _checks(sheet, 4)
    row = history_block(sheet, row + 1)
    row = _files(sheet, row)
    row = _columns(sheet, row + 1)
    row = _problems(sheet, row + 1)
    _settings(sheet, row + 1)
    sheet.print_setup(pages=0)


def _expected(book: Book) -> list[tuple[str, Value | None]]:
    """What the record says of figures that the sheet computes."""
    decision = book.decision
    theta = decision.cost.theta if decision.cost else None
    economics = decision.economics
    word = decision.verdict.word
    found: list[tuple[str, Value | None]] = [
        ("theta", theta.point if theta else None),
        ("theta_lo", theta.lo if theta else None),
        ("theta_hi", theta.hi if theta else None),
        ("stay_npv", economics.stay_npv),
        ("full_best_npv", economics.best_full.npv if economics.best_full else None),
        ("plan_npv", economics.best.npv if economics.best else None),
        ("n_a", decision.cost.arms[decision.incumbent].n if decision.cost and decision.incumbent else None),
        ("n_b", decision.cost.arms[decision.candidate].n if decision.cost and decision.candidate else None),
        ("verdict", book.verdict(word) if word else None),
    ]
    return found


def _checks(sheet: Sheet, row: int) -> int:
    book = sheet.book
    sheet.heads(row, ["audit.check", "audit.record", "audit.sheet", "audit.holds"])
    holds, differs = book.words("audit.yes"), book.words("audit.no")
    first = at = row + 1
    for name, value in _expected(book):
        if value is None or name not in book.names:
            continue
        sheet.word(1, at, f"audit.{name.replace('_', '-')}")
        form = styles.GENERAL
        if isinstance(value, str):
            sheet.text(2, at, value, "st_value")
            test = f"C{at}=B{at}"
        else:
            sheet.put(2, at, value, form)
            test = f"ABS(N(C{at})-B{at})<={CLOSE}*MAX(1,ABS(B{at}))"
        sheet.formula(3, at, name, book.values[name], form)
        sheet.formula(4, at, f'IF({test},"{holds}","{differs}")', holds, styles.GENERAL, "st_strong")
        at += 1
    at = _sum_check(sheet, at, holds, differs)
    total = at - first
    sheet.word(1, at, "audit.held", "st_total")
    for column in (2, 3):
        sheet.text(column, at, "", "st_total")
    span = f"D{first}:D{at - 1}"
    text = book.words("audit.held-count", count=f'"&COUNTIF({span},"{holds}")&"', total=total)
    cached = book.words("audit.held-count", count=total, total=total)
    address = sheet.formula(4, at, f'"{text}"', cached, styles.GENERAL, "st_total")
    _on_memo(book, address, cached)
    return at + 1


def _sum_check(sheet: Sheet, row: int, holds: str, differs: str) -> int:
    """Cash flow's months against their own sum, where there is a timeline."""
    book = sheet.book
    if "plan_start" not in book.names:
        return row
    sheet.word(1, row, "audit.months")
    flow = Sheet(book, book.workbook[book.words("sheet.cash-flow")])
    count = len(book.decision.economics.months)
    sheet.put(2, row, count, styles.COUNT)
    sheet.formula(3, row, f"COUNT({flow.span(14, 7, 6 + count)})", count, styles.COUNT)
    sheet.formula(4, row, f'IF(C{row}=B{row},"{holds}","{differs}")', holds, styles.GENERAL, "st_strong")
    return row + 1


def _on_memo(book: Book, address: str, cached: str) -> None:
    memo = Sheet(book, book.workbook[book.words("sheet.memo")])
    row = int(book.number("identity_row"))
    memo.word(1, row, "memo.checks", "st_note")
    memo.formula(2, row, address, cached, styles.GENERAL, "st_strong")
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
        sheet.text(4, row + offset, posted.reader or "–", "st_value")
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
        sheet.text(1, row + offset, f"{problem.severity.value}: {problem.code}", "st_text")
        sheet.text(2, row + offset, place, "st_muted")
        sheet.text(3, row + offset, plain(f"{sentence(problem, language)} {fix(problem, language)}"), "st_text")
        sheet.merge(row + offset, 3, 5, 28)
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
