"""The draft record of processing (GDPR article 30(1)) on the sheet Compliance: what records.md says, in cells."""

from bot.render import figures
from bot.render.messages import Messages
from bot.render.records import ALWAYS, FACTS, THEN, WHERE_APPLICABLE
from bot.render.workbook.cells import HEAD_HEIGHT, Sheet
from bot.render.workbook.flips import plain
from scoring.model.records import Missing, ProcessingPlace, ProcessingRecord

COLUMNS, CHARACTERS, HEIGHT = 7, 120, 14
PLACES = ("arm", "used-as", "provider", "instance", "region", "country", "eea")
EEA = {True: "eea-yes", False: "eea-no", None: "eea-unknown"}


def record_of_processing(sheet: Sheet, row: int, record: ProcessingRecord, words: Messages) -> int:
    """Entries by letter of the article, places, transfers, what is missing, sources; returns the next row."""
    sheet.word(1, row, "compliance.record", "st_section")
    sheet.word(1, row + 1, "compliance.draft", "st_note")
    sheet.merge(row + 1, 1, COLUMNS, HEAD_HEIGHT)
    row = _entries(sheet, row + 2, record, words)
    row = _places(sheet, row + 1, record, words)
    is_open = any(place.in_eea is None for place in record.places)
    nothing = words("transfer-open" if is_open else "transfer-none")
    transfers = [
        _bare(words("transfer", arm=p.arm, region=p.region or "?", country=p.country)) for p in record.transfers
    ]
    row = _list(sheet, row + 1, "transfers", transfers or [nothing])
    missing = [_missing(item, words) for item in record.missing]
    row = _list(sheet, row + 1, "missing", missing or [words("missing-none")])
    sources = [_bare(words("source", page=s.page, on=figures.day(s.seen_on))) for s in record.sources]
    return _list(sheet, row + 1, "sources", sources) if sources else row


def _entries(sheet: Sheet, row: int, record: ProcessingRecord, words: Messages) -> int:
    sheet.heads(row, [f"compliance.{head}" for head in ("article", "what", "entry")])
    missing = {item.code for item in record.missing}
    for at, name in enumerate((*ALWAYS, *WHERE_APPLICABLE, *THEN), start=row + 1):
        value = getattr(record.configured, name)
        text = ", ".join(part for part in (value if isinstance(value, tuple) else (value,)) if part)
        empty = "missing-entry" if name in missing else "no-transfers"
        empty = "where-applicable" if name in WHERE_APPLICABLE else empty
        sheet.text(1, at, words(f"what.{name}"))
        sheet.text(2, at, words(f"letter.{name}"), "st_muted")
        sheet.text(3, at, text or plain(words(empty)), "st_text" if text else "st_muted")
        longest = max(len(text) / (CHARACTERS * 0.7), len(words(f"what.{name}")) / 36)
        sheet.merge(at, 3, COLUMNS, HEIGHT * (1 + int(longest)))
    return row + 1 + len((*ALWAYS, *WHERE_APPLICABLE, *THEN))


def _places(sheet: Sheet, row: int, record: ProcessingRecord, words: Messages) -> int:
    sheet.word(1, row, "compliance.places", "st_section")
    sheet.heads(row + 1, [f"compliance.{head}" for head in PLACES])
    for at, place in enumerate(record.places, start=row + 2):
        unknown = plain(words("unknown"))
        cells = (
            place.arm, words(f"use.{place.use.value}"), place.provider or unknown, place.instance_type or "–",
            place.region or unknown, _country(place, words, unknown), words(EEA[place.in_eea]),
        )  # fmt: skip
        for column, text in enumerate(cells, start=1):
            sheet.text(column, at, text)
        sheet.worksheet.row_dimensions[at].height = HEAD_HEIGHT
    return row + 2 + len(record.places)


def _country(place: ProcessingPlace, words: Messages, unknown: str) -> str:
    if place.country is None:
        return unknown
    return plain(words("configured", country=place.country)) if place.is_country_configured else place.country


def _missing(item: Missing, words: Messages) -> str:
    if item.code in FACTS:
        return _bare(words(f"missing-{item.code}", subject=item.subject or ""))
    return _bare(words("missing-field", what=words(f"what.{item.code}"), field=item.code))


def _bare(text: str) -> str:
    """A line of the Markdown list without its marks."""
    return plain(text.removeprefix("- ").replace("<http", "http").replace(">, ", ", "))


def _list(sheet: Sheet, row: int, code: str, lines: list[str]) -> int:
    sheet.word(1, row, f"compliance.{code}", "st_section")
    for at, line in enumerate(lines, start=row + 1):
        sheet.text(1, at, line)
        sheet.merge(at, 1, COLUMNS, HEIGHT * (1 + len(line) // CHARACTERS))
    return row + 1 + len(lines)
