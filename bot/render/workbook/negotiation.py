"""Negotiation: the sheet for the meeting with a provider; walk-away prices, and what each other term would be worth."""

from bot.render.workbook import styles
from bot.render.workbook.cells import HEAD_HEIGHT, Book, Sheet, Value
from scoring.model.economics import Band
from scoring.model.odds import Lever, Odds, Side

HEADS = ("rank", "party", "contract", "ask", "now", "then", "worth", "starts")
COLUMNS = len(HEADS)
WIDTHS = (6, 26, 22, 48, 14, 14, 16, 16)


def build(book: Book) -> None:
    """Absent where nothing was weighed."""
    economics = book.decision.economics
    if economics.negotiation is None:
        return
    sheet = book.sheet("negotiation")
    sheet.widths(*WIDTHS)
    sheet.word(1, 1, "negotiation.title", "st_title")
    sheet.word(1, 2, "negotiation.note", "st_note")
    sheet.merge(2, 1, COLUMNS, 30)
    row = _walk_away(sheet, 4)
    row = _levers(sheet, row + 1)
    if economics.odds is not None:
        row = _odds(sheet, row + 1, economics.odds)
    sheet.print_setup(last=COLUMNS)
    sheet.worksheet.print_area = f"A1:H{row}"


def _walk_away(sheet: Sheet, row: int) -> int:
    decision, book = sheet.book.decision, sheet.book
    prices = decision.economics.walk_away
    live = "walk_away_b" in book.names
    sheet.word(1, row, "negotiation.walk-away", "st_section")
    sheet.heads(row + 1, [f"negotiation.{head}" for head in ("walk-away-head", "from", "to")], first=5)
    rows: tuple[tuple[str, str | None, Band | None], ...] = (
        ("b", decision.candidate, prices.candidate_price),
        ("a", decision.incumbent, prices.incumbent_price),
    )
    at = row + 2
    for role, arm, band in rows:
        if band is None:
            continue
        sheet.word(1, at, f"negotiation.walk-away-{role}", arm=arm or "")
        sheet.merge(at, 1, 4)
        ends = {"": band.point, "_lo": band.lo, "_hi": band.hi}
        for column, (end, value) in enumerate(ends.items(), start=5):
            name = f"walk_away_{role}{end}"
            if live and book.values.get(name) not in (None, ""):
                sheet.formula(column, at, name, book.values[name], styles.PRICE)
            else:
                sheet.put(column, at, value, styles.PRICE)
        at += 1
    return at


def _levers(sheet: Sheet, row: int) -> int:
    decision = sheet.book.decision
    told = decision.economics.negotiation
    levers = told.levers if told else ()
    sheet.word(1, row, "negotiation.levers", "st_section")
    if not levers:
        sheet.word(1, row + 1, "negotiation.none")
        sheet.merge(row + 1, 1, COLUMNS)
        return row + 2
    for column, head in enumerate(HEADS, start=1):
        sheet.word(column, row + 1, f"negotiation.{head}", "st_head", currency=decision.settings.currency)
    sheet.worksheet.row_dimensions[row + 1].height = HEAD_HEIGHT
    for rank, lever in enumerate(levers, start=1):
        _lever(sheet, row + 1 + rank, rank, lever)
    row += 2 + len(levers)
    if told is not None and told.contracts_left_out:
        sheet.word(1, row, "negotiation.left-out", "st_note", count=told.contracts_left_out)
        sheet.merge(row, 1, COLUMNS)
        row += 1
    return row


def _lever(sheet: Sheet, row: int, rank: int, lever: Lever) -> None:
    decision = sheet.book.decision
    arm = decision.incumbent if lever.side is Side.INCUMBENT else decision.candidate
    party = lever.provider or sheet.book.words("negotiation.provider-of", arm=arm or "")
    ask = f"ask-{lever.ask}-missed" if lever.only_if_missed else f"ask-{lever.ask}"
    sheet.put(1, row, rank, styles.COUNT)
    sheet.text(2, row, party, "st_beside")
    sheet.text(3, row, lever.contract_id or "–")
    sheet.word(4, row, f"negotiation.{ask}")
    for column, day, figure in ((5, lever.day_now, lever.now), (6, lever.day_then, lever.then)):
        shown: Value | None = day if day is not None else figure
        sheet.put(column, row, shown, styles.DAY if day is not None else styles.PRICE)
    sheet.put(7, row, lever.worth, styles.MONEY, "st_strong")
    sheet.put(8, row, lever.starts_on or sheet.book.words("negotiation.stays"), styles.DAY)


def _odds(sheet: Sheet, row: int, odds: Odds) -> int:
    sheet.word(1, row, "negotiation.odds", "st_section")
    figures: tuple[tuple[str, Value, str], ...] = (
        ("draws", odds.draws, styles.COUNT),
        ("p-saves", odds.p_saves, styles.CHANCE),
        ("saving-lo", odds.saving_lo, styles.MONEY),
        ("saving-hi", odds.saving_hi, styles.MONEY),
        ("regret-move", odds.regret_move, styles.MONEY),
        ("regret-stay", odds.regret_stay, styles.MONEY),
        ("same-month", odds.share_same_month, styles.CHANCE),
        ("other-month", odds.share_other_month, styles.CHANCE),
        ("never", odds.share_never, styles.CHANCE),
    )
    for at, (name, value, form) in enumerate(figures, start=row + 1):
        sheet.word(1, at, f"negotiation.{name}")
        sheet.merge(at, 1, 4)
        sheet.put(5, at, value, form)
    return row + 1 + len(figures)
