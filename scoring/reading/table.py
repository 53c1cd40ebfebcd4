"""A table as posted: texts with their lines, before anything is understood."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Cell:
    """`text` as shown; `value` only where the file typed it. A per-cent formatted number is its fraction already.

    `currency` is that of the number's format.
    """

    text: str
    value: float | bool | datetime | None = None
    is_percent: bool = False
    currency: str | None = None


@dataclass(frozen=True)
class TableRow:
    """`row` is the line in the posted file, from 1; in a workbook the sheet's row."""

    row: int
    cells: tuple[Cell, ...]

    def cell(self, index: int) -> Cell:
        """The cell of a column; an empty one where the row is short."""
        return self.cells[index] if index < len(self.cells) else Cell("")


@dataclass(frozen=True)
class Table:
    """`preamble` are key: value lines that apply to the table, `notes` the lines above and below it.

    `part` is the sheet, block or line of the file it was found in; `totals` are rows that were left out as totals;
    `delimiter` what divided a delimited text.
    """

    file: str
    header: tuple[str, ...]
    header_row: int
    rows: tuple[TableRow, ...]
    part: str | None = None
    preamble: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    totals: tuple[TableRow, ...] = ()
    delimiter: str | None = None

    def column(self, index: int) -> list[Cell]:
        """All cells of a column."""
        return [row.cell(index) for row in self.rows]
