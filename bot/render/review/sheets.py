"""The review's sheets of rows. Sums, shares and differences are formulas; what is read or forecast is a constant."""

from bot.render.messages import catalogue
from bot.render.review.pages import Pages
from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet
from scoring.model.deadline import DueDate
from scoring.model.economics import DeadlineStatus
from scoring.review.given import issue_name
from scoring.review.outcomes import COST
from scoring.review.values import Check, DecisionRow, OpenPilot, OutcomeRow, Position

HEAD, FIRST = 3, 4
CURRENCY, SAVED = 16, 17
"""Columns of an outcome's currency and of what its months that count saved."""
AMOUNT = "#,##0"
FIGURE = "0.0000"
BESIDE = "st_beside"
"""Of words in a column right of one of numbers or days, which end where the words begin."""


def commitments(pages: Pages) -> None:
    """One row a contract and quarter; the columns from the sixth on: quarter, promised, used, unused, share, costs."""
    heads = ["contract", "kind", "owner", "until", "unit", "quarter", "promised", "used", "not-used", "share"]
    sheet = pages.table(
        "commitments", [22, 26, 12, 12, 20, 11, 13, 13, 13, 10, 15, 16], [*heads, "cost", "cost-unused"]
    )
    row = FIRST
    for contract in pages.review.contracts:
        for position in contract.quarters:
            sheet.text(1, row, contract.contract_id)
            sheet.word(2, row, f"kind.{contract.kind}")
            sheet.text(3, row, contract.owner)
            sheet.put(4, row, contract.ends_on, styles.DAY)
            sheet.word(5, row, f"unit-name.{contract.unit.value}", BESIDE)
            _position(sheet, row, position)
            row += 1
    pages.rows("commitments", sheet, FIRST, row - FIRST)


def _position(sheet: Sheet, row: int, position: Position) -> None:
    sheet.text(6, row, position.quarter)
    sheet.put(7, row, position.promised, AMOUNT)
    sheet.put(8, row, position.used, AMOUNT)
    sheet.formula(9, row, f"G{row}-H{row}", position.wasted, AMOUNT)
    if position.utilisation is not None:
        sheet.formula(10, row, f"H{row}/G{row}", position.utilisation, styles.PERCENT)
    sheet.put(11, row, position.cost, styles.MONEY)
    sheet.put(12, row, position.wasted_cost, styles.MONEY)


def work(pages: Pages) -> None:
    """One row a workload and quarter, with its part of the contracts' cost."""
    heads = ["workload", "quarter", "hours", "covered", "overage", "overage-cost", "contract-cost", "all-cost"]
    sheet = pages.table("work", [24, 10, 13, 13, 13, 14, 14, 14], heads)
    for row, one in enumerate(pages.review.work, start=FIRST):
        sheet.text(1, row, one.workload)
        sheet.text(2, row, one.quarter)
        sheet.put(3, row, one.hours, AMOUNT)
        sheet.put(4, row, one.covered_hours, AMOUNT)
        sheet.formula(5, row, f"C{row}-D{row}", one.hours - one.covered_hours, AMOUNT)
        sheet.put(6, row, one.overage_cost, styles.MONEY)
        sheet.put(7, row, one.contract_cost, styles.MONEY)
        sheet.formula(8, row, f"F{row}+G{row}", one.overage_cost + one.contract_cost, styles.MONEY)
    pages.rows("work", sheet, FIRST, len(pages.review.work))


def deadlines(pages: Pages) -> None:
    """One row a day; the days left hang on the review's day on the overview."""
    sheet = pages.table(
        "deadlines", [11, 13, 11, 32, 24, 16, 16], ["quarter", "day", "left", "what", "subject", "owner", "obligation"]
    )
    for row, one in enumerate(pages.review.dates, start=FIRST):
        due = one.due
        sheet.text(1, row, one.quarter)
        sheet.put(2, row, due.day, styles.DAY)
        sheet.formula(3, row, f"B{row}-review_day", (due.day - pages.review.on).days, styles.MONEY)
        sheet.word(4, row, _due(due), BESIDE)
        sheet.text(5, row, due.subject)
        sheet.text(6, row, due.owner)
        sheet.put(7, row, due.obligation, styles.MONEY)
    pages.rows("deadlines", sheet, FIRST, len(pages.review.dates))


def _due(due: DueDate) -> str:
    return f"due.{due.kind.value}{'-missed' if due.status is DeadlineStatus.MISSED else ''}"


def decisions(pages: Pages) -> None:
    """One row a decision of the whole ledger, the new ones marked."""
    heads = [
        "issue",
        "workload",
        "decided",
        "verdict",
        "moves",
        "currency",
        "saving",
        "from",
        "to",
        "state",
        "is-new",
        "is-latest",
    ]
    sheet = pages.table("decisions", [12, 24, 12, 26, 14, 10, 14, 14, 14, 36, 9, 11], heads)
    for row, one in enumerate(pages.review.decisions, start=FIRST):
        _decision(pages, sheet, row, one)
    pages.rows("decisions", sheet, FIRST, len(pages.review.decisions))


def _decision(pages: Pages, sheet: Sheet, row: int, one: DecisionRow) -> None:
    fact, saving = one.fact, one.fact.saving
    _issue(sheet, 1, row, fact.repository, fact.issue)
    sheet.text(2, row, fact.workload, BESIDE)
    sheet.put(3, row, fact.decided_on, styles.DAY)
    sheet.text(4, row, _verdict(pages, fact.verdict.value if fact.verdict else "NONE"), BESIDE)
    sheet.put(5, row, fact.on, styles.DAY)
    sheet.text(6, row, fact.currency, BESIDE)
    for column, amount in enumerate((saving.point, saving.lo, saving.hi) if saving else (None,) * 3, start=7):
        sheet.put(column, row, amount, styles.MONEY)
    state = pages.words(f"state.{one.state.value}") if one.state else ""
    if one.missing:
        state = pages.words("missing", state=state, roles=", ".join(one.missing))
    sheet.text(10, row, state, BESIDE)
    sheet.put(11, row, int(one.is_new), pages.yes_or_no, "st_centre")
    sheet.put(12, row, int(one.is_latest), pages.yes_or_no, "st_centre")


