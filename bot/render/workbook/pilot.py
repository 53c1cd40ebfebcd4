"""Pilot: one row a run as posted, its cost by formula; a run is left out by one cell, and everything follows."""

from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table, TableStyleInfo

from bot.render.phrases import unit_name
from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.designs import Labelled, in_totals
from bot.render.workbook.inputs import live_price
from scoring.comparison import summary_cost
from scoring.model.decision import CostedRun, Decision, QualityComparison
from scoring.model.pilot import Summary

HEAD = 5
FIRST = HEAD + 1
COLUMNS = ("arm", "role", "run", "block", "seed", "status", "counts", "duration", "initialisation", "instances", "work",
           "price", "hours", "cost", "counted", "worked", "weight", "counted-cost", "counted-work", "counted-hours",
           "residual", "square", "block-no", "seed-no")  # fmt: skip
COLUMN = {name: number for number, name in enumerate(COLUMNS, start=1)}


def build(book: Book) -> None:
    """The table of runs, or of posted summaries, and the rows that were left out."""
    sheet = book.sheet("pilot")
    sheet.widths(18, 6, 14, 12, 10, 9, 8, 12, 12, 9, 13, 10, 12, 12, 8, 9, 13, 12, 13, 12, 10, 10, 8, 8)
    sheet.word(1, 1, "pilot.title", "st_title")
    sheet.word(1, 2, "pilot.note", "st_note")
    sheet.merge(2, 1, 12, 28)
    book.values["run_rows"] = len(book.decision.runs)
    row = _runs(sheet) if book.decision.runs else HEAD
    row = _summaries(sheet, row + 1)
    _left_out(sheet, row + 1)
    sheet.worksheet.freeze_panes = f"D{FIRST}"
    sheet.print_setup(title_rows=f"{HEAD}:{HEAD}", pages=0, keep="A:C")


def run_span(book: Book, name: str) -> str:
    """The cells of one column of the table, for formulas of other sheets."""
    first, last = FIRST, FIRST + len(book.decision.runs) - 1
    return Sheet(book, book.workbook[book.words("sheet.pilot")]).span(COLUMN[name], first, last)


def quality_column(number: int, part: int) -> int:
    """Column of a metric: 0 its value, 1 that oriented (logs for a relative margin), 2 the squared deviation."""
    return len(COLUMNS) + 1 + 3 * number + part


def _runs(sheet: Sheet) -> int:
    book, decision = sheet.book, sheet.book.decision
    currency, unit = decision.settings.currency, (decision.cost or decision.time)
    heads = [
        book.words(f"pilot.{name}", currency=currency, unit=unit_name(unit.unit if unit else "run")) for name in COLUMNS
    ]
    for quality in decision.quality:
        heads += [quality.metric] + [book.words(f"pilot.{k}", metric=quality.metric) for k in ("oriented", "deviation")]
    seen: dict[str, int] = {}
    for column, head in enumerate(heads, start=1):
        seen[head] = seen.get(head, 0) + 1
        sheet.text(column, HEAD, head if seen[head] == 1 else f"{head} {seen[head]}", "st_head")
    sheet.worksheet.row_dimensions[HEAD].height = 56
    labelled = Labelled(decision)
    seeds = seeds_of(decision)
    for row, costed in enumerate(decision.runs, start=FIRST):
        _run(sheet, row, costed, labelled)
        sheet.put(COLUMN["block-no"], row, labelled.number[id(costed)], styles.COUNT)
        number = seeds.index(costed.run.seed) + 1 if costed.run.seed else 0
        sheet.put(COLUMN["seed-no"], row, number, styles.COUNT)
    last = FIRST + len(decision.runs) - 1
    _table(sheet, len(heads), last)
    yes, no = (sheet.book.answer(is_so) for is_so in (True, False))
    choice = DataValidation(type="list", formula1=f'"{yes},{no}"', allow_blank=False)
    choice.add(f"G{FIRST}:G{last}")
    sheet.worksheet.add_data_validation(choice)
    return last + 1


def seeds_of(decision: Decision) -> list[str]:
    """The seeds of all runs, each once; a run's number on Pilot is its seed's place here."""
    return list(dict.fromkeys(c.run.seed for c in decision.runs if c.run.seed))


