"""A sheet's rows as XML, written straight from its cells with the value beside each formula.

openpyxl builds an element a cell, which takes most of the time of a memo, and writes no value beside a formula.
"""

import datetime as dt
import io
import math
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter
from openpyxl.xml.constants import DRAWING_NS
from openpyxl.xml.functions import tostring

from bot.render.workbook.cells import Value, storable
from bot.render.workbook.styles import FONT

DAY_ZERO = dt.date(1899, 12, 30)
"""Day 0 of a spreadsheet's dates."""
CHART_TEXT = (
    f'<txPr><a:bodyPr xmlns:a="{DRAWING_NS}"/><a:p xmlns:a="{DRAWING_NS}"><a:pPr><a:defRPr sz="900">'
    f'<a:latin typeface="{FONT}"/></a:defRPr></a:pPr><a:endParaRPr lang="en"/></a:p></txPr>'
).encode()
"""One font in charts too; openpyxl has no place for it."""
NO_ROWS = b"<sheetData></sheetData>"


class MissingValue(Exception):
    """A formula without the value that it has: a bug of a sheet."""


class MemoWriter(ExcelWriter):
    """openpyxl's writer with rows of our own; `cached` holds the formulas' values by sheet and cell."""

    def __init__(self, workbook: Any, archive: Any, cached: Mapping[str, Mapping[str, Value]]) -> None:
        super().__init__(workbook, archive)
        self._zip, self._cached = archive, cached

    def write_worksheet(self, ws: Any) -> None:
        """A sheet's part of the archive. Raises MissingValue for a formula without a cached value."""
        ws._drawing = SpreadsheetDrawing()
        ws._drawing._chart_frame = _Described(ws._charts)
        ws._drawing.charts, ws._drawing.images = ws._charts, ws._images
        writer = _Frame(ws)
        writer.write()
        ws._rels = writer._rels  # type: ignore[attr-defined]
        around = writer.written.getvalue()
        assert around.count(NO_ROWS) == 1  # noqa: S101 - what _Frame writes
        self._zip.writestr(ws.path[1:], around.replace(NO_ROWS, sheet_data(ws, self._cached[ws.title])))
        self.manifest.append(ws)

    def _write_charts(self) -> None:
        """The charts' parts, in the memo's font."""
        for number, chart in enumerate(self._charts, 1):  # type: ignore[attr-defined]
            chart._id = number
            told = tostring(chart._write()).replace(b"</chartSpace>", CHART_TEXT + b"</chartSpace>")
            self._zip.writestr(chart.path[1:], told)
            self.manifest.append(chart)


class _Described:
    """A chart's frame with its name and a text for those who do not see it."""

    def __init__(self, charts: list[Any]) -> None:
        self.charts = charts

    def __call__(self, number: int) -> Any:
        frame = SpreadsheetDrawing()._chart_frame(number)  # type: ignore[attr-defined]
        frame.nvGraphicFramePr.cNvPr.descr = getattr(self.charts[number - 1], "alt", "")
        return frame


class _Frame(WorksheetWriter):
    """What is around the rows."""

    def __init__(self, ws: Worksheet) -> None:
        self.written = io.BytesIO()
        super().__init__(ws, self.written)

    def write_rows(self) -> None:
        stream: Any = self.xf.send(True)
        with stream.element("sheetData"):
            pass
        self.xf.send(None)


def sheet_data(ws: Any, values: Mapping[str, Value]) -> bytes:
    """The element `sheetData`. Raises MissingValue unless each formula has one value and each value one formula."""
    styles: dict[bytes, str] = {}
    rows: dict[int, list[str]] = {number: [] for number in ws.row_dimensions}
    formulas = 0
    for (number, _), cell in sorted(ws._cells.items()):
        if cell._value is None and not cell.has_style:
            continue
        key = cell._style.tobytes()
        style = styles.get(key)
        if style is None:
            style = styles[key] = f' s="{cell.style_id}"' if cell.has_style else ""
        place = cell.coordinate
        if cell.data_type == "f":
            formulas += 1
            if place not in values:
                raise MissingValue(f"{ws.title}!{place}")
            kind, content = _value(values[place])
            content = f"<f>{escape(cell._value[1:])}</f>{content}"
        else:
            kind, content = _constant(cell)
        rows.setdefault(number, []).append(f'<c r="{place}"{style}{kind}>{content}</c>')
    if formulas != len(values):
        raise MissingValue(f"{ws.title}: {formulas} formulas, {len(values)} values")
    found = "".join(f'<row r="{number}"{_height(ws, number)}>{"".join(rows[number])}</row>' for number in sorted(rows))
    return f"<sheetData>{found}</sheetData>".encode()


def _height(ws: Any, number: int) -> str:
    told = ws.row_dimensions.get(number)
    return "".join(f' {name}="{value}"' for name, value in told) if told is not None else ""


def _constant(cell: Any) -> tuple[str, str]:
    value = cell._value
    if value is None or value == "":
        return "", ""
    if cell.data_type != "s":
        return _value(value)
    kept = ' xml:space="preserve"' if value != value.strip() or "\n" in value else ""
    return ' t="inlineStr"', f"<is><t{kept}>{escape(value)}</t></is>"


def _value(value: Value) -> tuple[str, str]:
    if isinstance(value, bool):
        return ' t="b"', f"<v>{value:d}</v>"
    if isinstance(value, dt.date):
        return "", f"<v>{(value - DAY_ZERO).days}</v>"
    if isinstance(value, int):
        return "", f"<v>{value}</v>"
    if isinstance(value, float):
        if not math.isfinite(value):
            raise MissingValue("a value that is no number")
        return "", f"<v>{float(value)!r}</v>"
    return ' t="str"', f"<v>{escape(storable(value))}</v>"
