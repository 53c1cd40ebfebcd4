"""Delimited text to a table: the header is found below titles, totals and notes are set aside, lines are kept."""

import csv
import io
import re
from collections.abc import Iterator, Sequence

from scoring.model.problem import Problem
from scoring.problems import error, info, question, warning
from scoring.reading.limits import MAX_COLUMNS, MAX_ROWS
from scoring.reading.sniff import delimiter_of
from scoring.reading.table import Cell, Table, TableRow

Rows = list[tuple[int, list[str]]]
TOTALS = re.compile(
    r"\s*(grand\s+)?(total(es)?|sub-?total|sum|suma|average|avg|mean|promedio|media|overall)\b[\s:]*\Z", re.IGNORECASE
)
_NUMBER = re.compile(r"[\s$€£]*[-+−]?\d[\d.,'\u00a0\u202f ]*\s*(%|[a-zA-Z€$/]{0,8})\s*\Z")
LONG_CELL = 2_000
TITLE_ROWS = 40
csv.field_size_limit(2**24)


def read_delimited(text: str, file: str, first_line: int = 1) -> tuple[list[Table], list[Problem]]:
    """The table of a text, if it holds one. `first_line` is the line of the file in which the text begins."""
    delimiter = delimiter_of(text)
    rows, problems = _rows(text, delimiter or ",", file, first_line)
    return tables_from(rows, file, problems)


def _rows(text: str, delimiter: str, file: str, first_line: int) -> tuple[Rows, list[Problem]]:
    """Rows with the line in which each begins; an unclosed quote is answered with its line."""
    skip = 1 if text[:4].lower() == "sep=" else 0
    body = text.split("\n", 1)[1] if skip and "\n" in text else text
    reader = csv.reader(io.StringIO(body.replace("\r\n", "\n").replace("\r", "\n")), delimiter=delimiter)
    rows: Rows = []
    line = first_line + skip
    try:
        for cells in reader:
            begins, line = line, first_line + skip + reader.line_num
            if any("\n" in cell and len(cell) > LONG_CELL for cell in cells):
                return rows, [error("unclosed-quote", file=file, row=begins, found='"')]
            rows.append((begins, [cell.strip() for cell in cells]))
            if len(rows) > MAX_ROWS + TITLE_ROWS:
                return rows, [error("too-many-rows", file=file, found=f"over {MAX_ROWS:,}", expected=f"{MAX_ROWS:,}")]
    except csv.Error as failure:
        return rows, [error("csv-syntax", file=file, row=line, found=str(failure))]
    if rows and text.count('"') % 2:
        opened = next((begins for begins, cells in reversed(rows) if any("\n" in c for c in cells)), rows[-1][0])
        return rows, [error("unclosed-quote", file=file, row=opened, found='"')]
    return rows, []


def tables_from(
    rows: Rows, file: str, problems: list[Problem], part: str | None = None
) -> tuple[list[Table], list[Problem]]:
    """Rows of texts to a table, whatever they were read from."""
    cells = [(line, [Cell(text) for text in row]) for line, row in rows]
    return tables_of_cells(cells, file, problems, part)


def tables_of_cells(
    rows: Sequence[tuple[int, Sequence[Cell]]], file: str, problems: list[Problem], part: str | None = None
) -> tuple[list[Table], list[Problem]]:
    """The one table of these rows: its header, the rows below it, and what stands around it."""
    filled = [(line, list(cells)) for line, cells in rows if any(c.text for c in cells)]
    if not filled:
        return [], problems
    at = _header_index(filled)
    if at is None:
        return [], problems
    header_row, header_cells = filled[at]
    header, more = _unique_header([c.text for c in header_cells], file, header_row)
    problems = problems + more
    if len(header) > MAX_COLUMNS:
        found, expected = f"{len(header):,}", f"at most {MAX_COLUMNS:,}"
        return [], [*problems, error("too-many-columns", file=file, row=header_row, found=found, expected=expected)]
    notes = [_joined(cells) for _, cells in filled[:at]]
    kept, set_aside, more = _body(filled[at + 1 :], len(header), file)
    problems = problems + more
    if not kept:
        return [], [*problems, question("header-only", file=file, row=header_row, found=", ".join(header)[:200])]
    table = Table(
        file=file,
        header=tuple(header),
        header_row=header_row,
        rows=tuple(kept),
        part=part,
        preamble=dict(_pairs(cells for _, cells in filled[:at])),
        notes=tuple(notes + set_aside),
    )
    return [table], problems


