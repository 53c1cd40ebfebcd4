"""Cash flow: staying, moving the overflow, moving everything, month by month; every plan's NPV and the best of them.

With G(u) = Σ_{t<u} f·(partial − full), the best plan that starts at s costs
Σ_{t<s} f·stay − Σ_{t<s} f·partial + min_{u≥s} G(u) + Σ f·full + f_s·M, so one row a month holds every plan.
"""

from collections.abc import Callable

from openpyxl.utils import get_column_letter

from bot.render.workbook import charts, further, other_work, recorded, styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.columns import COLUMNS, ENDS, FIRST, HEAD, LETTER, PROVEN, SHOWN, SUMMED
from bot.render.workbook.contracts import contract_column, demand_cell, listed, month_cell, overage, promises
from bot.render.workbook.working import Working, shown_price


def build(book: Book) -> None:
    """Absent without a timeline."""
    if not book.decision.economics.months:
        return
    sheet = book.sheet("cash-flow")
    sheet.widths(13, 9, 10, 12, *([13] * (len(COLUMNS) - 4)))
    sheet.word(1, 1, "cash-flow.title", "st_title")
    sheet.word(1, 2, "cash-flow.note", "st_note")
    sheet.merge(2, 1, 12, 28)
    sheet.word(1, 4, "cash-flow.months", "st_section")
    told = recorded.is_recorded(book.decision.economics)
    if not told:
        sheet.word(COLUMNS.index("plan-npv") + 2, 4, "cash-flow.working", "st_section")
    sheet.worksheet.row_dimensions[HEAD].height = 42
    for column, name in enumerate(SHOWN if told else COLUMNS, start=1):
        sheet.word(column, HEAD, f"cash-flow.{name}", "st_head", currency=book.decision.settings.currency)
    last = FIRST + len(book.decision.economics.months)
    (_recorded if told else _live)(sheet, last)
    charts.npv_by_month(sheet, FIRST, last - 1, COLUMNS.index("full-npv") + 1, last + 3)
    sheet.worksheet.freeze_panes = f"B{FIRST}"
    sheet.print_setup(title_rows=f"{HEAD}:{HEAD}")
    letters = get_column_letter(COLUMNS.index("plan-npv") + 1)
    sheet.worksheet.print_area = f"A1:{letters}{last + 36}"


def _live(sheet: Sheet, last: int) -> None:
    working = Working(sheet.book.decision)
    _months(sheet, working)
    _plans(sheet, last + 3, working)


def _recorded(sheet: Sheet, last: int) -> None:
    sheet.text(1, 2, recorded.note(sheet.book), "st_note")
    recorded.months(sheet, FIRST, SHOWN)
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
        ("over-", "sum-over", "sum-hours")
    ):
        form = styles.HOURS
    elif name in ("overage-rate", "rate-b"):
        form = styles.PRICE
    elif name.endswith("flag"):
        form = styles.COUNT
    sheet.formula(COLUMNS.index(name) + 1, row, formula, value, form)


def _r(name: str, row: int) -> str:
    return f"${LETTER[name]}{row}"


def _price_cell(book: Book, role: str) -> str:
    return f"price_{role}" if f"price_{role}" in book.names else f"paid_per_hour_{role}"


def _price(book: Book, role: str) -> str:
    """An arm's hourly price; where the candidate's is not known, the price at which the record shows the months."""
    cell = _price_cell(book, role)
    economics = book.decision.economics
    if role == "b" and (economics.candidate is None or economics.candidate.price_per_hour is None):
        return f'IF({cell}="",{shown_price(economics)!r},{cell})'
    return f"N({cell})"