def _table(sheet: Sheet, columns: int, last: int) -> None:
    ends = sheet.worksheet.cell(last, columns).coordinate
    table = Table(displayName="runs", ref=f"A{HEAD}:{ends}")
    table.tableStyleInfo = TableStyleInfo(name="TableStyleLight1", showRowStripes=True)
    table._initialise_columns()  # type: ignore[attr-defined]
    for column, definition in enumerate(table.tableColumns, start=1):
        definition.name = str(sheet.worksheet.cell(HEAD, column).value).replace("\n", " ")
        sheet.worksheet.cell(HEAD, column).value = definition.name
    sheet.worksheet.add_table(table)


def _run(sheet: Sheet, row: int, costed: CostedRun, labelled: Labelled) -> None:
    decision, run = sheet.book.decision, costed.run
    role = "A" if run.arm == decision.incumbent else "B"
    texts = {
        "arm": run.arm,
        "role": role,
        "run": run.run,
        "block": labelled.block(costed),
        "seed": run.seed,
        "status": run.status.value,
    }
    for name, text in texts.items():
        sheet.text(COLUMN[name], row, text, "st_value")
    sheet.text(COLUMN["counts"], row, sheet.book.answer(True), "st_input")
    numbers: dict[str, tuple[Value | None, str]] = {
        "duration": (run.duration_s, "#,##0.0##"),
        "initialisation": (run.initialisation_s, "#,##0.0##"),
        "instances": (run.instance_count, styles.COUNT),
        "work": (costed.work, styles.GENERAL),
    }
    for name, (value, form) in numbers.items():
        sheet.put(COLUMN[name], row, value, form)
    _price(sheet, row, costed, role)
    _money(sheet, row, costed, labelled)
    for number, quality in enumerate(decision.quality):
        _quality(sheet, row, number, quality, costed)


def _at(name: str, row: int) -> str:
    return f"${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[COLUMN[name] - 1]}{row}"


def _price(sheet: Sheet, row: int, costed: CostedRun, role: str) -> None:
    name = f"price_{role.lower()}"
    if name in sheet.book.names and live_price(sheet.book.decision, costed.run.arm):
        formula = f'IF({name}="","",{name})'
        sheet.formula(COLUMN["price"], row, formula, costed.price_per_hour, styles.PRICE)
    else:
        style = "st_input" if costed.run.stated_cost is None else "st_value"
        sheet.put(COLUMN["price"], row, costed.price_per_hour, styles.PRICE, style)


def _money(sheet: Sheet, row: int, costed: CostedRun, labelled: Labelled) -> None:
    role = "A" if costed.run.arm == sheet.book.decision.incumbent else "B"
    hours, cost = COLUMN["hours"], COLUMN["cost"]
    duration, init, count = _at("duration", row), _at("initialisation", row), _at("instances", row)
    if costed.run.duration_s is not None and costed.hours is not None:
        formula = f'({duration}+IF(count_initialisation="{sheet.book.answer(True)}",N({init}),0))/3600*{count}'
        sheet.formula(hours, row, formula, costed.hours, styles.HOURS)
    else:
        sheet.put(hours, row, costed.hours, styles.HOURS)
    price, used = _at("price", row), _at("hours", row)
    if costed.run.stated_cost is None:
        formula = f'IF(OR({price}="",{used}=""),"",{used}*{price})'
        sheet.formula(cost, row, formula, costed.cost, styles.PRICE)
    else:
        sheet.put(cost, row, costed.cost, styles.PRICE)
    counted = _at("counted", row)
    known = f'OR({_at("work", row)}>0,{_at("cost", row)}<>"",{used}<>"")'
    formula = f'IF(AND({_at("counts", row)}="{sheet.book.answer(True)}",{known}),1,0)'
    sheet.formula(COLUMN["counted"], row, formula, int(in_totals(costed)), styles.COUNT)
    did_work = f"IF(AND({counted}=1,{_at('work', row)}>0),1,0)"
    sheet.formula(COLUMN["worked"], row, did_work, int(costed.work > 0), styles.COUNT)
    _weight(sheet, row, costed, role, bool(labelled.blocks))
    for name, source, value in (
        ("counted-cost", "cost", costed.cost),
        ("counted-work", "work", costed.work),
        ("counted-hours", "hours", costed.hours),
    ):
        formula = f"{counted}*{_at('weight', row)}*N({_at(source, row)})"
        sheet.formula(COLUMN[name], row, formula, costed.weight * (value or 0.0), styles.PRICE)
    _residual(sheet, row, costed, role)


