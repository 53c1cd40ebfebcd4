"""Native charts, readable in grey: light against dark, a title on every axis."""

from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.chart.shapes import GraphicalProperties

from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet


def _axes(chart: BarChart | LineChart, x: str, y: str) -> None:
    chart.x_axis.title, chart.y_axis.title = x, y
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.width, chart.height = 17, 8.5


def _fill(chart: BarChart | LineChart, colours: tuple[str, ...]) -> None:
    for series, colour in zip(chart.series, colours, strict=False):
        series.graphicalProperties = GraphicalProperties(solidFill=colour)
        series.graphicalProperties.line.solidFill = colour


def cost_per_unit(sheet: Sheet, column: int, row: int) -> None:
    """Cost per unit of work of both arms."""
    if not isinstance(sheet.book.values.get("unit_cost_b"), float):
        return
    words, unit_row = sheet.book.words, _row_of(sheet, "unit_cost_a")
    chart = BarChart()
    chart.type, chart.style, chart.legend = "bar", 10, None
    chart.title = words("chart.cost")
    chart.add_data(Reference(sheet.worksheet, min_col=2, max_col=3, min_row=unit_row), from_rows=True)
    chart.set_categories(Reference(sheet.worksheet, min_col=2, max_col=3, min_row=4))
    _axes(chart, words("chart.arm"), sheet.book.decision.settings.currency)
    chart.y_axis.scaling.min = 0
    _fill(chart, (styles.BLUE,))
    sheet.worksheet.add_chart(chart, sheet.worksheet.cell(row, column).coordinate)


def _row_of(sheet: Sheet, name: str) -> int:
    return int(sheet.book.names[name].rsplit("$", 1)[1])


def npv_by_month(sheet: Sheet, first: int, last: int, column: int, row: int) -> None:
    """NPV of moving everything, over the month of the move."""
    words = sheet.book.words
    chart = LineChart()
    chart.title = words("chart.npv")
    chart.legend = None
    chart.add_data(Reference(sheet.worksheet, min_col=column, min_row=first, max_row=last))
    chart.set_categories(Reference(sheet.worksheet, min_col=1, min_row=first, max_row=last))
    _axes(chart, words("chart.month"), sheet.book.decision.settings.currency)
    chart.x_axis.number_format = "yyyy-mm"
    _fill(chart, (styles.BLUE,))
    chart.series[0].marker.symbol = "circle"
    chart.series[0].smooth = False
    sheet.worksheet.add_chart(chart, sheet.worksheet.cell(row, 7).coordinate)


def commitments(sheet: Sheet, first: int, last: int, row: int) -> None:
    """Used, wasted and overage hours by month, stacked."""
    words = sheet.book.words
    chart = BarChart()
    chart.type, chart.grouping, chart.overlap = "col", "stacked", 100
    chart.title = words("chart.commitments")
    chart.add_data(
        Reference(sheet.worksheet, min_col=4, max_col=6, min_row=first - 1, max_row=last), titles_from_data=True
    )
    chart.set_categories(Reference(sheet.worksheet, min_col=1, min_row=first, max_row=last))
    _axes(chart, words("chart.month"), words("chart.hours"))
    chart.x_axis.number_format = "yyyy-mm"
    _fill(chart, (styles.HEAD_FILL, "C9C9C9", styles.ORANGE))
    sheet.worksheet.add_chart(chart, f"A{row}")
