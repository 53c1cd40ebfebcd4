"""What the ledger holds of an issue: for a comparison what was decided before, for a sign-off what is to be signed."""

from datetime import datetime
from hashlib import sha256

from bot.commands.registry import find
from bot.dossier import Decided, Past, SignOff, Spooled
from bot.earlier import asked_at
from bot.github.edited import is_edited
from bot.github.errors import GitHubError, Later
from bot.github.index import BrokenIndex, Entry
from bot.github.marker import parse
from bot.github.place import order_of
from bot.grammar import Command, commands_in
from bot.render.comment.links import MEMO, RECORD
from bot.scene import Scene
from scoring.model.signing import Signature
from scoring.problems import warning

_MOST_RECORD_BYTES = 8 * 1024 * 1024
"""Of a record that is compared with; a larger one is no reason to fail."""


def past_of(scene: Scene) -> Past:
    """What was decided before the command was written, for a comparison. Raises Later.

    An answer that the ledger has already, to this very state of the command, is to be given again: its own record
    tells what it knew then.
    """
    try:
        entries = scene.ledger.index_again().of_issue(scene.job.issue)
        own = asked_at(scene)
        kept = next((e for e in entries if e.place == scene.place and e.asked_at == own), None)
        last = max((e for e in entries if _is_before(scene, e)), key=lambda e: order_of(e.place), default=None)
        given = scene.ledger.sign_offs(scene.job.issue).signatures if entries else ()
        return Past(
            record=_record(scene, last),
            kept=_record(scene, kept),
            signatures=tuple(s for s in given if _was_given(scene, s)),
        )
    except Later:
        raise
    except (BrokenIndex, GitHubError):
        return Past()  # the recording says what is wrong


def at_hand(scene: Scene, command: Command) -> tuple[Past, SignOff]:
    """The issue's last decision as it lies on the ledger now, and the comment that may sign it. Raises Later."""
    try:
        return _at_hand(scene, command)
    except Later:
        raise
    except (BrokenIndex, GitHubError) as failure:
        return Past(problem=warning("ledger-index-broken", found=str(failure)[:200])), _comment(scene, None, ())


def _at_hand(scene: Scene, command: Command) -> tuple[Past, SignOff]:
    index = scene.ledger.index()
    last = index.last_of(scene.job.issue)
    if last is None:
        return Past(), _comment(scene, None, ())
    files = {name: scene.ledger.kept(f"{last.folder}/{name}") for name in last.files}
    altered = tuple(name for name, data in files.items() if data is None or not _is_as_written(last, name, data))
    there = {name: data for name, data in files.items() if data is not None}
    scene.at_hand.append((last, there))
    others = tuple(e for e in index.of_issue(scene.job.issue) if e != last)
    past = Past(
        last=_decided(scene, last),
        others=tuple(_decided(scene, e) for e in sorted(others, key=lambda e: order_of(e.place))),
        record=_record(scene, _meant(scene, command, last, others)),
        kept=_spooled(scene, there.get(RECORD)),
        signatures=scene.ledger.sign_offs(scene.job.issue).signatures,
    )
    return past, _comment(scene, last, altered)


def _meant(scene: Scene, command: Command, last: Entry, others: tuple[Entry, ...]) -> Entry | None:
    """The older decision that a sign-off names, or that was the last one when it was written."""
    word = command.arguments[0].casefold() if command.arguments else ""
    if len(word) >= 8:
        named = [e for e in others if any((h or "").startswith(word) for h in (e.document, e.memo_sha256))]
        return named[-1] if named else None
    before = [e for e in others if order_of(e.place) < order_of(scene.place)]
    return None if _is_seen(scene, last) else max(before, key=lambda e: order_of(e.place), default=None)


def _comment(scene: Scene, last: Entry | None, altered: tuple[str, ...]) -> SignOff:
    post = scene.post
    recording = [c for c in commands_in(post.body) if (known := find(c.name)) and known.records]
    return SignOff(
        place=scene.place,
        url=post.url,
        login=post.author,
        login_id=post.author_id,
        at=post.created_at,
        is_edited=is_edited(scene.connection, post),
        via_app=post.via_app,
        is_alone=len(recording) == 1,
        self_approval=scene.configuration.config.self_approval,
        altered=altered,
        replied_at=_replied_at(scene, last) if last else None,
    )


def _replied_at(scene: Scene, last: Entry) -> str | None:
    """When our reply to the command of a decision last said something new; the latest where there are two."""
    ours, place = scene.identity.login, last.place.partition("#")[0]
    own = (post for post in scene.thread.posts if post.author.lower() == ours)
    replies = [post for post in own if (found := parse(post.body)) and found.place == place]
    return max((post.updated_at for post in replies), default=None)


def _is_as_written(entry: Entry, name: str, data: bytes) -> bool:
    """An entry of an earlier version knows its first memo's hash alone."""
    known = entry.sha256.get(name) or (entry.memo_sha256 if name == MEMO else None)
    return known in (None, sha256(data).hexdigest())


def _is_before(scene: Scene, entry: Entry) -> bool:
    """Whether an entry was there for whoever wrote the command; an edited one follows on its own earlier state."""
    if order_of(entry.place)[0] == order_of(scene.place)[0]:
        return entry.place == scene.place and entry.asked_at is not None and entry.asked_at < asked_at(scene)
    return order_of(entry.place) < order_of(scene.place) and (entry.asked_at or "") <= asked_at(scene)


def _is_seen(scene: Scene, entry: Entry) -> bool:
    """Whether a decision was asked for before the comment that signs was written, and in another one."""
    is_earlier = order_of(entry.place)[0] < order_of(scene.place)[0]
    return is_earlier and (entry.asked_at or "") <= scene.post.created_at


def _was_given(scene: Scene, signature: Signature) -> bool:
    own = datetime.fromisoformat(asked_at(scene))
    return (signature.at, signature.order) < (own, order_of(scene.place)[0])


def _decided(scene: Scene, entry: Entry) -> Decided:
    return Decided(
        place=entry.place,
        folder=entry.folder,
        verdict=entry.verdict or "NONE",
        is_before=_is_seen(scene, entry),
        decided_on=entry.decided_on,
        asked_by=entry.asked_by,
        comment_url=entry.comment_url,
        document=entry.document,
        memo_sha256=entry.memo_sha256,
    )


def _record(scene: Scene, entry: Entry | None) -> Spooled | None:
    if entry is None or RECORD not in entry.files:
        return None
    return _spooled(scene, scene.ledger.kept(f"{entry.folder}/{RECORD}"))


def _spooled(scene: Scene, data: bytes | None) -> Spooled | None:
    if data is None or len(data) > _MOST_RECORD_BYTES:
        return None
    return Spooled(name=RECORD, path=scene.spool.write(data))
