"""Native charts, readable in grey: light against dark, solid against dashed; titles, units, a text for who sees none.

openpyxl deletes axes unless told not to, and takes an alternative text only from who writes the drawing (`rows.py`).
"""

from math import ceil
from typing import Any

from openpyxl.chart import BarChart, LineChart, Reference, ScatterChart
from openpyxl.chart.data_source import NumDataSource, NumRef
from openpyxl.chart.error_bar import ErrorBars
from openpyxl.chart.series import Series
from openpyxl.chart.series_factory import SeriesFactory
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties

from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet

Chart = BarChart | LineChart | ScatterChart
DARK, PALE, MIDDLE, LINES = styles.HEAD_FILL, "C9D8E4", styles.ORANGE, "D9D9D9"
WIDTH, HEIGHT = 18.0, 8.6
MONTHS, MOST_LABELS = "yyyy-mm", 12


def _chart(chart: Any, title: str, x: str, y: str, alt: str) -> None:
    chart.title = title
    chart.alt = alt
    chart.x_axis.title, chart.y_axis.title = x, y
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.y_axis.majorGridlines.spPr = GraphicalProperties(ln=LineProperties(solidFill=LINES, w=6350))
    chart.y_axis.number_format = "#,##0"
    _size(chart, WIDTH, HEIGHT)
    chart.roundedCorners = False
    if chart.legend is not None:
        chart.legend.position = "b"


def _months(chart: Any, count: int) -> None:
    """Months below the axis, as many as can be read."""
    chart.x_axis.number_format = MONTHS
    chart.x_axis.tickLblSkip = ceil(count / MOST_LABELS)


def _size(chart: Any, width: float, height: float) -> None:
    """In centimetres."""
    chart.width, chart.height = width, height


def _bar(series: Series, colour: str, edge: str | None = None) -> None:
    series.graphicalProperties = GraphicalProperties(solidFill=colour)
    series.graphicalProperties.line.solidFill = edge or colour
    series.invertIfNegative = False


def _line(series: Any, colour: str, symbol: str | None = "circle", dash: str | None = None) -> None:
    series.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=colour, w=22225, prstDash=dash))  # type: ignore[arg-type]
    series.smooth = False
    series.marker.symbol = symbol or "none"
    if symbol:
        series.marker.size = 6
        series.marker.graphicalProperties = GraphicalProperties(solidFill=colour)
        series.marker.graphicalProperties.line.solidFill = colour


def _place(sheet: Sheet, chart: Chart, anchor: str) -> None:
    sheet.worksheet.add_chart(chart, anchor)


def cost_per_unit(sheet: Sheet, rows: tuple[int, int], unit: str, has_intervals: bool, anchor: str) -> None:
    """Cost per unit of work of both arms with each arm's own interval; columns arm, cost, from, to, half its width."""
    words, page = sheet.book.words, sheet.worksheet
    first, last = rows
    chart = BarChart()
    chart.type, chart.legend, chart.gapWidth = "bar", None, 60
    chart.add_data(Reference(page, min_col=2, min_row=first, max_row=last))
    chart.set_categories(Reference(page, min_col=1, min_row=first, max_row=last))
    y = words("chart.cost-unit", currency=sheet.book.decision.settings.currency, unit=unit)
    _chart(chart, words("chart.cost"), words("chart.arm"), y, words("chart.cost-alt"))
    chart.y_axis.scaling.min = 0
    _size(chart, WIDTH, 6.5)
    chart.y_axis.number_format = "General"
    chart.x_axis.scaling.orientation, chart.y_axis.crosses = "maxMin", "max"
    _bar(chart.series[0], styles.BLUE)
    if has_intervals:
        half = NumDataSource(numRef=NumRef(f=sheet.span(5, first, last)))
        bars = ErrorBars(errBarType="both", errValType="cust", plus=half, minus=half, noEndCap=False)
        bars.spPr = GraphicalProperties(ln=LineProperties(solidFill=styles.INK, w=19050))
        chart.series[0].errBars = bars
    _place(sheet, chart, anchor)


def npv_by_month(sheet: Sheet, first: int, last: int, column: int, row: int) -> None:
    """NPV of moving everything in each month, and in the column after it of the best plan that starts in it."""
    if last <= first:
        return
    words, page = sheet.book.words, sheet.worksheet
    chart = LineChart()
    for offset, key in enumerate(("npv-full", "npv-plan")):
        series = SeriesFactory(
            Reference(page, min_col=column + offset, min_row=first, max_row=last), title=words(f"chart.{key}")
        )
        chart.append(series)
    chart.set_categories(Reference(page, min_col=1, min_row=first, max_row=last))
    currency = sheet.book.decision.settings.currency
    _chart(chart, words("chart.npv"), words("chart.month"), currency, words("chart.npv-alt"))
    _months(chart, last - first + 1)
    _size(chart, 26, 10)
    _line(chart.series[0], DARK)
    _line(chart.series[1], MIDDLE, None, "sysDash")
    _place(sheet, chart, f"G{row}")


