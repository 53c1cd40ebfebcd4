"""Statistics: what each arm's runs cost, took and did, and how far they spread over the observations that count."""

from bot.render.workbook import block_table, styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.designs import Labelled, Pairing, in_totals
from bot.render.workbook.pilot import run_span
from scoring.model.decision import ArmResult, Decision
from scoring.statistics.blocks import block_totals
from scoring.statistics.ratio import relative_residuals
from scoring.statistics.samples import ArmSample


class Arm:
    """An arm's values as the record has them."""

    def __init__(self, decision: Decision, name: str | None, role: str) -> None:
        comparison = decision.cost or decision.time
        self.role = role
        self.result: ArmResult | None = comparison.arms.get(name) if comparison and name else None
        self.runs = [c for c in decision.runs if c.run.arm == name and in_totals(c)]
        self.from_runs = any(c.run.arm == name for c in decision.runs)
        self.n = self.result.n if self.result else 0
        self.worked = self.result.n_worked if self.result else 0
        self.cost = sum(c.weight * (c.cost or 0.0) for c in self.runs)
        self.work = sum(c.weight * c.work for c in self.runs)
        self.hours = sum(c.weight * (c.hours or 0.0) for c in self.runs)
        self.unpriced = any(c.cost is None and c.work > 0 for c in self.runs)
        self.untimed = any(c.hours is None and c.work > 0 for c in self.runs)
        self.sample: ArmSample | None = None
        known = [c for c in self.runs if c.cost is not None]
        if known and not self.unpriced and self.cost > 0 and self.work > 0:
            self.worked = sum(c.work > 0 for c in known)
            costs = tuple(c.cost or 0.0 for c in known)
            blocks = tuple(c.run.block for c in known)
            self.sample = ArmSample(costs, tuple(c.work for c in known), blocks, tuple(c.weight for c in known))
        elif self.runs:
            self.worked = sum(c.work > 0 for c in self.runs)

    def units(self, pairing: Pairing) -> int:
        """Observations of what work costs: runs that did work, those of the one shared block, or blocks."""
        if self.sample is not None and pairing is Pairing.SEPARATE:
            return block_totals(self.sample).worked
        if pairing is Pairing.ONE_BLOCK:
            return sum(c.work > 0 and c.weight > 0 for c in self.runs)
        return self.worked

    def relative_variance(self, pairing: Pairing) -> float | None:
        """cv² of the ratio of sums, over the observations."""
        units = self.units(pairing)
        if self.sample is not None and units > 1:
            sample = block_totals(self.sample) if pairing is Pairing.SEPARATE else self.sample
            n = sample.n
            residuals = relative_residuals(sample)
            return units**2 * sum(r * r for r in residuals) / (n**2 * (units - 1))
        cv = self.result.cv if self.result and not self.from_runs else None
        return None if cv is None else cv**2


def _sum(book: Book, name: str, role: str) -> str:
    return f'SUMIFS({run_span(book, name)},{run_span(book, "role")},"{role}")'


LABEL, A, B = 1, 2, 3
LABELS = ("n", "counted", "worked", "sum-cost", "sum-work", "sum-hours", "unit-cost", "mean-cost", "hours-per-unit",
          "price")  # fmt: skip


def build(sheet: Sheet, row: int) -> int:
    """Each arm's sums, the blocks, and each arm's spread over the observations that the design counts."""
    book = sheet.book
    arms = [Arm(book.decision, name, role) for name, role in
            ((book.decision.incumbent, "a"), (book.decision.candidate, "b"))]  # fmt: skip
    for offset, label in enumerate(LABELS):
        sheet.word(LABEL, row + offset, f"statistics.{label}")
    for column, arm in zip((A, B), arms, strict=True):
        (_of_runs if arm.from_runs else _of_summary)(sheet, row, column, arm)
    row = block_table.build(sheet, row + len(LABELS) + 1, arms[0].sample, arms[1].sample)
    pairing = Pairing(int(book.number("design")))
    for offset, label in enumerate(("units", "variance"), start=1):
        sheet.word(LABEL, row + offset, f"statistics.{label}")
    for column, arm in zip((A, B), arms, strict=True):
        _spread(sheet, row + 1, column, arm, pairing)
    return row + 3


