"""The contracts among the inputs: editable terms, and as text those of contracts whose months the record holds."""

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from bot.render import figures
from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.followed import is_held_otherwise
from scoring.contracts.notices import renews_automatically
from scoring.model.contract import BusinessDayRule, Contract, Notice
from scoring.model.economics import DeadlineStatus, Economics
from scoring.public_holidays import holidays_of

CONTRACT_HEADS = ("id", "arm", "starts", "ends", "instances", "hours", "rate", "overage", "renews", "renewal-months",
                  "renewal-rate", "renewed", "notice", "source")  # fmt: skip
YEARS_OF_HOLIDAYS = 8
"""Years from the decision's on whose holidays stand in the formula of a notice day."""
FURTHER_WIDTH, CHARACTERS_A_LINE, LINE_HEIGHT = 44, 40, 14


def block(sheet: Sheet, row: int) -> None:
    """A row a contract that either arm draws on; absent without a timeline."""
    book, decision = sheet.book, sheet.book.decision
    economics = decision.economics
    listed = [c for c in decision.contracts if c.id in economics.incumbent_contracts + economics.candidate_contracts]
    if not listed or not economics.months:
        return
    sheet.word(1, row, "inputs.contracts", "st_section")
    sheet.heads(row + 1, [f"inputs.contract-{head}" for head in CONTRACT_HEADS])
    sheet.worksheet.row_dimensions[row + 1].height = 42
    if any(c.id in economics.contracts_by_month for c in listed):
        sheet.word(len(CONTRACT_HEADS) + 1, row + 1, "inputs.contract-further", "st_head")
        sheet.worksheet.column_dimensions[get_column_letter(len(CONTRACT_HEADS) + 1)].width = FURTHER_WIDTH
    for number, contract in enumerate(listed):
        told = contract.id in economics.contracts_by_month
        (_told if told else _contract)(sheet, row + 2 + number, number, contract)
    book.values["contracts"] = len(listed)


def _contract(sheet: Sheet, row: int, number: int, contract: Contract) -> None:
    decision = sheet.book.decision
    of_incumbent = contract.id in decision.economics.incumbent_contracts
    hours, rate, renewal = contract.commitment.instance_hours_per_month, contract.rate, contract.renewal
    renews = renews_automatically(contract)
    cells: dict[str, tuple[Value | None, str, str]] = {
        "id": (_named(sheet.book, contract), styles.GENERAL, "st_text"),
        "arm": ("A" if of_incumbent else "B", styles.GENERAL, "st_centre"),
        "starts": (contract.starts_on, styles.DAY, "st_input"),
        "ends": (contract.ends_on, styles.DAY, "st_input"),
        "instances": (_float(contract.commitment.instances), styles.GENERAL, _blue(contract.commitment.instances)),
        "hours": (_float(hours), styles.GENERAL, _blue(hours)),
        "rate": (float(rate), styles.PRICE, "st_input"),
        "overage": (_float(contract.overage_rate), styles.PRICE, "st_input"),
        "renewal-months": (renewal.months, styles.COUNT, "st_value"),
        "renewal-rate": (float(renewal.rate if renewal.rate is not None else rate), styles.PRICE,
                         "st_input" if renews else "st_value"),
        "source": (_source(sheet.book, contract), styles.GENERAL, "st_aside"),
    }  # fmt: skip
    if renews and renewal.rate is None:
        del cells["renewal-rate"]
    for key, (value, form, style) in cells.items():
        column = CONTRACT_HEADS.index(key) + 1
        if isinstance(value, str) or value is None:
            sheet.text(column, row, value, style)
        else:
            sheet.put(column, row, value, form, style)
        sheet.name(f"contract{number}_{key.replace('-', '_')}", column, row, value)
    _followed(sheet, row, number, contract)
    _days(sheet, row, number)


def _blue(value: object) -> str:
    """A commitment is in one form; the other's cell stays empty."""
    return "st_value" if value is None else "st_input"


def _followed(sheet: Sheet, row: int, number: int, contract: Contract) -> None:
    """By when notice is due, and what that makes of the renewal: it follows the last day."""
    decision, c = sheet.book.decision, f"contract{number}"
    deadline = next(d for d in decision.economics.deadlines if d.contract_id == contract.id)
    missed = renews_automatically(contract) and deadline.status is DeadlineStatus.MISSED
    stays_with = contract.id in decision.economics.stay_renews
    yes, no = (sheet.book.answer(is_so) for is_so in (True, False))
    renewed, renews = f'"{no}"', f'IF(OR({c}_renewed="{yes}",{str(stays_with).upper()}),"{yes}","{no}")'
    if renews_automatically(contract) and contract.notice is not None:
        renewed = f'IF({date_formula(decision.decided_on)}>{c}_notice,"{yes}","{no}")'
        alone = contract.id in decision.economics.incumbent_contracts and not is_held_otherwise(decision)
        renews = f'"{yes}"' if alone else renews
    formulas: list[tuple[str, str, Value, str]] = [
        (
            "notice",
            notice_formula(contract.notice, f"{c}_ends", decision.decided_on.year),
            deadline.notice_deadline or "",
            styles.DAY,
        ),
        ("renewed", renewed, sheet.book.answer(missed), styles.GENERAL),
        ("renews", renews, sheet.book.answer(stays_with or missed), styles.GENERAL),
    ]
    if contract.renewal.rate is None and renews_automatically(contract):
        formulas.append(("renewal-rate", f"{c}_rate", float(contract.rate), styles.PRICE))
    for key, formula, value, form in formulas:
        column = CONTRACT_HEADS.index(key) + 1
        sheet.formula(column, row, formula, value, form, "st_centre" if form == styles.GENERAL else "st_value")
        sheet.name(f"{c}_{key.replace('-', '_')}", column, row, value)