def _weight(sheet: Sheet, row: int, costed: CostedRun, role: str, blocked: bool) -> None:
    """Where blocks are shared each of them counts alike; a run in a block of one arm alone does not count."""
    book, column = sheet.book, COLUMN["weight"]
    if not blocked:
        sheet.put(column, row, costed.weight, "0.000")
        return
    other = "B" if role == "A" else "A"
    roles, labels, counted = (run_span(book, name) for name in ("role", "block-no", "counted"))
    mine, theirs = (f'COUNTIFS({roles},"{r}",{labels},{_at("block-no", row)},{counted},1)' for r in (role, other))
    shared = f"IF({theirs}=0,0,counted_{role.lower()}/(shared_blocks*{mine}))"
    formula = f"IF({_at('counted', row)}=0,0,IF(OR(design=1,design=2),{shared},1))"
    sheet.formula(column, row, formula, costed.weight if in_totals(costed) else 0, "0.000")


def _residual(sheet: Sheet, row: int, costed: CostedRun, role: str) -> None:
    """(C − r·W)/C̄ of the run by its weight: what its cost differs by from its arm's, relative to the mean cost."""
    book = sheet.book
    comparison = book.decision.cost
    result = comparison.arms[costed.run.arm] if comparison else None
    value: Value = ""
    if result and result.cost_per_unit and costed.cost is not None:
        runs = [c for c in book.decision.runs if c.run.arm == costed.run.arm and c.cost is not None]
        mean_cost = sum(c.weight * (c.cost or 0.0) for c in runs) / len(runs)
        value = costed.weight * (costed.cost - result.cost_per_unit * costed.work) / mean_cost
    unit, mean = f"unit_cost_{role.lower()}", f"mean_cost_{role.lower()}"
    cost, work = _at("counted-cost", row), _at("counted-work", row)
    known = f'AND({_at("counted", row)}=1,{_at("cost", row)}<>"")'
    formula = f'IF({known},IFERROR(({cost}-{unit}*{work})/{mean},""),"")'
    sheet.formula(COLUMN["residual"], row, formula, value, "0.0000")
    residual = _at("residual", row)
    square = value**2 if isinstance(value, float) else ""
    sheet.formula(COLUMN["square"], row, f'IF({residual}="","",{residual}^2)', square, "0.00E+00")


def _quality(sheet: Sheet, row: int, number: int, quality: QualityComparison, costed: CostedRun) -> None:
    posted = costed.run.quality.get(quality.metric) if costed.run.status.value == "ok" else None
    column = quality_column(number, 0)
    sheet.put(column, row, posted.value if posted else None, styles.GENERAL)
    cell = sheet.worksheet.cell(row, column).coordinate
    counts = f'AND({_at("counts", row)}="{sheet.book.answer(True)}",{cell}<>"")'
    formula = f'IF({counts},IFERROR({oriented_formula(quality, cell)},""),"")'
    value = oriented(posted.value if posted else None, quality)
    sheet.formula(quality_column(number, 1), row, formula, value, "0.0000")
    mine = [z for v in quality.arms[costed.run.arm].values if isinstance(z := oriented(v, quality), float)]
    squared = (value - sum(mine) / len(mine)) ** 2 if isinstance(value, float) and mine else ""
    if not is_live(sheet.book.decision, quality):
        sheet.put(quality_column(number, 2), row, squared or None, "0.00E+00")
        return
    role = "a" if costed.run.arm == sheet.book.decision.incumbent else "b"
    oriented_cell = sheet.worksheet.cell(row, quality_column(number, 1)).coordinate
    mean = f"q{number}_mean_{role}"
    formula = f'IF(AND(ISNUMBER({oriented_cell}),{mean}<>""),({oriented_cell}-{mean})^2,"")'
    sheet.formula(quality_column(number, 2), row, formula, squared, "0.00E+00")


