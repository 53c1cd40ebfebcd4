"""The working of Sensitivity: a column of months for each assumption that is otherwise, with its discounted sum."""

from openpyxl.utils import get_column_letter

from bot.render.workbook import styles
from bot.render.workbook.cells import HEAD_HEIGHT, Sheet
from bot.render.workbook.followed import may_renew
from bot.render.workbook.held_plan import HeldPlan, Otherwise, discounted

PLAIN = Otherwise()
WIDTH = 15


class Grid:
    """Columns from `first` on; the months stand below `head`, their discounted sums below them."""

    def __init__(self, sheet: Sheet, held: HeldPlan, first: int, head: int) -> None:
        self.sheet, self.held, self.next, self.head = sheet, held, first, head
        sheet.word(first, head - 1, "sensitivity.working", "st_section")
        sheet.word(first, head, "sensitivity.w-month", "st_head")
        for i, month in enumerate(held.working.economics.months):
            sheet.put(first, head + 1 + i, month.starts_on, "yyyy-mm")
        sheet.word(first, self.total, "sensitivity.w-sum", "st_total")
        sheet.worksheet.row_dimensions[head].height = HEAD_HEIGHT
        self.next += 1
        self.shares: dict[Otherwise, int] = {}

    @property
    def total(self) -> int:
        """Row of the sums."""
        return self.head + 1 + self.held.months

    def column(self, code: str, formulas: list[str], values: list[float], form: str, **told: object) -> int:
        """A column of months."""
        column, sheet = self.next, self.sheet
        self.next += 1
        sheet.word(column, self.head, f"sensitivity.w-{code}", "st_head", **told)
        sheet.worksheet.column_dimensions[get_column_letter(column)].width = WIDTH
        for i, (formula, value) in enumerate(zip(formulas, values, strict=True)):
            sheet.formula(column, self.head + 1 + i, formula, value, form)
        return column

    def span(self, column: int) -> str:
        """The months of a column."""
        letter = get_column_letter(column)
        return f"${letter}${self.head + 1}:${letter}${self.total - 1}"

    def summed(self, column: int, values: list[float]) -> tuple[str, float]:
        """Below a column its discounted sum: the cell and its value."""
        value = discounted(self.held, values)
        formula = f"SUMPRODUCT({self.held.span('factor')},{self.span(column)})"
        self.sheet.formula(column, self.total, formula, value, styles.MONEY, "st_total")
        return f"${get_column_letter(column)}${self.total}", value

    def share(self, other: Otherwise, **told: object) -> list[str]:
        """The share of each month on the candidate, in a column of its own unless it is today's."""
        key = other if other.moves_shares and (other.work or self.held.has_capacity) else PLAIN
        if key not in self.shares:
            formulas = [self.held.share(i, key) for i in range(self.held.months)]
            values = [self.held.share_value(i, key) for i in range(self.held.months)]
            code = "share" if key is PLAIN else "share-of"
            self.shares[key] = self.column(code, formulas, values, "0.0000", **told)
        letter = get_column_letter(self.shares[key])
        return [f"${letter}{self.head + 1 + i}" for i in range(self.held.months)]

    def plan(self, other: Otherwise, **told: object) -> tuple[int, list[float]]:
        """The plan's cost by month, without moving."""
        held, shares = self.held, self.share(other, **told)
        formulas = [held.plan(i, other, share) for i, share in enumerate(shares)]
        values = [held.plan_value(i, other) for i in range(held.months)]
        return self.column("plan", formulas, values, styles.MONEY, **told), values

    def stay(self, other: Otherwise, **told: object) -> tuple[str, float]:
        """The cheaper of both ways to stay: a formula of the sums, and its value."""
        held = self.held
        formulas = [held.rest(i, other, "0") for i in range(held.months)]
        values = [held.rest_value(i, other, 0.0) for i in range(held.months)]
        cell, lapse = self.summed(self.column("stay", formulas, values, styles.MONEY, **told), values)
        if not may_renew(held.book.decision):
            return cell, lapse
        formulas = [held.renewed(i, other) for i in range(held.months)]
        values = [held.renewed_value(i, other) for i in range(held.months)]
        other_cell, renewed = self.summed(self.column("renewed", formulas, values, styles.MONEY, **told), values)
        return f"MIN({cell},{other_cell})", min(lapse, renewed)
