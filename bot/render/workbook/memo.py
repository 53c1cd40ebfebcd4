"""Memo: one page that alone answers what, why, how sure, how much, by when, what else was considered, and who signs."""

from bot.render import figures
from bot.render.comment.deadlines import told_dates
from bot.render.comment.headline import first_fact, verdict_line
from bot.render.comment.problems import fix, sentence
from bot.render.comment.voice import Voice
from bot.render.comment.worth import chance
from bot.render.history import SHOWN_DIGITS
from bot.render.locales import locale
from bot.render.messages import catalogue
from bot.render.phrases import unit_name
from bot.render.record import stamped
from bot.render.safe_text import clean
from bot.render.workbook import flips, reliance_block, styles, together
from bot.render.workbook.as_recorded import with_fresh_plan
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.sign_off_block import sign_off_block
from bot.render.workbook.tornado import ON_MEMO
from bot.render.workbook.verdict import verdict_formula
from scoring.model.decision import Decision, Word
from scoring.model.problem import Severity

LAST = 6
GAP = 8
"""Height of the row before a section, in points."""
MOST_RISKS = 5
NO_MONTHS = ("no-hours", "currency-rate-missing", "no-price")
"""What but demand may be missing for months and amounts."""
LEVEL_DIGITS = 4


def build(book: Book) -> None:
    """The page; every figure on it is a formula."""
    sheet = book.sheet("memo")
    sheet.widths(30, 17, 17, 17, 17, 20)
    decision = book.decision
    sheet.word(1, 1, "memo.title", "st_title")
    subject = " · ".join(t for t in (decision.workload, f"{decision.incumbent} → {decision.candidate}") if t)
    sheet.text(1, 2, clean(subject, 120), "st_muted")
    sheet.merge(2, 1, LAST - 1, 14 * (1 + len(clean(subject, 120)) // 80))
    sheet.put(6, 2, decision.decided_on, styles.DAY, "st_muted")
    row = _verdict(sheet, 4)
    voice = Voice.of(decision)
    sheet.word(1, row, "memo.in-record", "st_strong", headline=flips.plain(verdict_line(decision, voice)))
    sheet.merge(row, 1, LAST, 28)
    row += 1
    row = _why(sheet, row + 1)
    row = _evidence(sheet, row + 1)
    row = together.memo_block(sheet, row)
    row = _alternatives(sheet, row + 1)
    row = _reliance(sheet, row + 1)
    row = _deadlines(sheet, row + 1)
    row = _changes(sheet, row + 1)
    row = _matters(sheet, row + 1)
    row = _risks(sheet, row + 1)
    row = _signatures(sheet, row + 1)
    _identity(sheet, row + 1)
    sheet.print_setup(landscape=False)
    sheet.worksheet.print_area = f"A1:F{row + 4}"


def _section(sheet: Sheet, row: int, code: str, **arguments: object) -> None:
    for column in range(1, LAST + 1):
        sheet.text(column, row, "", "st_section")
    sheet.word(1, row, code, "st_section", **arguments)
    if (row - 1, 1) not in sheet.worksheet._cells:
        sheet.worksheet.row_dimensions[row - 1].height = GAP


def _verdict(sheet: Sheet, row: int) -> int:
    book, verdict = sheet.book, sheet.book.decision.verdict
    word = book.verdict(verdict.word) if verdict.word else book.words("memo.no-verdict")
    sheet.formula(1, row, verdict_formula(book), word, styles.GENERAL, "st_verdict")
    sheet.name("verdict", 1, row, word)
    sheet.worksheet.row_dimensions[row].height = 30
    sheet.word(3, row, "memo.when", "st_strong")
    months = book.decision.economics.months
    if "plan_start" in book.names and verdict.word is not None:
        month = f"INDEX({_months_span(book)},MIN(plan_start+1,{len(months)}))"
        moving = f'OR(verdict="{book.verdict(Word.SWITCH)}",verdict="{book.verdict(Word.SPLIT)}")'
        on: Value = verdict.on or book.words("memo.not-now")
        when = with_fresh_plan(book, f'IF({moving},{month},"{book.words("memo.not-now")}")')
        sheet.formula(4, row, when, on, styles.DAY, "st_strong")
        months_of = book.words("memo.saving", months='"&horizon&"')
        told = book.words("memo.saving", months=book.decision.economics.horizon_months)
        sheet.formula(3, row + 1, f'"{months_of}"', told, styles.GENERAL, "st_text")
        saving = with_fresh_plan(book, "plan_saving")
        sheet.formula(4, row + 1, saving, book.values["plan_saving"], _money(book), "st_strong")
        sheet.word(3, row + 2, "memo.saving-range")
        for column, name in ((4, "saving_lo"), (5, "saving_hi")):
            sheet.formula(column, row + 2, with_fresh_plan(book, name), book.values[name], _money(book))
    else:
        on_a_day = verdict.on is not None or verdict.word in (Word.SWITCH, Word.SPLIT)
        sheet.text(4, row, _day(book.decision) if on_a_day else book.words("memo.not-now"), "st_strong")
        sheet.word(3, row + 1, _without("memo.no-timeline", book.decision), "st_note")
        sheet.merge(row + 1, 3, LAST, 28)
    return row + 3


def _months_span(book: Book) -> str:
    first = 7
    flow = Sheet(book, book.workbook[book.words("sheet.cash-flow")])
    return flow.span(1, first, first + len(book.decision.economics.months) - 1)


def _day(decision: Decision) -> str:
    on = decision.verdict.on
    return figures.day(on) if on else catalogue(decision.settings.language, "workbook")("memo.no-month")


def _without(code: str, decision: Decision) -> str:
    """The code of what is missing for months, as the engine says it."""
    reason = decision.economics.reason
    return f"{code}-{reason}" if reason in NO_MONTHS else code


def _money(book: Book) -> str:
    amount = locale().money_format("#,##0", book.decision.settings.currency)
    return f"{amount};-{amount}"


def _signed(book: Book) -> str:
    currency = book.decision.settings.currency
    amount, zero = (locale().money_format(digits, currency) for digits in ("#,##0", "0"))
    return f"+{amount};-{amount};{zero}"


def _why(sheet: Sheet, row: int) -> int:
    decision, voice = sheet.book.decision, Voice.of(sheet.book.decision)
    _section(sheet, row, "memo.why")
    texts = [voice.reasons(r.code, **r.arguments) for r in decision.verdict.reasons if r.code in voice.reasons]
    if of_a_name := decision.verdict.word in (None, Word.BLOCKED):
        texts.insert(0, first_fact(decision, voice))
    text = flips.plain("; ".join(dict.fromkeys(texts))) or "–"
    text = text if of_a_name else flips.capital(text)
    sheet.text(1, row + 1, f"{text}.", "st_text")
    sheet.merge(row + 1, 1, LAST, 15 * (1 + len(text) // 105))
    return row + 2


def _evidence(sheet: Sheet, row: int) -> int:
    book, decision = sheet.book, sheet.book.decision
    _section(sheet, row, "memo.evidence")
    unit = (decision.cost or decision.time).unit if decision.cost or decision.time else "run"  # type: ignore[union-attr]
    sheet.heads(row + 1, ["memo.metric"])
    for column, text in ((2, decision.incumbent), (3, decision.candidate)):
        sheet.text(column, row + 1, text or "", "st_head")
    sheet.word(
        4, row + 1, "memo.ratio", "st_head", incumbent=decision.incumbent or "", candidate=decision.candidate or ""
    )
    level = f"{round(decision.settings.confidence * 100, LEVEL_DIGITS):g}"
    lower = book.words("memo.lower", confidence=f'"&ROUND(confidence*100,{LEVEL_DIGITS})&"')
    told = book.words("memo.lower", confidence=level)
    sheet.formula(5, row + 1, f'"{lower}"', told, styles.GENERAL, "st_head")
    sheet.word(6, row + 1, "memo.upper", "st_head")
    sheet.word(1, row + 2, "memo.cost-per-unit", unit=unit_name(unit))
    costs = [cost for name in ("unit_cost_a", "unit_cost_b") if (cost := book.number(name)) > 0]
    form_of_cost = locale().money_format(styles.unit_cost(min(costs, default=1.0)), decision.settings.currency)
    pairs = (("unit_cost_a", form_of_cost), ("unit_cost_b", form_of_cost), ("theta", styles.RATIO),
             ("theta_lo", styles.RATIO), ("theta_hi", styles.RATIO))  # fmt: skip
    for column, (name, form) in enumerate(pairs, start=2):
        sheet.formula(column, row + 2, f'IF({name}="","",{name})', book.values.get(name, ""), form)
    sheet.word(1, row + 3, "memo.runs")
    for column, name in ((2, "n_a"), (3, "n_b")):
        sheet.formula(column, row + 3, name, book.values.get(name, 0), styles.COUNT)
    row = _chance(sheet, _proven(sheet, row + 4))
    for number, quality in enumerate(decision.quality[:4]):
        sheet.word(1, row, "memo.quality", metric=quality.metric)
        for column, arm in ((2, decision.incumbent), (3, decision.candidate)):
            sheet.put(column, row, quality.arms[arm or ""].mean, "0.0000")
        words = {k: book.words(f"statistics.q-reads-{k}") for k in ("worse", "as-good", "open")}
        reads = "worse" if quality.inferior else "as-good" if quality.non_inferior else "open"
        q = f"q{number}"
        formula = f'IF({q}_fail=1,"{words["worse"]}",IF({q}_pass=1,"{words["as-good"]}","{words["open"]}"))'
        sheet.formula(4, row, formula, words[reads], styles.GENERAL, "st_reads")
        sheet.merge(row, 4, LAST)
        row += 1
    return row


def _chance(sheet: Sheet, row: int) -> int:
    """How often the plan saves, in the record's own draws; the ends are never told as certain."""
    odds = sheet.book.decision.economics.odds
    if odds is None:
        return row
    sheet.word(1, row, "memo.chance", draws=figures.number(odds.draws))
    sheet.merge(row, 1, 4, 15)
    sheet.text(5, row, chance(odds.p_saves), "st_right")
    return row + 1


def _proven(sheet: Sheet, row: int) -> int:
    """The bounds that the verdict rests on."""
    book, looks = sheet.book, sheet.book.decision.looks
    if looks is None or looks.theta_lower is None:
        return row
    sheet.word(1, row, "memo.proven", planned=looks.planned)
    sheet.merge(row, 1, 4, 28)
    for column, name in ((5, "theta_lower"), (6, "theta_upper")):
        sheet.formula(column, row, f'IF({name}="","",{name})', book.values.get(name, ""), styles.RATIO)
    return row + 1


def _alternatives(sheet: Sheet, row: int) -> int:
    book = sheet.book
    _section(sheet, row, "memo.alternatives")
    if "plan_start" not in book.names:
        sheet.word(1, row + 1, _without("memo.no-alternatives", book.decision), "st_note")
        sheet.merge(row + 1, 1, LAST, 15)
        return row + 2
    sheet.heads(row + 1, ["memo.plan", "memo.npv", "memo.against-stay", "memo.starts", "memo.complete"])
    months, span = len(book.decision.economics.months), _months_span(book)
    rows = (
        ("memo.stay", "stay_npv", None, None),
        ("memo.full", "full_best_npv", "full_start", "full_start"),
        ("memo.recommended", "plan_npv", "plan_start", "plan_full"),
    )
    starts = [m.starts_on for m in book.decision.economics.months]
    for offset, (label, npv, start, full) in enumerate(rows, start=2):
        at = row + offset
        style = "st_strong" if label == "memo.recommended" else "st_text"
        sheet.word(1, at, label, style)
        against = book.number(npv) - book.number("stay_npv")
        sheet.formula(2, at, with_fresh_plan(book, npv), book.values[npv], _money(book))
        sheet.formula(3, at, with_fresh_plan(book, f"{npv}-stay_npv"), against, _signed(book))
        for column, name in ((4, start), (5, full)):
            if name is None:
                sheet.text(column, at, "–", "st_right")
                continue
            index = int(book.number(name))
            value: Value = starts[index] if index < months else "–"
            formula = f'IF({name}<horizon,INDEX({span},MIN({name}+1,{months})),"–")'
            sheet.formula(column, at, with_fresh_plan(book, formula), value, styles.DAY, "st_right")
    return row + 5


def _deadlines(sheet: Sheet, row: int) -> int:
    _section(sheet, row, "memo.deadlines")
    if not told_dates(sheet.book.decision):
        sheet.word(1, row + 1, "memo.no-dates", "st_note")
        sheet.merge(row + 1, 1, LAST, 15)
        return row + 2
    return reliance_block.write_dates(sheet, row + 1)


def _reliance(sheet: Sheet, row: int) -> int:
    if not reliance_block.reliance_lines(sheet):
        return row - 1
    _section(sheet, row, "memo.rests-on")
    return reliance_block.write_reliance(sheet, row + 1)


def _changes(sheet: Sheet, row: int) -> int:
    if not sheet.book.decision.flips:
        return row - 1
    _section(sheet, row, "memo.flips", currency=sheet.book.decision.settings.currency)
    return flips.lines(sheet, row + 1)


def _matters(sheet: Sheet, row: int) -> int:
    """The assumptions that move the saving most, in the order that they have on Sensitivity."""
    book = sheet.book
    named = [f"matters_{rank}" for rank in range(1, ON_MEMO + 1) if f"matters_{rank}" in book.names]
    if not named and not book.decision.economics.months:
        return row - 1
    _section(sheet, row, "memo.matters")
    if not named:
        sheet.word(1, row + 1, "memo.no-sensitivity", "st_note")
        sheet.merge(row + 1, 1, LAST, 28)
        return row + 2
    sheet.heads(row + 1, ["memo.matters-of", "memo.matters-low", "memo.matters-high"])
    for at, name in enumerate(named, start=row + 2):
        sheet.formula(1, at, name, book.values[name], styles.GENERAL, "st_text")
        for column, end in ((2, "_low"), (3, "_high")):
            sheet.formula(column, at, with_fresh_plan(book, name + end), book.values[name + end], _signed(book))
    return row + 2 + len(named)


def _risks(sheet: Sheet, row: int) -> int:
    decision = sheet.book.decision
    weighing = (Severity.ERROR, Severity.QUESTION, Severity.WARNING)
    kinds: dict[str, str] = {}
    for problem in sorted(decision.problems, key=lambda p: weighing.index(p.severity) if p.severity in weighing else 9):
        if problem.severity in weighing:
            language = decision.settings.language
            kinds.setdefault(problem.code, f"{sentence(problem, language)} {fix(problem, language)}")
    synthetic = [c.id for c in decision.contracts if c.synthetic]
    if synthetic:
        kinds["synthetic"] = sheet.book.words("memo.synthetic", contracts=", ".join(synthetic))
    if not kinds:
        return row - 1
    _section(sheet, row, "memo.risks")
    for offset, text in enumerate(list(kinds.values())[:MOST_RISKS], start=1):
        plain = flips.plain(text).strip()
        sheet.text(1, row + offset, f"• {clean(plain, 400)}", "st_text")
        sheet.merge(row + offset, 1, LAST, 14 * (1 + min(len(plain), 400) // 110))
    return row + 1 + min(len(kinds), MOST_RISKS)


def _signatures(sheet: Sheet, row: int) -> int:
    _section(sheet, row, "memo.sign-off")
    return sign_off_block(sheet, row + 1)


def _identity(sheet: Sheet, row: int) -> None:
    sheet.word(1, row, "memo.identity", "st_note", digest=(stamped(sheet.book.decision).document or "")[:SHOWN_DIGITS])
    sheet.merge(row, 1, LAST, 26)
    sheet.book.values["identity_row"] = row + 1