LIVE_METHODS = ("paired-t", "welch-t", "paired-t-seeds", "welch-t-seeds")
LIVE_REASONS = ("one-run", "one-seed", "no-spread", "not-positive")


def is_live(decision: Decision, quality: QualityComparison) -> bool:
    """Whether the sheet recomputes a difference: of the runs' values, not of items or of posted summaries."""
    arms = (decision.incumbent, decision.candidate)
    of_runs = all(any(c.run.arm == arm and quality.metric in c.run.quality for c in decision.runs) for arm in arms)
    of_items = any(item.metric == quality.metric and item.arm in arms for item in decision.pilot.items)
    d = quality.difference
    return of_runs and not of_items and (d.method in LIVE_METHODS or d.reason in LIVE_REASONS)


def oriented_formula(quality: QualityComparison, cell: str) -> str:
    """`oriented` as a formula of a value."""
    sign = "-" if quality.direction.value == "lower" else ""
    return f"{sign}LN({cell})" if quality.margin_is_relative else f"{sign}{cell}"


def oriented(value: float | None, quality: QualityComparison) -> float | str:
    """The value signed so that more is better, in logs for a relative margin; "" where there is none."""
    from math import log

    if value is None or (quality.margin_is_relative and value <= 0):
        return ""
    plain = log(value) if quality.margin_is_relative else value
    return -plain if quality.direction.value == "lower" else plain


def _summaries(sheet: Sheet, row: int) -> int:
    """Posted summaries take the place of runs; their spread is the posted one."""
    decision = sheet.book.decision
    used = [s for s in decision.pilot.summaries if not any(c.run.arm == s.arm for c in decision.runs)]
    used = [s for s in used if s.arm in (decision.incumbent, decision.candidate)]
    if not used:
        return row
    sheet.heads(row, ["pilot.arm", "pilot.role", "pilot.n", "pilot.mean-hours", "pilot.cv", "pilot.mean-cost"])
    for offset, summary in enumerate(used, start=1):
        _summary(sheet, row + offset, summary, decision)
    return row + len(used) + 1


def _summary(sheet: Sheet, row: int, summary: Summary, decision: Decision) -> None:
    role = "A" if summary.arm == decision.incumbent else "B"
    comparison = decision.cost or decision.time
    result = comparison.arms[summary.arm] if comparison else None
    hours = result.hours_per_unit if result else None
    priced = summary.model_copy(update={"price_per_hour": result.price_per_hour if result else None})
    cost = summary_cost(priced)
    sheet.text(1, row, summary.arm, "st_value")
    sheet.text(2, row, role, "st_value")
    sheet.put(3, row, summary.n, styles.COUNT, "st_input")
    sheet.name(f"summary_n_{role.lower()}", 3, row, summary.n)
    sheet.put(4, row, hours, "0.0000######", "st_input")
    sheet.put(5, row, result.cv if result else None, "0.0000", "st_input")
    sheet.name(f"summary_cv_{role.lower()}", 5, row, result.cv if result else None)
    if hours is not None and summary.cost is None:
        price = f"price_{role.lower()}"
        sheet.formula(6, row, f'IF({price}="","",D{row}*{price})', cost.mean if cost else "", styles.UNIT_COST)
    else:
        sheet.put(6, row, cost.mean if cost else None, styles.UNIT_COST, "st_input")
    sheet.name(f"summary_cost_{role.lower()}", 6, row, cost.mean if cost else None)
    sheet.name(f"summary_hours_{role.lower()}", 4, row, hours)


def _left_out(sheet: Sheet, row: int) -> None:
    rows = [r for r in sheet.book.decision.pilot.runs if r.left_out]
    if not rows:
        return
    sheet.word(1, row, "pilot.left-out", "st_section")
    for offset, run in enumerate(rows, start=1):
        sheet.text(1, row + offset, run.arm, "st_muted")
        sheet.text(3, row + offset, f"{run.file}, line {run.row}", "st_muted")
        sheet.text(6, row + offset, run.left_out, "st_muted")
