"""Statistics: the ratio, its interval, non-inferiority and the verdict, by formulas from Pilot and Inputs.

T.INV.2T cuts the degrees of freedom to a whole number in Excel and LibreOffice, and Welch's are not whole; so
the quantile comes from the beta distribution: y = BETAINV(p, 1/2, ν/2), t = √(ν·y/(1 − y)).
"""

from bot.render.workbook import (
    block_table,
    diagnostics_block,
    quality_block,
    regret_block,
    styles,
    together,
    unit_cost_block,
)
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.pilot import run_span
from scoring.decide import ENOUGH_RUNS
from scoring.model.decision import ArmResult, Decision
from scoring.statistics.ratio import relative_residuals
from scoring.statistics.samples import ArmSample, t_quantile, variance, welch_nu

LABEL, A, B = 1, 2, 3
LIVE_REASONS = (None, "one-run", "no-price", "summary-without-n", "summary-without-sd")


def build(book: Book) -> None:
    """The sheet; its named cells feed Cash flow and the Memo."""
    sheet = book.sheet("statistics")
    sheet.widths(52, 18, 18, 18, 18, 26)
    sheet.word(1, 1, "statistics.title", "st_title")
    sheet.word(1, 2, "statistics.note", "st_note")
    sheet.merge(2, 1, 5, 28)
    sheet.word(LABEL, 4, "statistics.arm", "st_head")
    for column, arm in ((A, book.decision.incumbent), (B, book.decision.candidate)):
        sheet.text(column, 4, arm or "", "st_head")
    row = _arms(sheet, 5)
    row = _shared_blocks(sheet, row + 1)
    row = _ratio(sheet, row + 1)
    row = unit_cost_block.build(sheet, row + 1)
    row = regret_block.build(sheet, row + 1)
    row = quality_block.build(sheet, row + 1)
    row = diagnostics_block.build(sheet, row + 1)
    row = together.statistics_block(sheet, row + 1)
    sheet.worksheet.freeze_panes = "B5"
    sheet.print_setup(landscape=False, title_rows="4:4", pages=0)
    book.values["statistics_end"] = row


def t_formula(probability: str, nu: str) -> str:
    """Two-sided t quantile with fractional degrees of freedom."""
    y = f"BETAINV({probability},0.5,{nu}/2)"
    return f"SQRT({nu}*{y}/(1-{y}))"


class _Arm:
    """An arm's values as the record has them."""

    def __init__(self, decision: Decision, name: str | None, role: str) -> None:
        comparison = decision.cost or decision.time
        self.role = role
        self.result: ArmResult | None = comparison.arms.get(name) if comparison and name else None
        runs = [c for c in decision.runs if c.run.arm == name]
        self.from_runs = bool(runs)
        self.n = self.result.n if self.result else 0
        self.cost = sum(c.weight * (c.cost or 0.0) for c in runs)
        self.work = sum(c.weight * c.work for c in runs)
        self.hours = sum(c.weight * (c.hours or 0.0) for c in runs)
        self.sample: ArmSample | None = None
        if runs and all(c.cost is not None for c in runs) and self.cost > 0 and self.work > 0:
            costs = tuple(c.cost or 0.0 for c in runs)
            blocks = tuple(c.run.block for c in runs)
            self.sample = ArmSample(costs, tuple(c.work for c in runs), blocks, tuple(c.weight for c in runs))

    @property
    def relative_variance(self) -> float | None:
        """cv² of the ratio of sums."""
        if self.sample is not None and self.sample.n > 1:
            return variance(relative_residuals(self.sample))
        cv = self.result.cv if self.result and not self.from_runs else None
        return None if cv is None else cv**2


def _sum(book: Book, name: str, role: str) -> str:
    return f'SUMIFS({run_span(book, name)},{run_span(book, "role")},"{role}")'


def _arms(sheet: Sheet, row: int) -> int:
    book = sheet.book
    labels = ("n", "sum-cost", "sum-work", "sum-hours", "unit-cost", "mean-cost", "hours-per-unit", "price", "variance")
    for offset, label in enumerate(labels):
        sheet.word(LABEL, row + offset, f"statistics.{label}")
    for column, role, name in ((A, "a", book.decision.incumbent), (B, "b", book.decision.candidate)):
        arm = _Arm(book.decision, name, role)
        if arm.from_runs:
            _of_runs(sheet, row, column, arm)
        else:
            _of_summary(sheet, row, column, arm)
    return row + len(labels)


