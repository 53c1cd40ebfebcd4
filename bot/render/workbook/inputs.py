"""Inputs: every assumption in one place, with unit, source and allowed range; changing one recalculates all."""

from dataclasses import dataclass

from openpyxl.worksheet.datavalidation import DataValidation

from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from scoring.contracts.notices import renews_automatically
from scoring.model.contract import Contract
from scoring.model.decision import ArmResult, Decision
from scoring.model.economics import DeadlineStatus

HEAD = 4
CONTRACT_HEADS = ("id", "arm", "starts", "ends", "instances", "hours", "rate", "overage", "renews", "renewal-months",
                  "renewal-rate", "renewed", "source")  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One assumption: `name` for formulas; `kind` of data validation: positive, zero, share, yes."""

    name: str
    value: Value | None
    form: str
    unit: str
    kind: str
    formula: str | None = None


def build(book: Book) -> None:
    """The sheet, and the named cells that every other sheet stands on."""
    sheet = book.sheet("inputs")
    sheet.widths(34, 16, 22, 44, 24, 14, 14, 14, 12, 12, 12, 12, 30)
    sheet.word(1, 1, "inputs.title", "st_title")
    sheet.word(1, 2, "inputs.note", "st_note")
    sheet.merge(2, 1, 5, 28)
    sheet.heads(HEAD, ["inputs.what", "inputs.value", "inputs.unit", "inputs.source", "inputs.range"])
    row = HEAD + 1
    for item in _rows(book.decision, book):
        _write(sheet, row, item)
        row += 1
    row = _flags(sheet, row + 1)
    _contracts(sheet, row + 1)
    sheet.worksheet.freeze_panes = "A5"
    sheet.print_setup(title_rows="4:4")


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
    rows += [
        Row("demand", demand, styles.GENERAL, "per-month", "zero"),
        Row("migration_cost", float(settings.migration_cost), styles.MONEY, currency, "zero"),
        Row("annual_discount_rate", settings.annual_discount_rate, styles.PERCENT, "per-year", "share"),
        Row("confidence", settings.confidence, styles.PERCENT, "", "share"),
        Row("reuse_share", settings.reuse_share, styles.PERCENT, "of-freed", "share"),
        Row("reuse_value", _reuse_value(decision), styles.PRICE, f"{currency}/h", "zero",
            formula=book_price(book, decision) if reuse is None else None),
        Row("split_minimum_gain", settings.split_minimum_gain, styles.PERCENT, "of-stay", "share"),
        Row("count_initialisation", "yes" if settings.count_initialisation else "no", styles.GENERAL, "", "yes"),
    ]  # fmt: skip
    if settings.capacity.hours_per_month is not None:
        rows.append(Row("capacity", settings.capacity.hours_per_month, styles.HOURS, "hours-month", "positive"))
    for number, quality in enumerate(decision.quality):
        form = styles.PERCENT if quality.margin_is_relative or quality.in_percent else styles.GENERAL
        unit = "relative" if quality.margin_is_relative else "metric-unit"
        rows.append(Row(f"margin_{number}", quality.margin, form, unit, "positive"))
    rows.append(Row("horizon", economics.horizon_months, styles.COUNT, "months-fixed", "fixed"))
    return rows


def _reuse_value(decision: Decision) -> Value | None:
    reuse, result = decision.economics.reuse_value_per_hour, _result(decision, decision.incumbent)
    if reuse is None and live_price(decision, decision.incumbent):
        return result.price_per_hour if result else None
    return reuse


def book_price(book: Book, decision: Decision) -> str | None:
    """What a freed hour is worth unless the settings say: the incumbent's price."""
    return 'IF(price_a="","",price_a)' if live_price(decision, decision.incumbent) else None


