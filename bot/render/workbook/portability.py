"""Portability: what the porting map of the code base found, and the cost of moving from its hours by formula."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from bot.render.messages import Messages, catalogue
from bot.render.portability import LIBRARY
from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from scoring.model.portability import DEFAULT_SOURCE, EffortClass, Finding, PortingSummary

WIDTHS = (36, 34, 14, 14, 14, 14, 20, 80)
COLUMNS = len(WIDTHS)
CLASSES = tuple(EffortClass)
LINE_HEIGHT, MOST_LINES, CHARACTERS = 13, 30, 1.1
"""Of a row; a width holds some more small letters than it counts digits."""
ACROSS = sum(WIDTHS[1:])
CLOSE = 0.01
"""The engine rounds the middle of the hours to their hundredth, and the cost to a cent."""


@dataclass(frozen=True)
class Map:
    """The sheet under construction, and the map with the words for it."""

    sheet: Sheet
    found: PortingSummary
    words: Messages
    """Of the porting map's own report."""

    def head(self, column: int, row: int, code: str) -> None:
        """A column's head."""
        self.sheet.word(column, row, f"portability.{code}", "st_head")


def build(book: Book) -> None:
    """Absent where no porting map was compared with."""
    found = book.decision.portability
    if found is None:
        return
    sheet = book.sheet("portability")
    one = Map(sheet, found, catalogue(book.decision.settings.language, "portability"))
    sheet.widths(*WIDTHS)
    sheet.word(1, 1, "portability.title", "st_title")
    sheet.word(1, 2, "portability.note", "st_note")
    sheet.merge(2, 1, COLUMNS, 28)
    row = _hours(one, 4)
    row = _read(one, row + 1)
    row = _blockers(one, row + 1)
    row = _folders(one, row + 1)
    row = _findings(one, row + 1)
    sheet.worksheet.freeze_panes = "A4"
    sheet.print_setup(pages=0, last=COLUMNS)
    sheet.worksheet.print_area = f"A1:H{row}"


def _hours(one: Map, row: int) -> int:
    """Counts and hours by class with their sums, and the cost at the rate."""
    sheet, efforts = one.sheet, one.found.efforts
    sheet.word(1, row, "portability.hours", "st_section")
    sheet.heads(
        row + 1, [f"portability.{c}" for c in ("class", "findings", "guarded", "units", "hours-low", "hours-high")]
    )
    first, last = row + 2, row + 1 + len(CLASSES)
    columns: list[list[float]] = [[] for _ in range(5)]
    for at, effort in enumerate(CLASSES, start=first):
        told = efforts.get(effort)
        sheet.text(1, at, one.words(f"class.{effort}"))
        counts = (told.findings, told.guarded, told.units) if told else (0, 0, 0)
        hours = (told.hours.low, told.hours.high) if told else (0.0, 0.0)
        for column, value in enumerate((*counts, *hours), start=2):
            sheet.put(column, at, value, styles.COUNT if column < 5 else styles.HOURS)
            columns[column - 2].append(value)
    total = last + 1
    sheet.word(1, total, "portability.total", "st_total")
    for column, values in enumerate(columns, start=2):
        letter, form = "ABCDEF"[column - 1], styles.COUNT if column < 5 else styles.HOURS
        sheet.formula(column, total, f"SUM({letter}{first}:{letter}{last})", sum(values), form, "st_total")
    return _cost(one, total + 1, total, (sum(columns[3]), sum(columns[4])))