def _of_runs(sheet: Sheet, row: int, column: int, arm: _Arm) -> None:
    book, role, big = sheet.book, arm.role, arm.role.upper()
    letter = "ABC"[column - 1]
    n, cost, work, hours = (f"${letter}${row + i}" for i in range(4))
    unit = arm.cost / arm.work if arm.work and arm.cost else ""
    mean = arm.cost / arm.n if arm.n and arm.cost else ""
    per_unit = arm.hours / arm.work if arm.work else ""
    variance_value = arm.relative_variance
    squares, roles = run_span(book, "square"), run_span(book, "role")
    rows: list[tuple[str, str, Value, str]] = [
        (f"n_{role}", _sum(book, "counted", big), arm.n, styles.COUNT),
        (f"sum_cost_{role}", _sum(book, "counted-cost", big), arm.cost, styles.PRICE),
        (f"sum_work_{role}", _sum(book, "counted-work", big), arm.work, styles.GENERAL),
        (f"sum_hours_{role}", _sum(book, "counted-hours", big), arm.hours, styles.HOURS),
        (f"unit_cost_{role}", f'IF(OR({work}<=0,{cost}<=0),"",{cost}/{work})', unit, styles.UNIT_COST),
        (f"mean_cost_{role}", f'IF(OR({n}=0,{cost}<=0),"",{cost}/{n})', mean, styles.PRICE),
        (f"hours_per_unit_{role}", f'IF({work}<=0,"",{hours}/{work})', per_unit, "0.0000######"),
        (f"paid_per_hour_{role}", f'IF(OR({hours}<=0,{cost}<=0),"",{cost}/{hours})',
         arm.cost / arm.hours if arm.hours and arm.cost else "", styles.PRICE),
        (f"variance_{role}", f'IF(OR({n}<2,{cost}<=0),"",SUMIFS({squares},{roles},"{big}")/({n}-1))',
         "" if variance_value is None else variance_value, "0.00E+00"),
    ]  # fmt: skip
    for offset, (name, formula, value, form) in enumerate(rows):
        sheet.formula(column, row + offset, formula, value, form)
        sheet.name(name, column, row + offset, value)


def _of_summary(sheet: Sheet, row: int, column: int, arm: _Arm) -> None:
    role = arm.role
    result = arm.result
    present = result is not None and f"summary_cost_{role}" in sheet.book.names
    cost = result.cost_per_unit if result else None
    hours = result.hours_per_unit if result else None
    price = result.price_per_hour if result else None
    cv = result.cv if result else None
    rows: list[tuple[str, str, Value, str]] = [
        (f"n_{role}", f"N(summary_n_{role})", arm.n, styles.COUNT),
        (f"sum_cost_{role}", '""', "", styles.PRICE),
        (f"sum_work_{role}", '""', "", styles.GENERAL),
        (f"sum_hours_{role}", '""', "", styles.HOURS),
        (f"unit_cost_{role}", f'IF(N(summary_cost_{role})<=0,"",summary_cost_{role})', _or(cost), styles.UNIT_COST),
        (f"mean_cost_{role}", f'IF(N(summary_cost_{role})<=0,"",summary_cost_{role})', _or(cost), styles.PRICE),
        (f"hours_per_unit_{role}", f'IF(N(summary_hours_{role})<=0,"",summary_hours_{role})',
         _or(hours), "0.0000######"),
        (f"paid_per_hour_{role}", f'IF(price_{role}="","",price_{role})', _or(price), styles.PRICE),
        (f"variance_{role}", f'IF(summary_cv_{role}="","",summary_cv_{role}^2)',
         "" if cv is None else cv**2, "0.00E+00"),
    ]  # fmt: skip
    for offset, (name, formula, value, form) in enumerate(rows):
        usable = present and (f"price_{role}" in sheet.book.names or "price" not in formula)
        if usable:
            sheet.formula(column, row + offset, formula, value, form)
        else:
            sheet.put(column, row + offset, None if value == "" else value, form)
        sheet.name(name, column, row + offset, value)


def _or(value: float | None) -> Value:
    return "" if value is None else value


def _shared_blocks(sheet: Sheet, row: int) -> int:
    decision = sheet.book.decision
    if decision.cost is None or decision.cost.theta.method not in ("paired-linearised", "blocked-linearised"):
        return row
    a, b = (_Arm(decision, name, role).sample for name, role in ((decision.incumbent, "a"), (decision.candidate, "b")))
    return row if a is None or b is None else block_table.build(sheet, row, a, b)


