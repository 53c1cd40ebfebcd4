"""The one way into a cell: live formulas keep the engine's value beside them, and posted text stays text."""

import datetime as dt
import re
from copy import copy
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from openpyxl.styles.alignment import Alignment
from openpyxl.utils import FORMULAE, get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.cell_range import CellRange
from openpyxl.worksheet.worksheet import Worksheet

from bot.render.messages import Messages, catalogue
from scoring.model.decision import Decision, Word

Value = str | float | int | bool | dt.date
LONGEST = 32_767
HEAD_HEIGHT = 28
PLAIN_WIDTH = 8.43
"""Of a column whose width nobody set."""
ACROSS, ACROSS_PORTRAIT = 245, 160
"""Characters that a page holds side by side at some 60 % of their size, below which print is hard to read."""
MOST_RULED = 14
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""What XML cannot hold, and what turns the direction of the letters around it."""
_FUNCTION = re.compile(r"\b([A-Z][A-Z0-9.]*)\(")


def storable(text: str) -> str:
    """Text that XML and a cell can hold, in the order that it is read, cut with a mark at Excel's limit."""
    kept = _UNSTORABLE.sub("\ufffd", text)
    return kept if len(kept) <= LONGEST else kept[: LONGEST - 1] + "…"


@dataclass
class Book:
    """The workbook under construction: the decision, its words, the values beside formulas, the named cells."""

    decision: Decision
    words: Messages
    workbook: Workbook
    cached: dict[str, dict[str, Value]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    inputs: list[tuple[str, Value | None, str]] = field(default_factory=list)
    """Address, value and number format of each cell that may be changed, in the order written."""
    dressed: dict[tuple[str, str | None], Any] = field(default_factory=dict)

    def sheet(self, key: str) -> "Sheet":
        """A new sheet with its title from the catalogue."""
        worksheet = self.workbook.create_sheet(self.words(f"sheet.{key}"))
        self.cached[worksheet.title] = {}
        return Sheet(self, worksheet)

    def answer(self, is_so: bool) -> str:
        """Yes or no, in cells as in the formulas that ask for it."""
        return self.words("answer.yes" if is_so else "answer.no")

    def verdict(self, word: Word) -> str:
        """A verdict as cells and formulas have it."""
        return catalogue(self.decision.settings.language, "comment")(f"word.{word}")

    def number(self, name: str) -> float:
        """The value of a named cell as a number, 0 where it is empty."""
        value = self.values.get(name)
        return float(value) if isinstance(value, (int, float)) else 0.0


class Sheet:
    """One sheet; cells are addressed by column number and row, both from 1."""

    def __init__(self, book: Book, worksheet: Worksheet) -> None:
        self.book, self.worksheet = book, worksheet
        self._quoted = "'" + worksheet.title.replace("'", "''") + "'"

    def address(self, column: int, row: int) -> str:
        """`'Cash flow'!$B$7`."""
        return f"{self._quoted}!${get_column_letter(column)}${row}"

    def span(self, column: int, first: int, last: int) -> str:
        """`'Pilot'!$B$5:$B$24`."""
        letter = get_column_letter(column)
        return f"{self._quoted}!${letter}${first}:${letter}${last}"

    def word(self, column: int, row: int, code: str, style: str = "st_text", **arguments: object) -> None:
        """A sentence of ours, which may hold posted names."""
        self.text(column, row, self.book.words(code, **arguments), style)

    def text(self, column: int, row: int, text: str | None, style: str = "st_text") -> None:
        """Any text, never a formula."""
        cell = self.worksheet.cell(row, column)
        cell.value = storable(text or "")
        self._dress(cell, style)
        if style == "st_input":
            self.book.inputs.append((self.address(column, row), text, "General"))
        if text:
            cell.data_type = "s"
            if text[:1] in "=+-@\t\r":
                cell.quotePrefix = True

    def put(self, column: int, row: int, value: Value | None, form: str, style: str = "st_value") -> None:
        """A constant; a text is never a formula."""
        if isinstance(value, str):
            self.text(column, row, value, style)
        cell = self.worksheet.cell(row, column)
        if not isinstance(value, str):
            cell.value = value
        self._dress(cell, style, form)
        if style == "st_input" and not isinstance(value, str):
            self.book.inputs.append((self.address(column, row), value, form))

    def formula(
        self, column: int, row: int, formula: str, cached: Value | None, form: str, style: str = "st_value"
    ) -> str:
        """A live formula (without its `=`) and the value it has in the record; returns its address."""
        cell = self.worksheet.cell(row, column)
        cell.value = "=" + _FUNCTION.sub(_prefixed, formula)
        self._dress(cell, style, form)
        self.book.cached[self.worksheet.title][cell.coordinate] = "" if cached is None else cached
        return self.address(column, row)

    def _dress(self, cell: Any, style: str, form: str | None = None) -> None:
        """Style and number format; looking a style up by its name for every cell would take half of the time."""
        dressed = self.book.dressed.get((style, form))
        if dressed is None:
            cell.style = style
            if form is not None:
                cell.number_format = form
            dressed = self.book.dressed[style, form] = copy(cell._style)
        cell._style = copy(dressed)

    def _wrap(self, cell: Any) -> None:
        key = ("wrapped", str(tuple(cell._style)))
        if key not in self.book.dressed:
            aside = cell.alignment
            upright = "center" if aside.vertical == "center" else "top"
            cell.alignment = Alignment(aside.horizontal, upright, wrap_text=True, indent=aside.indent)
            self.book.dressed[key] = copy(cell._style)
        cell._style = copy(self.book.dressed[key])

    def name(self, name: str, column: int, row: int, value: Value | None) -> str:
        """Give a cell a name for formulas; its value is remembered for those that depend on it."""
        address = self.address(column, row)
        self.book.workbook.defined_names[name] = DefinedName(name, attr_text=address)
        self.book.names[name] = address
        if value is not None:
            self.book.values[name] = value
        return address

    def widths(self, *widths: float) -> None:
        """Column widths from the first column on."""
        for number, width in enumerate(widths, start=1):
            self.worksheet.column_dimensions[get_column_letter(number)].width = width

    def across(self, first: int, last: int) -> float:
        """The width of columns together, in characters."""
        told = self.worksheet.column_dimensions
        names = (get_column_letter(column) for column in range(first, last + 1))
        return sum(told[name].width if name in told else PLAIN_WIDTH for name in names)

    def _rules(self, last: int) -> None:
        """The rule below a section's name, up to what else stands there."""
        page = self.worksheet
        end = min(last, MOST_RULED)
        for row in [row for (row, column), cell in page._cells.items() if column == 1 and cell.style == "st_section"]:
            for column in range(2, end + 1):
                if (row, column) in page._cells and page.cell(row, column).has_style:
                    break
                self._dress(page.cell(row, column), "st_section")

    def heads(self, row: int, codes: list[str], first: int = 1, **arguments: object) -> None:
        """A row of column heads."""
        for column, code in enumerate(codes, start=first):
            self.word(column, row, code, "st_head", **arguments)
        self.worksheet.row_dimensions[row].height = HEAD_HEIGHT

    def merge(self, row: int, first: int, last: int, height: float | None = None) -> None:
        """One cell over several columns, wrapped."""
        self.worksheet.merged_cells.add(CellRange(min_row=row, min_col=first, max_row=row, max_col=last))
        self._wrap(self.worksheet.cell(row, first))
        if height:
            self.worksheet.row_dimensions[row].height = height

    def print_setup(
        self, landscape: bool = True, title_rows: str | None = None, pages: int = 1, last: int = 0, keep: str = "A:A"
    ) -> None:
        """Whole pages, `pages` high (0: as many as it takes), with page numbers and the title rows on each.

        One page wide, and more where its columns up to `last` (0: all) would be too small to read; there `keep` stands
        on each.
        """
        page = self.worksheet
        last = last or page.max_column
        room = ACROSS if landscape else ACROSS_PORTRAIT
        wide = max(1, ceil(self.across(1, last) / room)) if pages != 1 else 1
        self._rules(last)
        page.page_setup.orientation = "landscape" if landscape else "portrait"
        page.page_setup.paperSize = "9"
        page.page_setup.fitToWidth = wide
        page.page_setup.fitToHeight = pages
        page.sheet_properties.pageSetUpPr.fitToPage = True  # type: ignore[union-attr]
        page.oddFooter.right.text = "&P / &N"  # type: ignore[union-attr]
        page.oddFooter.left.text = "steelyard · &A"  # type: ignore[union-attr]
        margins = page.page_margins
        margins.left = margins.right = margins.top = 0.5
        margins.bottom, margins.header, margins.footer = 0.7, 0.3, 0.3
        if wide > 1:
            page.print_title_cols = keep
        page.sheet_view.showGridLines = False
        if title_rows:
            page.print_title_rows = title_rows


def _prefixed(match: re.Match[str]) -> str:
    name = match[1]
    return match[0] if name in FORMULAE else f"_xlfn.{name}("