def date_formula(day: dt.date) -> str:
    """A day as a formula writes it."""
    return f"DATE({day.year},{day.month},{day.day})"


def notice_formula(notice: Notice | None, ends: str, year: int) -> str:
    """The last day on which notice is in time, by the last day of term; working days by their own holidays."""
    if notice is None:
        return '""'
    day = f"{ends}-{notice.days}" if notice.days is not None else f"EDATE({ends},-{notice.months or 0})"
    if notice.business_day is BusinessDayRule.NONE:
        return day
    years = range(year - 1, year + YEARS_OF_HOLIDAYS)
    days = [d for of in years for d in holidays_of(notice.holidays, of)] if notice.holidays else []
    listed = f",{{{','.join(str(serial(d)) for d in sorted(set(days)))}}}" if days else ""
    step = -1 if notice.business_day is BusinessDayRule.PREVIOUS else 1
    return f"WORKDAY({day}-{step},{step}{listed})".replace("--1", "+1")


def serial(day: dt.date) -> int:
    """A spreadsheet's number of a day."""
    return (day - dt.date(1899, 12, 30)).days


def _days(sheet: Sheet, row: int, number: int) -> None:
    """A last day before the decision is another contract: it has ended, or is in a later term.

    One within a month would leave its hours to the work of days after it.
    """
    decision = sheet.book.decision
    cell = sheet.worksheet.cell(row, CONTRACT_HEADS.index("ends") + 1).coordinate
    rule = DataValidation(type="custom", formula1=f"AND({cell}>={date_formula(decision.decided_on)},DAY({cell}+1)=1)")
    rule.allow_blank, rule.showErrorMessage = False, True
    rule.error = sheet.book.words("inputs.range-ends", day=decision.decided_on.isoformat())
    rule.add(cell)
    sheet.worksheet.add_data_validation(rule)


def _told(sheet: Sheet, row: int, number: int, contract: Contract) -> None:
    """A contract whose months are the record's values: its terms are text, since they recalculate nothing."""
    decision, words = sheet.book.decision, sheet.book.words
    deadline = next(d for d in decision.economics.deadlines if d.contract_id == contract.id)
    missed = renews_automatically(contract) and deadline.status is DeadlineStatus.MISSED
    renewal, unit = contract.renewal, f"{contract.currency}/h"
    rate = "" if contract.commitment.currency_per_hour is not None else f"{contract.rate:f} {unit}"
    cells = (
        _named(sheet.book, contract),
        _arms(decision.economics, contract.id),
        contract.starts_on.isoformat(),
        contract.ends_on.isoformat(),
        _plain(contract.commitment.instances),
        _plain(contract.commitment.instance_hours_per_month),
        rate,
        "" if contract.overage_rate is None else f"{contract.overage_rate:f} {unit}",
        sheet.book.answer(missed or contract.id in decision.economics.stay_renews),
        str(renewal.months),
        "" if renewal.rate is None else f"{renewal.rate:f} {unit}",
        sheet.book.answer(missed),
        "" if deadline.notice_deadline is None else deadline.notice_deadline.isoformat(),
        _source(sheet.book, contract),
        "; ".join(words(f"inputs.told-{code}", **told) for code, told in _further(contract, decision.economics)),
    )
    sheet.worksheet.row_dimensions[row].height = LINE_HEIGHT * (1 + len(cells[-1]) // CHARACTERS_A_LINE)
    for column, text in enumerate(cells, start=1):
        sheet.text(column, row, text, "st_muted" if column > len(CONTRACT_HEADS) - 1 else "st_text")


def _named(book: Book, contract: Contract) -> str:
    return contract.id + (book.words("contracts.synthetic") if contract.synthetic else "")


def _source(book: Book, contract: Contract) -> str:
    return book.words("inputs.source-line", file=contract.source.file, row=contract.source.row)


def _arms(economics: Economics, contract_id: str) -> str:
    if contract_id in economics.shared_contracts:
        return "A, B"
    return "A" if contract_id in economics.incumbent_contracts else "B"


def _further(contract: Contract, economics: Economics) -> Iterator[tuple[str, dict[str, object]]]:
    """What the columns do not hold, and why the months are values."""
    yield "values", {}
    for day in (day for name, day in economics.stay_renews_again if name == contract.id):
        yield "renews-until", {"day": day}
    unit, commitment = contract.currency, contract.commitment
    if commitment.currency_per_hour is not None:
        yield "per-hour", {"amount": f"{commitment.currency_per_hour:f}", "currency": unit}
    if commitment.currency_total is not None:
        code = "total-a-year" if commitment.per_year else "total"
        yield code, {"amount": f"{commitment.currency_total:f}", "currency": unit}
    for name, rate in contract.covered_rates.items():
        yield "covered", {"type": name, "rate": f"{rate:f}", "currency": unit}
    if contract.payment.upfront:
        yield "upfront", {"amount": f"{contract.payment.upfront:f}", "currency": unit, "day": contract.starts_on}
    if contract.minimum_utilisation < 1:
        yield "minimum", {"share": figures.percent(float(contract.minimum_utilisation))}
    for step in contract.ramp:
        told = {name: f"{amount:f}" for name, amount in step.amounts.items()}
        told |= {} if step.rate is None else {"rate": f"{step.rate:f} {unit}/h"}
        yield "step", {"day": step.starts_on, "then": ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in told.items())}


def _plain(value: Decimal | None) -> str:
    return "" if value is None else f"{value:f}"


def _float(value: object) -> float | None:
    return None if value is None else float(value)  # type: ignore[arg-type]
