"""A proxy on real sockets between the bot and its GitHub that misbehaves as GitHub does: by route, count or chance.

with FaultProxy(emulate.url) as github:
    github.plan(Fault.LOST_ANSWER, "POST", r"/comments$")          # the next such request
    github.plan(Fault.LIMIT, "POST|PATCH", times=3, retry_after=1)
    github.scatter(random.Random(7), 0.2)                          # any of them, one request in five
"""

import json
import random
import re
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "content-length", "host"}


class Fault(StrEnum):
    """What goes wrong. LOST_ANSWER, SILENCE_AFTER, HALF_BODY and RESET_AFTER happen after the request took effect."""

    ERROR = "500"
    UNAVAILABLE = "503"
    LOST_ANSWER = "502 after it was stored"
    LIMIT = "403 secondary limit"
    EXPIRED = "401"
    SILENCE = "no answer, not stored"
    SILENCE_AFTER = "no answer, stored"
    HALF_BODY = "half the body"
    RESET = "reset, not stored"
    RESET_AFTER = "reset, stored"
    GARBAGE = "200 with a page instead of JSON"


AFTER = frozenset({Fault.LOST_ANSWER, Fault.SILENCE_AFTER, Fault.HALF_BODY, Fault.RESET_AFTER})


@dataclass(frozen=True)
class Asked:
    """One request as it arrived; `path` includes the query."""

    method: str
    path: str
    headers: dict[str, str] = field(repr=False)
    body: bytes = field(repr=False)

    @property
    def json(self) -> Any:
        """Its body."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Said:
    """One answer."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json; charset=utf-8"})

    @classmethod
    def of(cls, status: int, value: Any) -> Self:
        """An answer in JSON."""
        return cls(status, json.dumps(value).encode())


Handler = Callable[[Asked], Said | None]
"""Answers a request itself, or leaves it (None) to the server behind the proxy."""


@dataclass
class _Plan:
    fault: Fault
    method: re.Pattern[str]
    path: re.Pattern[str]
    left: int
    after: int
    retry_after: int


