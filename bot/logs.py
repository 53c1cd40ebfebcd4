"""Logs that a machine can read and nobody can forge: one line each on stderr, with its delivery and job, no secret."""

import json
import logging
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TextIO

from bot.settings import ProcessSettings

OURS = "bot"
"""The root of our own loggers: theirs are named after their modules."""
REMOVED = "[removed]"
LONGEST = 16_384
"""Characters of a line's texts: a trace of a hostile input must not fill the disk."""
SHORTEST_SECRET = 6
"""Shorter configured values would blank ordinary words."""
_PATTERNS = (
    re.compile(r"-----BEGIN [A-Z0-9 ]{1,40}-----.*?(?:-----END [A-Z0-9 ]{1,40}-----|\Z)", re.DOTALL),
    re.compile(r"\b(?:gh[a-z]_[A-Za-z0-9_.-]{8,}|github_pat_[A-Za-z0-9_]{8,}|v1\.[0-9a-f]{40})"),
    re.compile(r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?"),
    re.compile(
        r"""(?i)(?<=authorization)["']?\s*[:=,]\s*(?:[bB]?["'])?(?:(?:bearer|token|basic|digest)\s+)?[^\s"',;}\])]+"""
    ),
    re.compile(r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}"),
    re.compile(r"(?<=://)[^/\s:@]*:[^/\s@]+(?=@)"),
    re.compile(r"(?i)(?<=[?&])(?:token|code|state|access_token|client_secret|X-Amz-[a-z-]+|jwt|sig)=[^&\s\"'<>]+"),
)
_SUSPECT = re.compile(r"(?i)-----BEGIN|gh[a-z]_|github_pat_|v1\.|eyJ|authorization|bearer|basic|://|=")
"""Without any of these no pattern can match: most texts of a line are looked through once, not seven times."""
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_NOTHING: Mapping[str, object] = MappingProxyType({})
_context: ContextVar[Mapping[str, object]] = ContextVar("log_context", default=_NOTHING)


@contextmanager
def bound(**fields: object) -> Iterator[None]:
    """Every line within says these too: delivery, job, repository."""
    token = _context.set({**_context.get(), **{k: v for k, v in fields.items() if v not in (None, "")}})
    try:
        yield
    finally:
        _context.reset(token)


class Redactor:
    """Takes secrets out of texts: those configured, and whatever looks like one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets: tuple[str, ...] = ()
        self.learn(secrets)

    def learn(self, secrets: Iterable[str]) -> None:
        """More secrets to take out, as when the setup page stores some. Each line of a key counts by itself."""
        found = {*self._secrets}
        for secret in secrets:
            for part in (secret, *secret.splitlines()):
                spellings = (part, json.dumps(part)[1:-1], repr(part)[1:-1])
                found |= {s for s in spellings if len(s.strip()) >= SHORTEST_SECRET}
        self._secrets = tuple(sorted(found, key=len, reverse=True))

    def clean(self, text: str) -> str:
        """The text without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, REMOVED)
        for pattern in _PATTERNS if _SUSPECT.search(text) else ():
            text = pattern.sub(REMOVED, text)
        return text


class LineFormatter(logging.Formatter):
    """A record as one line of JSON, or of `key=value` text; control characters are escaped in both."""

    def __init__(self, redactor: Redactor, style: str = "json") -> None:
        super().__init__()
        self._redactor = redactor
        self._line_style = style

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever was logged: a broken argument is said, not raised."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": self._message(record),
            **_context.get(),
            **{k: v for k, v in vars(record).items() if k not in _STANDARD},
        }
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        if record.stack_info:
            fields["stack"] = record.stack_info
        shown = {self._shown(k): self._value(v) for k, v in fields.items()}
        if self._line_style == "json":
            return json.dumps(shown, ensure_ascii=True)
        return " ".join(f"{_quoted(k)}={_quoted(v)}" for k, v in shown.items())

    def _message(self, record: logging.LogRecord) -> str:
        try:
            return record.getMessage()
        except Exception as failure:
            return f"{record.msg} ({type(failure).__name__} in its arguments)"

    def _value(self, value: object) -> Any:
        if value is None or isinstance(value, (bool, int, float)):
            return value
        return self._shown(value)

    def _shown(self, value: object) -> str:
        try:
            text = value if isinstance(value, str) else str(value)
        except Exception as failure:
            text = f"<{type(value).__name__}: {type(failure).__name__}>"
        text = self._redactor.clean(text)
        return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _quoted(value: object) -> str:
    """Plain words as they are; anything else in JSON's quotes."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text if re.fullmatch(r"[A-Za-z0-9_./:+-]+", text, re.ASCII) else json.dumps(text, ensure_ascii=True)


REDACTOR = Redactor()


def configure(settings: ProcessSettings, stream: TextIO | None = None) -> None:
    """All loggers of the process, libraries' too, write such lines to `stream` (stderr)."""
    REDACTOR.learn(settings.secrets)
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(LineFormatter(REDACTOR, settings.log_format))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(logging.INFO)
    # waitress warns at every request that waits for a thread; that is no news under load, and would add to it.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    logging.captureWarnings(True)


def logger(part: str) -> logging.Logger:
    """The logger of a part of this program, for `part` a module's name or a word."""
    return logging.getLogger(part if part.split(".")[0] == OURS else f"{OURS}.{part}")
