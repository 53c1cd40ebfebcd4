"""Inputs: every assumption in one place, with unit, source and allowed range; changing one recalculates all."""

from dataclasses import dataclass

from openpyxl.worksheet.datavalidation import DataValidation

from bot.render.phrases import phrase
from bot.render.workbook import contract_inputs, styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.recorded import is_recorded
from scoring.decide import ENOUGH_RUNS
from scoring.model.decision import ArmResult, Decision

HEAD = 4
LEVEL = "0.000%"
LABEL = 40
"""Characters that a line of the first column holds."""
MOST_MONTHS = 120
UNIT, SOURCE, ALLOWED = (3, 4), (5, 9), (10, 13)
"""First and last column of what is told of an assumption; the contracts' terms stand below them, a column each."""


@dataclass(frozen=True)
class Row:
    """One assumption: `name` for formulas; `kind` of data validation, "fixed" for what nothing follows."""

    name: str
    value: Value | None
    form: str
    unit: str
    kind: str


def build(book: Book) -> None:
    """The sheet, and the named cells that every other sheet stands on."""
    sheet = book.sheet("inputs")
    sheet.widths(38, 13, 12, 12, 12, 11, 11, 11, 10, 10, 11, 10, 12, 22)
    sheet.word(1, 1, "inputs.title", "st_title")
    sheet.word(1, 2, "inputs.note", "st_note")
    sheet.merge(2, 1, ALLOWED[1], 28)
    sheet.heads(HEAD, ["inputs.what", "inputs.value"])
    for code, (first, last) in (("unit", UNIT), ("source", SOURCE), ("range", ALLOWED)):
        sheet.word(first, HEAD, f"inputs.{code}", "st_head")
        for column in range(first + 1, last + 1):
            sheet.text(column, HEAD, "", "st_head")
        sheet.merge(HEAD, first, last)
    row = HEAD + 1
    for item in _rows(book.decision, book):
        _write(sheet, row, item)
        row += 1
    row = _flags(sheet, row + 1)
    contract_inputs.block(sheet, row + 1)
    sheet.worksheet.freeze_panes = "A5"
    sheet.print_setup(title_rows="4:4", pages=0)


def live_price(decision: Decision, arm: str | None) -> bool:
    """Whether all runs of an arm are priced by one hourly price, so that one cell can change it."""
    runs = [c for c in decision.runs if c.run.arm == arm]
    prices = {c.price_per_hour for c in runs}
    summary = any(s.arm == arm for s in decision.pilot.summaries) and not runs
    return summary or (len(prices) == 1 and all(c.run.stated_cost is None and c.hours is not None for c in runs))


def _result(decision: Decision, arm: str | None) -> ArmResult | None:
    comparison = decision.cost or decision.time
    return comparison.arms.get(arm) if comparison and arm else None


def _rows(decision: Decision, book: Book) -> list[Row]:
    settings, economics = decision.settings, decision.economics
    currency = settings.currency
    rows = []
    for name, arm in (("price_a", decision.incumbent), ("price_b", decision.candidate)):
        result = _result(decision, arm)
        if live_price(decision, arm):
            price = result.price_per_hour if result else None
            rows.append(Row(name, price, styles.PRICE, f"{currency}/h", "positive"))
    reuse = settings.reuse_value_per_hour
    demand = settings.demand.units_per_month if settings.demand else None
    has_months, alone = bool(economics.months), is_by_cost_alone(decision)
    zero, share = ("zero", "share") if has_months else ("fixed", "fixed")
    reused = (zero, share) if not economics.other_work else ("fixed", "fixed")
    rows += [
        Row("demand", demand, _plainly(demand), "per-month", "positive" if has_months or alone else "fixed"),
        Row("migration_cost", float(settings.migration_cost), styles.MONEY, currency, "zero" if alone else zero),
        Row("annual_discount_rate", settings.annual_discount_rate, styles.PERCENT, "per-year", share),
        Row("confidence", settings.confidence, styles.PERCENT, "", "confidence"),
        Row("reuse_share", settings.reuse_share, styles.PERCENT, "of-freed", reused[1]),
        Row("reuse_value", None if reuse is None else float(reuse), styles.PRICE, f"{currency}/h", reused[0]),
        Row("split_minimum_gain", settings.split_minimum_gain, styles.PERCENT, "of-stay", share),
        Row("count_initialisation", book.answer(settings.count_initialisation), styles.GENERAL, "", "yes"),
    ]  # fmt: skip
    if settings.capacity.hours_per_month is not None:
        kind = "positive" if has_months else "fixed"
        rows.append(Row("capacity", settings.capacity.hours_per_month, styles.HOURS, "hours-month", kind))
    for number, quality in enumerate(decision.quality):
        form = styles.PERCENT if quality.margin_is_relative or quality.in_percent else _plainly(quality.margin)
        unit = "relative" if quality.margin_is_relative else "metric-unit"
        rows.append(Row(f"margin_{number}", quality.margin, form, unit, "positive"))
    bounded = "horizon" if has_months and not is_recorded(economics) else "months" if alone else "fixed"
    rows.append(Row("horizon", economics.horizon_months, styles.COUNT, "months", bounded))
    return rows


