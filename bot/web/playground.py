"""The playground: files in, how each column was read, the reply and its files out; nothing of it is stored."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from flask import Blueprint, Response, abort, make_response, request
from werkzeug.exceptions import RequestEntityTooLarge

from bot.dossier import Answer, Outcome
from bot.folder import CONFIG_NAMES, CONTRACT_NAMES, PRICE_NAMES
from bot.github.names import Called, told_apart
from bot.grammar import Command
from bot.templates import sample_path
from bot.web.desk import Busy, Desk
from bot.web.pages import page, page_language, saying
from bot.web.reader import may_try, needs_login_to_try, reader, settings
from bot.web.reply_html import reply_html
from bot.web.session import guard_form, session

blueprint = Blueprint("playground", __name__, url_prefix="/playground")
MIB = 2**20
MOST_PARTS = 40
SAMPLE = "llama2-70b-lora"
OFFERED = {
    "memo.xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "decision.json": "application/json",
    "comment.md": "text/markdown; charset=utf-8",
}
"""What is offered to download, by name."""


@dataclass(frozen=True)
class Form:
    """What was posted, by what it is."""

    postings: tuple[tuple[str, bytes], ...] = ()
    books: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    options: str = ""
    pasted: str = ""
    settings_text: str = ""


@blueprint.before_request
def _admit() -> None:
    if not may_try():
        abort(404)
    if needs_login_to_try():
        reader()
    request.max_content_length = settings().playground_mb * MIB
    request.max_form_memory_size = settings().playground_mb * MIB
    request.max_form_parts = MOST_PARTS


@blueprint.get("")
def empty() -> Response:
    """The form."""
    return page("playground.html", form=Form(), result=None, complaint=None, megabytes=settings().playground_mb)


@blueprint.post("")
def tried() -> tuple[Response, int] | Response:
    """The answer to what was posted, above the form with it."""
    try:
        guard_form()
        form = _sample() if "sample" in request.form else _posted()
    except RequestEntityTooLarge:
        return _refused(Form(), "too-large", 413)
    if not form.postings:
        return _refused(form, "nothing", 400)
    desk, asker = Desk.of_app(), session().id
    if desk.own_pace.wait_s(asker) or desk.address_pace.wait_s(request.remote_addr or ""):
        return _refused(form, "too-often", 429)
    try:
        answer = _answer(desk, form)
    except Busy:
        return _refused(form, "busy", 503)
    return _shown(desk, form, answer)


@blueprint.get("/files/<key>/<name>")
def download(key: str, name: str) -> Response:
    """A file of an answer, for the session that it was given to."""
    data = Desk.of_app().files.file(session().id, key, name)
    if data is None or name not in OFFERED:
        return page("gone.html", 404)
    response = make_response(data)
    response.headers["Content-Type"] = OFFERED[name]
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _refused(form: Form, reason: str, status: int) -> Response:
    given = {"form": form, "result": None, "complaint": reason, "megabytes": settings().playground_mb}
    response = page("playground.html", status, **given)
    if status in (429, 503):
        response.headers["Retry-After"] = "60"
    return response


def _posted() -> Form:
    """The form's files and texts. A file is known as settings, contracts or prices by its conventional name."""
    postings, books = list[tuple[str, bytes]](), dict[str, tuple[str, bytes]]()
    files = list(_files())
    names = told_apart([Called(path) for path, _ in files])
    for name, (_, data) in zip(names, files, strict=True):
        kind = _kind(name)
        if kind is None:
            postings.append((name, data))
        else:
            books.setdefault(kind, (name, data))
    pasted, written = request.form.get("pasted", ""), request.form.get("settings", "")
    if pasted.strip():
        postings.append((str(saying(page_language())("play.pasted-name")), pasted.encode()))
    if written.strip():
        books.setdefault("settings", ("steelyard.yml", written.encode()))
    return Form(tuple(postings), books, request.form.get("options", "")[:2000], pasted, written)


def _files() -> Iterator[tuple[str, bytes]]:
    """The last part of each file's path, with its bytes; a form without a file posts one without a name."""
    for posted in request.files.getlist("files"):
        if name := PurePosixPath((posted.filename or "").replace("\\", "/")).name:
            yield name, posted.read()


def _kind(name: str) -> str | None:
    kinds = {"settings": CONFIG_NAMES, "contracts": CONTRACT_NAMES, "prices": PRICE_NAMES}
    return next((kind for kind, names in kinds.items() if name.lower() in names), None)


def _sample() -> Form:
    """The sample that comes with the package."""
    files = {p.name: p.read_bytes() for p in sorted(sample_path(SAMPLE).iterdir()) if p.suffix != ".md"}
    books = {kind: (name, data) for name, data in files.items() if (kind := _kind(name))}
    return Form(tuple((name, data) for name, data in files.items() if _kind(name) is None), books)


def _answer(desk: Desk, form: Form) -> Answer:
    language, words = page_language(), tuple(form.options.split())
    if not any(word.lower().startswith("language=") for word in words):
        words = (*words, f"language={language}")
    return desk.answer(Command("try", words, 1), language, form.postings, form.books)


def _shown(desk: Desk, form: Form, answer: Answer) -> Response:
    offered = {name: answer.files[name] for name in OFFERED if name in answer.files}
    key = desk.files.keep(session().id, offered) if offered else ""
    result: dict[str, Any] = {
        "reply": reply_html(answer.body, table=str(saying(page_language())("table"))),
        "columns": _columns(answer.files.get("columns.json")),
        "downloads": [(name, f"/playground/files/{key}/{name}", len(data)) for name, data in offered.items()],
        "has_verdict": answer.outcome in _VERDICTS,
        "files": [name for name, _ in (*form.postings, *form.books.values())],
    }
    given = {"form": form, "result": result, "complaint": None, "megabytes": settings().playground_mb}
    return page("playground.html", 503 if answer.outcome is Outcome.FAILED else 200, **given)


_VERDICTS = (Outcome.SWITCH, Outcome.STAY, Outcome.SPLIT, Outcome.EXTEND, Outcome.BLOCKED)


def _columns(data: bytes | None) -> list[dict[str, Any]]:
    rows = json.loads(data) if data else []
    return rows if isinstance(rows, list) else []
