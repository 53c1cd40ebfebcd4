"""Cash flow: staying, moving the overflow, moving everything, month by month; every plan's NPV and the best of them.

With G(u) = Σ_{t<u} f·(partial − full), the best plan that starts at s costs
Σ_{t<s} f·stay − Σ_{t<s} f·partial + min_{u≥s} G(u) + Σ f·full + f_s·M, so one row a month holds every plan.
"""

from collections.abc import Callable

from openpyxl.utils import get_column_letter

from bot.render.workbook import charts, further, other_work, plan_rows, recorded, styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.columns import COLUMNS, ENDS, FIRST, HEAD, LETTER, PROVEN, SHOWN, SUMMED
from bot.render.workbook.columns import cell as _r
from bot.render.workbook.contracts import MONTHS_ON_A_PAGE, contract_column, demand_cell, month_cell, overage
from bot.render.workbook.followed import listed, promises
from bot.render.workbook.plan_rows import hourly_price, price_cell
from bot.render.workbook.working import Working


def build(book: Book) -> None:
    """Absent without a timeline."""
    if not book.decision.economics.months:
        return
    sheet = book.sheet("cash-flow")
    width = styles.amount_width(book.decision.economics.stay_npv or 0.0, 13)
    sheet.widths(13, 9, 10, 12, *([width] * (len(COLUMNS) - 4)))
    sheet.word(1, 1, "cash-flow.title", "st_title")
    sheet.word(1, 2, "cash-flow.note", "st_note")
    sheet.merge(2, 1, 12, 42)
    sheet.word(1, 4, "cash-flow.months", "st_section")
    economics = book.decision.economics
    told = recorded.is_recorded(economics)
    if not told:
        sheet.word(COLUMNS.index("plan-npv") + 2, 4, "cash-flow.working", "st_section")
    sheet.worksheet.row_dimensions[HEAD].height = 42
    for column, name in enumerate(recorded.columns_of(economics, SHOWN) if told else COLUMNS, start=1):
        sheet.word(column, HEAD, f"cash-flow.{name}", "st_head", currency=book.decision.settings.currency)
    last = FIRST + len(book.decision.economics.months)
    (_recorded if told else _live)(sheet, last)
    charts.npv_by_month(sheet, FIRST, last - 1, COLUMNS.index("full-npv") + 1, last + 3)
    sheet.worksheet.freeze_panes = f"B{FIRST}"
    shown = COLUMNS.index("plan-npv") + 1
    sheet.print_setup(title_rows=f"{HEAD}:{HEAD}", pages=int(len(economics.months) <= MONTHS_ON_A_PAGE), last=shown)
    letters = get_column_letter(shown)
    sheet.worksheet.print_area = f"A1:{letters}{last + 36}"


def _live(sheet: Sheet, last: int) -> None:
    working = Working(sheet.book.decision)
    _months(sheet, working)
    plan_rows.build(sheet, last + 3, working)


def _recorded(sheet: Sheet, last: int) -> None:
    sheet.text(1, 2, recorded.note(sheet.book), "st_note")
    recorded.months(sheet, FIRST, recorded.columns_of(sheet.book.decision.economics, SHOWN))
    recorded.inputs_as_recorded(sheet, recorded.plans(sheet, last + 3) + 1)


def _months(sheet: Sheet, working: Working) -> None:
    economics = sheet.book.decision.economics
    for i, month in enumerate(economics.months):
        row = FIRST + i
        sheet.put(1, row, month.starts_on, "yyyy-mm", "st_value")
        sheet.put(2, row, i, styles.COUNT)
        sheet.put(3, row, month.calendar_hours, styles.COUNT)
        for name, formula in _month_formulas(sheet.book, row, i, working.months).items():
            _write(sheet, name, row, formula, working.column(name)[i])
    row = FIRST + working.months
    sheet.word(1, row, "cash-flow.end", "st_muted")
    sheet.put(2, row, working.months, styles.COUNT)
    for name, formula in _end_formulas(row).items():
        _write(sheet, name, row, formula, working.column(name)[working.months])


def _write(sheet: Sheet, name: str, row: int, formula: str, value: Value) -> None:
    form = styles.MONEY
    if name in ("factor", "partial-share", "full-share"):
        form = "0.0000"
    elif name in ("need-a", "need-b", "committed-a", "committed-b") or name.startswith(
        ("over-a", "over-b", "sum-over", "sum-hours", "hours-gain")
    ):
        form = styles.HOURS
    elif name in ("overage-rate", "rate-b", "pays-below"):
        form = styles.PRICE
    elif name.endswith("flag"):
        form = styles.COUNT
    sheet.formula(COLUMNS.index(name) + 1, row, formula, value, form)


