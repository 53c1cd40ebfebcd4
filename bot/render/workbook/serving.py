"""Serving: latency quantiles by repetition, what they are held to, and a verdict of their own.

Means and verdict are formulas, and a limit may be changed; the bounds that decide are the record's.
"""

from collections.abc import Iterator
from statistics import fmean

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table, TableStyleInfo

from bot.render.safe_text import clean
from bot.render.workbook import charts, styles
from bot.render.workbook.cells import Book, Sheet, Value
from scoring.model.decision import LatencyComparison

HEADS = ("metric", "a", "b", "limit", "ratio", "from", "to", "held-to", "decides", "reads")
MS, RATIO = "#,##0.0", "0.0000"
FIRST = 9
"""First row of the table of quantiles."""
CHART_ROWS, MOST_CHARTS, ONE_PAGE = 18, 4, 60
WIDTH, LAST = 11.5, 11
"""Of every column but the first, and the last of the table of quantiles, whose readings take two columns."""
READS = ("passes", "fails", "open", "shown")


def build(book: Book) -> None:
    """Absent where no latency was compared."""
    if not book.decision.latency:
        return
    sheet = book.sheet("serving")
    sheet.widths(20, *[WIDTH] * (LAST - 1))
    sheet.word(1, 1, "serving.title", "st_title")
    sheet.word(1, 2, "serving.note", "st_note")
    sheet.merge(2, 1, len(HEADS), 28)
    items = _ordered(book)
    last = FIRST + len(items) - 1
    repetitions = _repetitions(sheet, items, last + 3)
    _quantiles(sheet, items, repetitions)
    _verdict(sheet, last)
    row = _errors(sheet, repetitions.end + 2)
    row = _within(sheet, items, row)
    row = _charts(sheet, items, row + 1)
    sheet.worksheet.freeze_panes = "B4"
    columns = max(LAST, 2 + len(items))
    fits = repetitions.end <= ONE_PAGE
    sheet.print_setup(landscape=not fits, pages=int(fits), last=columns)
    sheet.worksheet.print_area = f"A1:{get_column_letter(columns)}{row}"


def _ordered(book: Book) -> list[LatencyComparison]:
    """Metrics of one kind beside each other, in the order of the record."""
    kinds = list(dict.fromkeys(_kind(item) for item in book.decision.latency))
    return sorted(book.decision.latency, key=lambda item: kinds.index(_kind(item)))


def _kind(item: LatencyComparison) -> str:
    return item.metric.rpartition("_")[0] or item.metric


class Repetitions:
    """Where the table of repetitions stands: rows of either arm, a column a metric from the third on."""

    def __init__(self, head: int, counts: tuple[int, int]) -> None:
        self.first = (head + 1, head + 1 + counts[0])
        self.last = (head + counts[0], head + counts[0] + counts[1])
        self.end = self.last[1]

    def span(self, arm: int, number: int) -> str:
        """The repetitions of an arm, of a metric."""
        letter = get_column_letter(3 + number)
        return f"${letter}${self.first[arm]}:${letter}${self.last[arm]}"


def _repetitions(sheet: Sheet, items: list[LatencyComparison], row: int) -> Repetitions:
    """A row a repetition, milliseconds; a table with the arm in the first column."""
    decision, words = sheet.book.decision, sheet.book.words
    arms = [name or "" for name in (decision.incumbent, decision.candidate)]
    counts = [max((len(item.repetitions.get(arm, ())) for item in items), default=0) for arm in arms]
    sheet.word(1, row, "serving.repetitions", "st_section")
    heads = [words("serving.arm"), words("serving.repetition"), *(f"{item.metric}, ms" for item in items)]
    for column, head in enumerate(heads, start=1):
        sheet.text(column, row + 1, clean(head, 80), "st_head")
        if column > LAST:
            sheet.worksheet.column_dimensions[get_column_letter(column)].width = WIDTH
    sheet.worksheet.row_dimensions[row + 1].height = 28
    found = Repetitions(row + 1, (counts[0], counts[1]))
    at = row + 2
    for arm, count in zip(arms, counts, strict=True):
        for repetition in range(count):
            sheet.text(1, at, clean(arm, 80), "st_value")
            sheet.put(2, at, repetition + 1, styles.COUNT)
            for column, item in enumerate(items, start=3):
                values = item.repetitions.get(arm, ())
                sheet.put(column, at, values[repetition] * 1000 if repetition < len(values) else None, MS)
            at += 1
    if sum(counts):
        table = Table(displayName="latencies", ref=f"A{row + 1}:{get_column_letter(len(heads))}{found.end}")
        table.tableStyleInfo = TableStyleInfo(name="TableStyleLight1", showRowStripes=True)
        table._initialise_columns()  # type: ignore[attr-defined]
        for definition, head in zip(table.tableColumns, heads, strict=True):
            definition.name = clean(head, 80)
        sheet.worksheet.add_table(table)
    return found


