"""Several comparisons in the memo: Holm's correction by formula, and the candidates that were not chosen."""

from bot.render.comment.together import reason_text
from bot.render.comment.voice import Voice
from bot.render.safe_text import clean
from bot.render.workbook import styles
from bot.render.workbook.cells import Sheet
from scoring.model.decision import Claim, Decision

MOST_RIVALS = 5
MOST_CLAIMS = 200
P_FORM = "0.0000"


def statistics_block(sheet: Sheet, row: int) -> int:
    """Every claim's p from the record, smallest first, adjusted by formula; returns the next free row."""
    decision = sheet.book.decision
    family, own = decision.multiplicity, decision.claim
    if family is None or own is None or own.p is None or not 1 < family.size <= MOST_CLAIMS:
        return row
    sheet.word(1, row, "statistics.together", "st_section", count=family.size)
    sheet.heads(row + 1, [f"statistics.together-{head}" for head in ("which", "p", "adjusted")])
    tested = sorted((c for c in family.claims if c.p is not None), key=lambda c: c.rank)
    first = row + 2
    for offset, claim in enumerate(tested):
        at = first + offset
        sheet.text(1, at, _name(claim), "st_strong" if _same(claim, own) else "st_text")
        sheet.put(2, at, claim.p, P_FORM)
        step = f"MIN(1,{len(tested) - offset}*$B{at})"
        formula = f"MAX($C{at - 1},{step})" if offset else step
        sheet.formula(3, at, formula, claim.p_adjusted, P_FORM)
        if _same(claim, own):
            sheet.name("p_alone", 2, at, claim.p)
            sheet.name("p_among_several", 3, at, claim.p_adjusted)
    end = first + len(tested)
    fails = int((own.p_adjusted or 0.0) > family.alpha)
    sheet.word(1, end, "statistics.together-open")
    sheet.formula(2, end, "IF(p_among_several>1-confidence,1,0)", fails, styles.COUNT)
    sheet.name("several_open", 2, end, fails)
    return end + 2


def memo_block(sheet: Sheet, row: int) -> int:
    """What the correction leaves of the claim, and the other candidates with the reason why they were not chosen."""
    decision, book = sheet.book.decision, sheet.book
    if "p_alone" in book.names and decision.multiplicity is not None:
        sheet.word(1, row, "memo.together", "st_strong", count=decision.multiplicity.size)
        for column, label, name in ((3, "memo.p-alone", "p_alone"), (5, "memo.p-among", "p_among_several")):
            sheet.word(column, row, label)
            sheet.formula(column + 1, row, name, book.values[name], P_FORM)
        row += 1
    if not decision.rivals:
        return row
    heads = ("rival", "rival-answer", "rival-ratio", "p-alone", "p-among", "rival-saving")
    sheet.heads(row + 1, [f"memo.{head}" for head in heads])
    voice = Voice.of(decision)
    for claim in decision.rivals[:MOST_RIVALS]:
        row = _rival(sheet, row + 2, claim, decision, voice) - 1
    more = len(decision.rivals) - MOST_RIVALS
    if more > 0:
        sheet.word(1, row + 2, "memo.rivals-more", "st_note", count=more)
        row += 1
    return row + 2


def _rival(sheet: Sheet, row: int, claim: Claim, decision: Decision, voice: Voice) -> int:
    sheet.text(1, row, clean(claim.candidate, 60))
    sheet.text(2, row, sheet.book.verdict(claim.word) if claim.word else sheet.book.words("memo.no-verdict"))
    sheet.put(3, row, claim.theta.point if claim.theta else None, styles.RATIO)
    sheet.put(4, row, claim.p, P_FORM)
    sheet.put(5, row, claim.p_adjusted, P_FORM)
    sheet.put(6, row, claim.saving, "#,##0")
    reason = reason_text(claim.reasons[0], voice) if claim.reasons else "–"
    sheet.text(1, row + 1, clean(_plain(reason), 300), "st_note")
    sheet.merge(row + 1, 1, 6, 14 * (1 + min(len(reason), 300) // 110))
    return row + 1


def _plain(text: str) -> str:
    import html
    import re

    return html.unescape(re.sub(r"</?code>|`", "", text))


def _same(claim: Claim, own: Claim) -> bool:
    return (claim.workload, claim.phase, claim.candidate) == (own.workload, own.phase, own.candidate)


def _name(claim: Claim) -> str:
    parts = (claim.workload, claim.phase.value if claim.phase else None, claim.candidate)
    return clean(" · ".join(part for part in parts if part), 120)