def _month_formulas(book: Book, row: int, i: int, months: int) -> dict[str, str]:
    def at(name: str) -> str:
        return _r(name, row)

    price_a, price_b = hourly_price(book, "a"), at("rate-b")
    need_a, need_b, held_a, held_b = at("need-a"), at("need-b"), at("committed-a"), at("committed-b")
    partial, full, rate = at("partial-share"), at("full-share"), at("overage-rate")
    share_of = {"stay": "0", "partial": partial, "full": full}
    over_a = {k: f"MAX(0,{need_a}*(1-{x})-{held_a})" for k, x in share_of.items()}
    freed = {k: f"(MIN({held_a},{need_a})-MIN({held_a},{need_a}*(1-{x})))" for k, x in share_of.items()}
    reuses = not book.decision.economics.other_work
    paid_anyway = {k: f'-IF(reuse_value="",N(reuse_share)*{freed[k]},0)' for k in ("partial", "full") if reuses}
    over_b = {k: f"MAX(0,{need_b}*{x}-{held_b})" for k, x in share_of.items()}
    month = book.decision.economics.months[i]
    kept = further.kept(month.further, held_a, price_b, price_cell(book, "b"))
    above = f"MAX(0,1-{kept}/MAX({need_a},1E-300))"

    def cheaper(of_a: str, of_b: str) -> str:
        told = month.further
        if told is None:
            return ""
        return further.formula(told.above_incumbent, of_a, rate) + further.formula(told.above_candidate, of_b, price_b)

    def cost(k: str, candidate_hours: str) -> str:
        paid = f"{at('commitment')}+{over_a[k]}*{rate}+{candidate_hours}*{price_b}"
        paid += cheaper(over_a[k], candidate_hours)
        reused = f"-{freed[k]}*N(reuse_share)*N(reuse_price)" if reuses and k != "stay" else ""
        return f"{paid}{reused}{others(share_of[k])}"

    def others(x: str) -> str:
        return other_work.formula(book.decision.economics, i, f"({held_a}-{need_a}*(1-{x}))", need_a, held_a)

    def share_at(level: str, ratio: str) -> str:
        full_x = f"MIN(1,capacity/MAX({need_a}*{ratio},1E-300))" if "capacity" in book.names else "1"
        return full_x if level == "full" else f"MIN({full_x},{above})"

    def hours_at(level: str, ratio: str) -> str:
        return f"MAX(0,{need_a}*{ratio}*{share_at(level, ratio)}-{held_b})"

    def cost_at(level: str, ratio: str) -> str:
        """The month's cost at a level of the plan were the hours ratio another one."""
        x = share_at(level, ratio)
        left, moved = f"MAX(0,{need_a}*(1-{x})-{held_a})", hours_at(level, ratio)
        freed_there = f"(MIN({held_a},{need_a})-MIN({held_a},{need_a}*(1-{x})))"
        reused = f"-{freed_there}*N(reuse_share)*N(reuse_price)" if reuses else ""
        return f"{at('commitment')}+{left}*{rate}+{moved}*{price_b}{cheaper(left, moved)}{reused}{others(x)}"

    capacity = f"MIN(1,capacity/MAX({need_b},1E-300))" if "capacity" in book.names else "1"
    return {
        "factor": f"IF({at('index')}<horizon,(1+annual_discount_rate)^(-{at('index')}/12),0)",
        "need-a": f"{demand_cell(book, i)}*N(hours_per_unit_a)",
        "need-b": f"{need_a}*N(hours_ratio)",
        **_commitment_formulas(book, i),
        "overage-rate": overage(book, i, price_a, book.decision.economics.incumbent_contracts),
        "rate-b": overage(book, i, hourly_price(book, "b"), book.decision.economics.candidate_contracts),
        "full-share": capacity,
        "partial-share": f"MIN({full},{above})",
        "stay": cost("stay", "0"),
        "partial": cost("partial", over_b["partial"]),
        "full": cost("full", over_b["full"]),
        "stay-renewed": stay_renewed(book, i, need_a, price_a, held_a),
        "over-b-partial": over_b["partial"],
        "over-b-full": over_b["full"],
        **{f"{level}-{end}": cost_at(level, f"ratio_{end}") for level in ("partial", "full") for end in ENDS},
        **{
            f"over-b-{level}-{end}": hours_at(level, f"ratio_{end}")
            for level in ("partial", "full")
            for end in ENDS[:2]
        },
        **{f"over-a-{k}": f"{over_a[k]}*({rate}>={price_a}){paid_anyway.get(k, '')}" for k in share_of},
        "over-a-renewed": _renewed_hours(book, i, need_a, price_a),
        "pays-below": plan_rows.pays_below(row, FIRST + months),
        **_sums(row, first=i == 0),
        **_plan_formulas(row, FIRST + months),
    }


def _commitment_formulas(book: Book, i: int) -> dict[str, str]:
    economics = book.decision.economics
    parts: dict[str, list[str]] = {"committed-a": [], "committed-b": [], "commitment": []}
    for number, contract in enumerate(listed(book.decision)):
        if not promises(contract):
            continue
        arm = "a" if contract.id in economics.incumbent_contracts else "b"
        parts[f"committed-{arm}"].append(month_cell(book, contract_column(number, 0), i))
        parts["commitment"].append(month_cell(book, contract_column(number, 2), i))
    if economics.option is not None:
        parts["committed-b"].append(repr(economics.months[i].option_hours))
        parts["commitment"].append(repr(economics.months[i].option_cost))
    return {name: "+".join(cells) or "0" for name, cells in parts.items()}