def _cost(one: Map, row: int, total: int, hours: tuple[float, float]) -> int:
    """Hours by rate, and whether Inputs holds that amount; without a rate no amount."""
    sheet, book = one.sheet, one.sheet.book
    currency = book.decision.settings.currency
    rate = None if one.found.hourly_rate is None else float(one.found.hourly_rate)
    middle = (hours[0] + hours[1]) / 2
    sheet.word(1, row, "portability.middle")
    sheet.formula(5, row, f"(E{total}+F{total})/2", middle, styles.HOURS)
    sheet.word(1, row + 1, "portability.rate")
    sheet.put(5, row + 1, rate, styles.PRICE, "st_input")
    sheet.text(7, row + 1, f"{currency}/h", "st_aside")
    by_rate = f"E{row + 1}"
    for at, code, cells in ((row + 2, "cost", (f"E{total}", f"F{total}")), (row + 3, "cost-middle", (f"E{row}",))):
        sheet.word(1, at, f"portability.{code}")
        sheet.text(7, at, currency, "st_aside")
        for column, cell, value in zip((5, 6), cells, hours if len(cells) == 2 else (middle,), strict=False):
            cost = "" if rate is None else value * rate
            sheet.formula(column, at, f'IF({by_rate}="","",{cell}*{by_rate})', cost, styles.MONEY, "st_strong")
    return _beside_inputs(one, row + 4, rate, middle)


def _beside_inputs(one: Map, row: int, rate: float | None, middle: float) -> int:
    """The cost of moving that the plans are computed with, held against the map's."""
    sheet, book = one.sheet, one.sheet.book
    sheet.word(1, row, "portability.in-force")
    now = book.number("migration_cost")
    sheet.formula(5, row, "N(migration_cost)", now, styles.MONEY, "st_strong")
    says = {key: book.words(f"portability.cost-{key}") for key in ("same", "other", "given", "unpriced")}
    off = f"ABS(E{row}-E{row - 1})<={CLOSE}*(1+N(E{row - 3}))"
    differs = says["other" if one.found.sets_cost or rate is None else "given"]
    key = "unpriced" if rate is None else "same" if abs(now - middle * rate) <= CLOSE * (1 + rate) else ""
    formula = f'IF(E{row - 3}="","{says["unpriced"]}",IF({off},"{says["same"]}","{differs}"))'
    sheet.formula(7, row, formula, says.get(key, differs), styles.GENERAL, "st_reads")
    sheet.merge(row, 7, COLUMNS)
    source = one.found.hours_source
    sheet.word(1, row + 1, "portability.source")
    sheet.text(2, row + 1, one.words("source").replace("`", "") if source == DEFAULT_SOURCE else source)
    sheet.merge(row + 1, 2, COLUMNS)
    return row + 2


def _read(one: Map, row: int) -> int:
    """What was scanned and for which target, and whether the device is one value."""
    sheet, found, say = one.sheet, one.found, one.words
    sheet.word(1, row, "portability.read", "st_section")
    kinds = (say("files", count=f"{count:d}", kind=_told(say, "kind", kind)) for kind, count in found.files.items())
    device = found.device
    answer = "none" if not device.places else "one" if device.one_choke_point else "several"
    rows: list[tuple[str, Value, str]] = [
        ("target", say(f"target.{found.target}"), styles.GENERAL),
        ("target-data", found.target_checked_on, styles.DAY),
        ("made-by", found.made_by or "–", styles.GENERAL),
        ("files", ", ".join(kinds) or "–", styles.GENERAL),
        ("unread", found.unread, styles.COUNT),
        ("device", sheet.book.words(f"portability.device-{answer}"), styles.GENERAL),
        ("places", device.places, styles.COUNT),
        ("choices", ", ".join(device.choices) or "–", styles.GENERAL),
    ]
    if found.stopped_by:
        rows.append(("bound", sheet.book.words(f"portability.stopped-{found.stopped_by}"), styles.GENERAL))
    for at, (code, value, form) in enumerate(rows, start=row + 1):
        sheet.word(1, at, f"portability.{code}")
        sheet.put(2, at, value, form, "st_beside")
        sheet.merge(at, 2, COLUMNS, LINE_HEIGHT * ceil((len(str(value)) + 1) / ACROSS))
    return row + 1 + len(rows)


