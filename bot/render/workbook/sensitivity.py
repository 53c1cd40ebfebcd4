"""Sensitivity: which assumption matters most, the prices at which the answer flips, and price against ratio.

Everything is a formula. The plan that is shown is held; a sheet cannot weigh every plan for every assumption, and who
has signed a plan asks what that plan becomes.
"""

from bot.render.workbook import charts, grid, styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.held_plan import HeldPlan
from bot.render.workbook.plan_rows import hourly_price
from bot.render.workbook.tornado import Tornado
from bot.render.workbook.two_way import STEPS, TwoWay
from scoring.model.economics import Band

COLUMNS = 8
MOST_OF_STAYING, LONGEST_WORD = 1.2, 7
"""Of staying, what the table's dearest cell loses at most; letters of the word before it."""
CHART_ROWS = 19
WORKING = COLUMNS + 2
"""Column of the months' working, right of what is printed."""
HEAD = 3


def build(book: Book) -> None:
    """Absent without a timeline."""
    economics = book.decision.economics
    if not economics.months or not book.number("shown_hours"):
        return
    sheet = book.sheet("sensitivity")
    width = styles.amount_width(MOST_OF_STAYING * book.number("stay_npv"), 14.5, LONGEST_WORD)
    sheet.widths(44, *([width] * (COLUMNS - 1)))
    sheet.word(1, 1, "sensitivity.title", "st_title")
    sheet.word(1, 2, "sensitivity.note", "st_note")
    sheet.merge(2, 1, COLUMNS, 28)
    held = HeldPlan.of(book)
    months = grid.Grid(sheet, held, WORKING, HEAD)
    row = _plan(sheet, 4, held)
    row = _walk_away(sheet, row + 1)
    tornado = Tornado(sheet, held, months)
    row = tornado.build(row + 1)
    if tornado.ranked:
        charts.tornado(sheet, tornado.first_ranked, tornado.last_ranked, f"A{row + 1}")
        row += CHART_ROWS
    row = _two_way(sheet, held, months, row + 1)
    sheet.worksheet.freeze_panes = "B4"
    sheet.print_setup(landscape=False, last=COLUMNS)
    sheet.worksheet.print_area = f"A1:{'ABCDEFGHIJ'[COLUMNS - 1]}{row}"


def _two_way(sheet: Sheet, held: HeldPlan, months: grid.Grid, row: int) -> int:
    """Price against ratio with its chart; a sentence where hours of the candidate have more than one price."""
    if held.has_tiers:
        sheet.word(1, row, "sensitivity.no-two-way", "st_note")
        sheet.merge(row, 1, COLUMNS, 28)
        return row + 1
    table = TwoWay(sheet, held, months)
    row = table.build(row)
    charts.break_even(sheet, (table.ratio_row, table.moving_row, table.staying_row), len(STEPS), f"A{row + 1}")
    return row + CHART_ROWS


def _plan(sheet: Sheet, row: int, held: HeldPlan) -> int:
    """The plan that is held, and what it saves today."""
    book = sheet.book
    sheet.word(1, row, "sensitivity.plan", "st_section")
    starts = [m.starts_on for m in book.decision.economics.months]
    for offset, (label, name, index) in enumerate(
        (("starts", "shown_start", held.start), ("complete", "shown_full", held.full)), start=1
    ):
        sheet.word(1, row + offset, f"sensitivity.{label}")
        month = f"INDEX({held.span('month')},MIN({name}+1,{held.months}))"
        value: Value = starts[index] if index < held.months else "–"
        sheet.formula(2, row + offset, f'IF({name}<horizon,{month},"–")', value, styles.DAY, "st_right")
    sheet.word(1, row + 3, "sensitivity.saves", currency=book.decision.settings.currency)
    saving = book.number("stay_npv") - book.number("shown_npv")
    sheet.formula(2, row + 3, "stay_npv-shown_npv", saving, styles.MONEY, "st_strong")
    sheet.name("held_saving", 2, row + 3, saving)
    return row + 4


def _walk_away(sheet: Sheet, row: int) -> int:
    """Prices and the cost ratio at which the plan saves nothing."""
    book, decision = sheet.book, sheet.book.decision
    prices = decision.economics.walk_away
    sheet.word(1, row, "sensitivity.walk-away", "st_section")
    heads = [f"sensitivity.{head}" for head in ("flip", "now", "point", "from", "to", "origin")]
    sheet.heads(row + 1, heads)
    even = Band(point=decision.economics.break_even_theta)
    b, a = (hourly_price(book, role) for role in "ba")
    rows: tuple[tuple[str, str | None, str, Band | None, str, str], ...] = (
        ("price-b", decision.candidate, b, prices.candidate_price, "walk_away_b", styles.PRICE),
        ("price-a", decision.incumbent, a, prices.incumbent_price, "walk_away_a", styles.PRICE),
        ("ratio", None, 'IF(theta="","",theta)', even, "break_even", styles.RATIO),
    )
    at = row + 2
    for label, arm, now, band, name, form in rows:
        if band is None:
            continue
        sheet.word(1, at, f"sensitivity.flip-{label}", arm=arm or "")
        sheet.formula(2, at, now, _now(book, label), form)
        live = _is_told(book, name, band.point)
        for column, (end, value) in enumerate({"": band.point, "_lo": band.lo, "_hi": band.hi}.items(), start=3):
            if live and book.values.get(name + end) not in (None, ""):
                sheet.formula(column, at, name + end, book.values[name + end], form)
            else:
                sheet.put(column, at, value, form)
        sheet.word(6, at, "sensitivity.live" if live else "sensitivity.from-record", "st_right")
        at += 1
    return at


def _is_told(book: Book, name: str, told: float) -> bool:
    """Whether the closed form of Cash flow gives the record's figure."""
    value = book.values.get(name)
    return isinstance(value, float) and abs(value - told) <= 1e-7 * max(1.0, abs(told))


def _now(book: Book, label: str) -> Value:
    economics = book.decision.economics
    if label == "ratio":
        return book.values.get("theta", "")
    held = HeldPlan.of(book).working
    return held.price_b if label == "price-b" else (economics.incumbent and economics.incumbent.price_per_hour) or 0.0
