"""A listed approver's word on the exact memo of the issue's last decision, or why it is none, rule by rule."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.commands.evidence import sound_record
from bot.commands.mistakes import malformed
from bot.dossier import Answer, Decided, Dossier, Outcome, Past, SignOff
from bot.render.history import people
from bot.render.notices import Markup, say
from bot.render.safe_text import clean
from bot.render.sign_off import changed, command, signed, standing_lines
from scoring.changes import changes
from scoring.model.history import Change
from scoring.model.signing import Act, Signature, Signing
from scoring.problems import error
from scoring.sign_off import of_document, standing

APPROVING, REJECTING = "/approve [HASH]", "/reject [HASH] [reason]"
LEAST_DIGITS = 8
LONGEST_REASON = 400
UNSIGNABLE = frozenset({"NONE"})
UNAPPROVABLE = frozenset({"BLOCKED"})
_HASH = re.compile(rf"[0-9a-f]{{{LEAST_DIGITS},64}}\Z")
_TOO_SHORT = re.compile(rf"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{{4,{LEAST_DIGITS - 1}}}\Z")
"""Letters and digits of a hash, both: no word and no year."""


@dataclass(frozen=True)
class _Asked:
    """A sign-off as it was written: what it says, of which document (None: of the one at hand), and why."""

    act: Act
    dossier: Dossier
    given: str | None
    reason: str | None

    @property
    def comment(self) -> SignOff:
        assert self.dossier.sign_off is not None  # noqa: S101 - the scope of these commands gives it
        return self.dossier.sign_off

    @property
    def signing(self) -> Signing:
        return self.dossier.signing or Signing()

    def refused(self, why: str, **fields: object) -> Answer:
        told = say(self.dossier.language, f"sign.{why}", **fields)
        title = say(self.dossier.language, "sign.not-signed", login=self.comment.login)
        return Answer(body=f"### {title}\n\n{told}\n", outcome=Outcome.REFUSED)


def approve(dossier: Dossier) -> Answer:
    """Nothing but a hash may stand there, since an approval has no conditions. Raises OSError."""
    given, *more = (word.casefold() for word in dossier.command.arguments or ("",))
    if more or (given and not _HASH.match(given)):
        found = " ".join(dossier.command.arguments)
        return malformed([error("approval-with-words", found=found[:100])], APPROVING, dossier.language)
    return _signed(_Asked(Act.APPROVED, dossier, given or None, None))


def reject(dossier: Dossier) -> Answer:
    """A hash first, where the first word looks like one. Raises OSError."""
    words = list(dossier.command.arguments)
    if words and _TOO_SHORT.match(words[0].casefold()):
        short = error("hash-too-short", found=words[0], expected=f"{LEAST_DIGITS}")
        return malformed([short], REJECTING, dossier.language)
    given = words.pop(0).casefold() if words and _HASH.match(words[0].casefold()) else None
    reason = clean(" ".join(words), LONGEST_REASON) if words else None
    return _signed(_Asked(Act.REJECTED, dossier, given, reason))


def _signed(asked: _Asked) -> Answer:
    """The first rule that refuses, else the signature."""
    past, comment = asked.dossier.past, asked.comment
    known = next((s for s in past.signatures if s.place == comment.place), None)
    if known is not None:
        again = _told(asked, known, "edited-afterwards" if comment.is_edited else None)
        return again.model_copy(update={"signature": known})
    for rule in RULES:
        refusal = rule(asked)
        if refusal is not None:
            return refusal
    last = past.last
    assert last is not None and last.memo_sha256  # noqa: S101 - `_nothing_to_sign` refuses without
    signature = Signature(
        login=comment.login,
        login_id=comment.login_id,
        name=next((s.name for s in asked.signing.named(comment.login) if s.name), None),
        roles=tuple(dict.fromkeys(s.role for s in asked.signing.named(comment.login) if s.role)),
        act=asked.act,
        at=datetime.fromisoformat(comment.at),
        place=comment.place,
        url=comment.url or None,
        reason=asked.reason,
        document=last.document,
        memo_sha256=last.memo_sha256,
        verdict=last.verdict,
        folder=last.folder,
    )
    return _told(asked, signature, None).model_copy(update={"signature": signature})


def _told(asked: _Asked, signature: Signature, remark: str | None) -> Answer:
    """What was signed and how the document stands then; later signatures do not change what was said of this one."""
    language = asked.dossier.language
    before = [s for s in asked.dossier.past.signatures if s.order < signature.order]
    of_it = of_document([*before, signature], signature.document, signature.memo_sha256)
    parts = [f"### {signed(signature, language)}"]
    if signature.act is Act.APPROVED:
        parts.append(say(language, f"sign.means-{signature.verdict.lower()}"))
    if signature.reason:
        parts.append(say(language, "sign.reason", reason=signature.reason))
    parts += standing_lines(standing(asked.signing, of_it), asked.signing, language)
    parts += [say(language, f"sign.{remark}")] if remark else []
    return Answer(body="\n\n".join(parts) + "\n", outcome=Outcome.SAID)


def _ledger_unread(asked: _Asked) -> Answer | None:
    problem = asked.dossier.past.problem
    return asked.refused("ledger-unread", reason=problem.found or "") if problem else None


def _no_approvers(asked: _Asked) -> Answer | None:
    return None if asked.signing.signers else asked.refused("no-approvers")


def _not_listed(asked: _Asked) -> Answer | None:
    if asked.signing.named(asked.comment.login):
        return None
    return asked.refused("not-listed", login=asked.comment.login, people=Markup(people(asked.signing)))


def _not_by_hand(asked: _Asked) -> Answer | None:
    """Others may edit a comment, and Apps may write in somebody's name: neither is a signature."""
    comment = asked.comment
    if comment.via_app is not None:
        return asked.refused("via-app", app=comment.via_app, login=comment.login)
    if not comment.place.startswith("c"):
        return asked.refused("in-the-issue")
    if not comment.is_alone:
        return asked.refused("not-alone")
    return asked.refused("edited") if comment.is_edited else None