def _quantiles(sheet: Sheet, items: list[LatencyComparison], repetitions: Repetitions) -> None:
    decision = sheet.book.decision
    sheet.word(1, FIRST - 2, "serving.quantiles", "st_section")
    for column, head in enumerate(HEADS, start=1):
        arms = {"incumbent": decision.incumbent or "A", "candidate": decision.candidate or "B"}
        sheet.word(column, FIRST - 1, f"serving.{head}", "st_head", **{k: clean(v, 40) for k, v in arms.items()})
    sheet.text(LAST, FIRST - 1, "", "st_head")
    sheet.merge(FIRST - 1, len(HEADS), LAST, 42)
    rule = DataValidation(type="decimal", operator="greaterThan", formula1="0", allow_blank=True)
    sheet.worksheet.add_data_validation(rule)
    for number, (at, item) in enumerate(enumerate(items, start=FIRST)):
        sheet.text(1, at, clean(item.metric, 60))
        _means(sheet, at, number, item, repetitions)
        if item.limit_s is not None:
            sheet.put(4, at, item.limit_s * 1000, MS, "st_input")
            rule.add(f"D{at}")
        a, b = (item.arms.get(name or "") for name in (decision.incumbent, decision.candidate))
        ratio: Value = b / a if a and b else ""
        sheet.formula(5, at, f'IF(OR(N(B{at})<=0,N(C{at})<=0),"",C{at}/B{at})', ratio, RATIO)
        _judged(sheet, at, item)


def _means(sheet: Sheet, at: int, number: int, item: LatencyComparison, repetitions: Repetitions) -> None:
    decision = sheet.book.decision
    for arm, name in enumerate((decision.incumbent, decision.candidate)):
        values = item.repetitions.get(name or "", ())
        if values:
            formula = f'IFERROR(AVERAGE({repetitions.span(arm, number)}),"")'
            sheet.formula(2 + arm, at, formula, fmean(values) * 1000, MS)
        else:
            mean = item.arms.get(name or "")
            sheet.put(2 + arm, at, None if mean is None else mean * 1000, MS)


def _judged(sheet: Sheet, at: int, item: LatencyComparison) -> None:
    """The bounds that decide, what they are held to, and how that reads."""
    book, words = sheet.book, sheet.book.words
    scale, form = (1000, MS) if item.limit_s is not None else (1, RATIO)
    for column, bound in ((6, item.proven_lower), (7, item.proven_upper)):
        sheet.put(column, at, None if bound is None else bound * scale, form)
    if item.limit_s is None:
        sheet.put(8, at, 1 + item.margin, RATIO)
    else:
        sheet.formula(8, at, f'IF(D{at}="","",D{at})', item.limit_s * 1000, MS)
    sheet.text(9, at, book.answer(item.is_guardrail), "st_centre")
    reads = {key: words(f"serving.reads-{key}") for key in READS}
    missing = f'OR(F{at}="",G{at}="",H{at}="")'
    judged = f'IF(G{at}<=H{at},"{reads["passes"]}",IF(F{at}>H{at},"{reads["fails"]}","{reads["open"]}"))'
    formula = f'IF(I{at}<>"{book.answer(True)}","{reads["shown"]}",IF({missing},"{reads["open"]}",{judged}))'
    sheet.formula(10, at, formula, reads[_reading(item)], styles.GENERAL, "st_reads")
    sheet.merge(at, len(HEADS), LAST)


def _reading(item: LatencyComparison) -> str:
    return "shown" if not item.is_guardrail else "fails" if item.fails else "passes" if item.passes else "open"


