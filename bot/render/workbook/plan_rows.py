"""The plans of Cash flow by name: the recommended one, its saving, the break-even ratio and the walk-away prices."""

from bot.render.workbook import styles, walk_away
from bot.render.workbook.cells import Book, Sheet
from bot.render.workbook.columns import ENDS, FIRST, PROVEN, cell, span
from bot.render.workbook.followed import is_linear_in_ratio, may_renew
from bot.render.workbook.walk_away import planned
from bot.render.workbook.working import Working, shown_price

TINY = "0.000000001"
NEVER = "1E+300"
"""Added to what must not be the least, and taken from what must not be the greatest."""
Row = tuple[str, str, str]


def build(sheet: Sheet, row: int, working: Working) -> None:
    """A row a figure, each with its name."""
    sheet.word(1, row, "cash-flow.plans", "st_section")
    for offset, (name, formula, form) in enumerate(_rows(sheet.book, FIRST + working.months), start=1):
        at = row + offset
        sheet.word(1, at, f"cash-flow.p-{name.replace('_', '-')}")
        sheet.merge(at, 1, 4)
        value = working.plans[name]
        sheet.formula(5, at, formula, value, form, "st_value")
        sheet.name(name, 5, at, value)


def price_cell(book: Book, role: str) -> str:
    """Where an arm's hourly price stands: the input, or where runs have their own what they paid on average."""
    return f"price_{role}" if f"price_{role}" in book.names else f"paid_per_hour_{role}"


def hourly_price(book: Book, role: str) -> str:
    """An arm's hourly price; where the candidate's is not known, the price at which the record shows the months."""
    named = price_cell(book, role)
    economics = book.decision.economics
    if role == "b" and (economics.candidate is None or economics.candidate.price_per_hour is None):
        return f'IF({named}="",{shown_price(economics)!r},{named})'
    return f"N({named})"


def pays_below(row: int, end: int) -> str:
    """What the candidate's price may rise by before no plan that starts in this month pays: (stay − NPV) ÷ hours.

    Staying does not hang on that price and every plan's cost is linear in it; so the greatest of these is the price
    above which nothing pays, less today's.
    """
    hours = f"({span('hours-gain', end)}+{cell('sum-hours-full', end)}-{cell('sum-hours-partial', row)})"
    start = f"({cell('sum-stay', row)}+{cell('moving', row)}-{cell('sum-partial', row)}+{cell('sum-full', end)})"
    gain = f"(stay_npv-{start}-{span('switch-gain', end)})"
    earlier = f"({span('index', end)}<{cell('index', row)})"
    idle = f"({hours}<={TINY})"
    return f"SUMPRODUCT(MAX({gain}/({hours}+{idle}*{NEVER})-{NEVER}*({earlier}+{idle}>0)))"


def _before(name: str, end: int) -> str:
    return f"INDEX({span(name, end)},shown_start+1)"


def _moved(end: int, x: str = "") -> str:
    """What the plan shown costs at an end of the ratio."""
    partial, full = f"sum-partial{x}", f"sum-full{x}"
    return f"{_before('sum-stay', end)}+{_before('moving', end)}+{planned(partial, full, end)}"


def _least(name: str, end: int) -> str:
    """The least of a column in the months of the horizon."""
    return f"SUMPRODUCT(MIN({span(name, end - 1)}+{NEVER}*({span('index', end - 1)}>=horizon)))"


def _rows(book: Book, end: int) -> list[Row]:
    m = styles.MONEY
    return [
        *((f"ratio_{x}", f'IF(OR(theta_{x}="",theta=""),N(hours_ratio),hours_ratio*theta_{x}/theta)', styles.RATIO)
          for x in ENDS),
        *_plan(book, end),
        *_shown(book, end),
        *((f"best_at_{x}", _least(f"plan-{x}", end), m) for x in PROVEN),
        *((f"shown_at_{x}", _moved(end, f"-{x}"), m) for x in ENDS),
        *walk_away.rows(book, end, hourly_price(book, "a"), hourly_price(book, "b")),
        ("saving_lo", "stay_npv-shown_at_hi", m),
        ("saving_hi", "stay_npv-shown_at_lo", m),
    ]  # fmt: skip


def _plan(book: Book, end: int) -> list[Row]:
    m, index = styles.MONEY, span("index", end - 1)
    lapse, renewed = cell("sum-stay", end), cell("sum-renewed", end)
    full = span("full-npv", end - 1)
    return [
        ("stay_npv", f"MIN({lapse},{renewed})" if may_renew(book.decision) else lapse, m),
        ("npv_tie", f"{TINY}*ABS(stay_npv)", "0.00E+00"),
        ("full_best_npv", _least("full-npv", end), m),
        ("full_start", f"SUMPRODUCT(MIN({index}+1E9*({full}>full_best_npv+npv_tie)))", styles.COUNT),
        ("cheapest_npv", f"MIN({span('plan-npv', end)})", m),
        ("split_start", f"MATCH(1,{span('start-flag', end)},0)-1", styles.COUNT),
        ("cheapest_after", f"INDEX({span('cheapest-switch', end)},split_start+1)", m),
        ("split_full", f"MATCH(1,{span('full-flag', end)},0)-1", styles.COUNT),
        ("simple_npv", "IF(full_best_npv<stay_npv-npv_tie,full_best_npv,stay_npv)", m),
        ("split_wins", f"IF(cheapest_npv<simple_npv-MAX(split_minimum_gain,{TINY})*ABS(stay_npv),1,0)", styles.COUNT),
        ("plan_start", "IF(split_wins=1,split_start,IF(simple_npv<stay_npv,full_start,horizon))", styles.COUNT),
        ("plan_full", "IF(split_wins=1,split_full,IF(simple_npv<stay_npv,full_start,horizon))", styles.COUNT),
        ("plan_npv", "IF(split_wins=1,cheapest_npv,simple_npv)", m),
        ("plan_saving", "stay_npv-plan_npv", m),
        ("capped_after",
         f"SUMPRODUCT(({index}>=plan_full)*({index}<horizon)*({span('full-share', end - 1)}<1-{TINY}))", styles.COUNT),
    ]  # fmt: skip


def _shown(book: Book, end: int) -> list[Row]:
    """The plan that prices and ratios are asked about: the recommended one, or where it stays the best full move."""
    price_a, price_b = hourly_price(book, "a"), hourly_price(book, "b")
    k = '""'
    if is_linear_in_ratio(book.decision):
        at_ratio = f"(stay_npv-shown_npv+{price_b}*shown_hours)/(shown_hours*{price_a})"
        k = f'IF(OR(shown_hours<=0,{price_a}<=0),"",MAX(0,N(hours_ratio)*{at_ratio}))'
    over_a = f"{_before('sum-over-a-stay', end)}+{planned('sum-over-a-partial', 'sum-over-a-full', end)}"
    return [
        ("shown_start", "IF(plan_start<horizon,plan_start,full_start)", styles.COUNT),
        ("shown_full", "IF(plan_start<horizon,plan_full,full_start)", styles.COUNT),
        ("shown_npv", "IF(plan_start<horizon,plan_npv,full_best_npv)", styles.MONEY),
        ("shown_hours", planned("sum-hours-partial", "sum-hours-full", end), styles.HOURS),
        ("shown_over_a", over_a, styles.HOURS),
        ("break_even", k, styles.RATIO),
    ]
