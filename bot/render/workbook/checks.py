"""Audit's checks: the record's figures against the sheet's, sums, units, rows and hashes; each holds or says so."""

from collections.abc import Iterator

from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.columns import COLUMNS, FIRST
from bot.render.workbook.contracts import FIRST as FIRST_CONTRACT_ROW
from bot.render.workbook.contracts import HEAD as CONTRACT_HEAD
from bot.render.workbook.pilot import run_span

CLOSE = "0.000000001"
HASH_DIGITS = 64
Check = tuple[str, Value, str, Value]
"""What it is of, what the record says, the sheet's formula, its value."""


def build(sheet: Sheet, row: int, hashes: str, stale: str) -> int:
    """A row a check and how many hold; `hashes` and `stale` are cells of this sheet that are checked as well."""
    book = sheet.book
    sheet.heads(row, ["audit.check", "audit.record", "audit.sheet", "audit.holds"])
    holds, differs = book.words("audit.yes"), book.words("audit.no")
    first = at = row + 1
    for label, value, formula, cached in (*_engine(book), *_sums(book, hashes), *_staleness(book, stale)):
        sheet.text(1, at, label, "st_text")
        if isinstance(value, str):
            sheet.text(2, at, value, "st_value")
            test = f"C{at}=B{at}"
        else:
            sheet.put(2, at, value, styles.GENERAL)
            test = f"IF(ISNUMBER(C{at}),ABS(C{at}-B{at})<={CLOSE}*MAX(1,ABS(B{at})),FALSE)"
        sheet.formula(3, at, formula, cached, styles.GENERAL)
        sheet.formula(4, at, f'IF({test},"{holds}","{differs}")', holds, styles.GENERAL, "st_reads")
        at += 1
    total = at - first
    sheet.word(1, at, "audit.held", "st_total")
    for column in (2, 3):
        sheet.text(column, at, "", "st_total")
    span = f"D{first}:D{at - 1}"
    text = book.words("audit.held-count", count=f'"&COUNTIF({span},"{holds}")&"', total=total)
    told = book.words("audit.held-count", count=total, total=total)
    book.names["checks"] = sheet.formula(4, at, f'"{text}"', told, styles.GENERAL, "st_total")
    book.values["checks"] = told
    return at + 1


def count(book: Book) -> int:
    """How many checks there are, before they are written."""
    return sum(1 for _ in _engine(book)) + sum(1 for _ in _sums(book, "A1")) + 1


def _engine(book: Book) -> Iterator[Check]:
    """Figures of the record that the sheet computes."""
    for name, value in _expected(book):
        shown = book.values.get(name)
        if value is not None and name in book.names and shown not in (None, ""):
            yield _label(book, name), value, name, shown


def _expected(book: Book) -> Iterator[tuple[str, Value | None]]:
    decision = book.decision
    theta, looks, economics = decision.cost.theta if decision.cost else None, decision.looks, decision.economics
    word = decision.verdict.word
    yield "verdict", book.verdict(word) if word else None
    for arm, role in ((decision.incumbent, "a"), (decision.candidate, "b")):
        result = decision.cost.arms.get(arm) if decision.cost and arm else None
        if result is not None:
            yield f"n_{role}", result.n
            yield f"unit_cost_{role}", result.cost_per_unit
            yield f"hours_per_unit_{role}", result.hours_per_unit
    if theta is not None:
        yield from (("theta", theta.point), ("theta_lo", theta.lo), ("theta_hi", theta.hi), ("se_log", theta.se_log))
    if looks is not None:
        yield from (("look_level", looks.level), ("theta_lower", looks.theta_lower), ("theta_upper", looks.theta_upper))
    for number, quality in enumerate(decision.quality):
        q, difference = f"q{number}", quality.difference
        yield from ((f"{q}_point", difference.point), (f"{q}_se", difference.se))
        yield from ((f"{q}_lower", quality.proven_lower), (f"{q}_upper", quality.proven_upper))
    yield from (("stay_npv", economics.stay_npv), ("hours_ratio", economics.hours_ratio))
    if economics.best is not None and economics.best_full is not None:
        best, full = economics.best, economics.best_full
        yield from (("full_best_npv", full.npv), ("full_start", full.starts_at), ("plan_npv", best.npv))
        yield from (("plan_start", best.starts_at), ("plan_full", best.full_at), ("plan_saving", best.saving))
        if best.starts_at < len(economics.months) and economics.saving is not None:
            yield from (("saving_lo", economics.saving.lo), ("saving_hi", economics.saving.hi))
            yield "break_even", economics.break_even_theta
    b, a = economics.walk_away.candidate_price, economics.walk_away.incumbent_price
    if b is not None:
        yield from (("walk_away_b", b.point), ("walk_away_b_lo", b.lo), ("walk_away_b_hi", b.hi))
    yield "walk_away_a", a.point if a else None


