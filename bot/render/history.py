"""Earlier decisions, what changed since, and signatures, in words for the reply and the memo."""

from datetime import date

from bot.render import figures
from bot.render.messages import catalogue
from bot.render.safe_text import literal
from scoring.model.history import Change, EarlierDecision
from scoring.model.signing import Act, Signature, Signing

SHOWN_DIGITS = 16
"""Of a hash that people read and copy."""
SHOWN_CHANGES = 6
SHOWN_SIGNERS = 8
_MONEY = frozenset({"saving", "price"})


def word_text(earlier: EarlierDecision, language: str) -> str:
    """The verdict's word."""
    return _word(earlier.word, language) if earlier.word else catalogue(language, "history")("no-verdict")


def change_text(change: Change, language: str) -> str:
    """One change as the half of a sentence, in Markdown; texts of others are literal."""
    words, given = catalogue(language, "history"), dict(change.arguments)
    workload = given.pop("workload", None) if change.code not in ("comparison-added", "comparison-removed") else None
    shown = {name: _shown(change.code, name, value, given, language) for name, value in given.items()}
    if change.code in ("saving", "ratio", "price"):
        shown = {"before": "–", "after": "–", **shown}
    text = words(f"change.{change.code}", **shown)
    return text if workload is None else words("of-workload", change=text, workload=literal(str(workload)))


def _shown(code: str, name: str, value: str | int | float, given: dict[str, str | int | float], language: str) -> str:
    if isinstance(value, str):
        if not value.strip("–"):
            return "–"
        if name in ("before", "after") and code in ("verdict", "moves-on"):
            return _word(value, language) if code == "verdict" else _day(value)
        return literal(value)
    if code in _MONEY:
        return figures.money(float(value), str(given.get("currency") or ""))
    return figures.ratio(float(value)) if code == "ratio" else f"{value}"


def _day(text: str) -> str:
    """A day as a record has it."""
    try:
        return figures.day(date.fromisoformat(text))
    except ValueError:
        return literal(text)


def signature_text(signature: Signature, language: str) -> str:
    """approved by `ana` (Ana Example, finance)."""
    code = "approved" if signature.act is Act.APPROVED else "rejected"
    return catalogue(language, "history")(code, who=who(signature.login, signature.name, signature.roles))


def who(login: str, name: str | None, roles: tuple[str, ...]) -> str:
    """A login, with the name and roles that the settings give it."""
    about = ", ".join(literal(text) for text in (name, *roles) if text)
    return f"{literal(login)} ({about})" if about else literal(login)


def people(signing: Signing) -> str:
    """Who may sign, each login once."""
    roles = {s.login: tuple(o.role for o in signing.named(s.login) if o.role) for s in signing.signers}
    told = [who(login, None, given) for login, given in roles.items()]
    return ", ".join(told[:SHOWN_SIGNERS]) + (", …" if len(told) > SHOWN_SIGNERS else "")


def sign_command(verb: str, document: str) -> str:
    """A command to copy: `/approve 1a2b3c4d5e6f7a8b`."""
    return f"{verb} {document[:SHOWN_DIGITS]}"


def _word(word: str, language: str) -> str:
    comment = catalogue(language, "comment")
    return comment(f"word.{word}") if f"word.{word}" in comment else literal(word)
