"""Nobody reads a secret in a log, and nobody writes a line of their own into it."""

import io
import json
import logging
import sys
import traceback
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import logs
from bot.settings import ProcessSettings

WEBHOOK = "plain words of a webhook secret"
KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAuVb\nZm9vYmFyYmF6cXV4aGVs\n-----END RSA PRIVATE KEY-----\n"
TOKEN = "ghs_" + "aB3" * 12
JWT = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxMjMifQ.c2lnbmF0dXJlLWJ5dGVz"
PASSWORD = "p4ssw0rd-of-the-database"  # noqa: S105
SETTINGS = ProcessSettings.read(
    {
        "STEELYARD_WEBHOOK_SECRETS": WEBHOOK,
        "STEELYARD_PRIVATE_KEY": KEY,
        "STEELYARD_TOKEN": "no-known-form-of-token",
        "STEELYARD_ATTACHMENT_TOKEN": "another-such-token",
        "STEELYARD_METRICS_TOKEN": "the-token-of-metrics",
        "STEELYARD_DATABASE_URL": f"postgresql://bot:{PASSWORD}@db/jobs",
    }
)
LEAKS = [
    WEBHOOK, KEY, "MIIEowIBAAKCAQEAuVb", "Zm9vYmFyYmF6cXV4aGVs", "no-known-form-of-token", "another-such-token",
    "the-token-of-metrics", PASSWORD, TOKEN, JWT, "ghp_" + "x9" * 18, "gho_" + "x9" * 18, "ghu_" + "x9" * 18,
    "ghr_" + "x9" * 18, "github_pat_" + "11ABC_" * 8, "v1." + "0f" * 20,
]  # fmt: skip


@pytest.fixture(params=["json", "text"])
def written(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """What the process writes, in either format; the root logger is put back afterwards."""
    root = logging.getLogger()
    kept, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure(SETTINGS.model_copy(update={"log_format": request.param}), stream)
    yield stream
    root.handlers[:] = kept
    root.setLevel(level)
    logging.captureWarnings(False)


class Leaky:
    """An object whose text holds a secret."""

    def __str__(self) -> str:
        return f"<Client token={TOKEN}>"


class Broken:
    """An object that cannot be printed."""

    def __str__(self) -> str:
        raise ValueError(WEBHOOK)

    __repr__ = __str__


@pytest.mark.parametrize("secret", LEAKS, ids=range(len(LEAKS)))
def test_no_way_into_a_line_leaks_a_secret(secret: str, written: io.StringIO) -> None:
    log = logs.logger("test")
    log.info("told %s", secret)
    log.info(f"told {secret} in the message")
    log.info("told", extra={"field": secret, "inner": {"deep": [secret]}, secret: "as a name"})
    log.info("bytes %s", secret.encode())
    log.info("repr %r", (secret,))
    with logs.bound(delivery=secret, job=secret):
        log.info("bound")
    try:
        raise RuntimeError(f"could not use {secret}")
    except RuntimeError:
        log.exception("failed")
    logging.getLogger("urllib3").warning("library %s", secret)
    logging.getLogger("waitress").error("library %s", secret)
    text = written.getvalue()
    assert logs.REMOVED in text and text.count("\n") == 9
    for spelled in {secret, secret.strip(), repr(secret)[1:-1], json.dumps(secret)[1:-1]}:
        assert spelled not in text
    assert not [part for part in secret.splitlines() if "BEGIN" not in part and "END" not in part and part in text]


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abcdef0123456789",
        "{'Authorization': 'token abcdef0123456789'}",
        "{'authorization': b'Basic abcdef0123456789'}",
        '{"Authorization": "abcdef0123456789"}',
        "Authorization=abcdef0123456789",
        "sent Bearer abcdef0123456789",
        "https://x:abcdef0123456789@host/path",
        "https://host/setup/callback?code=abcdef0123456789&state=s",
        "https://host/a?x=1&token=abcdef0123456789",
        "https://objects.example/file?X-Amz-Signature=abcdef0123456789",
        "-----BEGIN PRIVATE KEY-----\nabcdef0123456789",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nabcdef0123456789\n-----END OPENSSH PRIVATE KEY-----",
    ],
)
def test_what_looks_like_a_secret_is_removed_whoever_holds_it(text: str) -> None:
    assert "abcdef0123456789" not in logs.Redactor().clean(text)