def _ratio(sheet: Sheet, row: int) -> int:
    """theta with its interval, and the hours ratio."""
    book, decision = sheet.book, sheet.book.decision
    theta = decision.cost.theta if decision.cost else None
    live = theta is None or (theta.reason in LIVE_REASONS and theta.method not in ("welch-blocks", "welch-one-block"))
    has_failed = decision.cost is not None and any(arm.n_failed for arm in decision.cost.arms.values())
    live = live and not has_failed
    paired = "blocks_whole" in book.names
    a, b = (book.values.get(f"variance_{role}", "") for role in "ab")
    sheet.word(1, row, "statistics.ratio", "st_section")
    welch, nu = _welch_values(book, a, b)
    point = theta.point if theta and theta.point is not None else ""
    se2: Value = welch if not paired else book.number("block_variance")
    degrees: Value = nu if not paired else book.number("block_nu")
    se = float(se2) ** 0.5 if isinstance(se2, (int, float)) and se2 > 1e-24 and point != "" else ""
    confidence = decision.settings.confidence
    t = t_quantile((1 + confidence) / 2, degrees) if se != "" and isinstance(degrees, float) else ""
    relative = 'IF(OR(variance_a="",variance_b=""),"",variance_a/n_a+variance_b/n_b)'
    welch_df = (
        'IF(OR(variance_a="",variance_b=""),"",IFERROR((variance_a/n_a+variance_b/n_b)^2/'
        '((variance_a/n_a)^2/(n_a-1)+(variance_b/n_b)^2/(n_b-1)),""))'
    )
    if not live and theta is not None:
        se2, degrees = _or(theta.se_log and theta.se_log**2), _or(theta.nu)
    fewest, units = min(int(book.number("n_a")), int(book.number("n_b"))), "fewest_runs,shared_blocks"
    if has_failed and decision.cost is not None:
        arms = [decision.cost.arms.get(name or "") for name in (decision.incumbent, decision.candidate)]
        fewest = min(arm.n_worked if arm else 0 for arm in arms)
    rows: list[tuple[str, str, Value, str]] = [
        ("theta", 'IF(OR(unit_cost_a="",unit_cost_b=""),"",unit_cost_b/unit_cost_a)', point, styles.RATIO),
        ("log_variance", f"IF(blocks_whole=1,block_variance,{relative})" if paired else relative, se2, "0.00E+00"),
        ("degrees", f"IF(blocks_whole=1,block_nu,{welch_df})" if paired else welch_df, degrees, "0.000"),
        ("se_log", 'IF(OR(theta="",log_variance=""),"",IF(log_variance<1E-24,"",SQRT(log_variance)))', se, "0.000000"),
        ("t_value", f'IF(OR(se_log="",degrees=""),"",{t_formula("confidence", "degrees")})', t, "0.0000"),
        ("theta_lo", 'IF(t_value="","",EXP(LN(theta)-t_value*se_log))', _or(theta.lo if theta else None), styles.RATIO),
        ("theta_hi", 'IF(t_value="","",EXP(LN(theta)+t_value*se_log))', _or(theta.hi if theta else None), styles.RATIO),
        ("hours_ratio", 'IF(OR(hours_per_unit_a="",hours_per_unit_b=""),"",hours_per_unit_b/hours_per_unit_a)',
         _or(_hours_ratio(book)), styles.RATIO),
        *_proven(book, se, degrees),
        ("fewest_runs", "MIN(n_a,n_b)", fewest, styles.COUNT),
        ("fewest_units", f"IF(blocks_whole=1,MIN({units}),fewest_runs)" if paired else "fewest_runs",
         theta.units if theta is not None and theta.has_interval else fewest, styles.COUNT),
    ]  # fmt: skip
    for offset, (name, formula, value, form) in enumerate(rows, start=1):
        sheet.word(1, row + offset, f"statistics.{name.replace('_', '-')}")
        if live or name == "hours_ratio" or (name == "fewest_runs" and not has_failed):
            sheet.formula(2, row + offset, formula, value, form)
        else:
            sheet.put(2, row + offset, None if value == "" else value, form)
        sheet.name(name, 2, row + offset, value)
    if not live and theta is not None:
        reason = "failed-runs" if has_failed else theta.reason or theta.method
        sheet.word(3, row + 1, "statistics.not-live", "st_note", reason=reason)
    return row + len(rows) + 1


def _proven(book: Book, se: Value, nu: Value) -> list[tuple[str, str, Value, str]]:
    """Bounds of theta that hold however often one looks, at the one-sided level of the record's look."""
    looks = book.decision.looks
    t: Value = ""
    if looks is not None and looks.theta_lower is not None and se != "" and isinstance(nu, float):
        t = t_quantile(1 - looks.level, nu)
    bound = 'IF(look_t="","",EXP(LN(theta){}look_t*se_log))'
    quantile = t_formula("1-2*look_level", "degrees")
    unproven = f'OR(se_log="",degrees="",MIN(n_a,n_b)<{ENOUGH_RUNS},look_level<=0)'
    return [
        ("look_t", f'IF({unproven},"",{quantile})', t, "0.0000"),
        ("theta_lower", bound.format("-"), _or(looks.theta_lower if looks else None), styles.RATIO),
        ("theta_upper", bound.format("+"), _or(looks.theta_upper if looks else None), styles.RATIO),
    ]


def _welch_values(book: Book, a: Value, b: Value) -> tuple[Value, Value]:
    if not isinstance(a, float) or not isinstance(b, float):
        return "", ""
    n_a, n_b = int(book.number("n_a")), int(book.number("n_b"))
    if min(n_a, n_b) < 2:
        return "", ""
    nu: Value = welch_nu(a / n_a, n_a, b / n_b, n_b) if a + b > 0 else ""
    return a / n_a + b / n_b, nu


def _hours_ratio(book: Book) -> float | None:
    a, b = book.number("hours_per_unit_a"), book.number("hours_per_unit_b")
    return b / a if a and b else None