def _verdict(sheet: Sheet, last: int) -> None:
    """Of all limits together; the counts are what the memo's verdict asks for."""
    book, words = sheet.book, sheet.book.words
    guards = [item for item in book.decision.latency if item.is_guardrail]
    span = sheet.span(10, FIRST, last)
    counts = {
        "latency_failed": (f'COUNTIF({span},"{words("serving.reads-fails")}")', sum(bool(x.fails) for x in guards)),
        "latency_open": (
            f'COUNTIF({sheet.span(9, FIRST, last)},"{book.answer(True)}")'
            f'-COUNTIF({span},"{words("serving.reads-passes")}")',
            sum(not x.passes for x in guards),
        ),
    }
    inputs = Sheet(book, book.workbook[words("sheet.inputs")])
    for name, (formula, value) in counts.items():
        inputs.formula(2, int(book.names[name].rsplit("$", 1)[1]), formula, value, styles.COUNT)
    sheet.word(1, 4, "serving.verdict", "st_strong")
    says = {key: words(f"serving.verdict-{key}") for key in ("within", "above", "open", "none")}
    formula = (
        f'IF(COUNTIF({sheet.span(9, FIRST, last)},"{book.answer(True)}")=0,"{says["none"]}",'
        f'IF(latency_failed>0,"{says["above"]}",IF(latency_open>0,"{says["open"]}","{says["within"]}")))'
    )
    failed, is_open = counts["latency_failed"][1], counts["latency_open"][1]
    key = "none" if not guards else "above" if failed else "open" if is_open else "within"
    sheet.formula(2, 4, formula, says[key], styles.GENERAL, "st_strong")
    sheet.merge(4, 2, len(HEADS))
    sheet.name("serving_verdict", 2, 4, says[key])
    sheet.word(1, 5, "serving.bounds", "st_note")
    sheet.merge(5, 1, len(HEADS), 28)


def _errors(sheet: Sheet, row: int) -> int:
    """The share of requests that were not answered, and its limit."""
    decision = sheet.book.decision
    comparison = decision.cost or decision.time
    rates = {name: arm.error_rate for name, arm in comparison.arms.items()} if comparison else {}
    if not any(rate is not None for rate in rates.values()):
        return row
    sheet.word(1, row, "serving.errors", "st_section")
    sheet.heads(row + 1, [f"serving.{head}" for head in ("arm", "error-rate", "error-limit")])
    for at, name in enumerate((decision.incumbent, decision.candidate), start=row + 2):
        sheet.text(1, at, clean(name or "", 80), "st_value")
        sheet.put(2, at, rates.get(name or ""), "0.00%")
        sheet.put(3, at, decision.settings.error_rate_limit, "0.00%")
    return row + 5


def _within(sheet: Sheet, items: list[LatencyComparison], row: int) -> int:
    """Bounds of a quantile inside a single run: they say nothing of another one."""
    rows = [(item, arm, run) for item in items for arm, run in item.within.items()]
    if not rows:
        return row
    sheet.word(1, row, "serving.within", "st_section")
    sheet.heads(row + 1, [f"serving.{head}" for head in ("metric", "arm", "requests", "from-ms", "to-ms")])
    for at, (item, arm, run) in enumerate(rows, start=row + 2):
        sheet.text(1, at, clean(item.metric, 60))
        sheet.text(2, at, clean(arm, 80))
        sheet.put(3, at, run.n, "#,##0")
        for column, bound in ((4, run.lo), (5, run.hi)):
            sheet.put(column, at, None if bound is None else bound * 1000, MS)
    return row + 3 + len(rows)


def _charts(sheet: Sheet, items: list[LatencyComparison], row: int) -> int:
    """A chart a kind of latency: kinds differ too much to share an axis."""
    groups = list(_groups(items))[:MOST_CHARTS]
    for number, (kind, first, last, has_limit) in enumerate(groups):
        anchor = f"{'AG'[number % 2]}{row + CHART_ROWS * (number // 2)}"
        charts.quantiles(sheet, (first, last), clean(kind, 40), has_limit, anchor)
    return row + CHART_ROWS * -(-len(groups) // 2)


def _groups(items: list[LatencyComparison]) -> Iterator[tuple[str, int, int, bool]]:
    """Each kind with its rows, and whether any of it has a limit; those that were held to something come first."""
    groups: dict[str, list[int]] = {}
    for at, item in enumerate(items, start=FIRST):
        groups.setdefault(_kind(item), []).append(at)
    for kind, rows in sorted(groups.items(), key=lambda g: not any(items[at - FIRST].is_guardrail for at in g[1])):
        yield kind, rows[0], rows[-1], any(items[at - FIRST].limit_s is not None for at in rows)