def _nothing_to_sign(asked: _Asked) -> Answer | None:
    last = asked.dossier.past.last
    if last is None or not last.memo_sha256:
        return asked.refused("no-decision")
    altered = asked.comment.altered
    return asked.refused("altered", files=", ".join(altered), folder=last.folder) if altered else None


def _of_another_document(asked: _Asked) -> Answer | None:
    given, past = asked.given, asked.dossier.past
    last = past.last
    if last is None or given is None or _is(last, given):
        return None
    if _was_decided(past, given):
        return _changed_since(asked, last, given)
    return asked.refused("unknown-hash", hash=given, command=command(asked.act, _hash_of(last)))


def _made_later(asked: _Asked) -> Answer | None:
    """What was decided or changed after the comment was written cannot have been meant."""
    last = asked.dossier.past.last
    assert last is not None  # noqa: S101 - `_nothing_to_sign` came before
    if not last.is_before:
        return _changed_since(asked, last)
    replied, written = asked.comment.replied_at, datetime.fromisoformat(asked.comment.at)
    if asked.given is None and (replied is None or datetime.fromisoformat(replied) > written):
        return asked.refused("not-seen", command=command(asked.act, _hash_of(last)))
    return None


def _no_such_act(asked: _Asked) -> Answer | None:
    last = asked.dossier.past.last
    assert last is not None  # noqa: S101 - `_nothing_to_sign` came before
    if last.verdict in UNSIGNABLE:
        return asked.refused("no-verdict")
    if asked.act is Act.APPROVED and last.verdict in UNAPPROVABLE:
        return asked.refused("blocked")
    is_own = (last.asked_by or "").casefold() == asked.comment.login.casefold()
    if asked.act is Act.APPROVED and is_own and not asked.comment.self_approval:
        return asked.refused("own", login=asked.comment.login)
    return None


def _said_already(asked: _Asked) -> Answer | None:
    last, past = asked.dossier.past.last, asked.dossier.past
    assert last is not None  # noqa: S101 - `_nothing_to_sign` came before
    standing_now = standing(asked.signing, of_document(past.signatures, last.document, last.memo_sha256))
    mine = [s for s in standing_now.signatures if s.login.casefold() == asked.comment.login.casefold()]
    same = [s for s in mine if (s.act, s.reason) == (asked.act, asked.reason)]
    return _told(asked, same[0], "already") if same else None


RULES: tuple[Callable[[_Asked], Answer | None], ...] = (
    _no_approvers,
    _not_listed,
    _not_by_hand,
    _ledger_unread,
    _nothing_to_sign,
    _of_another_document,
    _made_later,
    _no_such_act,
    _said_already,
)


def _is(decided: Decided, given: str) -> bool:
    return any((known or "").startswith(given) for known in (decided.document, decided.memo_sha256))


def _changed_since(asked: _Asked, last: Decided, given: str | None = None) -> Answer:
    """Refused, with what the last decision says otherwise than the one that was meant."""
    fields = {"verdict": last.verdict, "on": last.decided_on or "–", "command": command(asked.act, _hash_of(last))}
    refusal = asked.refused("superseded", **fields)
    told = changed(_changes(asked.dossier.past, given), asked.dossier.language)
    return refusal.model_copy(update={"body": f"{refusal.body}\n{told}\n"}) if told else refusal


def _changes(past: Past, given: str | None) -> tuple[Change, ...]:
    """From the records; where the older one is gone, as after an edit, from what the last one says of it."""
    now, meant = (sound_record(one) for one in (past.kept, past.record))
    if now is None:
        return ()
    if meant is not None:
        return changes(meant, now)
    previous = now.history.earlier[-1] if now.history and now.history.earlier else None
    is_meant = previous is not None and (given is None or (previous.document or "").startswith(given))
    return now.history.changes if now.history and is_meant else ()


def _was_decided(past: Past, given: str) -> bool:
    """Whether a hash is of an earlier decision of the issue."""
    now = sound_record(past.kept)
    before = now.history.earlier if now and now.history else ()
    return any(_is(d, given) for d in past.others) or any((e.document or "").startswith(given) for e in before)


def _hash_of(decided: Decided) -> str:
    return decided.document or decided.memo_sha256 or ""
