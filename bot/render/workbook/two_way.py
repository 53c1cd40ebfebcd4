"""Price against ratio: what the held plan saves at each pair, and its cost against staying over the ratio."""

from dataclasses import dataclass
from functools import cached_property
from math import ceil, isfinite

from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet
from bot.render.workbook.grid import Grid
from bot.render.workbook.held_plan import HeldPlan, Otherwise, ceiling_formula, discounted
from bot.render.workbook.plan_rows import hourly_price

STEPS = (-3, -2, -1, 0, 1, 2, 3)
LEAST, MOST = 0.02, 0.3


@dataclass(frozen=True)
class AtRatio:
    """The plan at one ratio: the cell and value of all but the candidate's hours, and the column of these hours."""

    rest: str
    rest_value: float
    column: int
    hours: tuple[float, ...]


class TwoWay:
    """A row a price, a column a ratio; below it the break-even over the ratio."""

    def __init__(self, sheet: Sheet, held: HeldPlan, grid: Grid) -> None:
        self.sheet, self.held, self.grid = sheet, held, grid
        self.book = sheet.book
        self.ratio_row = self.moving_row = self.staying_row = 0

    def build(self, row: int) -> int:
        """The table and the break-even rows; returns the row after them."""
        sheet, currency = self.sheet, self.book.decision.settings.currency
        sheet.word(1, row, "sensitivity.two-way", "st_section", currency=currency)
        sheet.word(3, row, "sensitivity.two-way-note", "st_note", currency=currency)
        sheet.merge(row, 3, 8)
        steps = self._steps()
        for offset, (name, step) in enumerate(steps.items(), start=1):
            sheet.word(1, row + offset, f"sensitivity.{name.replace('_', '-')}")
            sheet.put(2, row + offset, step, "0.0%", "st_input")
            sheet.name(name, 2, row + offset, step)
            rule = DataValidation(type="decimal", operator="between", formula1="0.001", formula2="0.3")
            rule.add(f"B{row + offset}")
            sheet.worksheet.add_data_validation(rule)
        head = row + 4
        ratios = self._ratios(head, steps["step_ratio"])
        sums = self._columns(head, ratios)
        self._cells(head, ratios, sums, steps["step_price"])
        return self._break_even(head + len(STEPS) + 1, sums)

    def _steps(self) -> dict[str, float]:
        """Steps that reach where the plan saves nothing, in whole per cent."""
        economics, working = self.held.working.economics, self.held.working
        price = economics.walk_away.candidate_price
        far_price = abs(price.point / working.price_b - 1) if price and working.price_b else 0.1
        even = economics.break_even_hours_ratio
        far_ratio = abs(even / working.ratio - 1) if even and working.ratio else 0.1
        return {name: _step(far) for name, far in (("step_price", far_price), ("step_ratio", far_ratio))}

    def _ratios(self, head: int, step: float) -> list[float]:
        sheet, now = self.sheet, self.book.number("hours_ratio")
        sheet.word(1, head, "sensitivity.price-over-ratio", "st_head", currency=self.book.decision.settings.currency)
        sheet.worksheet.row_dimensions[head].height = 28
        found = []
        for offset, k in enumerate(STEPS):
            found.append(now * (1 + k * step))
            sheet.formula(2 + offset, head, f"N(hours_ratio)*(1+{k}*step_ratio)", found[-1], "0.000", "st_head")
        self.ratio_row = head
        return found

    def _columns(self, head: int, ratios: list[float]) -> list[AtRatio]:
        held, grid, found = self.held, self.grid, list[AtRatio]()
        rest: tuple[str, float] | None = None
        for offset, ratio in enumerate(ratios):
            cell = f"${get_column_letter(2 + offset)}${head}"
            other = Otherwise(ratio=(cell, ratio))
            told = {"of": self.book.words("sensitivity.w-ratio"), "end": str(offset + 1)}
            shares = grid.share(other, **told)
            values = [held.hours_value(i, other) for i in range(held.months)]
            formulas = [held.hours(i, other, share) for i, share in enumerate(shares)]
            column = grid.column("hours", formulas, values, styles.HOURS, **told)
            grid.summed(column, values)
            if rest is None or held.has_capacity:
                costs = [held.rest_value(i, other, held.share_value(i, other)) for i in range(held.months)]
                formulas = [held.rest(i, other, share) for i, share in enumerate(shares)]
                rest = grid.summed(grid.column("rest", formulas, costs, styles.MONEY, **told), costs)
            found.append(AtRatio(*rest, column, tuple(values)))
        return found

    def _cost(self, price: str, price_value: float, one: AtRatio) -> tuple[str, float]:
        """The plan's cost at a price."""
        held = self.held
        if not held.bends:
            paid = f"{price}*{self._hours(one)}"
            value = price_value * discounted(held, one.hours)
        else:
            least = f"(({price}<={self._ceiling})*{price}+({price}>{self._ceiling})*{self._ceiling})"
            paid = f"SUMPRODUCT({held.span('factor')},{self.grid.span(one.column)},{least})"
            rates = [min(price_value, held.ceiling("b", i, 0)) for i in range(held.months)]
            value = discounted(held, [h * r for h, r in zip(one.hours, rates, strict=True)])
        return f"{one.rest}+{held.moving}+{paid}", one.rest_value + held.moving_value + value

    def _hours(self, one: AtRatio) -> str:
        """Their discounted sum."""
        return f"${get_column_letter(one.column)}${self.grid.total}"

    @cached_property
    def _ceiling(self) -> str:
        held = self.held
        values = [min(held.ceiling("b", i, 0), 1e300) for i in range(held.months)]
        formulas = [ceiling_formula(held, i) for i in range(held.months)]
        return self.grid.span(self.grid.column("ceiling", formulas, values, "0.00E+00"))

    def _cells(self, head: int, ratios: list[float], sums: list[AtRatio], step: float) -> None:
        sheet, now = self.sheet, self.held.working.price_b
        price = hourly_price(self.book, "b")
        stay = self.book.number("stay_npv")
        for offset, k in enumerate(STEPS):
            at = head + 1 + offset
            value = now * (1 + k * step)
            style = "st_strong" if k == 0 else "st_value"
            sheet.formula(1, at, f"{price}*(1+{k}*step_price)", value, styles.PRICE, "st_total")
            for number, one in enumerate(sums):
                formula, cost = self._cost(f"$A{at}", value, one)
                middle = k == 0 and STEPS[number] == 0
                sheet.formula(2 + number, at, f"stay_npv-({formula})", stay - cost, self._form(),
                              "st_total" if middle else style)  # fmt: skip
        span = f"B{head + 1}:{get_column_letter(1 + len(ratios))}{head + len(STEPS)}"
        for operator, colour in (("greaterThan", styles.GOOD_FILL), ("lessThan", styles.BAD_FILL)):
            fill = PatternFill(bgColor=colour, fill_type="solid")
            sheet.worksheet.conditional_formatting.add(span, CellIsRule(operator=operator, formula=["0"], fill=fill))  # type: ignore[no-untyped-call]

    def _form(self) -> str:
        """Says in words what the colour says."""
        words = self.book.words
        saves, loses = words("sensitivity.word-saves"), words("sensitivity.word-loses")
        return f'"{saves} "#,##0;"{loses} "#,##0;"{words("sensitivity.word-even")}"'

    def _break_even(self, row: int, sums: list[AtRatio]) -> int:
        sheet = self.sheet
        price, now = hourly_price(self.book, "b"), self.held.working.price_b
        currency = self.book.decision.settings.currency
        self.moving_row, self.staying_row = row, row + 1
        for at, code in ((row, "cost-moving"), (row + 1, "cost-staying"), (row + 2, "pays-below")):
            sheet.word(1, at, f"sensitivity.{code}", currency=currency)
        for number, one in enumerate(sums, start=2):
            formula, value = self._cost(price, now, one)
            sheet.formula(number, row, formula, value, styles.MONEY)
            sheet.formula(number, row + 1, "stay_npv", self.book.number("stay_npv"), styles.MONEY)
            if not self.held.bends:
                fixed, hours = one.rest_value + self.held.moving_value, discounted(self.held, one.hours)
                free = max(0.0, self.book.number("stay_npv") - fixed) / hours if hours > 0 else ""
                paid = self._hours(one)
                formula = f'IF({paid}<=0,"",MAX(0,stay_npv-{one.rest}-{self.held.moving})/{paid})'
                sheet.formula(number, row + 2, formula, free, styles.PRICE)
        return row + (2 if self.held.bends else 3)


def _step(far: float) -> float:
    """Three steps of whole per cent that go beyond what is so far away."""
    return min(MOST, max(LEAST, ceil(far / 2.5 * 100) / 100)) if isfinite(far) else MOST