def _renewed_hours(book: Book, i: int, need_a: str, price_a: str) -> str:
    """Hours above the promises that pay the on-demand price when staying lets contracts renew."""
    rate = overage(book, i, price_a, book.decision.economics.incumbent_contracts, part=1)
    return f"MAX(0,{need_a}-({_promised_when_staying(book, i)}))*({rate}>={price_a})"


def _promised_when_staying(book: Book, i: int) -> str:
    mine = book.decision.economics.incumbent_contracts
    cells = [month_cell(book, contract_column(number, 1), i) for number, contract in enumerate(listed(book.decision))
             if contract.id in mine and promises(contract)]  # fmt: skip
    return "+".join(["0", *cells])


def stay_renewed(book: Book, i: int, need_a: str, price_a: str, held_a: str) -> str:
    """What a month costs that lets contracts renew."""
    cost = ["0"]
    for number, contract in enumerate(listed(book.decision)):
        if not promises(contract):
            continue
        cost.append(month_cell(book, contract_column(number, 3), i))
    rate = overage(book, i, price_a, book.decision.economics.incumbent_contracts, part=1)
    economics, renewed = book.decision.economics, _promised_when_staying(book, i)
    others = other_work.formula(economics, i, f"({renewed}-{need_a})", need_a, held_a, renewed=True)
    over, told = f"MAX(0,{need_a}-({renewed}))", economics.months[i].renewed_further
    cheaper = further.formula(told.above_incumbent, over, rate) if told else ""
    return f"{'+'.join(cost)}+{over}*{rate}{cheaper}{others}"


def _sums(row: int, first: bool) -> dict[str, str]:
    """Discounted sums of the months before this one."""
    if first:
        return {name: "0" for name in SUMMED}
    above = row - 1
    return {name: f"{_r(name, above)}+{_r('factor', above)}*{_r(of, above)}" for name, of in SUMMED.items()}


def _plan_formulas(row: int, end: int) -> dict[str, str]:
    def total(name: str) -> str:
        return f"${LETTER[name]}${end}"

    gain = f"{_r('sum-partial', row)}-{_r('sum-full', row)}"
    start = f"{_r('sum-stay', row)}+{_r('moving', row)}"
    return {
        "moving": f"{_r('factor', row)}*N(migration_cost)",
        "switch-gain": gain,
        "hours-gain": f"{_r('sum-hours-partial', row)}-{_r('sum-hours-full', row)}",
        "cheapest-switch": f"MIN({_r('switch-gain', row)},{_r('cheapest-switch', row + 1)})",
        "full-npv": f"{start}+{total('sum-full')}-{_r('sum-full', row)}",
        "plan-npv": f"{start}-{_r('sum-partial', row)}+{_r('cheapest-switch', row)}+{total('sum-full')}",
        **{name: formula for x in PROVEN for name, formula in _best_at(x, row, start, total).items()},
        **_flags(row),
    }


def _best_at(x: str, row: int, start: str, total: Callable[[str], str]) -> dict[str, str]:
    """The best plan that starts in the month were the hours ratio at an end of its interval."""
    partial, full = f"sum-partial-{x}", f"sum-full-{x}"
    gain, cheapest = f"switch-gain-{x}", f"cheapest-switch-{x}"
    return {
        gain: f"{_r(partial, row)}-{_r(full, row)}",
        cheapest: f"MIN({_r(gain, row)},{_r(cheapest, row + 1)})",
        f"plan-{x}": f"{start}-{_r(partial, row)}+{_r(cheapest, row)}+{total(full)}",
    }


def _flags(row: int) -> dict[str, str]:
    index = _r("index", row)
    return {
        "start-flag": f"IF({_r('plan-npv', row)}<=cheapest_npv+npv_tie,1,0)",
        "full-flag": f"IF(AND({index}>=split_start,{_r('switch-gain', row)}<=cheapest_after+npv_tie),1,0)",
    }


def _end_formulas(row: int) -> dict[str, str]:
    return {
        **_sums(row, first=False),
        "switch-gain": f"{_r('sum-partial', row)}-{_r('sum-full', row)}",
        "hours-gain": f"{_r('sum-hours-partial', row)}-{_r('sum-hours-full', row)}",
        "cheapest-switch": _r("switch-gain", row),
        **{f"switch-gain-{x}": f"{_r(f'sum-partial-{x}', row)}-{_r(f'sum-full-{x}', row)}" for x in PROVEN},
        **{f"cheapest-switch-{x}": _r(f"switch-gain-{x}", row) for x in PROVEN},
        "plan-npv": _r("sum-stay", row),
        **_flags(row),
    }
