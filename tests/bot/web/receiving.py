"""A receiving process for tests: the real app on the real server, spoken to over real sockets."""

import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from bot.intake.inbox import Inbox
from bot.job import Job
from bot.settings import ProcessSettings
from bot.web.app import create_app
from bot.web.server import server

SECRET = "a-webhook-secret-of-the-tests"  # noqa: S105
OLD_SECRET = "the-secret-that-is-being-replaced"  # noqa: S105


@contextmanager
def serving(settings: ProcessSettings, inbox: Inbox) -> Iterator[int]:
    """The port of an app that is served with the parameters of production."""
    running = server(create_app(settings, inbox), "127.0.0.1", 0)
    thread = threading.Thread(target=running.run, name="waitress")
    thread.start()
    try:
        yield int(running.effective_port)
    finally:
        running.trigger.pull_trigger(running.close)
        thread.join(10)
        running.task_dispatcher.shutdown()
        assert not thread.is_alive()


@dataclass
class Fake:
    """An inbox in memory whose answers a test bends: for databases that hang, fail, or answer late."""

    accepted: list[Job] = field(default_factory=list)
    failure: Exception | None = None
    hang: threading.Event | None = None

    def accept(self, job: Job, seconds: float = 60) -> bool:
        self._bend(seconds)
        self.accepted.append(job)
        return True

    def ready(self) -> bool:
        self._bend()
        return True

    def depths(self) -> Mapping[str, int]:
        self._bend()
        return {"queued": len(self.accepted)}

    def _bend(self, seconds: float = 60) -> None:
        if self.hang and not self.hang.wait(seconds):
            raise TimeoutError
        if self.failure:
            raise self.failure


def signature(body: bytes, secret: str = SECRET) -> str:
    """The header's value."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def hook(
    body: bytes | Mapping[str, Any], event: str = "issue_comment", delivery: str = "d-1", **headers: str | None
) -> bytes:
    """The bytes of a delivery, signed; a header given as None is left out, underscores stand for dashes."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent: dict[str, str | None] = {
        "Host": "localhost",
        "Content-Type": "application/json",
        "Content-Length": str(len(raw)),
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": delivery,
        "X-Hub-Signature-256": signature(raw),
        "Connection": "close",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = [f"{name}: {value}" for name, value in sent.items() if value is not None]
    return "\r\n".join(["POST /webhook HTTP/1.1", *lines, "", ""]).encode("latin-1") + raw


def exchange(port: int, sent: bytes, patience_s: float = 30) -> bytes:
    """Everything that the server answers until it closes; sending stops where it does not read on."""
    with socket.create_connection(("127.0.0.1", port), timeout=patience_s) as peer:
        try:
            peer.sendall(sent)
        except (BrokenPipeError, ConnectionResetError):
            pass
        parts = []
        try:
            while part := peer.recv(65_536):
                parts.append(part)
        except ConnectionResetError:
            pass
        return b"".join(parts)


def status(answer: bytes) -> int:
    """The status of the first answer; 0 for none."""
    words = answer.split(b" ", 2)
    return int(words[1]) if answer.startswith(b"HTTP/1.") else 0


def told(answer: bytes) -> Any:
    """The JSON of the first answer."""
    return json.loads(answer.partition(b"\r\n\r\n")[2])
