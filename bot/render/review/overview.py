"""The overview: the quarters' totals, the calibration and what is ahead, each by a formula over the other sheets."""

from openpyxl.chart import BarChart, Reference
from openpyxl.chart.series_factory import SeriesFactory
from openpyxl.chart.shapes import GraphicalProperties

from bot.render import figures
from bot.render.review.pages import Pages
from bot.render.review.sheets import CURRENCY, SAVED
from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet
from scoring.quarter.answer import QuarterPlan
from scoring.review.outcomes import COST, LEVEL_OF_SHARE, saved_in_all
from scoring.review.values import Calibration, QuarterTotal

HEAD, FIRST = 5, 6
WIDTH, HEIGHT = 17.0, 8.4


def build(pages: Pages) -> None:
    """Quarter by quarter, then how the intervals held, then two charts."""
    review, sheet = pages.review, pages.sheet("overview")
    sheet.widths(36, 16, 16, 16, 16, 16, 16)
    sheet.word(1, 1, "title", "st_title", quarter=review.quarter, on=figures.day(review.on))
    sheet.word(1, 2, "note-utilisation", "st_note")
    sheet.merge(2, 1, 7, 28)
    sheet.word(1, 3, "review-day")
    sheet.put(2, 3, review.on, styles.DAY, "st_input")
    sheet.name("review_day", 2, 3, review.on)
    sheet.word(3, 3, "amounts", "st_aside", currency=review.currency)
    sheet.merge(3, 3, 7)
    heads = ("quarter", "cost", "cost-unused", "cost-used", "share", "overage-cost", "all-cost")
    sheet.heads(HEAD, [f"head.{head}" for head in heads])
    for row, total in enumerate(review.totals, start=FIRST):
        _total(pages, sheet, row, total)
    row = _calibrations(pages, sheet, FIRST + len(review.totals) + 1)
    row = _further(pages, sheet, row + 1)
    _costs(pages, sheet, FIRST, FIRST + len(review.totals) - 1, f"A{row + 2}")
    if any(c.quarters[0].utilisation is not None for c in review.contracts):
        _utilisation(pages, sheet, row + 21)
    sheet.print_setup(landscape=False)


def _total(pages: Pages, sheet: Sheet, row: int, total: QuarterTotal) -> None:
    def summed(key: str, amount: int, by: int) -> str:
        return f"SUMIFS({pages.span(key, amount)},{pages.span(key, by)},$A{row})"

    sheet.text(1, row, total.quarter, "st_strong")
    sheet.formula(2, row, summed("commitments", 11, 6), total.commitment_cost, styles.MONEY)
    sheet.formula(3, row, summed("commitments", 12, 6), total.wasted_cost, styles.MONEY)
    sheet.formula(4, row, f"B{row}-C{row}", total.commitment_cost - total.wasted_cost, styles.MONEY)
    sheet.formula(5, row, f'IF(B{row}>0,D{row}/B{row},"")', total.used_share, styles.PERCENT)
    sheet.formula(6, row, summed("work", 6, 2), total.overage_cost, styles.MONEY)
    sheet.formula(7, row, f"B{row}+F{row}", total.cost, styles.MONEY, "st_total")


def _calibrations(pages: Pages, sheet: Sheet, row: int) -> int:
    """The exact interval of the share by Clopper and Pearson, from the rows that count."""
    sheet.word(1, row, "section.calibration", "st_section")
    if not pages.review.calibration:
        sheet.word(1, row + 1, "calibration-none")
        sheet.merge(row + 1, 1, 7)
        return row + 1
    sheet.heads(
        row + 1, [f"head.{head}" for head in ("figure", "level", "n", "n-inside", "share-inside", "from", "to")]
    )
    row += 2
    levels = {c.level for c in pages.review.calibration}
    for found in pages.review.calibration:
        _calibration(pages, sheet, row, found, is_only=len(levels) == 1)
        sheet.word(1, row + 1, _code(found), "st_note", **_told(pages, found))
        sheet.merge(row + 1, 1, 7, 28)
        row += 2
    return row - 1


def _calibration(pages: Pages, sheet: Sheet, row: int, found: Calibration, is_only: bool) -> None:
    """With intervals of several levels their rows cannot be told apart on the sheet, and the counts are constants."""
    sheet.word(1, row, f"calibration.{found.what}", "st_strong")
    sheet.put(2, row, found.level, styles.PERCENT)
    if is_only:
        cost = pages.words("figure.cost").replace('"', '""')
        named = (
            f'{pages.span("outcomes", 5)},"{"" if found.what == COST else "<>"}{cost}",{pages.span("outcomes", 11)},1'
        )
        sheet.formula(3, row, f"COUNTIFS({named})", found.n, styles.COUNT)
        sheet.formula(4, row, f"COUNTIFS({named},{pages.span('outcomes', 10)},1)", found.inside, styles.COUNT)
    else:
        sheet.put(3, row, found.n, styles.COUNT)
        sheet.put(4, row, found.inside, styles.COUNT)
    tail = (1 - LEVEL_OF_SHARE) / 2
    sheet.formula(5, row, f"D{row}/C{row}", found.share, styles.PERCENT)
    sheet.formula(6, row, f"IF(D{row}=0,0,BETA.INV({tail:.3f},D{row},C{row}-D{row}+1))", found.lo, styles.PERCENT)
    upper = f"IF(D{row}=C{row},1,BETA.INV({1 - tail:.3f},D{row}+1,C{row}-D{row}))"
    sheet.formula(7, row, upper, found.hi, styles.PERCENT)