def _of_runs(sheet: Sheet, row: int, column: int, arm: Arm) -> None:
    book, role, big = sheet.book, arm.role, arm.role.upper()
    letter = "ABC"[column - 1]
    measured, _, cost, work, hours = (f"${letter}${row + i}" for i in range(1, 6))
    unit = arm.cost / arm.work if arm.sample is not None else ""
    mean = arm.cost / len(arm.runs) if arm.sample is not None else ""
    per_unit = arm.hours / arm.work if arm.work and not arm.untimed else ""
    roles, counts, worked = (run_span(book, name) for name in ("role", "counts", "worked"))
    unpriced, untimed = (
        f'SUMPRODUCT(({roles}="{big}")*({worked}=1)*({run_span(book, name)}=""))>0' for name in ("cost", "hours")
    )
    rows: list[tuple[str, str, Value, str]] = [
        (f"n_{role}", f'COUNTIFS({roles},"{big}",{counts},"{book.answer(True)}")', arm.n, styles.COUNT),
        (f"counted_{role}", _sum(book, "counted", big), len(arm.runs), styles.COUNT),
        (f"worked_{role}", _sum(book, "worked", big), arm.worked, styles.COUNT),
        (f"sum_cost_{role}", _sum(book, "counted-cost", big), arm.cost, styles.PRICE),
        (f"sum_work_{role}", _sum(book, "counted-work", big), arm.work, styles.GENERAL),
        (f"sum_hours_{role}", _sum(book, "counted-hours", big), arm.hours, styles.HOURS),
        (f"unit_cost_{role}", f'IF(OR({work}<=0,{cost}<=0,{unpriced}),"",{cost}/{work})', unit, styles.UNIT_COST),
        (f"mean_cost_{role}", f'IF(OR({measured}=0,{cost}<=0,{unpriced}),"",{cost}/{measured})', mean, styles.PRICE),
        (f"hours_per_unit_{role}", f'IF(OR({work}<=0,{untimed}),"",{hours}/{work})', per_unit, "0.0000######"),
        (f"paid_per_hour_{role}", f'IF(OR({hours}<=0,{cost}<=0),"",{cost}/{hours})',
         arm.cost / arm.hours if arm.hours and arm.cost else "", styles.PRICE),
    ]  # fmt: skip
    for offset, (name, formula, value, form) in enumerate(rows):
        sheet.formula(column, row + offset, formula, value, form)
        sheet.name(name, column, row + offset, value)


def _spread(sheet: Sheet, row: int, column: int, arm: Arm, pairing: Pairing) -> None:
    """Observations, and their relative variance: Σr²·u²/(n²·(u − 1)), which over u is the variance of the mean."""
    book, role, big = sheet.book, arm.role, arm.role.upper()
    units, variance_of = f"worked_{role}", or_empty(arm.relative_variance(pairing))
    if not arm.from_runs:
        cv = f'IF(summary_cv_{role}="","",summary_cv_{role}^2)' if f"summary_cv_{role}" in book.names else '""'
        rows: list[tuple[str, str, Value, str]] = [
            (f"units_{role}", units, arm.units(pairing), styles.COUNT),
            (f"variance_{role}", cv, variance_of, "0.00E+00"),
        ]
    else:
        roles, weights, worked = (run_span(book, name) for name in ("role", "weight", "worked"))
        squares, n = f'SUMIFS({run_span(book, "square")},{roles},"{big}")', f"counted_{role}"
        labelled = Labelled(book.decision)
        if labelled.blocks:
            blocks = sheet.span(4 if role == "a" else 5, *block_table.rows_of(book))
            in_blocks = f"SUMPRODUCT(({block_table.worked_in_blocks(book, big, labelled)}>0)*1)"
            in_shared = f'COUNTIFS({roles},"{big}",{weights},">0",{worked},1)'
            units = f"IF(design=3,{in_blocks},IF(design=2,{in_shared},worked_{role}))"
            squares, n = f"IF(design=3,SUMSQ({blocks}),{squares})", f"IF(design=3,blocks_{role},counted_{role})"
        u = f"units_{role}"
        spread = f'IF(OR({u}<2,unit_cost_{role}=""),"",{squares}*{u}^2/({n}^2*({u}-1)))'
        rows = [
            (u, units, arm.units(pairing), styles.COUNT),
            (f"variance_{role}", spread, variance_of, "0.00E+00"),
        ]
    for offset, (name, formula, value, form) in enumerate(rows):
        sheet.formula(column, row + offset, formula, value, form)
        sheet.name(name, column, row + offset, value)


def _of_summary(sheet: Sheet, row: int, column: int, arm: Arm) -> None:
    role = arm.role
    result = arm.result
    present = result is not None and f"summary_cost_{role}" in sheet.book.names
    cost = result.cost_per_unit if result else None
    hours = result.hours_per_unit if result else None
    price = result.price_per_hour if result else None
    rows: list[tuple[str, str, Value, str]] = [
        (f"n_{role}", f"N(summary_n_{role})", arm.n, styles.COUNT),
        (f"counted_{role}", f"n_{role}", arm.n, styles.COUNT),
        (f"worked_{role}", f"n_{role}", arm.n, styles.COUNT),
        (f"sum_cost_{role}", '""', "", styles.PRICE),
        (f"sum_work_{role}", '""', "", styles.GENERAL),
        (f"sum_hours_{role}", '""', "", styles.HOURS),
        (f"unit_cost_{role}", f'IF(N(summary_cost_{role})<=0,"",summary_cost_{role})',
         or_empty(cost), styles.UNIT_COST),
        (f"mean_cost_{role}", f'IF(N(summary_cost_{role})<=0,"",summary_cost_{role})', or_empty(cost), styles.PRICE),
        (f"hours_per_unit_{role}", f'IF(N(summary_hours_{role})<=0,"",summary_hours_{role})',
         or_empty(hours), "0.0000######"),
        (f"paid_per_hour_{role}", f'IF(price_{role}="","",price_{role})', or_empty(price), styles.PRICE),
    ]  # fmt: skip
    for offset, (name, formula, value, form) in enumerate(rows):
        of_price = "price" in formula and f"price_{role}" not in sheet.book.names
        if formula == f"n_{role}" or (present and not of_price):
            sheet.formula(column, row + offset, formula, value, form)
        else:
            sheet.put(column, row + offset, None if value == "" else value, form)
        sheet.name(name, column, row + offset, value)


def or_empty(value: float | None) -> Value:
    """An empty text where there is no value."""
    return "" if value is None else value