def commitments(sheet: Sheet, first: int, last: int, row: int) -> bool:
    """Used, wasted and overage hours by month, stacked; whether there are any."""
    months = sheet.book.decision.economics.months
    if not any(m.committed_incumbent_hours or m.need_incumbent_hours for m in months):
        return False
    words, page = sheet.book.words, sheet.worksheet
    chart = BarChart()
    chart.type, chart.grouping, chart.overlap, chart.gapWidth = "col", "stacked", 100, 40
    for column, key in ((4, "used"), (5, "wasted"), (6, "overage")):
        series = SeriesFactory(
            Reference(page, min_col=column, min_row=first, max_row=last), title=words(f"chart.{key}")
        )
        chart.append(series)
    chart.set_categories(Reference(page, min_col=1, min_row=first, max_row=last))
    _chart(chart, words("chart.commitments"), words("chart.month"), words("chart.hours"), words("chart.hours-alt"))
    _months(chart, last - first + 1)
    chart.y_axis.scaling.min = 0
    for series, (fill, edge) in zip(
        chart.series, ((DARK, DARK), ("FFFFFF", styles.INK), (MIDDLE, MIDDLE)), strict=True
    ):
        _bar(series, fill, edge)
    _place(sheet, chart, f"A{row}")
    return True


def tornado(sheet: Sheet, first: int, last: int, anchor: str) -> None:
    """What the saving gains or loses at either value of each assumption, the largest on top."""
    words, page = sheet.book.words, sheet.worksheet
    chart = BarChart()
    chart.type, chart.grouping, chart.overlap, chart.gapWidth = "bar", "clustered", 100, 40
    for column, key, fill in ((3, "at-low", PALE), (4, "at-high", DARK)):
        series = SeriesFactory(
            Reference(page, min_col=column, min_row=first, max_row=last), title=words(f"chart.{key}")
        )
        chart.append(series)
        _bar(series, fill, DARK)
    chart.set_categories(Reference(page, min_col=1, min_row=first, max_row=last))
    y = words("chart.tornado-change", currency=sheet.book.decision.settings.currency)
    _chart(chart, words("chart.tornado"), words("chart.tornado-assumption"), y, words("chart.tornado-alt"))
    chart.x_axis.scaling.orientation, chart.x_axis.tickLblPos, chart.y_axis.crosses = "maxMin", "low", "max"
    _size(chart, 24, HEIGHT)
    _place(sheet, chart, anchor)


def break_even(sheet: Sheet, rows: tuple[int, int, int], columns: int, anchor: str) -> None:
    """Cost of the plan and of staying over the hours ratio: where they cross the plan saves nothing."""
    words, page = sheet.book.words, sheet.worksheet
    at, moving, staying = rows
    chart = ScatterChart()
    chart.style, chart.scatterStyle = 10, "lineMarker"
    x = Reference(page, min_col=2, max_col=1 + columns, min_row=at)
    for row, key, colour, symbol, dash in (
        (moving, "moving", DARK, "circle", None),
        (staying, "staying", MIDDLE, None, "sysDash"),
    ):
        series = SeriesFactory(
            Reference(page, min_col=2, max_col=1 + columns, min_row=row), xvalues=x, title=words(f"chart.{key}")
        )
        chart.append(series)
        _line(series, colour, symbol, dash)
    currency = sheet.book.decision.settings.currency
    _chart(chart, words("chart.break-even"), words("chart.ratio"), currency, words("chart.break-even-alt"))
    chart.x_axis.number_format, chart.x_axis.majorGridlines = "0.00", None
    _size(chart, 24, HEIGHT)
    _place(sheet, chart, anchor)


def quantiles(sheet: Sheet, rows: tuple[int, int], kind: str, has_limit: bool, anchor: str) -> None:
    """Quantiles of one kind of latency: a bar an arm, and the limit as a mark. Columns: quantile, A, B, limit."""
    words, page, decision = sheet.book.words, sheet.worksheet, sheet.book.decision
    first, last = rows
    chart = BarChart()
    chart.type, chart.gapWidth, chart.overlap = "col", 60, 0
    for column, name, fill in ((2, decision.incumbent, PALE), (3, decision.candidate, DARK)):
        series = SeriesFactory(Reference(page, min_col=column, min_row=first, max_row=last), title=(name or "")[:60])
        chart.append(series)
        _bar(series, fill, DARK)
    categories = Reference(page, min_col=1, min_row=first, max_row=last)
    chart.set_categories(categories)
    title = words("chart.latency", kind=kind)
    _chart(chart, title, words("chart.quantile"), words("chart.milliseconds"), words("chart.latency-alt", kind=kind))
    chart.y_axis.scaling.min = 0
    _size(chart, 14, HEIGHT)
    if has_limit:
        limit = LineChart()
        series = SeriesFactory(Reference(page, min_col=4, min_row=first, max_row=last), title=words("chart.limit"))
        limit.append(series)
        limit.set_categories(categories)
        _line(series, MIDDLE, "dash")
        series.graphicalProperties = GraphicalProperties(ln=LineProperties(noFill=True))
        series.marker.size = 14
        chart += limit
    _place(sheet, chart, anchor)