def _month_formulas(book: Book, row: int, i: int, months: int) -> dict[str, str]:
    def at(name: str) -> str:
        return _r(name, row)

    price_a, price_b = _price(book, "a"), at("rate-b")
    need_a, need_b, held_a, held_b = at("need-a"), at("need-b"), at("committed-a"), at("committed-b")
    partial, full, rate = at("partial-share"), at("full-share"), at("overage-rate")
    share_of = {"stay": "0", "partial": partial, "full": full}
    over_a = {k: f"MAX(0,{need_a}*(1-{x})-{held_a})" for k, x in share_of.items()}
    freed = {k: f"(MIN({held_a},{need_a})-MIN({held_a},{need_a}*(1-{x})))" for k, x in share_of.items()}
    over_b = {k: f"MAX(0,{need_b}*{x}-{held_b})" for k, x in share_of.items()}
    month = book.decision.economics.months[i]
    kept = further.kept(month.further, held_a, price_b, _price_cell(book, "b"))
    above = f"MAX(0,1-{kept}/MAX({need_a},1E-300))"

    def cheaper(of_a: str, of_b: str) -> str:
        told = month.further
        if told is None:
            return ""
        return further.formula(told.above_incumbent, of_a, rate) + further.formula(told.above_candidate, of_b, price_b)

    def cost(k: str, candidate_hours: str) -> str:
        paid = f"{at('commitment')}+{over_a[k]}*{rate}+{candidate_hours}*{price_b}"
        paid += cheaper(over_a[k], candidate_hours)
        reused = "" if k == "stay" else f"-{freed[k]}*N(reuse_share)*N(reuse_value)"
        return f"{paid}{reused}{others(share_of[k])}"

    def others(x: str) -> str:
        return other_work.formula(book.decision.economics, i, f"({held_a}-{need_a}*(1-{x}))", need_a, held_a)

    def cost_at(level: str, ratio: str) -> str:
        """The month's cost at a level of the plan were the hours ratio another one."""
        full_x = f"MIN(1,capacity/MAX({need_a}*{ratio},1E-300))" if "capacity" in book.names else "1"
        x = full_x if level == "full" else f"MIN({full_x},{above})"
        left, moved = f"MAX(0,{need_a}*(1-{x})-{held_a})", f"MAX(0,{need_a}*{ratio}*{x}-{held_b})"
        return (
            f"{at('commitment')}+{left}*{rate}+{moved}*{price_b}{cheaper(left, moved)}"
            f"-(MIN({held_a},{need_a})-MIN({held_a},{need_a}*(1-{x})))*N(reuse_share)*N(reuse_value){others(x)}"
        )

    capacity = f"MIN(1,capacity/MAX({need_b},1E-300))" if "capacity" in book.names else "1"
    return {
        "factor": f"(1+annual_discount_rate)^(-{at('index')}/12)",
        "need-a": f"{demand_cell(book, i)}*N(hours_per_unit_a)",
        "need-b": f"{need_a}*N(hours_ratio)",
        **_commitment_formulas(book, i),
        "overage-rate": overage(book, i, price_a, book.decision.economics.incumbent_contracts),
        "rate-b": overage(book, i, _price(book, "b"), book.decision.economics.candidate_contracts),
        "full-share": capacity,
        "partial-share": f"MIN({full},{above})",
        "stay": cost("stay", "0"),
        "partial": cost("partial", over_b["partial"]),
        "full": cost("full", over_b["full"]),
        "stay-renewed": _stay_renewed(book, i, need_a, price_a, held_a),
        "over-b-partial": over_b["partial"],
        "over-b-full": over_b["full"],
        **{f"{level}-{end}": cost_at(level, f"ratio_{end}") for level in ("partial", "full") for end in ENDS},
        **{f"over-a-{k}": f"{over_a[k]}*({rate}>={price_a})" for k in share_of},
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


def _stay_renewed(book: Book, i: int, need_a: str, price_a: str, held_a: str) -> str:
    hours, cost = ["0"], ["0"]
    for number, contract in enumerate(listed(book.decision)):
        if not promises(contract):
            continue
        cost.append(month_cell(book, contract_column(number, 3), i))
        if contract.id in book.decision.economics.incumbent_contracts:
            hours.append(month_cell(book, contract_column(number, 1), i))
    rate = overage(book, i, price_a, book.decision.economics.incumbent_contracts, part=1)
    economics, renewed = book.decision.economics, "+".join(hours)
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
        "cheapest-switch": _r("switch-gain", row),
        **{f"switch-gain-{x}": f"{_r(f'sum-partial-{x}', row)}-{_r(f'sum-full-{x}', row)}" for x in PROVEN},
        **{f"cheapest-switch-{x}": _r(f"switch-gain-{x}", row) for x in PROVEN},
        "plan-npv": _r("sum-stay", row),
        **_flags(row),
    }


def _plans(sheet: Sheet, row: int, working: Working) -> None:
    """The recommended plan, its saving, the break-even ratio and the walk-away prices."""
    sheet.word(1, row, "cash-flow.plans", "st_section")
    end = FIRST + working.months
    for offset, (name, formula, form) in enumerate(_plan_rows(sheet.book, end), start=1):
        at = row + offset
        sheet.word(1, at, f"cash-flow.p-{name.replace('_', '-')}")
        sheet.merge(at, 1, 4)
        value, formula = working.plans[name], '""' if name in working.untold else formula
        sheet.formula(5, at, formula, value, form, "st_value")
        sheet.name(name, 5, at, value)


