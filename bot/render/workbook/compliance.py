"""Compliance: regions against the approved ones, what capacity is confirmed, and the draft record of processing."""

import datetime as dt
from collections.abc import Iterator

from bot.render.messages import catalogue
from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.processing_block import record_of_processing
from scoring.model.decision import Decision
from scoring.model.records import Use
from scoring.model.settings import Capacity

COLUMNS = 7
WIDTHS = (32, 30, 20, 20, 20, 18, 14)


def build(book: Book) -> None:
    """Absent where no region was approved, no capacity claimed and no record of processing drafted."""
    decision = book.decision
    capacity = decision.settings.capacity
    if not (decision.settings.approved_regions or decision.records or _is_claimed(capacity)):
        return
    sheet = book.sheet("compliance")
    sheet.widths(*WIDTHS)
    sheet.word(1, 1, "compliance.title", "st_title")
    sheet.word(1, 2, "compliance.note", "st_note")
    sheet.merge(2, 1, COLUMNS, 28)
    row = _regions(sheet, 4)
    row = _capacity(sheet, row, capacity)
    words = catalogue(decision.settings.language, "records")
    if decision.records is not None:
        row = record_of_processing(sheet, row, decision.records, words)
    sheet.worksheet.freeze_panes = "A4"
    sheet.print_setup(landscape=False, pages=0, last=COLUMNS)
    sheet.worksheet.print_area = f"A1:G{row}"


def _is_claimed(capacity: Capacity) -> bool:
    return bool(capacity.region or capacity.confirmed_by or capacity.confirmed_until)


def _regions(sheet: Sheet, row: int) -> int:
    decision, approved = sheet.book.decision, sheet.book.decision.settings.approved_regions
    sheet.word(1, row, "compliance.approved", "st_section")
    if not approved:
        sheet.word(1, row + 1, "compliance.none-approved")
        sheet.merge(row + 1, 1, COLUMNS)
    for at, region in enumerate(approved, start=row + 1):
        sheet.text(1, at, region, "st_input")
    last = row + max(1, len(approved))
    span = sheet.span(1, row + 1, last)
    row = last + 2
    sheet.word(1, row, "compliance.regions", "st_section")
    sheet.heads(row + 1, [f"compliance.{head}" for head in ("arm", "used-as", "region", "reads")])
    told = catalogue(decision.settings.language, "records")
    says = {key: sheet.book.words(f"compliance.region-{key}") for key in ("approved", "not", "untold", "any")}
    allowed = {region.casefold() for region in approved}
    at = row + 2
    for use, arm, told_region in _used(decision):
        region = told_region or ""
        sheet.text(1, at, arm, "st_value")
        sheet.text(2, at, told(f"use.{use.value}"))
        sheet.text(3, at, region, "st_value")
        key = "untold" if not region else "approved" if region.casefold() in allowed else "not"
        if approved:
            found = f'IF(SUMPRODUCT(({span}=C{at})*1)>0,"{says["approved"]}","{says["not"]}")'
            sheet.formula(4, at, f'IF(C{at}="","{says["untold"]}",{found})', says[key], styles.GENERAL, "st_strong")
        else:
            sheet.text(4, at, says["any"], "st_muted")
        at += 1
    return at + 1


def _used(decision: Decision) -> Iterator[tuple[Use, str, str | None]]:
    """Each region in which an arm ran, none where a run names none; and where its capacity is."""
    for use, arm in ((Use.INCUMBENT, decision.incumbent), (Use.CANDIDATE, decision.candidate)):
        named = [c.run.region for c in decision.runs if c.run.arm == arm]
        named += [s.region for s in decision.pilot.summaries if s.arm == arm and not named]
        regions = sorted({region for region in named if region})
        yield from ((use, arm or "", region) for region in regions)
        if len(regions) == 0 or None in named:
            yield use, arm or "", None
    if decision.settings.capacity.region:
        yield Use.CAPACITY, decision.candidate or "", decision.settings.capacity.region


def _capacity(sheet: Sheet, row: int, capacity: Capacity) -> int:
    """Who confirmed the candidate's capacity and until when, held against the day of the decision by formula."""
    if not (_is_claimed(capacity) or capacity.hours_per_month):
        return row
    book = sheet.book
    sheet.word(1, row, "compliance.capacity", "st_section")
    rows: tuple[tuple[str, Value | None, str, str], ...] = (
        ("capacity-region", capacity.region or "–", styles.GENERAL, "st_value"),
        ("capacity-by", capacity.confirmed_by, styles.GENERAL, "st_input"),
        ("capacity-until", capacity.confirmed_until, styles.DAY, "st_input"),
        ("capacity-decided", book.decision.decided_on, styles.DAY, "st_value"),
    )
    for at, (code, value, form, style) in enumerate(rows, start=row + 1):
        sheet.word(1, at, f"compliance.{code}")
        sheet.put(2, at, value, form, style)
    hours, by, until, decided, status = row + 5, row + 2, row + 3, row + 4, row + 6
    sheet.word(1, hours, "compliance.capacity-hours")
    if "capacity" in book.names:
        sheet.formula(2, hours, "capacity", book.values.get("capacity"), styles.HOURS)
    else:
        sheet.text(2, hours, "–", "st_right")
    says = {key: book.words(f"compliance.capacity-{key}") for key in ("holds", "expired", "open", "unasked")}
    sheet.word(1, status, "compliance.capacity-reads", "st_strong")
    held = f'IF(B{until}<B{decided},"{says["expired"]}","{says["holds"]}")'
    claimed = f'AND(B{row + 1}="",TRIM(B{by})="",B{until}="")'
    missing = f'IF(B{until}="","{says["open"]}",IF(AND(TRIM(B{by})="",B{until}>=B{decided}),"{says["open"]}",{held}))'
    formula = f'IF({claimed},"{says["unasked"]}",{missing})'
    sheet.formula(2, status, formula, says[_status(capacity, book.decision.decided_on)], styles.GENERAL, "st_strong")
    sheet.merge(status, 2, 4)
    return status + 2


def _status(capacity: Capacity, today: dt.date) -> str:
    if not _is_claimed(capacity):
        return "unasked"
    if capacity.confirmed_until is not None and capacity.confirmed_until < today:
        return "expired"
    return "holds" if capacity.confirmed_until is not None and (capacity.confirmed_by or "").strip() else "open"
