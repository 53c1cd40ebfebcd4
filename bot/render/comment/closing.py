"""The end of a reply: what changed since the last decision of the issue, and who has to sign this one."""

from bot.render import figures
from bot.render.comment.voice import Voice
from bot.render.history import SHOWN_CHANGES, change_text, people, sign_command, signature_text, word_text
from bot.render.messages import catalogue
from bot.render.safe_text import literal
from scoring.model.decision import Decision, Word

SIGNABLE = (Word.SWITCH, Word.SPLIT, Word.STAY, Word.EXTEND)


def closing(decision: Decision, voice: Voice) -> str:
    """Since the last decision, and how this one is signed where somebody may; empty without either."""
    return "\n\n".join(part for part in (since(decision, voice), sign_off(decision, voice)) if part)


def since(decision: Decision, voice: Voice) -> str:
    """One line: the last decision, its signatures, and the weightiest changes."""
    if decision.history is None or not decision.history.earlier:
        return ""
    words, last = catalogue(voice.language, "history"), decision.history.earlier[-1]
    given = "; ".join(signature_text(s, voice.language) for s in last.signatures)
    told = {
        "word": word_text(last, voice.language),
        "on": figures.day(last.decided_on),
        "signed": words("signed", signatures=given) if given else "",
    }
    lines = [change_text(c, voice.language) for c in decision.history.changes]
    if not lines:
        return words("since-nothing", **told)
    more = len(lines) - SHOWN_CHANGES
    shown = lines[:SHOWN_CHANGES] + ([words("more", count=more)] if more > 0 else [])
    return words("since", changes="; ".join(shown), **told)


def sign_off(decision: Decision, voice: Voice) -> str:
    """Who has to sign, and with which command; empty where nobody may, or for an answer that cannot be signed."""
    signing, document = decision.signing, decision.document
    if not voice.in_thread or signing is None or not signing.signers or document is None:
        return ""
    if decision.verdict.word not in SIGNABLE:
        return ""
    words = catalogue(voice.language, "history")
    needed = words("sign-off.any", people=people(signing))
    if signing.roles:
        roles = ", ".join(literal(role) for role in signing.roles)
        needed = words("sign-off.roles", roles=roles, people=people(signing))
    commands = {verb: sign_command(f"/{verb}", document) for verb in ("approve", "reject")}
    text = words("sign-off.title", who=needed, **commands)
    return f"{text} {words('sign-off.extend')}" if decision.verdict.word is Word.EXTEND else text
