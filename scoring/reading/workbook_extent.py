"""How far the filled cells of a sheet reach, told before anything is allocated: 5 KB can declare 17 billion cells."""

import re
import zipfile
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import iterparse

from scoring.reading.limits import MAX_CELLS, MAX_ROWS, MAX_SHEET_AREA, MAX_TABLE_BYTES

_RELATIONS = "xl/_rels/workbook.xml.rels"
_READ_PARTS = ("/worksheet", "/sharedStrings", "/styles")
ROWS_READ = MAX_ROWS + 50
"""Titles and notes may stand beside as many rows as a table may have."""
_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})\Z")


class TooFar(Exception):
    """A sheet that is not read, and why."""


def position(reference: str) -> tuple[int, int] | None:
    """Row and column, from 0, of a reference such as `AB12`."""
    match = _REFERENCE.match(reference)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - 64
    return int(match[2]) - 1, column - 1


@dataclass
class _Extent:
    """The smallest rectangle about the filled cells seen so far; a cell without a reference follows the last one."""

    top: int | None = None
    bottom: int = 0
    left: int = 0
    right: int = 0
    row: int = -1
    column: int = -1

    def begin_row(self, element: Element) -> None:
        named = element.get("r", "")
        self.row = int(named) - 1 if named.isdigit() else self.row + 1
        self.column = -1

    def end_cell(self, element: Element) -> None:
        self.row, self.column = position(element.get("r", "")) or (self.row, self.column + 1)
        if not len(element):
            return
        if self.top is None:
            self.top, self.bottom, self.left, self.right = self.row, self.row, self.column, self.column
        self.top, self.bottom = min(self.top, self.row), max(self.bottom, self.row)
        self.left, self.right = min(self.left, self.column), max(self.right, self.column)

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return (0, 0) if self.top is None else (self.bottom - self.top + 1, self.right - self.left + 1)


def check_extents(archive: zipfile.ZipFile) -> None:
    """Raise TooFar for a sheet that would take too much memory.

    ValueError, KeyError, ParseError or DefusedXmlException tell that the workbook is damaged or no xlsx.
    """
    names = {m.filename for m in archive.infolist()}
    if "xl/workbook.xml" not in names:
        raise ValueError("it is no xlsx")
    _check_targets(archive)
    for member in archive.infolist():
        if not member.filename.lower().endswith(".xml"):
            continue
        if member.file_size > MAX_TABLE_BYTES:
            raise TooFar(f"{member.file_size:,} bytes in a sheet")
        rows, columns = _extent_of(archive, member)
        if rows * columns > MAX_SHEET_AREA or min(rows, ROWS_READ) * columns > MAX_CELLS:
            raise TooFar(f"{rows:,} × {columns:,} cells")


def _check_targets(archive: zipfile.ZipFile) -> None:
    """Every part that the workbook refers to is one that is looked at here."""
    with archive.open(_RELATIONS) as stream:
        for _, element in iterparse(stream):
            target = element.get("Target", "")
            if element.get("Type", "").endswith(_READ_PARTS) and not target.lower().endswith(".xml"):
                raise ValueError(f"a sheet is called {target[:80]}")


def _extent_of(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> tuple[int, int]:
    extent = _Extent()
    with archive.open(member) as stream:
        for event, element in iterparse(stream, events=("start", "end")):
            name = element.tag.rpartition("}")[2]
            if event == "start" and name == "row":
                extent.begin_row(element)
            elif event == "end" and name == "c":
                extent.end_cell(element)
            elif event == "end" and name == "row":
                element.clear()
    return extent.size
