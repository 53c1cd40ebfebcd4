"""Contracts: what each commitment promises by month, what staying uses of it, by when notice is due."""

import datetime as dt
from calendar import monthrange
from math import inf

from openpyxl.utils import get_column_letter

from bot.render.workbook import charts, styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.followed import listed, promises
from scoring.contracts.coverage import terms_of
from scoring.model.contract import Contract
from scoring.model.decision import Decision
from scoring.model.economics import ContractMonth, Month

HEAD = 5
FIRST = HEAD + 1
ON_A_PAGE, MONTHS_ON_A_PAGE = 3, 24
"""Contracts and months that one page holds with the chart."""


def demand_cell(book: Book, month: int) -> str:
    """The work of a month: the input, or where a dated step of the settings makes it another one its value."""
    demand, units = book.decision.settings.demand, book.decision.economics.months[month].demand_units
    return "N(demand)" if demand is None or units == demand.units_per_month else repr(units)


def build(book: Book) -> None:
    """Absent without a timeline or without a contract that matters."""
    decision = book.decision
    if not decision.economics.months or not listed(decision):
        return
    sheet = book.sheet("contracts")
    sheet.widths(18, 12, 14, 14, 14, 14, *([14] * (4 * len(listed(decision)))))
    sheet.word(1, 1, "contracts.title", "st_title")
    sheet.word(1, 2, "contracts.note", "st_note")
    sheet.merge(2, 1, 8, 28)
    _told_note(sheet)
    sheet.heads(HEAD, ["contracts.month", "contracts.days", "contracts.committed", "contracts.used",
                       "contracts.wasted", "contracts.overage"])  # fmt: skip
    for number, contract in enumerate(listed(decision)):
        for part, key in enumerate(PROMISED if promises(contract) else AGREED):
            sheet.word(contract_column(number, part), HEAD, f"contracts.{key}", "st_head", contract=contract.id)
    sheet.worksheet.row_dimensions[HEAD].height = 56
    for row, month in enumerate(decision.economics.months, start=FIRST):
        _month(sheet, row, month)
    last = FIRST + len(decision.economics.months) - 1
    _totals(sheet, last + 1)
    _deadlines(sheet, last + 4)
    charts.commitments(sheet, FIRST, last, last + 6 + len(decision.contracts))
    sheet.worksheet.freeze_panes = f"B{FIRST}"
    fits = len(listed(decision)) <= ON_A_PAGE and len(decision.economics.months) <= MONTHS_ON_A_PAGE
    sheet.print_setup(title_rows=f"{HEAD}:{HEAD}", pages=int(fits))


PROMISED = ("hours", "renewed", "cost", "renewed-cost")
NO_PRICE = "1E+300"
AGREED = ("price", "price-renewed", "no-cost", "no-cost-renewed")


def contract_column(number: int, part: int) -> int:
    """Column of a contract: 0 hours promised, 1 hours when staying, 2 cost, 3 cost when staying.

    Of one that promises nothing 0 and 1 hold the agreed price of an hour, empty outside its term.
    """
    return 7 + 4 * number + part


def month_cell(book: Book, column: int, index: int) -> str:
    """A cell of a month for formulas of other sheets."""
    return Sheet(book, book.workbook[book.words("sheet.contracts")]).address(column, FIRST + index)


def _month(sheet: Sheet, row: int, month: Month) -> None:
    decision = sheet.book.decision
    start = month.starts_on
    days = monthrange(start.year, start.month)[1]
    sheet.put(1, row, start, "yyyy-mm", "st_value")
    sheet.put(2, row, days, styles.COUNT)
    incumbent_columns: list[str] = []
    for number, contract in enumerate(listed(decision)):
        if not promises(contract):
            _agreed_cells(sheet, row, number, contract, month)
            continue
        of_month = _of(contract, month.contracts)
        staying = _of(contract, month.staying)
        values = tuple(
            sum(getattr(c, name) for c in some) for name in ("committed_hours", "cost") for some in (of_month, staying)
        )
        if contract.id in decision.economics.contracts_by_month:
            _told_cells(sheet, row, number, values)
        else:
            _contract_cells(sheet, row, number, values)
        if contract.id in decision.economics.incumbent_contracts:
            incumbent_columns.append(sheet.worksheet.cell(row, contract_column(number, 1)).coordinate)
    _use(sheet, row, month, incumbent_columns)


def _of(contract: Contract, rows: tuple[ContractMonth, ...]) -> tuple[ContractMonth, ...]:
    return tuple(row for row in rows if row.contract_id == contract.id)


