"""One reply a command, whatever happens in between: found by its marker, updated, and doubles removed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.dossier import Outcome
from bot.github.client import Connection
from bot.github.errors import Later, NotFound
from bot.github.fit import LIMIT, fitted
from bot.github.identity import Identity
from bot.github.marker import Marked, marked, parse
from bot.render.messages import catalogue

_HEADER_ROOM = 600
_ROUNDS = 5
_SLACK = timedelta(minutes=1)


@dataclass(frozen=True)
class OwnReply:
    """One of our replies as it is stored; `marked` are its parts."""

    id: int
    url: str
    node_id: str
    text: str
    marked: Marked

    @classmethod
    def of(cls, comment: dict[str, Any], identity: Identity) -> "OwnReply | None":
        """The reply in a comment, or None where it is somebody else's, or no reply."""
        text = str(comment.get("body") or "")
        parts = parse(text) if identity.wrote(comment) else None
        if parts is None:
            return None
        url, node = str(comment.get("html_url") or ""), str(comment.get("node_id") or "")
        return cls(int(comment["id"]), url, node, text.replace("\r\n", "\n"), parts)


@dataclass(frozen=True)
class Reply:
    """The one reply of a command after `put_reply`. `changed` is False where it already said so.

    `was_result`: it gave a result before, so that another of the thread may be the newest now.
    """

    id: int
    url: str
    node_id: str
    changed: bool
    was_result: bool = False


@dataclass(frozen=True)
class Thread:
    """An issue in `owner/name`, and who we are in it."""

    connection: Connection
    repository: str
    issue: int
    identity: Identity
    language: str = "en"

    @property
    def path(self) -> str:
        """The issue's path in the REST API."""
        return f"/repos/{self.repository}/issues/{self.issue}"

    def comment_path(self, comment_id: int) -> str:
        """A comment's path in the REST API."""
        return f"/repos/{self.repository}/issues/comments/{comment_id}"


def own_replies(thread: Thread, since: str | None = None) -> list[OwnReply]:
    """Our replies by id, so by age; `since` (ISO 8601) leaves out what was not touched later: fewer pages."""
    comments = thread.connection.pages(f"{thread.path}/comments", since=_earlier(since))
    found = (OwnReply.of(comment, thread.identity) for comment in comments)
    return sorted((reply for reply in found if reply), key=lambda reply: reply.id)


def put_reply(thread: Thread, place: str, outcome: Outcome, body: str, *, since: str | None = None) -> Reply:
    """The reply to the command at `place` says `body`, once. Any number of workers may do it at a time, and again.

    `since` is when the command's comment was CREATED (not edited): no reply is older. Without it every comment of
    the thread is listed. A text that is too long is cut at a line and says so. Raises a GitHubError; after Later the
    caller repeats it.
    """
    notice = catalogue(thread.language, "github")("reply.cut")
    changed = False
    kept: OwnReply | None = None
    found = _at(place, own_replies(thread, since))
    was_result = any(reply.marked.is_result for reply in found)
    for _ in range(_ROUNDS):
        _remove(thread, found[1:])
        kept = found[0] if found else None
        header = kept.marked.header if kept else ""
        wanted = fitted(marked(place, outcome, body, header), notice, LIMIT - (0 if header else _HEADER_ROOM))
        if kept and _same(kept.text, wanted):
            return Reply(kept.id, kept.url, kept.node_id, changed or len(found) > 1, was_result)
        written = _write(thread, kept, wanted)
        if written is None:  # somebody deleted it meanwhile
            found = _at(place, own_replies(thread, since))
            continue
        changed = True
        if kept is not None:
            return Reply(written.id, written.url, written.node_id, True, was_result)
        found = _at(place, [*own_replies(thread, since), written])
    raise Later("the reply is deleted as often as it is written")


def _at(place: str, replies: Iterable[OwnReply]) -> list[OwnReply]:
    """The replies of one command, the oldest first, each once; a list may lag behind what was just written."""
    by_id = {reply.id: reply for reply in replies if reply.marked.place == place}
    return [by_id[key] for key in sorted(by_id)]


def _write(thread: Thread, kept: OwnReply | None, text: str) -> OwnReply | None:
    if kept is None:
        answer = thread.connection.post(f"{thread.path}/comments", {"body": text})
    else:
        try:
            answer = thread.connection.patch(thread.comment_path(kept.id), {"body": text})
        except NotFound:
            return None
    parts = parse(text)
    if parts is None or not isinstance(answer, dict) or "id" not in answer:
        raise Later("the answer to a written comment names no comment")
    return OwnReply(int(answer["id"]), str(answer.get("html_url") or ""), str(answer.get("node_id") or ""), text, parts)


def _remove(thread: Thread, doubles: Iterable[OwnReply]) -> None:
    for double in doubles:
        thread.connection.delete(thread.comment_path(double.id))


def _same(stored: str, wanted: str) -> bool:
    """GitHub may take off white space at the ends."""
    return stored.strip() == wanted.replace("\r\n", "\n").strip()


def _earlier(since: str | None) -> str | None:
    """A minute earlier, since GitHub leaves out what was touched in that very second."""
    if since is None:
        return None
    return (datetime.fromisoformat(since).replace(microsecond=0) - _SLACK).isoformat().replace("+00:00", "Z")