def is_by_cost_alone(decision: Decision) -> bool:
    """Whether the break-even ratio comes from costs without hours: 1 − M/S with S the spend over the horizon."""
    economics, demand = decision.economics, decision.settings.demand
    known = economics.reason == "no-hours" and economics.value_per_theta is not None
    return known and demand is not None and not demand.changes


def _plainly(value: float | None) -> str:
    """A number as it was given; one that a division made, to four digits after the point."""
    return styles.GENERAL if value is None or value == round(value, 6) else "#,##0.0000"


def _rule(kind: str, months: int, book: Book) -> DataValidation | None:
    if kind == "yes":
        return DataValidation(type="list", formula1=f'"{book.answer(True)},{book.answer(False)}"')
    if kind in ("horizon", "months"):
        last = str(months if kind == "horizon" else MOST_MONTHS)
        return DataValidation(type="whole", operator="between", formula1="1", formula2=last)
    if kind in ("share", "confidence"):
        ends = ("0", "1") if kind == "share" else ("0.5", "0.999999")
        return DataValidation(type="decimal", operator="between", formula1=ends[0], formula2=ends[1])
    if kind == "positive":
        return DataValidation(type="decimal", operator="greaterThan", formula1="0")
    return DataValidation(type="decimal", operator="greaterThanOrEqual", formula1="0") if kind == "zero" else None


def _write(sheet: Sheet, row: int, item: Row) -> None:
    decision = sheet.book.decision
    _, _, number = item.name.partition("margin_")
    if number:
        sheet.word(1, row, "inputs.margin", metric=decision.quality[int(number)].metric)
    else:
        arms = {"incumbent": decision.incumbent or "", "candidate": decision.candidate or ""}
        sheet.word(1, row, f"inputs.{item.name}", **arms)
    sheet.put(2, row, item.value, item.form, "st_value" if item.kind == "fixed" else "st_input")
    sheet.name(item.name, 2, row, item.value)
    known = f"inputs.unit-{item.unit}"
    sheet.text(UNIT[0], row, sheet.book.words(known) if known in sheet.book.words else item.unit, "st_aside")
    source = _source(sheet.book, item.name)
    sheet.text(SOURCE[0], row, source, "st_aside")
    months = decision.economics.horizon_months
    allowed = sheet.book.words(f"inputs.range-{item.kind}", months=months)
    sheet.text(ALLOWED[0], row, allowed, "st_aside")
    for columns in (UNIT, SOURCE, ALLOWED):
        sheet.merge(row, *columns)
    label = str(sheet.worksheet.cell(row, 1).value)
    sheet.worksheet.row_dimensions[row].height = _lines((label, LABEL), (source, 50), (allowed, 48))
    rule = _rule(item.kind, months, sheet.book)
    if rule is not None:
        rule.allow_blank = item.kind != "horizon"
        rule.showErrorMessage = True
        rule.error = sheet.book.words(f"inputs.range-{item.kind}", months=months)
        rule.add(sheet.worksheet.cell(row, 2).coordinate)
        sheet.worksheet.add_data_validation(rule)


