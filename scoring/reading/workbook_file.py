"""xlsx to tables: one a sheet, with numbers, dates and per cents as the cells are typed."""

import datetime as dt
import io
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse
from python_calamine import CalamineError, CalamineWorkbook

from scoring.model.problem import Problem
from scoring.problems import error
from scoring.reading.limits import MAX_CELLS, MAX_FILE_BYTES, MAX_TABLE_BYTES, MAX_WORKBOOK_MEMBERS
from scoring.reading.posted import PostedFile
from scoring.reading.rows_to_table import tables_of_cells
from scoring.reading.table import Cell, Table
from scoring.reading.workbook_extent import ROWS_READ, TooFar, check_extents, position

PERCENT_FORMATS = {9, 10}
DAMAGED = (
    zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, KeyError, RuntimeError, ParseError,
    DefusedXmlException,
)  # fmt: skip
"""What reading a broken workbook raises; RuntimeError stands for packings that are not known, too."""
STYLED_BYTES = 8 * 2**20
"""Sheets above this size are read without their errors and per-cent formats; the header then must name the per cent."""
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


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
            cells = _cells(rows, first_row, first_column, marks.get(name, _Marks()))
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


@dataclass
class _Marks:
    """Cells that are shown as per cent, and the texts of cells that hold an error such as #DIV/0!."""

    percents: set[tuple[int, int]] = field(default_factory=set)
    errors: dict[tuple[int, int], str] = field(default_factory=dict)


def _cells(
    rows: Sequence[Sequence[Any]], first_row: int, first_column: int, marks: _Marks
) -> list[tuple[int, list[Cell]]]:
    return [
        (
            first_row + i + 1,
            [_cell(value, (first_row + i, first_column + j), marks) for j, value in enumerate(row)],
        )
        for i, row in enumerate(rows)
    ]


def _cell(value: Any, place: tuple[int, int], marks: _Marks) -> Cell:
    if place in marks.errors:
        return Cell(marks.errors[place])
    if isinstance(value, bool):
        return Cell(str(value).lower(), value)
    if isinstance(value, (int, float)):
        return Cell(f"{value:.15g}", float(value), place in marks.percents)
    if isinstance(value, dt.datetime):
        return Cell(value.isoformat(), value.replace(tzinfo=dt.UTC))
    if isinstance(value, dt.date):
        return Cell(value.isoformat(), dt.datetime(value.year, value.month, value.day, tzinfo=dt.UTC))
    if isinstance(value, (dt.time, dt.timedelta)):
        return Cell(str(value))
    return Cell(" ".join(str(value).split()))


def _marks(data: bytes, names: Sequence[str]) -> dict[str, _Marks]:
    """What the values of each sheet's cells do not tell: number formats and errors."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            styles = _percent_styles(archive)
            return {
                name: _marked(archive, part, styles)
                for name, part in _parts(archive).items()
                if name in names and archive.getinfo(part).file_size <= STYLED_BYTES
            }
    except DAMAGED:
        return {}


def _percent_styles(archive: zipfile.ZipFile) -> set[str]:
    custom: set[int] = set(PERCENT_FORMATS)
    styles: set[str] = set()
    inside = False
    with archive.open("xl/styles.xml") as stream:
        for event, element in iterparse(stream, events=("start", "end")):
            if event == "start":
                inside = inside or element.tag == f"{_MAIN}cellXfs"
                continue
            if element.tag == f"{_MAIN}numFmt" and "%" in element.get("formatCode", ""):
                custom.add(int(element.get("numFmtId", "0")))
            elif element.tag == f"{_MAIN}cellXfs":
                styles = {str(i) for i, xf in enumerate(element) if int(xf.get("numFmtId", "0")) in custom}
    return styles


def _parts(archive: zipfile.ZipFile) -> dict[str, str]:
    targets: dict[str, str] = {}
    with archive.open("xl/_rels/workbook.xml.rels") as stream:
        for _, element in iterparse(stream):
            target = element.get("Target", "")
            targets[element.get("Id", "")] = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    with archive.open("xl/workbook.xml") as stream:
        sheets = [e for _, e in iterparse(stream) if e.tag == f"{_MAIN}sheet"]
        return {e.get("name", ""): targets[e.get(_RELATION, "")] for e in sheets}


def _marked(archive: zipfile.ZipFile, part: str, styles: set[str]) -> _Marks:
    found = _Marks()
    with archive.open(part) as stream:
        for _, element in iterparse(stream):
            if element.tag == f"{_MAIN}c":
                _mark(element, styles, found)
            elif element.tag == f"{_MAIN}row":
                element.clear()
    return found


def _mark(cell: Element, styles: set[str], found: _Marks) -> None:
    place = position(cell.get("r", ""))
    if place is None:
        return
    if cell.get("s") in styles:
        found.percents.add(place)
    if cell.get("t") == "e":
        found.errors[place] = cell.findtext(f"{_MAIN}v") or "#ERROR"