def _joined(cells: Sequence[Cell]) -> str:
    return " ".join(c.text for c in cells if c.text)


def _pairs(rows: Iterator[Sequence[Cell]]) -> Iterator[tuple[str, str]]:
    """`key: value` in one cell or two, above the table."""
    for cells in rows:
        texts = [c.text for c in cells if c.text]
        if len(texts) == 1 and ":" in texts[0]:
            key, _, value = texts[0].partition(":")
            yield key.strip(), value.strip()
        elif len(texts) == 2 and texts[0].endswith(":"):
            yield texts[0].rstrip(": "), texts[1]


def _header_index(rows: list[tuple[int, list[Cell]]]) -> int | None:
    """The first row of texts, as wide as the table, with a row under it that holds a number."""
    width = max(_filled(cells) for _, cells in rows[: TITLE_ROWS * 2])
    if width < 2:
        return 0 if len(rows) > 1 and not _has_number(rows[0][1]) and _has_number(rows[1][1]) else None
    for i, (_, cells) in enumerate(rows[:TITLE_ROWS]):
        texts = [c for c in cells if c.text]
        if len(texts) < max(2, 0.6 * width) or any(_is_number(c) for c in texts):
            continue
        following = rows[i + 1 : i + 6]
        if not following or any(_has_number(below) for _, below in following):
            return i
    return None


def _filled(cells: Sequence[Cell]) -> int:
    return sum(1 for c in cells if c.text)


def _is_number(cell: Cell) -> bool:
    typed = isinstance(cell.value, (int, float)) and not isinstance(cell.value, bool)
    return typed or bool(_NUMBER.match(cell.text))


def _has_number(cells: Sequence[Cell]) -> bool:
    return any(_is_number(c) for c in cells)


def _unique_header(names: list[str], file: str, row: int) -> tuple[list[str], list[Problem]]:
    while names and not names[-1]:
        names = names[:-1]
    seen: dict[str, int] = {}
    header, problems = [], []
    for number, name in enumerate(names, start=1):
        name = " ".join(name.split()) or f"column {number}"
        count = seen[name.casefold()] = seen.get(name.casefold(), 0) + 1
        if count > 1:
            problems.append(warning("duplicate-header", file=file, row=row, column=name, found=name))
            name = f"{name} ({count})"
        header.append(name)
    return header, problems


def _body(
    rows: Sequence[tuple[int, list[Cell]]], width: int, file: str
) -> tuple[list[TableRow], list[str], list[Problem]]:
    kept: list[TableRow] = []
    notes: list[str] = []
    problems: list[Problem] = []
    for line, cells in rows:
        text = _joined(cells)
        if _is_total(cells):
            problems.append(info("totals-row-left-out", file=file, row=line, found=text[:100]))
        elif width > 2 and _filled(cells) == 1 and not _is_number(next(c for c in cells if c.text)):
            notes.append(text)
            problems.append(info("note-beside-table", file=file, row=line, found=text[:100]))
        elif len(cells) > width and any(c.text for c in cells[width:]):
            found, expected = str(len(cells)), str(width)
            problems.append(error("ragged-row", file=file, row=line, found=found, expected=expected))
        else:
            kept.append(TableRow(line, tuple(cells)))
    return kept, notes, problems


def _is_total(cells: Sequence[Cell]) -> bool:
    first = next((c.text for c in cells if c.text), "")
    return bool(TOTALS.match(first)) and _has_number(cells[1:])