def _lines(*texts: tuple[str, int]) -> int:
    """The height of a row for texts, each with the characters that a line of its cell holds."""
    return 14 * max(1 + len(text) // width for text, width in texts)


def _source(book: Book, name: str) -> str:
    decision, settings = book.decision, book.words("inputs.source-settings")
    if name in ("price_a", "price_b"):
        result = _result(decision, decision.incumbent if name == "price_a" else decision.candidate)
        return phrase("price-source", (result.price_source if result else None) or "")
    if name == "demand" and decision.settings.demand:
        return decision.settings.demand.source or settings
    given = {"reuse_value": "reuse_value_per_hour", "capacity": "capacity", "horizon": "horizon_months"}
    key = given.get(name, "margins" if name.startswith("margin_") else name)
    return settings if key in decision.settings_given else book.words("inputs.source-default")


def _flags(sheet: Sheet, row: int) -> int:
    """What the sheet cannot recompute: facts of policy, latency and open questions, from the record."""
    decision = sheet.book.decision
    both_live = live_price(decision, decision.incumbent) and live_price(decision, decision.candidate)
    followed = {"capacity-ends-before-move", "margin-too-wide", *(("price-missing",) if both_live else ())}
    reasons = [r.code for r in decision.verdict.reasons if r.code not in followed]
    blocked = decision.verdict.word is not None and decision.verdict.word.value == "BLOCKED" and bool(reasons)
    guards = [x for x in decision.latency if x.is_guardrail]
    flags: tuple[tuple[str, Value], ...] = (
        ("record_blocked", sheet.book.answer(blocked)),
        ("record_unanswered", sheet.book.answer(decision.verdict.word is None)),
        ("latency_failed", sum(bool(x.fails) for x in guards)),
        ("latency_open", sum(not x.passes for x in guards)),
        ("look_level", look_level(decision)),
        ("reuse_price", _or(decision.economics.reuse_value_per_hour)),
    )
    sheet.word(1, row, "inputs.facts", "st_section")
    sheet.word(2, row, "inputs.facts-note", "st_note")
    sheet.merge(row, 2, SOURCE[1])
    for offset, (name, value) in enumerate(flags, start=1):
        sheet.word(1, row + offset, f"inputs.{name}")
        height = _lines((sheet.book.words(f"inputs.{name}"), LABEL))
        sheet.worksheet.row_dimensions[row + offset].height = height
        formula = {"look_level": _first_look(decision), "reuse_price": _reuse_price(decision)}.get(name)
        form = {"look_level": LEVEL, "reuse_price": styles.PRICE}.get(name, styles.GENERAL)
        if formula is not None:
            sheet.formula(2, row + offset, formula, value, form)
        else:
            sheet.put(2, row + offset, value, form)
        sheet.name(name, 2, row + offset, value)
    until = decision.settings.capacity.confirmed_until
    if until is None or not decision.economics.months:
        return row + len(flags) + 1
    sheet.word(1, row + len(flags) + 1, "inputs.capacity_until")
    sheet.put(2, row + len(flags) + 1, until, styles.DAY)
    sheet.name("capacity_until", 2, row + len(flags) + 1, until)
    return row + len(flags) + 2


def _or(value: float | None) -> Value:
    return "" if value is None else value


def _reuse_price(decision: Decision) -> str | None:
    """What a freed hour is worth unless the settings say: the incumbent's price."""
    price = "price_a" if live_price(decision, decision.incumbent) else "paid_per_hour_a"
    return f'IF(reuse_value<>"",reuse_value,IF({price}="","",{price}))' if decision.economics.months else None


def is_first_look(decision: Decision) -> bool:
    """Whether the sheet can follow the look's level; with earlier looks it is the record's."""
    return decision.looks is None or not decision.looks.earlier


def _first_look(decision: Decision) -> str | None:
    """What a first look may spend."""
    if not is_first_look(decision):
        return None
    done = f"2/(1/worked_a+1/worked_b)/{decision.settings.planned_runs_per_arm}"
    spent = f"(1-confidence)*LN(1+(EXP(1)-1)*MIN(1,{done}))"
    return f"IF(MIN(worked_a,worked_b)<{ENOUGH_RUNS},1-confidence,{spent})"


def look_level(decision: Decision) -> float:
    """The one-sided level of this look's proofs, 0 for none; before there are runs enough, 1 − confidence."""
    return decision.looks.level if decision.looks else 1 - decision.settings.confidence