class FaultProxy:
    """Forwards to `upstream` (an address without path); `handlers` answer what the server behind lacks."""

    def __init__(self, upstream: str, handlers: Sequence[Handler] = ()) -> None:
        self.upstream, self.handlers = urlsplit(upstream), tuple(handlers)
        self.asked: list[Asked] = []
        self.done: list[tuple[str, Fault]] = []
        self._plans: list[_Plan] = []
        self._chance: tuple[random.Random, float, tuple[Fault, ...]] | None = None
        self._lock = threading.Lock()
        self._moving = threading.Lock()
        self.closing = threading.Event()
        proxy = self

        class _Bound(_Handler):
            owner = proxy

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Bound)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def plan(
        self, fault: Fault, method: str = ".*", path: str = "", *, times: int = 1, after: int = 0, retry_after: int = 1
    ) -> None:
        """The next `times` requests that match both patterns fail so, the first `after` of them excepted."""
        with self._lock:
            self._plans.append(_Plan(fault, re.compile(method), re.compile(path), times, after, retry_after))

    def scatter(self, chance: random.Random, share: float, faults: Sequence[Fault] = tuple(Fault)) -> None:
        """From now on this share of all requests fails, by a seeded chance; a share of 0 ends it."""
        with self._lock:
            self._chance = (chance, share, tuple(faults)) if share else None

    def calm(self) -> None:
        """No more faults; what was asked so far is forgotten."""
        with self._lock:
            self._plans, self._chance = [], None
            self.asked.clear()
            self.done.clear()

    def routes(self) -> list[str]:
        """What was asked, as `POST /repos/…/comments`, without queries."""
        return [f"{one.method} {one.path.split('?')[0]}" for one in self.asked]

    def chosen(self, asked: Asked) -> tuple[Fault | None, int]:
        """The fault for a request, and the seconds that a limit names."""
        with self._lock:
            self.asked.append(asked)
            for plan in self._plans:
                if plan.left and plan.method.fullmatch(asked.method) and plan.path.search(asked.path.split("?")[0]):
                    if plan.after:
                        plan.after -= 1
                        continue
                    plan.left -= 1
                    self.done.append((f"{asked.method} {asked.path}", plan.fault))
                    return plan.fault, plan.retry_after
            if self._chance and self._chance[0].random() < self._chance[1]:
                fault = self._chance[0].choice(self._chance[2])
                self.done.append((f"{asked.method} {asked.path}", fault))
                return fault, 1
        return None, 0

    def answer(self, asked: Asked) -> Said:
        """What the server behind says, or one of the handlers."""
        for handler in self.handlers:
            said = handler(asked)
            if said is not None:
                return said
        # GitHub moves a branch atomically; emulate looks at where it stands and moves it in two steps.
        with self._moving if "/git/refs" in asked.path and asked.method != "GET" else nullcontext():
            return self._passed_on(asked)

    def _passed_on(self, asked: Asked) -> Said:
        connection = HTTPConnection(self.upstream.hostname or "127.0.0.1", self.upstream.port or 80, timeout=60)
        try:
            headers = {k: v for k, v in asked.headers.items() if k.lower() not in _HOP | {"accept-encoding"}}
            connection.request(asked.method, asked.path, asked.body or None, headers)
            response = connection.getresponse()
            kept = {k: v for k, v in response.getheaders() if k.lower() not in _HOP}
            return Said(response.status, response.read(), kept)
        except (OSError, HTTPException) as failure:
            return Said.of(502, {"message": f"nothing behind the proxy: {type(failure).__name__}"})
        finally:
            connection.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: FaultProxy
    timeout = 60
    disable_nagle_algorithm = True
    wbufsize = -1

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = Asked(self.command, self.path, dict(self.headers.items()), body)
        fault, retry_after = self.owner.chosen(asked)
        said = self.owner.answer(asked) if fault is None or fault in AFTER else None
        if fault is None and said is not None:
            self._send(said)
        elif fault is not None:
            self._misbehave(fault, said, retry_after)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_HEAD = _serve

    def _misbehave(self, fault: Fault, said: Said | None, retry_after: int) -> None:
        if fault in (Fault.SILENCE, Fault.SILENCE_AFTER):
            self.owner.closing.wait(60)
            self.close_connection = True
        elif fault in (Fault.RESET, Fault.RESET_AFTER):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
        elif fault is Fault.HALF_BODY and said is not None:
            self._send(said, cut=True)
        else:
            self._send(_canned(fault, retry_after))

    def _send(self, said: Said, cut: bool = False) -> None:
        try:
            self.send_response(said.status)
            for name, value in said.headers.items():
                self.send_header(name, value)
            if said.status != 204:
                self.send_header("Content-Length", str(len(said.body) + (1 if cut and not said.body else 0)))
            self.end_headers()
            self.wfile.write(said.body[: len(said.body) // 2] if cut else said.body)
            self.wfile.flush()
            self.close_connection = self.close_connection or cut
        except OSError:
            self.close_connection = True

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:  # the other side went away, or was sent away
            return

    def finish(self) -> None:
        try:
            super().finish()
        except (OSError, ValueError):
            return

    def log_message(self, format: str, *args: object) -> None:
        return


def _canned(fault: Fault, retry_after: int) -> Said:
    if fault is Fault.EXPIRED:
        return Said.of(401, {"message": "Bad credentials"})
    if fault is Fault.LIMIT:
        said = Said.of(403, {"message": "You have exceeded a secondary rate limit. Please wait a few minutes."})
        return Said(said.status, said.body, {**said.headers, "Retry-After": str(retry_after)})
    if fault is Fault.GARBAGE:
        return Said(200, b"<!DOCTYPE html><title>Unicorn!</title>", {"Content-Type": "text/html"})
    status = {Fault.ERROR: 500, Fault.UNAVAILABLE: 503}.get(fault, 502)
    return Said.of(status, {"message": "Server Error"})
