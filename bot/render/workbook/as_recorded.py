"""Audit: which inputs are no longer the record's, and what that leaves stale of the engine's own figures."""

from re import fullmatch

from bot.render.workbook import styles
from bot.render.workbook.cells import Book, Sheet, Value
from bot.render.workbook.contract_inputs import CONTRACT_HEADS, date_formula
from bot.render.workbook.followed import bends, is_held_otherwise
from bot.render.workbook.inputs import is_first_look
from bot.render.workbook.other_work import all_reusable
from bot.render.workbook.pilot import COLUMN, FIRST, is_live, run_span
from bot.render.workbook.recorded import is_recorded
from scoring.model.decision import Decision

OF_PROOF = "confidence"
"""It and the margins are what proofs hang on; every other input is one that the months or the ratio hang on."""
CLOSE = "0.000000000001"
PLAN_STALE, VERDICT_STALE = "plan_stale", "verdict_stale"
OF_PLAN = frozenset({"holdings", "cuts"})
"""What the plan's own figures rest on."""
Stale = tuple[str, str, bool]
"""Its code, a formula that is above 0 where it is stale, whether the verdict rests on it."""


def build(sheet: Sheet, row: int) -> int:
    """The inputs with their values in the record, and how many differ; returns the row after them."""
    book = sheet.book
    sheet.word(1, row, "audit.inputs", "st_section")
    sheet.heads(row + 1, [f"audit.input-{head}" for head in ("name", "record", "now", "changed")])
    same, changed = book.words("audit.as-recorded"), book.words("audit.changed")
    first = at = row + 2
    plan, proof = ["0"], "0"
    for name, value, form in _named_inputs(book):
        sheet.text(1, at, _label(book, name), "st_text")
        sheet.put(2, at, value, form)
        blank = f"ISBLANK({name})"
        sheet.formula(3, at, f'IF({blank},"",{name})', "" if value is None else value, form)
        test = f"AND({name}=$B{at},{blank}=ISBLANK($B{at}))"
        sheet.formula(4, at, f'IF({test},"{same}","{changed}")', same, styles.GENERAL, "st_aside")
        if name == OF_PROOF:
            proof = f'($D{at}="{changed}")'
        elif not name.startswith("margin_"):
            plan.append(f'($D{at}="{changed}")')
        at += 1
    at, runs = _runs(sheet, at, same, changed)
    plan += runs
    book.values["changed_runs"] = runs[0] if runs else "0"
    everything = f'COUNTIF($D{first}:$D{max(first, at - 1)},"{changed}")'
    totals = [("changed_inputs", everything), ("changed_plan", _total(plan)), ("changed_proof", f"0+{proof}")]
    for name, formula in totals:
        sheet.word(1, at, f"audit.{name.replace('_', '-')}", "st_total")
        for column in (2, 3):
            sheet.text(column, at, "", "st_total")
        sheet.formula(4, at, formula, 0, styles.COUNT, "st_total")
        sheet.name(name, 4, at, 0)
        at += 1
    return at


def _total(terms: list[str]) -> str:
    """A sum in groups, since a formula takes only so many terms to read."""
    return "+".join(terms)


def _named_inputs(book: Book) -> list[tuple[str, Value | None, str]]:
    """Blue cells that have a name, but those that only steer a table of theirs."""
    at = {address: name for name, address in book.names.items()}
    found = [(at[address], value, form) for address, value, form in book.inputs if address in at]
    return [(name, value, form) for name, value, form in found if not name.startswith("step_")]


def _label(book: Book, name: str) -> str:
    """What the cell is called where it stands."""
    title, _, place = book.names[name].rpartition("!")
    sheet = book.workbook[title.strip("'").replace("''", "'")]
    row = int(place.rsplit("$", 1)[1])
    told = str(sheet.cell(row, 1).value or name)
    number, _, key = name.removeprefix("contract").partition("_")
    if name.startswith("contract") and number.isdigit() and key.replace("_", "-") in CONTRACT_HEADS:
        return f"{told}: {book.words('inputs.contract-' + key.replace('_', '-'))}"
    return told


def _runs(sheet: Sheet, at: int, same: str, changed: str) -> tuple[int, list[str]]:
    """How many runs count, and their own prices where they have them, in a row each."""
    book, decision = sheet.book, sheet.book.decision
    if not decision.runs:
        return at, []
    count = len(decision.runs)
    rows: list[tuple[str, str, Value]] = [
        ("runs", f'COUNTIF({run_span(book, "counts")},"{book.answer(True)}")', count),
    ]
    own = any(address.startswith(_pilot(book)) and f"${'ABCDEFGHIJKL'[COLUMN['price'] - 1]}$" in address
              for address, _, _ in book.inputs)  # fmt: skip
    if own:
        prices = [c.price_per_hour or 0.0 for c in decision.runs]
        weights = "{" + ";".join(str(i) for i in range(1, count + 1)) + "}"
        told = sum(price * i for i, price in enumerate(prices, start=1))
        rows.append(("run_prices", f"SUMPRODUCT({run_span(book, 'price')},{weights})", told))
    for name, formula, value in rows:
        sheet.word(1, at, f"audit.input-{name.replace('_', '-')}")
        sheet.put(2, at, value, styles.GENERAL)
        sheet.formula(3, at, formula, value, styles.GENERAL)
        test = f"ABS($C{at}-$B{at})<={CLOSE}*ABS($B{at})"
        sheet.formula(4, at, f'IF({test},"{same}","{changed}")', same, styles.GENERAL, "st_aside")
        at += 1
    return at, [f'($D{row}="{changed}")' for row in range(at - len(rows), at)]