def _overage_of(contract: Contract, month: Month, staying: bool) -> float | None:
    """The record's price of an hour above the contract in the month, the lowest where two terms meet in it."""
    rows = _of(contract, month.staying if staying else month.contracts)
    return min((row.overage_rate for row in rows if row.overage_rate is not None), default=None)


def overage(book: Book, i: int, price: str, contracts: tuple[str, ...], part: int = 0) -> str:
    """The cheapest of on demand and the overage rates of an arm's contracts in force."""
    choices = [price]
    for number, contract in enumerate(listed(book.decision)):
        if contract.id not in contracts:
            continue
        cell = month_cell(book, contract_column(number, part), i)
        if not promises(contract):
            choices.append(f'IF({cell}="",{price},{cell})')
        elif contract.id in book.decision.economics.contracts_by_month:
            told = _overage_of(contract, book.decision.economics.months[i], staying=part == 1)
            choices += [] if told is None else [repr(told)]
        else:
            above = f"contract{number}_overage"
            choices.append(f'IF(AND({cell}>0,{above}<>""),{above},{price})')
    return f"MIN({','.join(choices)})" if len(choices) > 1 else price


def ceiling(book: Book, i: int, contracts: tuple[str, ...], part: int) -> float:
    """The value of `overage` at a price beyond any: the lowest that these contracts name, infinite where none does."""
    month, cached = book.decision.economics.months[i], book.cached.get(book.words("sheet.contracts"), {})
    lowest = inf
    for number, contract in enumerate(listed(book.decision)):
        if contract.id not in contracts:
            continue
        shown = cached.get(f"{get_column_letter(contract_column(number, part))}{FIRST + i}")
        above: Value | None = None if contract.overage_rate is None else float(contract.overage_rate)
        if not promises(contract):
            above = shown
        elif contract.id in book.decision.economics.contracts_by_month:
            above = _overage_of(contract, month, staying=part == 1)
        elif not (isinstance(shown, (int, float)) and shown > 0):
            above = None
        lowest = min(lowest, above) if isinstance(above, (int, float)) else lowest
    return lowest


def _told_note(sheet: Sheet) -> None:
    """Which contracts' months are the record's values and follow no input."""
    told = sheet.book.decision.economics.contracts_by_month
    names = [c.id for c in listed(sheet.book.decision) if c.id in told]
    if names:
        sheet.word(1, 3, "contracts.told", "st_note", contracts=", ".join(names))
        sheet.merge(3, 1, 8, 28)


def _told_cells(sheet: Sheet, row: int, number: int, values: tuple[float, ...]) -> None:
    for part, value in enumerate(values):
        sheet.put(contract_column(number, part), row, value, styles.HOURS if part < 2 else styles.MONEY)


def _agreed_cells(sheet: Sheet, row: int, number: int, contract: Contract, month: Month) -> None:
    decision, c = sheet.book.decision, f"contract{number}"
    last = month.starts_on + dt.timedelta(days=monthrange(month.starts_on.year, month.starts_on.month)[1] - 1)
    yes = sheet.book.answer(True)
    renewals = (frozenset[str](), frozenset({contract.id}) & frozenset(decision.economics.stay_renews))
    later = (f"({c}_ends+1)", f"(EDATE({c}_ends+1,{c}_renewal_months)-1)")
    for part, (flag, renewed) in enumerate(zip(("renewed", "renews"), renewals, strict=True)):
        terms = terms_of((contract,), decision.decided_on, renewed)
        prices = [p for term in terms if (p := term.in_month(month.starts_on, last)[2]) != inf]
        own = f"IF({_overlap(f'{c}_starts', f'{c}_ends', row)}>0,{_least(c, 'rate')},{NO_PRICE})"
        after = f'IF(AND({c}_{flag}="{yes}",{_overlap(*later, row)}>0),{_least(c, "renewal_rate")},{NO_PRICE})'
        formula = f'IF(MIN({own},{after})>={NO_PRICE},"",MIN({own},{after}))'
        sheet.formula(contract_column(number, part), row, formula, min(prices, default=""), styles.PRICE)
    for part in (2, 3):
        sheet.put(contract_column(number, part), row, 0, styles.MONEY)


def _least(contract: str, rate: str) -> str:
    """The agreed price: the rate, or the overage rate where that is lower."""
    return f'IF({contract}_overage="",{contract}_{rate},MIN({contract}_overage,{contract}_{rate}))'


