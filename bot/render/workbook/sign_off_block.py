"""The sign-off block of the first page: a line for each who has to sign, how it is signed, and who signed before."""

from bot.render import figures
from bot.render.history import SHOWN_DIGITS, signature_text, word_text
from bot.render.record import stamped
from bot.render.workbook.cells import Sheet
from bot.render.workbook.flips import capital, plain
from scoring.model.signing import Signer, Signing

LAST = 6
MOST_LINES = 4
EMPTY_LINES = 2
HEADS = ["memo.name", "memo.role", "memo.date", "memo.decision", "memo.signature", "memo.remark"]


def sign_off_block(sheet: Sheet, row: int) -> int:
    """From the heads on; returns the row after the last. No signature is filled in: the memo is signed as it is."""
    sheet.heads(row, HEADS)
    lines = _lines(sheet.book.decision.signing)
    lines += [("", "")] * (EMPTY_LINES - len(lines))
    for at, (names, role) in enumerate(lines, start=row + 1):
        for column, text in enumerate((names, role, "", "", "", ""), start=1):
            sheet.text(column, at, text, "st_sign")
        sheet.worksheet.row_dimensions[at].height = 22
    return _before(sheet, _how(sheet, row + 1 + len(lines)))


def _lines(signing: Signing | None) -> list[tuple[str, str]]:
    """By role where roles have to sign, else by person."""
    if signing is None:
        return []
    if signing.roles:
        return [(_names(signing, role), role) for role in signing.roles[:MOST_LINES]]
    return [(signer.name or signer.login, signer.role or "") for signer in signing.signers[:MOST_LINES]]


def _names(signing: Signing, role: str) -> str:
    def holds(signer: Signer) -> bool:
        return (signer.role or "").casefold() == role.casefold()

    return " / ".join(dict.fromkeys(s.name or s.login for s in signing.signers if holds(s)))


def _how(sheet: Sheet, row: int) -> int:
    decision = stamped(sheet.book.decision)
    if not _lines(decision.signing):
        sheet.word(1, row, "memo.no-signers", "st_note")
        sheet.merge(row, 1, LAST, 14)
        return row + 1
    if decision.thread is None or decision.signing is None or not decision.signing.signers:
        return row
    digest = (decision.document or "")[:SHOWN_DIGITS]
    sheet.word(1, row, "memo.sign-here", "st_note", thread=decision.thread, digest=digest)
    sheet.merge(row, 1, LAST, 14)
    return row + 1


def _before(sheet: Sheet, row: int) -> int:
    """Who signed the decision before this one."""
    history, language = sheet.book.decision.history, sheet.book.decision.settings.language
    last = history.earlier[-1] if history and history.earlier else None
    if last is None or not last.signatures:
        return row
    fields = {
        "word": plain(word_text(last, language)),
        "on": figures.day(last.decided_on),
        "digest": (last.document or "")[:SHOWN_DIGITS],
        "signatures": plain("; ".join(signature_text(s, language) for s in last.signatures)),
    }
    text = capital(sheet.book.words("memo.signed-before", **fields))
    sheet.text(1, row, text, "st_note")
    sheet.merge(row, 1, LAST, 14 * (1 + len(text) // 120))
    return row + 1