def _pilot(book: Book) -> str:
    return Sheet(book, book.workbook[book.words("sheet.pilot")]).address(1, FIRST).partition("!")[0]


def stale_block(sheet: Sheet, row: int) -> int:
    """What no formula follows, each with whether it is still that of these inputs; returns the row after it."""
    book = sheet.book
    sheet.word(1, row, "audit.stale", "st_section")
    fresh, old = book.words("audit.fresh"), book.words("audit.is-stale")
    decisive, of_plan, at = ["0"], list[str](), row + 1
    book.values["first_stale_row"] = at
    for code, condition, decides in _not_followed(book):
        sheet.word(1, at, f"audit.stale-{code}")
        sheet.merge(at, 1, 3)
        sheet.formula(4, at, f'IF({condition}>0,"{old}","{fresh}")', fresh, styles.GENERAL, "st_reads")
        if decides:
            decisive.append(f'($D{at}="{old}")')
        if code in OF_PLAN:
            of_plan.append(f'($D{at}="{old}")')
        at += 1
    book.values["last_stale_row"] = at - 1
    if of_plan:
        at = _count(sheet, at, PLAN_STALE, of_plan)
    return _count(sheet, at, VERDICT_STALE, decisive)


def _count(sheet: Sheet, at: int, name: str, stale: list[str]) -> int:
    """How many of them are stale, by a name that other sheets' formulas use; returns the row after it."""
    sheet.word(1, at, f"audit.{name.replace('_', '-')}", "st_total")
    for column in (2, 3):
        sheet.text(column, at, "", "st_total")
    sheet.formula(4, at, "+".join(stale), 0, styles.COUNT, "st_total")
    sheet.name(name, 4, at, 0)
    return at + 1


def _not_followed(book: Book) -> list[Stale]:
    decision = book.decision
    economics, held = decision.economics, _is_weighed_by_the_engine(decision)
    runs = f"0+{book.values['changed_runs']}"
    proofs = f"({runs}+changed_proof)"
    by_items = any(not is_live(decision, quality) for quality in decision.quality)
    several = decision.multiplicity is not None and decision.multiplicity.size > 1
    prices = bool(economics.months) and (bends(decision, "a") or bends(decision, "b"))
    missing = any(d.cost_of_missing for d in economics.deadlines)
    weighed = economics.negotiation is not None or economics.odds is not None
    rows: tuple[tuple[bool, Stale], ...] = (
        (decision.regret is not None, ("regret", "changed_inputs", False)),
        (weighed, ("negotiation", "changed_inputs", False)),
        (bool(economics.months) and held, ("holdings", "changed_plan", True)),
        (prices, ("prices", "changed_plan", False)),
        (missing, ("missing", "changed_plan", False)),
        (bool(cuts := _cuts(book)), ("cuts", cuts, True)),
        (by_items, ("quality", proofs, True)),
        (any(x.is_guardrail for x in decision.latency), ("latency", proofs, True)),
        (not is_first_look(decision), ("looks", proofs, True)),
        (several, ("several", "changed_inputs", True)),
        (decision.diagnostics is not None, ("diagnostics", runs, False)),
        (book.values["record_blocked"] == book.answer(True), ("blocked", "changed_inputs", False)),
    )
    return [row for applies, row in rows if applies]


def with_fresh_plan(book: Book, formula: str) -> str:
    """A plan's figure while the plan is of these inputs; once only the engine can weigh it anew, that it must.

    A stale amount beside a verdict that asks for another comparison would be signed.
    """
    return f'IF({PLAN_STALE}>0,"{book.words("memo.stale-plan")}",{formula})' if _plan_may_be_stale(book) else formula


def _plan_may_be_stale(book: Book) -> bool:
    return bool(book.decision.economics.months) and (_is_weighed_by_the_engine(book.decision) or bool(_cuts(book)))


def _is_weighed_by_the_engine(decision: Decision) -> bool:
    economics = decision.economics
    other_work = bool(economics.other_work) and not all_reusable(economics)
    return is_held_otherwise(decision) or other_work or is_recorded(economics)


def _cuts(book: Book) -> str:
    """How many contracts whose months are formulas begin or end within a month of the horizon.

    A formula's month knows no days: such a contract would leave its hours to the work of other days.
    """
    months = book.decision.economics.months
    names = [name.removesuffix("_ends") for name in book.names if fullmatch(r"contract\d+_ends", name)]
    if not names or not months or is_recorded(book.decision.economics):
        return ""
    first = date_formula(months[0].starts_on)
    return "+".join(
        f"IF(OR({_is_cut(f'{name}_starts', first)},{_is_cut(f'{name}_ends+1', first)}),1,0)" for name in names
    )


def _is_cut(day: str, first: str) -> str:
    """Whether a day from which something else holds is within a month, by the first month of the horizon."""
    return f"AND(DAY({day})<>1,{day}>{first},{day}<EDATE({first},horizon))"