def _overlap(starts: str, ends: str, row: int) -> str:
    """Days of the month that lie within a term."""
    return f"MAX(0,MIN($A{row}+$B{row}-1,{ends})-MAX($A{row},{starts})+1)"


def _contract_cells(sheet: Sheet, row: int, number: int, values: tuple[float, ...]) -> None:
    c = f"contract{number}"
    per_day = f"IF(N({c}_instances)>0,{c}_instances*24,N({c}_hours)/$B{row})"
    own = f"{_overlap(f'{c}_starts', f'{c}_ends', row)}*{per_day}"
    after = f"{_overlap(f'({c}_ends+1)', f'(EDATE({c}_ends+1,{c}_renewal_months)-1)', row)}*{per_day}"
    yes = sheet.book.answer(True)
    renews = f'IF({c}_renews="{yes}",{after},0)'
    renewed = f'IF({c}_renewed="{yes}",{after},0)'
    formulas = (
        f"{own}+{renewed}",
        f"{own}+{renews}",
        f"{own}*{c}_rate+{renewed}*{c}_renewal_rate",
        f"{own}*{c}_rate+{renews}*{c}_renewal_rate",
    )
    for part, (formula, value) in enumerate(zip(formulas, values, strict=True)):
        form = styles.HOURS if part < 2 else styles.MONEY
        sheet.formula(contract_column(number, part), row, formula, value, form)


def _use(sheet: Sheet, row: int, month: Month, columns: list[str]) -> None:
    need, committed = month.need_incumbent_hours, _committed(sheet.book.decision, month)
    total = "+".join(columns) or "0"
    needed = f"{demand_cell(sheet.book, month.index)}*N(hours_per_unit_a)"
    rows: tuple[tuple[str, Value], ...] = (
        (total, committed),
        (f"MIN($C{row},{needed})", min(committed, need)),
        (f"$C{row}-$D{row}", committed - min(committed, need)),
        (f"MAX(0,{needed}-$C{row})", max(0.0, need - committed)),
    )
    for column, (formula, value) in enumerate(rows, start=3):
        sheet.formula(column, row, formula, value, styles.HOURS)


def _committed(decision: Decision, month: Month) -> float:
    """Hours of the incumbent's type that staying may use, those of renewals and of a plan of both arms among them."""
    mine = decision.economics.incumbent_contracts
    return sum(c.committed_hours for c in month.staying if c.contract_id in mine)


def _totals(sheet: Sheet, row: int) -> None:
    months = sheet.book.decision.economics.months
    sheet.word(1, row, "contracts.total", "st_total")
    sheet.text(2, row, "", "st_total")
    committed = [_committed(sheet.book.decision, m) for m in months]
    used = [min(held, m.need_incumbent_hours) for held, m in zip(committed, months, strict=True)]
    overage = [max(0.0, m.need_incumbent_hours - held) for held, m in zip(committed, months, strict=True)]
    sums = (sum(committed), sum(used), sum(committed) - sum(used), sum(overage))
    for column, value in enumerate(sums, start=3):
        letter = "ABCDEF"[column - 1]
        sheet.formula(column, row, f"SUM({letter}{FIRST}:{letter}{row - 1})", value, styles.HOURS, "st_total")
    share = sum(used) / sum(committed) if sum(committed) else ""
    sheet.word(1, row + 1, "contracts.utilisation")
    sheet.formula(3, row + 1, f'IF(C{row}<=0,"",D{row}/C{row})', share, styles.PERCENT)


def _deadlines(sheet: Sheet, row: int) -> None:
    decision = sheet.book.decision
    sheet.word(1, row, "contracts.deadlines", "st_section")
    sheet.heads(
        row + 1, [f"contracts.deadline-{h}" for h in ("contract", "ends", "notice", "days", "renewal", "missing")]
    )
    for offset, deadline in enumerate(decision.economics.deadlines, start=2):
        at = row + offset
        sheet.text(1, at, deadline.contract_id, "st_value")
        sheet.put(2, at, deadline.ends_on, styles.DAY)
        sheet.put(3, at, deadline.notice_deadline, styles.DAY)
        sheet.put(4, at, deadline.days_left, styles.COUNT)
        sheet.word(5, at, f"contracts.{deadline.renewal}-{deadline.status.value}", "st_beside")
        known = deadline.cost_of_missing is not None
        sheet.put(6, at, deadline.cost_of_missing if known else deadline.cost_of_having_missed, styles.MONEY)
        sheet.worksheet.row_dimensions[at].height = 28
