"""Cost per unit of both arms, each with its own t interval, for the chart; the decision rests on the ratio's."""

from bot.render.phrases import unit_name
from bot.render.workbook import charts, styles
from bot.render.workbook.cells import Sheet, Value
from scoring.statistics.samples import t_quantile

HEADS = ("arm", "unit-cost", "from", "to", "half")
CHART_ROWS = 15


def build(sheet: Sheet, row: int) -> int:
    """The table and its chart; the same row where a cost is not known."""
    book, decision = sheet.book, sheet.book.decision
    if not all(isinstance(book.values.get(f"unit_cost_{role}"), float) for role in "ab"):
        return row
    sheet.word(1, row, "statistics.unit-costs", "st_section")
    sheet.heads(row + 1, [f"statistics.unit-{head}" for head in HEADS])
    halves = [_half(sheet, role) for role in "ab"]
    known = all(isinstance(half, float) for half in halves)
    costs = [book.number(f"unit_cost_{role}") for role in "ab"]
    form = styles.unit_cost(min([*costs, *(10 * half for half in halves if isinstance(half, float) and half > 0)]))
    arms = zip("ab", (decision.incumbent, decision.candidate), costs, halves, strict=True)
    for at, (role, arm, cost, half) in enumerate(arms, start=row + 2):
        sheet.text(1, at, arm or "", "st_value")
        sheet.formula(2, at, f"unit_cost_{role}", cost, form)
        sheet.formula(5, at, _half_formula(role), half, form)
        for column, sign in ((3, -1), (4, 1)):
            end: Value = cost + sign * half if isinstance(half, float) else ""
            formula = f'IF($E{at}="","",$B{at}{"+" if sign > 0 else "-"}$E{at})'
            sheet.formula(column, at, formula, end, form)
    unit = (decision.cost or decision.time).unit if decision.cost or decision.time else "run"  # type: ignore[union-attr]
    charts.cost_per_unit(sheet, (row + 2, row + 3), unit_name(unit), known, f"A{row + 5}")
    return row + 5 + CHART_ROWS


def _half(sheet: Sheet, role: str) -> Value:
    """Half the interval's width: cost · t · √(relative variance / u) with u − 1 degrees of freedom, u observations."""
    book = sheet.book
    spread, n = book.values.get(f"variance_{role}"), int(book.number(f"units_{role}"))
    if not isinstance(spread, float) or n < 2:
        return ""
    t = t_quantile((1 + book.decision.settings.confidence) / 2, n - 1)
    return book.number(f"unit_cost_{role}") * t * float((spread / n) ** 0.5)


def _half_formula(role: str) -> str:
    y = f"BETAINV(confidence,0.5,(units_{role}-1)/2)"
    t = f"SQRT((units_{role}-1)*{y}/(1-{y}))"
    return f'IF(OR(variance_{role}="",units_{role}<2),"",unit_cost_{role}*{t}*SQRT(variance_{role}/units_{role}))'