def _label(book: Book, name: str) -> str:
    """As the figure is called where it stands."""
    dashed = name.replace("_", "-")
    number, _, part = name.partition("_")
    if number[:1] == "q" and number[1:].isdigit():
        return f"{book.decision.quality[int(number[1:])].metric}: {book.words(f'statistics.q-{part}')}"
    codes = (f"audit.{dashed}", f"statistics.{dashed}", f"cash-flow.p-{dashed}", f"inputs.{name}",
             f"statistics.{dashed[:-2]}")  # fmt: skip
    told = book.words(next(code for code in codes if code in book.words))
    return f"{told} ({name[-1].upper()})" if f"audit.{dashed}" not in book.words and name[-2:] in ("_a", "_b") else told


def _sums(book: Book, hashes: str) -> Iterator[Check]:
    """Rows, sums and units within the sheet."""
    decision, words = book.decision, book.words
    files = len(decision.pilot.inputs)
    if files:
        yield words("audit.check-hashes"), files, f"SUMPRODUCT((LEN({hashes})={HASH_DIGITS})*1)", files
    if decision.runs:
        runs = len(decision.runs)
        yield words("audit.check-runs"), runs, f'COUNTIF({run_span(book, "role")},"?*")', runs
        cost = sum(c.weight * (c.cost or 0.0) for c in decision.runs)
        total = f"SUM({run_span(book, 'counted-cost')})"
        yield words("audit.check-cost", currency=decision.settings.currency), cost, total, cost
        seconds = [c for c in decision.runs if c.run.duration_s is not None and c.hours is not None]
        if len(seconds) == runs:
            hours = sum((c.hours or 0.0) * 3600 / c.run.instance_count for c in decision.runs)
            spent = f"SUMPRODUCT({run_span(book, 'hours')}/{run_span(book, 'instances')})*3600"
            yield words("audit.check-seconds"), hours, spent, hours
    yield from _of_months(book)


def _of_months(book: Book) -> Iterator[Check]:
    economics, words = book.decision.economics, book.words
    months = len(economics.months)
    if "plan_start" not in book.names or not months:
        return
    flow = Sheet(book, book.workbook[words("sheet.cash-flow")])

    def span(name: str) -> str:
        return flow.span(COLUMNS.index(name) + 1, FIRST, FIRST + months - 1)

    yield words("audit.months"), months, f"COUNT({span('stay')})", months
    hours = sum(m.calendar_hours for m in economics.months)
    yield words("audit.check-hours"), hours, f"(EDATE(MAX({span('month')}),1)-MIN({span('month')}))*24", hours
    stay = sum(m.factor * m.stay_cost for m in economics.months)
    yield words("audit.check-stay"), stay, f"SUMPRODUCT({span('factor')},{span('stay')})", stay
    if words("sheet.contracts") in book.workbook.sheetnames:
        contracts = Sheet(book, book.workbook[words("sheet.contracts")])
        assert CONTRACT_HEAD + 1 == FIRST_CONTRACT_ROW  # noqa: S101 - where its months begin
        promised, used, wasted = (
            contracts.span(column, FIRST_CONTRACT_ROW, FIRST_CONTRACT_ROW + months - 1) for column in (3, 4, 5)
        )
        yield words("audit.check-used"), 0, f"SUM({promised})-SUM({used})-SUM({wasted})", 0


def _staleness(book: Book, stale: str) -> Iterator[Check]:
    old = book.words("audit.is-stale")
    yield book.words("audit.check-stale"), 0, f'COUNTIF({stale},"{old}")', 0