def _blockers(one: Map, row: int) -> int:
    sheet, found = one.sheet, one.found
    if not found.blockers:
        return row - 1
    sheet.word(1, row, "portability.blockers", "st_section")
    sheet.heads(row + 1, [f"portability.{code}" for code in ("file", "kernel", "line", "state")])
    at = row + 2
    for blocker in found.blockers:
        _text_row(sheet, at, {1: blocker.file or "–", 2: blocker.name})
        sheet.put(3, at, "–" if blocker.line is None else blocker.line, styles.COUNT, "st_right")
        sheet.word(4, at, f"portability.state-{'settled' if blocker.is_settled else 'open'}", "st_reads")
        at += 1
    return _more(sheet, at, found.blockers_cut)


def _folders(one: Map, row: int) -> int:
    sheet, found = one.sheet, one.found
    if not found.folders:
        return row - 1
    sheet.word(1, row, "portability.folders", "st_section")
    for column, code in enumerate(("folder", "place"), start=1):
        one.head(column, row + 1, code)
    for column, effort in enumerate(CLASSES, start=3):
        sheet.text(column, row + 1, one.words(f"class.{effort}"), "st_head")
    at = row + 2
    for folder in found.folders:
        _text_row(sheet, at, {1: folder.folder or "/", 2: one.words(f"place.{folder.place}")})
        for column, effort in enumerate(CLASSES, start=3):
            sheet.put(column, at, folder.counts.get(effort, 0), styles.COUNT)
        at += 1
    return _more(sheet, at, found.folders_cut)


def _findings(one: Map, row: int) -> int:
    sheet, found = one.sheet, one.found
    if not found.findings:
        return row - 1
    sheet.word(1, row, "portability.listed", "st_section")
    heads = ("file", "found", "line", "class", "place", "guarded", "support", "fix")
    sheet.heads(row + 1, [f"portability.{code}" for code in heads])
    at = row + 2
    for finding in found.findings:
        _finding(one, at, finding)
        at += 1
    return _more(sheet, at, found.findings_cut)


def _finding(one: Map, row: int, finding: Finding) -> None:
    sheet, say = one.sheet, one.words
    found = finding.found
    if finding.entry == "unread-file":
        found = _told(say, "reason", found)
    place = "–" if finding.line is None else finding.line
    _text_row(sheet, row, {1: finding.file, 2: found, 8: _advice(say, finding.entry)})
    sheet.put(3, row, place, styles.COUNT, "st_right")
    sheet.text(4, row, say(f"class.{finding.effort}"), "st_beside")
    sheet.text(5, row, say(f"place.{finding.place}"))
    sheet.text(6, row, sheet.book.answer(finding.guarded))
    sheet.text(7, row, say(f"support.{finding.support}"))


def _advice(say: Messages, entry: str) -> str:
    """What it is and what to do about it; of an entry that only another version knows its name."""
    from scoring.portability.catalogue import catalogue as of_entries

    if entry.startswith(LIBRARY):
        libraries: Mapping[str, object] = of_entries().libraries
        name = entry.removeprefix(LIBRARY)
        if name not in libraries:
            return entry
        title, fix = say("entry.library"), say(f"replacement.{of_entries().libraries[name].replacement}")
    elif f"entry.{entry}" in say and f"fix.{entry}" in say:
        title, fix = say(f"entry.{entry}"), say(f"fix.{entry}")
    else:
        return entry
    return f"{title}: {fix.replace('`', '')}"


def _text_row(sheet: Sheet, row: int, texts: Mapping[int, str]) -> None:
    """Texts by column, in a row as high as the longest of them takes."""
    for column, text in texts.items():
        sheet.text(column, row, text)
    lines = max(1, *(ceil(len(text) / (CHARACTERS * WIDTHS[column - 1])) for column, text in texts.items()))
    sheet.worksheet.row_dimensions[row].height = LINE_HEIGHT * min(lines, MOST_LINES)


def _told(say: Messages, group: str, code: str) -> str:
    """A word of the report, or the map's own where this version has none."""
    return say(f"{group}.{code}") if f"{group}.{code}" in say else code


def _more(sheet: Sheet, row: int, count: int) -> int:
    if not count:
        return row
    sheet.word(1, row, "portability.more", "st_note", count=count)
    sheet.merge(row, 1, COLUMNS)
    return row + 1
