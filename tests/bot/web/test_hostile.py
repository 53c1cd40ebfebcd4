"""Attacks on the receiving process, over real sockets against the real server; after each it still works."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from bot.jobs import Inbox
from bot.settings import ProcessSettings
from tests.bot.intake.payloads import comment_event
from tests.bot.web.receiving import OLD_SECRET, SECRET, exchange, hook, serving, signature, status, told

MIB = 2**20
GOOD = json.dumps(comment_event()).encode()


@pytest.fixture(scope="module")
def inbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inbox]:
    """The real one, on a SQLite file."""
    box = Inbox(ProcessSettings(state_dir=tmp_path_factory.mktemp("state")))
    yield box
    box.close()


@pytest.fixture(scope="module")
def port(inbox: Inbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    state: Path = tmp_path_factory.mktemp("app")
    settings = ProcessSettings.read({}, state_dir=state, webhook_secrets=(SECRET, OLD_SECRET))
    with serving(settings, inbox) as number:
        yield number


@pytest.fixture(autouse=True)
def _it_still_works(port: int) -> Iterator[None]:
    yield
    assert status(exchange(port, hook(GOOD))) == 202


def queued(inbox: Inbox) -> int:
    return inbox.depths()["queued"]


def test_one_delivery_and_its_replays_are_one_job(port: int, inbox: Inbox) -> None:
    fresh = json.dumps(comment_event("/compare replay=1")).encode()
    before = queued(inbox)
    assert told(exchange(port, hook(fresh)))["result"] == "accepted"
    assert [told(exchange(port, hook(fresh)))["result"] for _ in range(3)] == ["known"] * 3
    assert told(exchange(port, hook(fresh, delivery="d-2")))["result"] == "known"
    assert queued(inbox) == before + 1


@pytest.mark.parametrize(
    ("wanted", "sent"),
    [
        (202, hook(GOOD, X_Hub_Signature_256=signature(GOOD, OLD_SECRET))),
        (401, hook(GOOD, X_Hub_Signature_256=None)),
        (401, hook(GOOD, X_Hub_Signature_256=signature(GOOD, "guessed"))),
        (401, hook(GOOD, X_Hub_Signature_256=signature(GOOD + b" "))),
        (401, hook(GOOD, X_Hub_Signature_256="sha256=zz")),
        (401, hook(GOOD, X_Hub_Signature_256="\xff\xfe")),
        (401, hook(GOOD, X_Hub_Signature_256=None, X_Hub_Signature="sha1=" + "0" * 40)),
        (401, hook(b"", X_Hub_Signature_256=None)),
        (401, hook(b"[" * 100_000, X_Hub_Signature_256="sha256=" + "0" * 64)),
        (400, hook(b"[" * 100_000)),
        (400, hook(b'{"a":' * 100_000)),
        (400, hook(b'{"action": "\xff\xfe"}')),
        (400, hook(b'{"a": ' + b"9" * 5_000 + b"}")),
        (400, hook(b"")),
        (400, hook(b"[]")),
        (400, hook(b'"text"')),
        (400, hook(b"{")),
        (202, hook(b'{"a": NaN, "b": 1e999}')),
        (202, hook(b"{}", event="x" * 1_000)),
        (202, hook(b"{}", event="")),
        (202, hook(GOOD, delivery="\xe9 " + "y" * 500)),
    ],
)
def test_what_is_not_githubs_is_refused_before_it_is_read(wanted: int, sent: bytes, port: int) -> None:
    assert status(exchange(port, sent)) == wanted


def test_of_a_doubled_key_the_last_counts_as_everywhere_in_python(port: int) -> None:
    doubled = GOOD.replace(b'"action": "created"', b'"action": "created", "action": "deleted"')
    assert doubled != GOOD
    assert told(exchange(port, hook(doubled))) == {"result": "ignored", "reason": "action"}


@pytest.mark.parametrize(
    ("wanted", "fields"),
    [
        (202, [("payload", GOOD.decode())]),
        (400, [("payload", "{")]),
        (400, [("other", GOOD.decode())]),
        (400, [(str(n), "x") for n in range(50)]),
    ],
)
def test_the_other_content_type(wanted: int, fields: list[tuple[str, str]], port: int) -> None:
    sent = hook(urlencode(fields).encode(), Content_Type="application/x-www-form-urlencoded")
    assert status(exchange(port, sent)) == wanted


@pytest.mark.parametrize("size", [25 * MIB + 1, 26 * MIB + 1, 60 * MIB])
def test_a_body_beyond_githubs_bound_is_refused(size: int, port: int) -> None:
    assert status(exchange(port, hook(b" " * size, X_Hub_Signature_256=None))) == 413


def test_a_large_body_within_the_bound_is_taken(port: int) -> None:
    padded = GOOD[:-1] + b', "pad": "' + b"x" * (24 * MIB) + b'"}'
    assert status(exchange(port, hook(padded))) == 202


def test_a_chunked_body_is_bounded_as_well(port: int) -> None:
    head = hook(b"", Content_Length=None, Transfer_Encoding="chunked", X_Hub_Signature_256=None)
    chunk = f"{MIB:x}\r\n".encode() + b" " * MIB + b"\r\n"
    assert status(exchange(port, head + chunk * 27 + b"0\r\n\r\n")) in (400, 413)
    good = hook(b"", Content_Length=None, Transfer_Encoding="chunked", X_Hub_Signature_256=signature(GOOD))
    assert status(exchange(port, good + f"{len(GOOD):x}\r\n".encode() + GOOD + b"\r\n0\r\n\r\n")) == 202


@pytest.mark.parametrize(
    ("wanted", "headers"),
    [
        (400, {"Content_Length": "-1"}),
        (400, {"Content_Length": "1e3"}),
        (400, {"Content_Length": "+5"}),
        (401, {"Content_Length": str(len(GOOD) - 1)}),
        (401, {"Content_Length": "0"}),
        (501, {"Transfer_Encoding": "gzip"}),
    ],
)
def test_a_length_that_lies_gets_nothing_in(wanted: int, headers: dict[str, str | None], port: int) -> None:
    assert status(exchange(port, hook(GOOD, **headers))) == wanted


def test_a_second_request_smuggled_behind_a_short_length_is_not_run(port: int, inbox: Inbox) -> None:
    inner = hook(json.dumps(comment_event("/compare smuggled=1")).encode(), X_Hub_Signature_256=None)
    before = queued(inbox)
    outer = hook(GOOD + inner, Content_Length=str(len(GOOD)), X_Hub_Signature_256=signature(GOOD), Connection=None)
    answers = exchange(port, outer).split(b"HTTP/1.1 ")[1:]
    assert [answer[:3] for answer in answers] == [b"202", b"401"]
    both = hook(b"zz\r\n" + GOOD, Transfer_Encoding="chunked")
    assert status(exchange(port, both)) == 400
    assert queued(inbox) <= before + 1


@pytest.mark.parametrize(
    "garbage",
    [b"\x00" * 5_000 + b"\r\n\r\n", b"GET\r\n\r\n", b"GET /x HTTP/9.9\r\n\r\n" * 50, b"\x16\x03\x01\x02\x00\r\n\r\n",
     b"POST /webhook HTTP/1.1\r\nA" + b"b" * 100_000 + b": c\r\n\r\n", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
     b"GET / HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n"],
    ids=["nul", "short", "version", "tls", "header", "path", "nul-header"],
)  # fmt: skip
def test_garbage_gets_a_refusal_or_nothing(garbage: bytes, port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as peer:
        with suppress(OSError):
            peer.sendall(garbage)
            peer.shutdown(socket.SHUT_WR)
        try:
            answer = peer.recv(65_536)
        except ConnectionResetError:
            answer = b""
    assert status(answer) in (0, 400, 404, 431, 505)


def test_stalled_clients_keep_nobody_out(port: int) -> None:
    """More than there are threads, and more than waitress takes by default: half a head, or half a body."""
    with ExitStack() as stack:
        for number in range(150):
            peer = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            peer.sendall(hook(GOOD)[:60] if number % 2 else hook(GOOD)[:-20])
        assert status(exchange(port, hook(GOOD), patience_s=10)) == 202


@pytest.mark.parametrize(
    "path",
    ["/static/../pages/setup.html", "/static/..%2fpages%2fsetup.html", "/static/%2e%2e/%2e%2e/pyproject.toml",
     "/static//etc/passwd", "/static/%00", "/static/..\\pages", "/static/", "/app.json", "/state/app.json"],
)  # fmt: skip
def test_no_path_leads_out_of_the_static_folder(path: str, port: int) -> None:
    answer = exchange(port, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert status(answer) in (400, 404)
    assert b"<html" not in answer and b"[project]" not in answer and b"root:" not in answer


@pytest.mark.parametrize(
    ("wanted", "method", "path"),
    [(405, m, "/webhook") for m in ("GET", "HEAD", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "BREW")]
    + [(405, m, "/healthz") for m in ("POST", "TRACE", "DELETE")]
    + [(405, m, "/setup") for m in ("POST", "PUT")]
    + [(200, "GET", "/healthz"), (200, "GET", "/readyz"), (200, "GET", "/static/steelyard.css")],
)
def test_methods(wanted: int, method: str, path: str, port: int) -> None:
    answer = exchange(port, f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert status(answer) == wanted


@pytest.mark.parametrize(
    "host", ["x" * 5_000, "evil.example", "a b", "", "[", "@evil.example", "\xe9.example", "a/../b"]
)
def test_no_answer_depends_on_the_host_header(host: str, port: int) -> None:
    sent = f"GET /r/lab/pilots/ HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n"
    answer = exchange(port, sent.encode("latin-1"))
    assert status(answer) == 301 and b"Location: /r/lab/pilots\r\n" in answer and b"evil" not in answer


def test_answers_say_nothing_of_the_server_and_bind_the_browser(port: int) -> None:
    answer = exchange(port, b"GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").decode().lower()
    assert "server:" not in answer and "waitress" not in answer and "werkzeug" not in answer
    for header in ("content-security-policy: default-src 'none'", "x-content-type-options: nosniff",
                   "x-frame-options: deny", "referrer-policy: no-referrer", "cache-control: no-store"):  # fmt: skip
        assert header in answer


def test_an_unexpected_payload_is_told_without_echo(port: int) -> None:
    payload: dict[str, Any] = comment_event("<script>alert(1)</script> /compare")
    answer = exchange(port, hook(payload, event="<script>", delivery="<script>"))
    assert status(answer) == 202 and b"<script" not in answer