def _plan_rows(book: Book, end: int) -> list[tuple[str, str, str]]:
    def span(name: str, last: int = end) -> str:
        return f"${LETTER[name]}${FIRST}:${LETTER[name]}${last}"

    def pick(name: str, index: str) -> str:
        return f"INDEX({span(name)},{index}+1)"

    economics = book.decision.economics
    months = len(economics.months)
    lapse, renewed = _r("sum-stay", end), _r("sum-renewed", end)
    stay = f"MIN({lapse},{renewed})" if economics.stay_renewed_npv is not None else lapse
    price_a, price_b = _price(book, "a"), _price(book, "b")
    shown_hours = (
        f"{pick('sum-hours-partial', 'shown_full')}-{pick('sum-hours-partial', 'shown_start')}"
        f"+{_r('sum-hours-full', end)}-{pick('sum-hours-full', 'shown_full')}"
    )

    def shown_at(x: str) -> str:
        return (
            f"{pick('sum-stay', 'shown_start')}+{pick('moving', 'shown_start')}"
            f"+{pick(f'sum-partial-{x}', 'shown_full')}-{pick(f'sum-partial-{x}', 'shown_start')}"
            f"+{_r(f'sum-full-{x}', end)}-{pick(f'sum-full-{x}', 'shown_full')}"
        )

    shown_over_a = (
        f"{pick('sum-over-a-stay', 'shown_start')}+{pick('sum-over-a-partial', 'shown_full')}"
        f"-{pick('sum-over-a-partial', 'shown_start')}"
        f"+{_r('sum-over-a-full', end)}-{pick('sum-over-a-full', 'shown_full')}"
    )
    base = f"(shown_npv-{price_b}*shown_hours)"
    m, h, tiny = styles.MONEY, styles.HOURS, "0.000000001"
    return [
        *((f"ratio_{x}", f'IF(OR(theta_{x}="",theta=""),N(hours_ratio),hours_ratio*theta_{x}/theta)', styles.RATIO)
          for x in ENDS),
        ("stay_npv", stay, m),
        ("npv_tie", "0.000000001*ABS(stay_npv)", "0.00E+00"),
        ("full_best_npv", f"MIN({span('full-npv', end - 1)})", m),
        ("full_start",
         f"SUMPRODUCT(MIN({span('index', end - 1)}+1E9*({span('full-npv', end - 1)}>full_best_npv+npv_tie)))",
         styles.COUNT),
        ("cheapest_npv", f"MIN({span('plan-npv')})", m),
        ("split_start", f"MATCH(1,{span('start-flag')},0)-1", styles.COUNT),
        ("cheapest_after", pick("cheapest-switch", "split_start"), m),
        ("split_full", f"MATCH(1,{span('full-flag')},0)-1", styles.COUNT),
        ("simple_npv", "IF(full_best_npv<stay_npv-npv_tie,full_best_npv,stay_npv)", m),
        ("split_wins", f"IF(cheapest_npv<simple_npv-MAX(split_minimum_gain,{tiny})*ABS(stay_npv),1,0)", styles.COUNT),
        ("plan_start", f"IF(split_wins=1,split_start,IF(simple_npv<stay_npv,full_start,{months}))", styles.COUNT),
        ("plan_full", f"IF(split_wins=1,split_full,IF(simple_npv<stay_npv,full_start,{months}))", styles.COUNT),
        ("plan_npv", "IF(split_wins=1,cheapest_npv,simple_npv)", m),
        ("plan_saving", "stay_npv-plan_npv", m),
        ("capped_after", f"SUMPRODUCT(({span('index', end - 1)}>=plan_full)*({span('full-share', end - 1)}<1-{tiny}))",
         styles.COUNT),
        ("shown_start", f"IF(plan_start<{months},plan_start,full_start)", styles.COUNT),
        ("shown_full", f"IF(plan_start<{months},plan_full,full_start)", styles.COUNT),
        ("shown_npv", f"IF(plan_start<{months},plan_npv,full_best_npv)", m),
        ("shown_hours", shown_hours, h),
        ("shown_over_a", shown_over_a, h),
        ("break_even", f'IF(OR(shown_hours<=0,{price_a}<=0),"",'
         f'MAX(0,N(hours_ratio)*(stay_npv-{base})/(shown_hours*{price_a})))',
         styles.RATIO),
        *((f"best_at_{x}", f"MIN({span(f'plan-{x}', end - 1)})", m) for x in PROVEN),
        *((f"shown_at_{x}", shown_at(x), m) for x in ENDS),
        ("walk_away_b", f'IF(OR(plan_start>={months},shown_hours<=0,stay_npv-{base}<=npv_tie),"",'
         f'(stay_npv-{base})/shown_hours)',
         styles.PRICE),
        ("walk_away_b_lo", 'IF(OR(walk_away_b="",theta_hi=""),"",walk_away_b*hours_ratio/ratio_hi)', styles.PRICE),
        ("walk_away_b_hi", 'IF(OR(walk_away_b="",theta_lo=""),"",walk_away_b*hours_ratio/ratio_lo)', styles.PRICE),
        ("walk_away_a", f'IF({_r("sum-over-a-stay", end)}-shown_over_a<=0,"",'
         f'{price_a}-(stay_npv-shown_npv)/({_r("sum-over-a-stay", end)}-shown_over_a))', styles.PRICE),
        ("saving_lo", "stay_npv-shown_at_hi", m),
        ("saving_hi", "stay_npv-shown_at_lo", m),
    ]  # fmt: skip