def _issue(sheet: Sheet, column: int, row: int, repository: str | None, issue: int | None) -> None:
    """The home's number as a number, another repository's with its name."""
    if repository and issue is not None:
        sheet.text(column, row, issue_name(repository, issue))
    else:
        sheet.put(column, row, issue, styles.COUNT)


def _verdict(pages: Pages, word: str) -> str:
    return pages.words("no-verdict") if word == "NONE" else catalogue(pages.review.language, "comment")(f"word.{word}")


def outcomes(pages: Pages) -> None:
    """One row a figure of an outcome; whether it lies in its interval and what a month saved are formulas.

    Where decisions are in several currencies a column tells each row's.
    """
    heads = [
        "issue",
        "workload",
        "from",
        "to",
        "figure",
        "said",
        "from-interval",
        "to-interval",
        "was",
        "inside",
        "counted",
    ]
    sheet = pages.table(
        "outcomes",
        [12, 24, 12, 12, 24, 11, 14, 14, 11, 10, 10, 14, 14, 14, 10, 10, 14],
        [*heads, "stay-month", "paid-month", "saved", "saved-months", "currency", "saved-all"],
    )
    row = FIRST
    for one in pages.review.outcomes:
        for number, check in enumerate(one.checks or (None,)):
            _outcome(pages, sheet, row, one, check, number == 0)
            row += 1
    pages.rows("outcomes", sheet, FIRST, row - FIRST)


def _outcome(pages: Pages, sheet: Sheet, row: int, one: OutcomeRow, check: Check | None, is_first: bool) -> None:
    _issue(sheet, 1, row, one.repository, one.issue)
    sheet.text(2, row, one.workload, BESIDE)
    sheet.put(3, row, one.outcome.starts_on, styles.DAY)
    sheet.put(4, row, one.outcome.ends_on, styles.DAY)
    if check is not None:
        sheet.text(5, row, check.what if check.what != COST else pages.words("figure.cost"), BESIDE)
        for column, value in enumerate((check.forecast, check.lo, check.hi, check.actual), start=6):
            sheet.put(column, row, value, FIGURE)
        if check.inside is not None:
            held = f"IF(AND(I{row}>=G{row},I{row}<=H{row}),1,0)"
            sheet.formula(10, row, held, int(check.inside), pages.yes_or_no, "st_centre")
        sheet.put(11, row, int(check.counted), pages.yes_or_no, "st_centre")
    paid = one.outcome.monthly_cost
    if is_first and paid is not None and one.stay_cost is not None:
        sheet.put(12, row, one.stay_cost, styles.MONEY)
        sheet.put(13, row, paid, styles.MONEY)
        sheet.formula(14, row, f"L{row}-M{row}", one.stay_cost - paid, styles.MONEY)
        sheet.put(15, row, one.saved_months, styles.COUNT)
        sheet.text(CURRENCY, row, one.currency, BESIDE)
        sheet.formula(SAVED, row, f"N{row}*O{row}", (one.stay_cost - paid) * one.saved_months, styles.MONEY)


def pilots(pages: Pages) -> None:
    """One row an open pilot, the one that is worth most first."""
    heads = ["rank", "issue", "workload", "verdict", "waits", "since", "worth", "from", "to", "worth-of"]
    sheet = pages.table("pilots", [8, 12, 24, 24, 34, 12, 14, 14, 14, 20], heads)
    for row, pilot in enumerate(pages.review.pilots, start=FIRST):
        _pilot(pages, sheet, row, pilot)
    pages.rows("pilots", sheet, FIRST, len(pages.review.pilots))


def _pilot(pages: Pages, sheet: Sheet, row: int, pilot: OpenPilot) -> None:
    sheet.put(1, row, pilot.rank, styles.COUNT)
    _issue(sheet, 2, row, pilot.repository, pilot.issue)
    sheet.text(3, row, pilot.workload, BESIDE)
    sheet.text(4, row, _verdict(pages, pilot.verdict))
    waits = pages.words(f"why.{pilot.why.value}", runs=pilot.further_runs or "–")
    sheet.text(5, row, pages.words("missing", state=waits, roles=", ".join(pilot.missing)) if pilot.missing else waits)
    sheet.put(6, row, pilot.since, styles.DAY)
    for column, amount in enumerate((pilot.worth, pilot.lo, pilot.hi), start=7):
        sheet.put(column, row, amount, styles.MONEY)
    sheet.text(10, row, pages.words(f"worth-name.{pilot.worth_of.value}") if pilot.worth_of else None, BESIDE)


def risks(pages: Pages) -> None:
    """One row a risk."""
    sheet = pages.table("risks", [28, 26, 12, 13, 14, 10], ["risk", "subject", "issue", "day", "amount", "currency"])
    for row, risk in enumerate(pages.review.risks, start=FIRST):
        sheet.word(1, row, f"risk-name.{risk.code.value}")
        sheet.text(2, row, risk.subject)
        _issue(sheet, 3, row, risk.repository, risk.issue)
        sheet.put(4, row, risk.day, styles.DAY)
        sheet.put(5, row, risk.amount, styles.MONEY)
        sheet.text(6, row, risk.currency if risk.amount is not None else None, BESIDE)
    pages.rows("risks", sheet, FIRST, len(pages.review.risks))