def _code(found: Calibration) -> str:
    return "calibration-few" if not found.is_enough else "calibration-agrees" if found.agrees else "calibration-off"


def _told(pages: Pages, found: Calibration) -> dict[str, object]:
    shares = {"share": found.share or 0.0, "lo": found.lo, "hi": found.hi}
    told: dict[str, object] = {name: figures.percent(value, 3) for name, value in shares.items()}
    what = pages.words(f"calibration.{found.what}")
    return {**told, "what": what, "n": found.n, "inside": found.inside, "level": figures.level(found.level)}


def _further(pages: Pages, sheet: Sheet, row: int) -> int:
    """Counts and sums of the other sheets."""
    review = pages.review
    saved = saved_in_all(review.outcomes, review.currency) or 0.0
    lines: list[tuple[str, str, float]] = [
        ("ahead", f'COUNTIFS({pages.span("deadlines", 3)},">=0")', sum(d.due.day >= review.on for d in review.dates)),
        ("new-decisions", f"SUM({pages.span('decisions', 11)})", sum(d.is_new for d in review.decisions)),
        ("all-saved", _saved(pages), saved),
        ("open-pilots", f"COUNT({pages.span('pilots', 1)})", len(review.pilots)),
        ("all-risks", f'COUNTIFS({pages.span("risks", 1)},"?*")', len(review.risks)),
    ]
    if isinstance(review.plan, QuarterPlan):
        lines.append(("plan-saves", f"SUM({pages.span('plan-saves', 4)})", review.plan.saving))
    sheet.word(1, row, "section.further", "st_section")
    for number, (code, formula, value) in enumerate(lines, start=row + 1):
        sheet.word(1, number, f"line.{code}")
        sheet.formula(2, number, formula, value, styles.MONEY)
    return row + len(lines)


def _saved(pages: Pages) -> str:
    """The months that count, of decisions in the review's currency."""
    by = f'{pages.span("outcomes", CURRENCY)},"{pages.review.currency}"'
    return f"SUMIFS({pages.span('outcomes', SAVED)},{by})"


def _costs(pages: Pages, sheet: Sheet, first: int, last: int, anchor: str) -> None:
    """What the quarters cost: used and unused commitments, and work above them, stacked."""
    chart = BarChart()
    chart.type, chart.grouping, chart.overlap, chart.gapWidth = "col", "stacked", 100, 60
    colours = ((4, "cost-used", styles.HEAD_FILL), (3, "cost-unused", styles.ORANGE), (6, "overage-cost", "C9D8E4"))
    for column, key, colour in colours:
        values = Reference(sheet.worksheet, min_col=column, min_row=first, max_row=last)
        series = SeriesFactory(values, title=pages.words(f"head.{key}"))
        _filled(series, colour)
        chart.append(series)
    chart.set_categories(Reference(sheet.worksheet, min_col=1, min_row=first, max_row=last))
    _dress(
        chart,
        pages.words("chart.costs"),
        pages.words("head.quarter"),
        pages.review.currency,
        pages.words("chart.costs-alt"),
    )
    sheet.worksheet.add_chart(chart, anchor)


def _utilisation(pages: Pages, sheet: Sheet, row: int) -> None:
    """The share of each contract that this quarter uses, from a table of its own beside the chart."""
    sheet.word(1, row, "chart.utilisation", "st_section")
    contracts = [c for c in pages.review.contracts if c.quarters[0].utilisation is not None]
    names, shares, quarters = (pages.span("commitments", column) for column in (1, 8, 6))
    promised = pages.span("commitments", 7)
    for number, contract in enumerate(contracts, start=row + 1):
        sheet.text(1, number, contract.contract_id)
        by = f"{names},$A{number},{quarters},$A${FIRST}"
        formula = f"SUMIFS({shares},{by})/SUMIFS({promised},{by})"
        sheet.formula(2, number, formula, contract.quarters[0].utilisation, styles.PERCENT)
    last = row + len(contracts)
    chart = BarChart()
    chart.type, chart.legend, chart.gapWidth = "bar", None, 40
    series = SeriesFactory(Reference(sheet.worksheet, min_col=2, min_row=row + 1, max_row=last))
    _filled(series, styles.BLUE)
    chart.append(series)
    chart.set_categories(Reference(sheet.worksheet, min_col=1, min_row=row + 1, max_row=last))
    title = pages.words("head.used-in", quarter=pages.review.quarter)
    _dress(chart, title, pages.words("head.contract"), pages.words("head.share"), pages.words("chart.utilisation-alt"))
    chart.y_axis.number_format, chart.y_axis.scaling.max = "0%", 1
    chart.x_axis.scaling.orientation = "maxMin"
    sheet.worksheet.add_chart(chart, f"C{row}")


def _filled(series: object, colour: str) -> None:
    series.graphicalProperties = GraphicalProperties(solidFill=colour)  # type: ignore[attr-defined]
    series.invertIfNegative = False  # type: ignore[attr-defined]


def _dress(chart: BarChart, title: str, x: str, y: str, alt: str) -> None:
    chart.title, chart.alt = title, alt  # type: ignore[attr-defined]
    chart.x_axis.title, chart.y_axis.title = x, y
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.y_axis.number_format = "#,##0"
    chart.y_axis.scaling.min = 0
    chart.width, chart.height = WIDTH, HEIGHT  # type: ignore[assignment]
    chart.roundedCorners = False
    if chart.legend is not None:
        chart.legend.position = "b"
