"""A repository's quarter and its decisions, for readers whom GitHub lets read the repository; for others not there."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import quote

from flask import Blueprint, Response, abort, make_response, redirect, request
from markupsafe import Markup

from bot.github.client import Connection
from bot.github.errors import GitHubError
from bot.web.access import Access
from bot.web.books import Quarters
from bot.web.decision import day_shown, decision_shown
from bot.web.desk import Busy, Desk
from bot.web.listed import listed_decisions
from bot.web.login import without
from bot.web.made import Made
from bot.web.pages import page, page_language, part, saying
from bot.web.quarter import quarter_after, this_quarter
from bot.web.reader import reader
from bot.web.reply_html import reply_html
from bot.web.shelf import Held, Shelf

blueprint = Blueprint("ledger", __name__, url_prefix="/r/<owner>/<name>")
QUARTER = re.compile(r"20[0-9]{2}Q[1-4]", re.ASCII)
REVIEW_FILES = ("review.md", "review.xlsx", "review.json", "review.ics")
TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "ics": "text/calendar; charset=utf-8",
}
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Room:
    """A repository that this reader may read, as it is now."""

    held: Held
    connection: Connection

    @property
    def address(self) -> str:
        """Of its pages."""
        return f"/r/{self.held.repository}"

    def file(self, path: str, digest: str | None = None) -> bytes | None:
        """A file of the ledger; `digest` is the SHA-256 that it shall have. Raises GitHubError."""
        return Shelf.of_app().file(self.connection, self.held, path, digest)

    def listed(self, path: str) -> bytes | None:
        """A file of the ledger that may change, None where its folder has none of that name. Raises GitHubError."""
        return Shelf.of_app().listed(self.connection, self.held, path)

    def names(self, folder: str) -> Collection[str]:
        """The files of a folder of the ledger, as GitHub lists them. Raises GitHubError."""
        return Shelf.of_app().names(self.connection, self.held, folder)


def _for_readers(view: F) -> F:
    """Lets in who may read; says in words what GitHub or the bounded process did not give."""

    @wraps(view)
    def guarded(owner: str, name: str, **given: Any) -> Any:
        try:
            return view(_entered(f"{owner}/{name}"), **given)
        except Busy:
            return page("without.html", 503, cause="busy")
        except GitHubError as failure:
            return without(failure)

    return guarded  # type: ignore[return-value]


def _entered(wanted: str) -> Room:
    """404 for what is not there and for what this reader may not read, without a difference."""
    held, access = reader(), Access.of_app()
    readable = access.readable(held, wanted)
    if readable is None:
        abort(404)
    connection = access.connection(held, readable.name)
    return Room(Shelf.of_app().held(connection, readable.name, readable.default_branch, Desk.of_app()), connection)


@blueprint.get("")
@_for_readers
def quarter(room: Room) -> Response:
    """A quarter: contracts and their use, days, and the decisions that the address asks for."""
    desk, language = Desk.of_app(), page_language()
    asked = request.args.get("quarter", "")
    named = asked if QUARTER.fullmatch(asked) else this_quarter(desk.today())
    books = _books(room, desk, named, language)
    listed = listed_decisions(room.held.decisions, room.address, named, request.args)

    def made() -> Markup:
        return part(
            "quarter.html",
            language,
            room=room,
            quarter=named,
            before=quarter_after(named, -1),
            after=quarter_after(named, 1),
            books=books,
            review=_review(room, named, language),
            list=listed,
            day=lambda text: day_shown(text, language),
        )

    content = Made.of_app().of((*room.held.commits, language, books, named, *listed.asked), made)
    title = saying(language)("quarter.title", quarter=named)
    return page("ledger.html", title=title, repository=room.held.repository, content=content)


def _books(room: Room, desk: Desk, quarter: str, language: str) -> Markup:
    """What the books say of a quarter; nothing where one of them is not read, since the others alone would mislead."""
    held = room.held
    if held.unread:
        return part("unread.html", language, files=held.unread)
    key = (*held.key, quarter, desk.today().isoformat(), language)
    return Quarters.of_app().of(desk, key, quarter, language, held.paths, held.books)


def _review(room: Room, quarter: str, language: str) -> dict[str, Any] | None:
    """What `/review` last wrote of this quarter, to be read and downloaded."""
    folder = f"reviews/{quarter}"
    comment = room.listed(f"{folder}/{REVIEW_FILES[0]}")
    if comment is None:
        return None
    names = room.names(folder)
    files = {name: f"{room.address}/reviews/{quarter}/{name}" for name in REVIEW_FILES[1:] if name in names}
    reply = reply_html(comment.decode("utf-8", "replace"), files.get, str(saying(language)("table")))
    return {"reply": reply, "files": files.items()}


@blueprint.get("/decisions/<quarter>/<int:issue>/<int:seq>")
@_for_readers
def decision(room: Room, quarter: str, issue: int, seq: int) -> Response:
    """One decision: figures, reply, signatures, files."""
    entry = room.held.decisions.by_place.get((quarter, issue, seq))
    if entry is None:
        abort(404)
    language = page_language()

    def made() -> Markup:
        files_at = f"{room.address}/files/{quarter}/{issue}/{seq}"
        return part(
            "decision.html",
            language,
            room=room,
            entry=entry,
            shown=decision_shown(entry, room, files_at, language, Made.of_app()),
            others=[other for other in room.held.decisions.of_issue(issue) if other != entry],
            day=lambda text: day_shown(text, language),
        )

    content = Made.of_app().of((*room.held.commits, language, quarter, issue, seq), made)
    title = saying(language)("decision.title", issue=issue, seq=seq)
    return page("ledger.html", title=title, repository=room.held.repository, content=content)


@blueprint.get("/files/<quarter>/<int:issue>/<int:seq>/<file>")
@_for_readers
def download(room: Room, quarter: str, issue: int, seq: int, file: str) -> Response:
    """A file of a decision, as it lies in the ledger."""
    entry = room.held.decisions.by_place.get((quarter, issue, seq))
    if entry is None or file not in entry.files or "/" in file:
        abort(404)
    return _attached(room.file(f"{entry.folder}/{file}", entry.sha256.get(file)), f"{issue}-{seq}-{file}")


@blueprint.get("/reviews/<quarter>/<file>")
@_for_readers
def review_file(room: Room, quarter: str, file: str) -> Response:
    """A file of the review that `/review` wrote."""
    if not QUARTER.fullmatch(quarter) or file not in REVIEW_FILES:
        abort(404)
    return _attached(room.listed(f"reviews/{quarter}/{file}"), f"{quarter}-{file}")


def _attached(data: bytes | None, name: str) -> Response:
    """A download, never shown in place; 404 without data."""
    if data is None:
        abort(404)
    response = make_response(data)
    response.headers["Content-Type"] = TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    shown = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    response.headers["Content-Disposition"] = f'attachment; filename="{shown}"'
    return response


@blueprint.get("/")
def with_slash(owner: str, name: str) -> Any:
    """The same without the slash."""
    return redirect(f"/r/{quote(owner)}/{quote(name)}", 301)
