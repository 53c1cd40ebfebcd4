"""A workbook of a review: the memo's cells, without a decision behind them."""

from openpyxl.workbook import Workbook

from bot.render.messages import Messages, catalogue
from bot.render.workbook.cells import Book, Sheet
from scoring.review.values import Review


class Pages(Book):
    """The workbook under construction. It has no decision: nothing on its sheets may ask for one."""

    def __init__(self, review: Review, workbook: Workbook) -> None:
        self.review, self.workbook = review, workbook
        self.words: Messages = catalogue(review.language, "review")
        self.cached, self.names, self.values, self.dressed, self.inputs = {}, {}, {}, {}, []
        self.places: dict[str, tuple[Sheet, int, int]] = {}

    @property
    def yes_or_no(self) -> str:
        """The number format that shows 1 and 0 as words; sums and counts go on over the numbers."""
        words = catalogue(self.review.language, "workbook")
        yes, no = words("answer.yes"), words("answer.no")
        return f'"{yes}";"{yes}";"{no}"'

    def table(self, key: str, widths: list[float], heads: list[str], row: int = 3) -> Sheet:
        """A new sheet with its title and the heads of its table in `row`."""
        sheet = self.sheet(key)
        sheet.widths(*widths)
        sheet.word(1, 1, f"sheet.{key}", "st_title")
        sheet.heads(row, [f"head.{head}" for head in heads])
        sheet.worksheet.freeze_panes = f"A{row + 1}"
        sheet.print_setup(title_rows=f"{row}:{row}", pages=0)
        return sheet

    def rows(self, key: str, sheet: Sheet, first: int, count: int) -> None:
        """Remember where a sheet's table stands, for formulas of others."""
        self.places[key] = sheet, first, max(first, first + count - 1)

    def span(self, key: str, column: int) -> str:
        """A column of a remembered table."""
        sheet, first, last = self.places[key]
        return sheet.span(column, first, last)