def _rule(kind: str) -> DataValidation | None:
    if kind == "yes":
        return DataValidation(type="list", formula1='"yes,no"')
    if kind == "share":
        return DataValidation(type="decimal", operator="between", formula1="0", formula2="1")
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
    if item.formula:
        sheet.formula(2, row, item.formula, item.value, item.form)
    else:
        style = "st_value" if item.kind == "fixed" else "st_input"
        sheet.put(2, row, item.value, item.form, style)
    sheet.name(item.name, 2, row, item.value)
    known = f"inputs.unit-{item.unit}"
    sheet.text(3, row, sheet.book.words(known) if known in sheet.book.words else item.unit, "st_muted")
    source = _source(decision, item.name)
    sheet.text(4, row, source, "st_muted")
    sheet.worksheet.row_dimensions[row].height = 14 * (1 + len(source) // 44)
    sheet.word(5, row, f"inputs.range-{item.kind}", "st_muted")
    rule = None if item.formula else _rule(item.kind)
    if rule is not None:
        rule.allow_blank = True
        rule.add(sheet.worksheet.cell(row, 2).coordinate)
        sheet.worksheet.add_data_validation(rule)


def _source(decision: Decision, name: str) -> str:
    if name in ("price_a", "price_b"):
        result = _result(decision, decision.incumbent if name == "price_a" else decision.candidate)
        return (result.price_source if result else None) or ""
    if name == "demand" and decision.settings.demand:
        return decision.settings.demand.source or "settings"
    given = {"reuse_value": "reuse_value_per_hour", "capacity": "capacity", "horizon": "horizon_months"}
    key = given.get(name, "margins" if name.startswith("margin_") else name)
    return "settings" if key in decision.settings_given else "default"


def _flags(sheet: Sheet, row: int) -> int:
    """What the sheet cannot recompute: facts of policy, latency and open questions, from the record."""
    decision = sheet.book.decision
    both_live = live_price(decision, decision.incumbent) and live_price(decision, decision.candidate)
    price_codes = ("price-missing",) if both_live else ()
    reasons = [r.code for r in decision.verdict.reasons if r.code not in price_codes]
    blocked = decision.verdict.word is not None and decision.verdict.word.value == "BLOCKED" and bool(reasons)
    guards = [x for x in decision.latency if x.is_guardrail]
    flags: tuple[tuple[str, Value], ...] = (
        ("record_blocked", "yes" if blocked else "no"),
        ("record_unanswered", "yes" if decision.verdict.word is None else "no"),
        ("latency_failed", sum(bool(x.fails) for x in guards)),
        ("latency_open", sum(not x.passes for x in guards)),
    )
    sheet.word(1, row, "inputs.facts", "st_section")
    sheet.word(2, row, "inputs.facts-note", "st_note")
    for offset, (name, value) in enumerate(flags, start=1):
        sheet.word(1, row + offset, f"inputs.{name}")
        sheet.put(2, row + offset, value, styles.GENERAL)
        sheet.name(name, 2, row + offset, value)
    return row + len(flags) + 1


def _contracts(sheet: Sheet, row: int) -> None:
    book, decision = sheet.book, sheet.book.decision
    economics = decision.economics
    listed = [c for c in decision.contracts if c.id in economics.incumbent_contracts + economics.candidate_contracts]
    if not listed or not economics.months:
        return
    sheet.word(1, row, "inputs.contracts", "st_section")
    sheet.heads(row + 1, [f"inputs.contract-{head}" for head in CONTRACT_HEADS])
    for number, contract in enumerate(listed):
        _contract(sheet, row + 2 + number, number, contract)
    book.values["contracts"] = len(listed)


def _contract(sheet: Sheet, row: int, number: int, contract: Contract) -> None:
    decision = sheet.book.decision
    deadline = next(d for d in decision.economics.deadlines if d.contract_id == contract.id)
    missed = renews_automatically(contract) and deadline.status is DeadlineStatus.MISSED
    stays_with = decision.economics.stay_renews
    of_incumbent = contract.id in decision.economics.incumbent_contracts
    hours, rate, renewal = contract.commitment.instance_hours_per_month, contract.rate, contract.renewal
    cells: list[tuple[str, Value | None, str, str]] = [
        ("id", contract.id + (" (synthetic)" if contract.synthetic else ""), styles.GENERAL, "st_text"),
        ("arm", "A" if of_incumbent else "B", styles.GENERAL, "st_value"),
        ("starts", contract.starts_on, styles.DAY, "st_input"),
        ("ends", contract.ends_on, styles.DAY, "st_input"),
        ("instances", _float(contract.commitment.instances), styles.GENERAL, "st_input"),
        ("hours", _float(hours), styles.GENERAL, "st_input"),
        ("rate", float(rate), styles.PRICE, "st_input"),
        ("overage", _float(contract.overage_rate), styles.PRICE, "st_input"),
        ("renews", "yes" if contract.id in stays_with or missed else "no", styles.GENERAL, "st_value"),
        ("renewal-months", renewal.months, styles.COUNT, "st_value"),
        ("renewal-rate", float(renewal.rate if renewal.rate is not None else rate), styles.PRICE, "st_input"),
        ("renewed", "yes" if missed else "no", styles.GENERAL, "st_value"),
        ("source", f"{contract.source.file}, line {contract.source.row}", styles.GENERAL, "st_muted"),
    ]
    for column, (key, value, form, style) in enumerate(cells, start=1):
        if isinstance(value, str) or value is None:
            sheet.text(column, row, value, style)
        else:
            sheet.put(column, row, value, form, style)
        sheet.name(f"contract{number}_{key.replace('-', '_')}", column, row, value)


def _float(value: object) -> float | None:
    return None if value is None else float(value)  # type: ignore[arg-type]
