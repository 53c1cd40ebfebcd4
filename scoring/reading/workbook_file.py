"""xlsx to tables: one a sheet, with numbers, dates and per cents as the cells are typed."""

import datetime as dt
import io
import zipfile
import zlib
from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from python_calamine import CalamineError, CalamineWorkbook

from scoring.model.problem import Problem
from scoring.problems import error, question
from scoring.reading.limits import MAX_CELLS, MAX_FILE_BYTES, MAX_TABLE_BYTES, MAX_WORKBOOK_MEMBERS
from scoring.reading.posted import PostedFile
from scoring.reading.rows_to_table import tables_of_cells
from scoring.reading.table import Cell, Table
from scoring.reading.workbook_extent import ROWS_READ, TooFar, check_extents
from scoring.reading.workbook_marks import Marks, marks_of

DAMAGED = (
    zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, KeyError, RuntimeError, ParseError,
    DefusedXmlException,
)  # fmt: skip
"""What reading a broken workbook raises; RuntimeError stands for packings that are not known, too."""


def read_workbook(posted: PostedFile) -> tuple[list[Table], list[Problem]]:
    """Every sheet that holds a table."""
    if posted.size > MAX_TABLE_BYTES:
        found, expected = f"{posted.size:,}", f"{MAX_TABLE_BYTES:,}"
        return [], [error("file-too-large", file=posted.name, found=found, expected=expected)]
    data = posted.read(MAX_TABLE_BYTES)
    refused = _refused(data, posted.name)
    if refused:
        return [], [refused]
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = [(name, workbook.get_sheet_by_name(name)) for name in workbook.sheet_names]
        marks = _marks(data, [name for name, _ in sheets])
        tables: list[Table] = []
        problems: list[Problem] = []
        for name, sheet in sheets:
            first_row, first_column = sheet.start or (0, 0)
            rows = sheet.to_python(skip_empty_area=True, nrows=ROWS_READ)
            of_sheet = marks.get(name, Marks())
            cells = _cells(rows, first_row, first_column, of_sheet)
            _fill_merged(cells, first_row, first_column, sheet.merged_cell_ranges or [])
            problems += _uncomputed(of_sheet, posted.name, name)
            found_tables, found_problems = tables_of_cells(cells, posted.name, [], part=name)
            tables += found_tables
            problems += found_problems
        return tables, problems
    except (CalamineError, OverflowError, *DAMAGED) as failure:
        return [], [error("workbook-damaged", file=posted.name, found=str(failure)[:200])]


def _refused(data: bytes, file: str) -> Problem | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _refused_members(archive, file)
    except TooFar as far:
        return error("file-too-large", file=file, found=str(far), expected=f"{MAX_CELLS:,} cells")
    except DAMAGED as failure:
        return error("workbook-damaged", file=file, found=str(failure)[:200])


def _refused_members(archive: zipfile.ZipFile, file: str) -> Problem | None:
    members = archive.infolist()
    if len(members) > MAX_WORKBOOK_MEMBERS or sum(m.file_size for m in members) > MAX_FILE_BYTES:
        return error("archive-unsafe", file=file, found="declares too large a size", why="declares too large a size")
    if any(m.flag_bits & 1 for m in members):
        return error("archive-unsafe", file=file, found="has a password", why="has a password")
    check_extents(archive)
    return None


def _cells(
    rows: Sequence[Sequence[Any]], first_row: int, first_column: int, marks: Marks
) -> list[tuple[int, list[Cell]]]:
    return [
        (
            first_row + i + 1,
            [_cell(value, (first_row + i, first_column + j), marks) for j, value in enumerate(row)],
        )
        for i, row in enumerate(rows)
    ]


def _fill_merged(
    rows: list[tuple[int, list[Cell]]], top: int, left: int, merged: Sequence[tuple[tuple[int, int], tuple[int, int]]]
) -> None:
    """A cell merged downwards holds for every row that it spans, if that row holds a number."""
    for (first, column), (last, _) in merged:
        at, inside = column - left, range(first - top + 1, last - top + 1)
        if not 0 <= first - top < len(rows) or not 0 <= at < len(rows[first - top][1]):
            continue
        value = rows[first - top][1][at]
        for i in inside:
            if i < len(rows) and any(isinstance(c.value, float) for c in rows[i][1]) and not rows[i][1][at].text:
                rows[i][1][at] = value


def _uncomputed(marks: Marks, file: str, sheet: str) -> list[Problem]:
    """Formulas that no spreadsheet program has computed yet show nothing."""
    if not marks.uncomputed:
        return []
    row = min(marks.uncomputed)[0] + 1
    return [question("formulas-without-values", file=file, row=row, found=str(len(marks.uncomputed)), sheet=sheet)]


def _cell(value: Any, place: tuple[int, int], marks: Marks) -> Cell:
    if place in marks.errors:
        return Cell(marks.errors[place])
    if isinstance(value, bool):
        return Cell(str(value).lower(), value)
    if isinstance(value, (int, float)):
        currency = marks.currencies.get(place)
        return Cell(f"{value:.15g}", float(value), place in marks.percents, currency)
    if isinstance(value, dt.datetime):
        return Cell(value.isoformat(), value.replace(tzinfo=dt.UTC))
    if isinstance(value, dt.date):
        return Cell(value.isoformat(), dt.datetime(value.year, value.month, value.day, tzinfo=dt.UTC))
    if isinstance(value, (dt.time, dt.timedelta)):
        return Cell(str(value))
    return Cell(" ".join(str(value).split()))


def _marks(data: bytes, names: Sequence[str]) -> dict[str, Marks]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return marks_of(archive, names)
    except DAMAGED:
        return {}
