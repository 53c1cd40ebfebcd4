"""The tornado: each assumption at two values, what the held plan then saves, and the order of what matters most."""

from collections.abc import Callable
from dataclasses import dataclass

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet
from bot.render.workbook.followed import may_renew
from bot.render.workbook.grid import Grid
from bot.render.workbook.held_plan import HeldPlan, Otherwise
from bot.render.workbook.inputs import live_price

HEADS = ("assumption", "now", "change", "low", "high", "at-low", "at-high", "swing")
RANKED = ("assumption-of", "rank", "gain-low", "gain-high")
ON_MEMO = 3
"""How many of them the first page names."""
NUDGE = 1e-6
"""Of the largest swing: what sets equal ones apart, so that each has a rank."""
Saving = Callable[[str, float, str], tuple[str, float]]


@dataclass(frozen=True)
class Row:
    """One assumption: its cell, how it is changed (a share of it, points, or given ends) and what then is saved."""

    key: str
    cell: str
    now: float
    form: str
    saving: Saving
    change: float = 0.0
    kind: str = "share"
    ends: tuple[tuple[str, float], tuple[str, float]] | None = None
    arm: str = ""


class Tornado:
    """The table, its working columns, and the ranking that the chart shows."""

    def __init__(self, sheet: Sheet, held: HeldPlan, grid: Grid) -> None:
        self.sheet, self.held, self.grid = sheet, held, grid
        self.book, self.decision = sheet.book, sheet.book.decision
        self.first_ranked = self.last_ranked = 0
        self.labels: list[str] = []
        self.changes: list[tuple[float, float]] = []

    @property
    def ranked(self) -> bool:
        """Whether anything changes the saving."""
        return any(low or high for low, high in self.changes)

    def build(self, row: int) -> int:
        """Both tables; returns the row after them."""
        sheet, currency = self.sheet, self.decision.settings.currency
        sheet.word(1, row, "sensitivity.tornado", "st_section")
        sheet.word(2, row, "sensitivity.tornado-note", "st_note")
        sheet.merge(row, 2, len(HEADS))
        sheet.heads(row + 1, [f"sensitivity.{head}" for head in HEADS], currency=currency)
        first = row + 2
        for offset, item in enumerate(self._rows()):
            self._row(first + offset, item)
        end = first + len(self.labels)
        return self._ranking(end + 1, first, end - 1)

    def _row(self, at: int, item: Row) -> None:
        sheet = self.sheet
        label = self.book.words(f"sensitivity.of-{item.key}", arm=item.arm)
        self.labels.append(label)
        sheet.text(1, at, label)
        sheet.formula(2, at, item.cell, item.now, item.form)
        ends = self._ends(at, item)
        savings = [
            item.saving(f"${letter}${at}", value, end)
            for letter, value, end in zip("DE", ends, ("low", "high"), strict=True)
        ]
        for column, (formula, value) in enumerate(savings, start=6):
            sheet.formula(column, at, formula, value, styles.MONEY)
        swing = abs(savings[1][1] - savings[0][1])
        sheet.formula(8, at, f"ABS($G{at}-$F{at})", swing, styles.MONEY)
        now = self.book.number("held_saving")
        self.changes.append((savings[0][1] - now, savings[1][1] - now))

    def _ends(self, at: int, item: Row) -> tuple[float, float]:
        sheet = self.sheet
        if item.ends is not None:
            sheet.word(3, at, f"sensitivity.change-{item.kind}", "st_right")
            for column, (formula, value) in enumerate(item.ends, start=4):
                if formula:
                    sheet.formula(column, at, formula, value, item.form)
                else:
                    sheet.put(column, at, value, item.form, "st_input")
            return item.ends[0][1], item.ends[1][1]
        sheet.put(3, at, item.change, "±0%", "st_input")
        rule = DataValidation(type="decimal", operator="between", formula1="0", formula2="1", allow_blank=True)
        rule.add(f"C{at}")
        sheet.worksheet.add_data_validation(rule)
        if item.kind == "share":
            low, high = item.now * (1 - item.change), item.now * (1 + item.change)
            formulas = (f"$B{at}*(1-$C{at})", f"$B{at}*(1+$C{at})")
        else:
            low, high = max(0.0, item.now - item.change), min(1.0, item.now + item.change)
            formulas = (f"MAX(0,$B{at}-$C{at})", f"MIN(1,$B{at}+$C{at})")
        for column, (formula, value) in enumerate(zip(formulas, (low, high), strict=True), start=4):
            sheet.formula(column, at, formula, value, item.form)
        return low, high

    def _ranking(self, row: int, first: int, last: int) -> int:
        """What matters most, by the swing; the chart's table."""
        sheet = self.sheet
        sheet.word(1, row, "sensitivity.matters", "st_section")
        heads = [f"sensitivity.{head}" for head in RANKED]
        sheet.heads(row + 1, heads, currency=self.decision.settings.currency)
        letter = get_column_letter(self.grid.next)
        swings = [abs(high - low) for low, high in self.changes]
        largest = max(swings, default=0.0)
        keys = [swing + NUDGE * largest * (i + 1) for i, swing in enumerate(swings)]
        self.sheet.word(self.grid.next, first - 1, "sensitivity.w-key", "st_head")
        for i, key in enumerate(keys):
            formula = f"$H{first + i}+{NUDGE!r}*MAX($H${first}:$H${last})*{i + 1}"
            sheet.formula(self.grid.next, first + i, formula, key, styles.MONEY)
        self.grid.next += 1
        span = f"${letter}${first}:${letter}${last}"
        order = sorted(range(len(keys)), key=lambda i: -keys[i])
        for rank, i in enumerate(order, start=1):
            at = row + 1 + rank
            sheet.put(2, at, rank, styles.COUNT)
            place = f"MATCH(LARGE({span},$B{at}),{span},0)"
            sheet.formula(1, at, f"INDEX($A${first}:$A${last},{place})", self.labels[i], styles.GENERAL)
            for column, source, value in ((3, "F", self.changes[i][0]), (4, "G", self.changes[i][1])):
                picked = f"INDEX(${source}${first}:${source}${last},{place})-held_saving"
                sheet.formula(column, at, picked, value, styles.MONEY)
            if rank <= ON_MEMO and swings[i] > 0:
                sheet.name(f"matters_{rank}", 1, at, self.labels[i])
                for column, end, change in zip((3, 4), ("low", "high"), self.changes[i], strict=True):
                    sheet.name(f"matters_{rank}_{end}", column, at, change)
        self.first_ranked, self.last_ranked = row + 2, row + 1 + len(order)
        return self.last_ranked + 1

    def _rows(self) -> list[Row]:
        found = [self._ratio(), self._price("b"), self._price("a"), self._demand(), self._migration(),
                 self._discount(), self._reuse(), self._capacity()]  # fmt: skip
        return [row for row in found if row is not None]

    def _saved(self, other: Callable[[str, float], Otherwise]) -> Saving:
        """What the held plan saves were something otherwise, by columns of months."""

        def saving(cell: str, value: float, end: str) -> tuple[str, float]:
            changed = other(cell, value)
            told = {"of": self.labels[-1], "end": self.book.words(f"sensitivity.{end}")}
            column, values = self.grid.plan(changed, **told)
            plan, cost = self.grid.summed(column, values)
            stay, least = ("stay_npv", self.book.number("stay_npv"))
            if changed.moves_stay:
                stay, least = self.grid.stay(changed, **told)
            return f"{stay}-({plan}+{self.held.moving})", least - cost - self.held.moving_value

        return saving

    def _ratio(self) -> Row | None:
        values = self.book.values
        if values.get("theta_lo") in (None, "") or not self.book.number("hours_ratio"):
            return None
        lo, hi = self.book.number("ratio_lo"), self.book.number("ratio_hi")

        def saving(_: str, __: float, end: str) -> tuple[str, float]:
            name = "shown_at_lo" if end == "low" else "shown_at_hi"
            return f"stay_npv-{name}", self.book.number("stay_npv") - self.book.number(name)

        return Row("ratio", "N(hours_ratio)", self.book.number("hours_ratio"), styles.RATIO, saving, kind="interval",
                   ends=(("ratio_lo", lo), ("ratio_hi", hi)))  # fmt: skip

    def _price(self, role: str) -> Row | None:
        arm = self.decision.incumbent if role == "a" else self.decision.candidate
        if not live_price(self.decision, arm) or not self.book.number(f"price_{role}"):
            return None
        saving = self._saved(lambda cell, value: Otherwise(**{f"price_{role}": (cell, value)}))
        return Row(f"price-{role}", f"N(price_{role})", self.book.number(f"price_{role}"), styles.PRICE, saving, 0.1,
                   arm=arm or "")  # fmt: skip

    def _demand(self) -> Row | None:
        demand = self.decision.settings.demand
        if demand is None:
            return None
        now = demand.units_per_month
        saving = self._saved(lambda cell, value: Otherwise(work=(f"({cell}/MAX(N(demand),1E-300))", value / now)))
        ends = None
        if demand.low is not None and demand.high is not None:
            ends = (("", demand.low), ("", demand.high))
        return Row("demand", "N(demand)", now, "#,##0.##", saving, 0.2, kind="range" if ends else "share", ends=ends)

    def _migration(self) -> Row | None:
        now = self.book.number("migration_cost")
        if not now:
            return None
        factor = self.held.working.economics.months[self.held.start].factor

        def saving(cell: str, value: float, _: str) -> tuple[str, float]:
            more = f"INDEX({self.held.span('factor')},shown_start+1)*({cell}-N(migration_cost))"
            return f"held_saving-{more}", self.book.number("held_saving") - factor * (value - now)

        return Row("migration", "N(migration_cost)", now, styles.MONEY, saving, 0.5)

    def _discount(self) -> Row:
        economics, held = self.held.working.economics, self.held
        values = [held.plan_value(i, Otherwise()) for i in range(held.months)]
        column = self.grid.plan(Otherwise(), of=self.book.words("sensitivity.w-today"), end="")[0]

        def saving(cell: str, value: float, _: str) -> tuple[str, float]:
            factors = [(1 + value) ** (-i / 12) for i in range(held.months)]
            later = f"((1+{cell})^(-{held.span('index')}/12)*({held.span('index')}<horizon))"
            stays = [(held.span("stay"), [m.stay_cost for m in economics.months])]
            if may_renew(self.decision):
                stays.append((held.span("stay-renewed"), [m.stay_renewed_cost for m in economics.months]))
            sums = [sum(f * c for f, c in zip(factors, costs, strict=True)) for _, costs in stays]
            stay = ",".join(f"SUMPRODUCT({span},{later})" for span, _ in stays)
            moving = f"N(migration_cost)*(1+{cell})^(-shown_start/12)"
            formula = f"MIN({stay})-SUMPRODUCT({self.grid.span(column)},{later})-{moving}"
            cost = sum(f * v for f, v in zip(factors, values, strict=True))
            return formula, min(sums) - cost - economics.migration_cost * factors[held.start]

        return Row("discount", "N(annual_discount_rate)", self.book.number("annual_discount_rate"), styles.PERCENT,
                   saving, 0.04, kind="points")  # fmt: skip

    def _reuse(self) -> Row | None:
        economics = self.held.working.economics
        freed = any(m.committed_incumbent_hours for m in economics.months)
        if not freed or economics.other_work or not self.book.number("reuse_price"):
            return None
        saving = self._saved(lambda cell, value: Otherwise(reuse_share=(cell, value)))
        return Row("reuse", "N(reuse_share)", self.book.number("reuse_share"), styles.PERCENT, saving, 0.25,
                   kind="points")  # fmt: skip

    def _capacity(self) -> Row | None:
        if not self.held.has_capacity:
            return None
        saving = self._saved(lambda cell, value: Otherwise(capacity=(cell, value)))
        return Row("capacity", "N(capacity)", self.book.number("capacity"), styles.HOURS, saving, 0.2)
