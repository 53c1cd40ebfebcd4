"""What the values of a workbook's cells do not tell: number formats, errors, and formulas that were never computed."""

import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import iterparse

from scoring.reading.headers import currency_in
from scoring.reading.workbook_extent import position

PERCENT = "%"
BUILT_IN = {9: PERCENT, 10: PERCENT, 5: "USD", 6: "USD", 7: "USD", 8: "USD", 42: "USD", 44: "USD"}
"""Number formats without a code of their own; the money ones are dollars in files that Excel writes in English."""
STYLED_BYTES = 8 * 2**20
"""Sheets above this size are read without their marks; the header then must name per cents and currencies."""
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_SIGN = re.compile(r"\[\$([^\]-]{1,4})[^\]]*\]|\"\s*([^\"]{1,4}?)\s*\"|([$€£¥])")
Place = tuple[int, int]


@dataclass
class Marks:
    """By row and column from 0: cells shown as per cent, currencies, error texts; and formulas without a value."""

    percents: set[Place] = field(default_factory=set)
    currencies: dict[Place, str] = field(default_factory=dict)
    errors: dict[Place, str] = field(default_factory=dict)
    uncomputed: set[Place] = field(default_factory=set)


def marks_of(archive: zipfile.ZipFile, names: Sequence[str]) -> dict[str, Marks]:
    """Marks of each sheet by its name. Raises what a damaged archive or XML raises."""
    styles = _styles(archive)
    return {
        name: _marked(archive, part, styles)
        for name, part in _parts(archive).items()
        if name in names and archive.getinfo(part).file_size <= STYLED_BYTES
    }


def _styles(archive: zipfile.ZipFile) -> dict[str, str]:
    """Per cent or currency of the cell styles that have one, by their index."""
    formats: dict[int, str] = dict(BUILT_IN)
    styles: dict[str, str] = {}
    inside = False
    with archive.open("xl/styles.xml") as stream:
        for event, element in iterparse(stream, events=("start", "end")):
            if event == "start":
                inside = inside or element.tag == f"{_MAIN}cellXfs"
                continue
            if element.tag == f"{_MAIN}numFmt" and (kind := _kind(element.get("formatCode", ""))):
                formats[int(element.get("numFmtId", "0"))] = kind
            elif element.tag == f"{_MAIN}cellXfs":
                ids = [int(xf.get("numFmtId", "0")) for xf in element]
                styles = {str(i): formats[number] for i, number in enumerate(ids) if number in formats}
    return styles


def _kind(code: str) -> str | None:
    """`%`, or the currency whose sign a format shows: `#,##0.00 [$€-C0A]`, `"CHF" #,##0`."""
    if PERCENT in code:
        return PERCENT
    signs = (next(filter(None, match)) for match in _SIGN.findall(code))
    return next((currency for sign in signs if (currency := currency_in(sign.strip().casefold()))), None)


def _parts(archive: zipfile.ZipFile) -> dict[str, str]:
    targets: dict[str, str] = {}
    with archive.open("xl/_rels/workbook.xml.rels") as stream:
        for _, element in iterparse(stream):
            target = element.get("Target", "")
            targets[element.get("Id", "")] = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    with archive.open("xl/workbook.xml") as stream:
        sheets = [e for _, e in iterparse(stream) if e.tag == f"{_MAIN}sheet"]
        return {e.get("name", ""): targets[e.get(_RELATION, "")] for e in sheets}


def _marked(archive: zipfile.ZipFile, part: str, styles: dict[str, str]) -> Marks:
    found = Marks()
    with archive.open(part) as stream:
        for _, element in iterparse(stream):
            if element.tag == f"{_MAIN}c":
                _mark(element, styles, found)
            elif element.tag == f"{_MAIN}row":
                element.clear()
    return found


def _mark(cell: Element, styles: dict[str, str], found: Marks) -> None:
    place = position(cell.get("r", ""))
    if place is None:
        return
    kind = styles.get(cell.get("s", ""))
    if kind == PERCENT:
        found.percents.add(place)
    elif kind is not None:
        found.currencies[place] = kind
    if cell.get("t") == "e":
        found.errors[place] = cell.findtext(f"{_MAIN}v") or "#ERROR"
    if cell.find(f"{_MAIN}f") is not None and not cell.findtext(f"{_MAIN}v"):
        found.uncomputed.add(place)
