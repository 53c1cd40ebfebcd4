"""What the bot says to a sign-off: what was signed, how the document stands then, or what changed since."""

from collections.abc import Iterable

from bot.render import figures
from bot.render.history import SHOWN_CHANGES, SHOWN_DIGITS, change_text, sign_command, signature_text, who
from bot.render.locales import in_language
from bot.render.notices import Markup, code, say
from bot.render.safe_text import literal
from scoring.model.history import Change
from scoring.model.signing import Act, Signature, Signing
from scoring.sign_off import Standing, State


@in_language(lambda signature, language: language)
def signed(signature: Signature, language: str) -> str:
    """`ana` (Ana Example, finance) approved SWITCH, document 1a2b…, on 2 December 2026."""
    return say(
        language,
        f"sign.{signature.act.value}",
        who=Markup(who(signature.login, signature.name, signature.roles)),
        verdict=Markup(literal(signature.verdict)),
        document=code((signature.document or signature.memo_sha256)[:SHOWN_DIGITS]),
        on=Markup(figures.day(signature.at.date())),
    )


@in_language(lambda standing, signing, language: language)
def standing_lines(standing: Standing, signing: Signing, language: str) -> list[str]:
    """All signatures on the document, and which roles are missing, with who has them."""
    given = "; ".join(signature_text(s, language) for s in standing.signatures)
    lines = [say(language, "sign.given", signatures=Markup(given))]
    if standing.state is State.REJECTED:
        lines.append(say(language, "sign.stands-rejected"))
    elif standing.missing:
        missing = ", ".join(_who_may(role, signing) for role in standing.missing)
        lines.append(say(language, "sign.stands-open", roles=Markup(missing)))
    else:
        lines.append(say(language, "sign.stands-approved"))
    return lines


def _who_may(role: str, signing: Signing) -> str:
    logins = [literal(s.login) for s in signing.signers if (s.role or "").casefold() == role.casefold()]
    return f"{literal(role)} ({', '.join(dict.fromkeys(logins))})" if logins else literal(role)


@in_language(lambda changes, language: language)
def changed(changes: Iterable[Change], language: str) -> str:
    """What is different since the document that was meant, in one sentence; empty where that is not known."""
    told = [change_text(change, language) for change in changes]
    shown = "; ".join(told[:SHOWN_CHANGES]) + ("; …" if len(told) > SHOWN_CHANGES else "")
    return say(language, "sign.changed", changes=Markup(shown)) if told else ""


def command(act: Act, document: str) -> Markup:
    """The command that signs a document."""
    return code(sign_command("/approve" if act is Act.APPROVED else "/reject", document))