@pytest.mark.parametrize(
    "text",
    [
        "lab/pilots/c501/2026-11-02T10:05:00Z/a00971334b056054",
        "deadbeef" * 5,
        "the ghost_writer of github_pat",
        "basic",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert logs.Redactor(("abc", "")).clean(text) == text


@pytest.mark.parametrize(
    ("wanted", "message", "argument"),
    [
        ("with <Client token=[removed]>", "with %s", Leaky()),
        ("with %s (ValueError in its arguments)", "with %s", Broken()),
        ("with %d (TypeError in its arguments)", "with %d", "words"),
    ],
)
def test_an_object_that_holds_a_secret_or_cannot_be_printed_does_no_harm(
    wanted: str, message: str, argument: object
) -> None:
    record = logging.makeLogRecord({"msg": message, "args": (argument,), "client": argument})
    line = logs.LineFormatter(logs.Redactor(SETTINGS.secrets)).format(record)
    assert json.loads(line)["event"] == wanted
    assert TOKEN not in line and WEBHOOK not in line


def test_settings_and_their_errors_show_no_secret() -> None:
    shown = repr(SETTINGS) + str(SETTINGS) + SETTINGS.model_dump_json()
    assert not [s for s in LEAKS if s in shown and s != PASSWORD]


FORGED = '\n{"time": "x", "level": "info", "event": "forged"}\r\n'


@pytest.mark.parametrize("text", [FORGED, "a\x1b[2Kb", "a\x00b\x85c\u2028d\u202ee", "\ud800", 'a" level=error b="'])
def test_untrusted_text_forges_no_line(text: str, written: io.StringIO) -> None:
    with logs.bound(delivery=text):
        logs.logger("test").info("got %s", text, extra={"title": text, f"na{text}me": 1})
    line = written.getvalue()
    assert line.endswith("\n") and line.count("\n") == 1
    assert all(" " <= character <= "~" for character in line[:-1])
    assert line.count(" level=error") == line.count('\\" level=error')


@given(st.text(), st.text())
def test_any_text_comes_back_from_a_line_as_it_was(message: str, value: str) -> None:
    record = logging.makeLogRecord({"msg": "%s", "args": (message,), "title": value, "name": "bot", "created": 0.0})
    line = logs.LineFormatter(logs.Redactor()).format(record)
    told = json.loads(line)
    assert line.isascii() and "\n" not in line
    clean = logs.Redactor().clean
    assert (told["event"], told["title"]) == (clean(message), clean(value))
    assert told["time"] == "1970-01-01T00:00:00.000+00:00"


def test_a_line_names_time_level_delivery_and_job() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.LineFormatter(logs.Redactor()))
    record = logging.makeLogRecord({"msg": "stored", "levelname": "INFO", "name": "bot.intake", "created": 1.5})
    with logs.bound(delivery="d-1", repository=None), logs.bound(job="lab/pilots/7"):
        told: dict[str, Any] = json.loads(handler.format(record))
    assert told == {
        "time": "1970-01-01T00:00:01.500+00:00", "level": "info", "logger": "bot.intake", "event": "stored",
        "delivery": "d-1", "job": "lab/pilots/7",
    }  # fmt: skip


def test_a_trace_is_bounded() -> None:
    try:
        raise RuntimeError("x" * 1_000_000)
    except RuntimeError:
        record = logging.makeLogRecord({"msg": "failed", "exc_info": sys.exc_info()})
        assert len(traceback.format_exc()) > 1_000_000
    assert len(logs.LineFormatter(logs.Redactor()).format(record)) < 2 * logs.LONGEST
