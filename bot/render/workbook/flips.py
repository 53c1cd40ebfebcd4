"""What would change the answer, line by line as the reply says it; prices are formulas where the sheet can follow."""

import html
import re

from bot.render.comment.steps import flip_text
from bot.render.comment.voice import Voice
from bot.render.safe_text import clean
from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet
from scoring.model.decision import Flip

LAST = 6


def lines(sheet: Sheet, row: int) -> int:
    """A line for each of the decision's flips; returns the row after them."""
    voice = Voice.of(sheet.book.decision)
    for flip in sheet.book.decision.flips:
        if "price" in flip.code or flip.code == "walk-away-only":
            _price(sheet, row, flip)
        else:
            sheet.text(1, row, f"{capital(plain(flip_text(sheet.book.decision, flip, voice)))}.", "st_text")
            sheet.merge(row, 1, LAST, 15)
        row += 1
    return row


def _price(sheet: Sheet, row: int, flip: Flip) -> None:
    book, decision = sheet.book, sheet.book.decision
    walk_away = decision.economics.walk_away
    of_incumbent = flip.code.startswith("incumbent")
    arm, band = (
        (decision.incumbent, walk_away.incumbent_price)
        if of_incumbent
        else (decision.candidate, walk_away.candidate_price)
    )
    label, names = (
        ("memo.walk-away-a", ("walk_away_a",))
        if of_incumbent
        else ("memo.walk-away-b", ("walk_away_b", "walk_away_b_lo", "walk_away_b_hi"))
    )
    sheet.word(1, row, label, "st_text", arm=clean(arm or "", 60))
    sheet.merge(row, 1, 2, 15)
    live = "walk_away_b" in book.names
    ends = (band.point, band.lo, band.hi) if band else ()
    for column, (name, end) in enumerate(zip((*names, None, None), ends, strict=False), start=3):
        if live and name is not None and book.values.get(name) not in (None, ""):
            sheet.formula(column, row, name, book.values[name], styles.PRICE)
        else:
            sheet.put(column, row, end, styles.PRICE)


def plain(text: str) -> str:
    """Sentences of the reply without its inline code marks."""
    return html.unescape(re.sub(r"</?code>|`|\*\*", "", text))


def capital(text: str) -> str:
    """A sentence begins with a capital letter."""
    return text[:1].upper() + text[1:]
