"""The server: HTTP/1.1 on loopback, one lock over the world, faults between the request and its answer."""

import hashlib
import json
import socket
import threading
import time
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from bot.bench.github import control
from bot.bench.github.apps import APP, sender
from bot.bench.github.call import Call, Given, Request
from bot.bench.github.faults import BEFORE, Fault, Faults
from bot.bench.github.refusal import Refusal
from bot.bench.github.routes import routed
from bot.bench.github.world import World

SILENT_SECONDS = 45.0
"""Longer than the client waits."""
LIMIT_SECONDS = 1
BLOCK = 1 << 18
JSON = "application/json; charset=utf-8"


@dataclass
class Service:
    """The world with its lock, its faults and the secret of whoever runs the bench."""

    world: World
    secret: str
    faults: Faults | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Request) -> tuple[Given, Fault | None]:
        """What a request gives, and how the answer is to be broken."""
        with self.lock:
            try:
                if request.path.startswith("/bench/"):
                    return control.answer(self.world, self.secret, request), None
                return self._served(request)
            except Refusal as refusal:
                return _refused(refusal), None

    def _served(self, request: Request) -> tuple[Given, Fault | None]:
        name, handler, parts = routed(request.verb, request.path.removeprefix("/api/v3"), self.world.setting)
        self.world.requests[name] += 1
        who = sender(self.world, request.headers.get("authorization", ""))
        fault = self.faults.next() if self.faults else None
        if fault is not None:
            self.world.requests[f"fault: {fault}"] += 1
        if fault in BEFORE:
            return self._failed(fault, who.kind, request), None
        accept = request.headers.get("accept", "")
        given = handler(Call(self.world, who, parts, request.query, request.body, accept, request.root))
        return self._tagged(given, request) if "/git/ref/" in request.path else given, fault

    def _tagged(self, given: Given, request: Request) -> Given:
        """A branch with its ETag; 304 for whoever has that already."""
        etag = f'"{hashlib.sha256(json.dumps(given.json).encode()).hexdigest()}"'
        if request.headers.get("if-none-match") != etag:
            return replace(given, headers={**given.headers, "ETag": etag})
        self.world.requests["not changed"] += 1
        return Given(304, headers={"ETag": etag})

    def _failed(self, fault: Fault, kind: str, request: Request) -> Given:
        if fault is Fault.LIMIT:
            said = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
            raise Refusal(403, said, {"Retry-After": str(LIMIT_SECONDS)})
        if fault is Fault.EXPIRED and kind != APP:
            self.world.tokens.pop(request.headers.get("authorization", "").partition(" ")[2], None)
            raise Refusal(401, "Bad credentials")
        raise Refusal(500, "Server Error")


class Handler(BaseHTTPRequestHandler):
    """One connection, kept alive; every answer leaves in one piece unless a fault breaks it."""

    protocol_version = "HTTP/1.1"
    service: Service

    def setup(self) -> None:
        """Small answers leave at once."""
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, *_: object) -> None:
        """Nothing: it counts instead."""

    def _any(self) -> None:
        try:
            given, fault = self.service.answer(self._request())
        except Refusal as refusal:
            given, fault = _refused(refusal), None
        if fault is Fault.SILENT:
            time.sleep(SILENT_SECONDS)
        if fault in (Fault.SILENT, Fault.CUT):
            self.close_connection = True
            return
        if fault is Fault.STORED_502:
            given = Given(502, {"message": "Server Error"})
        self._send(given, half=fault is Fault.HALF)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _any

    def _request(self) -> Request:
        parts = urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            raise Refusal(400, "Problems parsing JSON") from None
        headers = {name.lower(): value for name, value in self.headers.items()}
        root = f"http://{headers.get('host', '127.0.0.1')}"
        return Request(self.command, parts.path, dict(parse_qsl(parts.query)), headers, body, root)

    def _send(self, given: Given, half: bool) -> None:
        said = given.raw if given.raw is not None else json.dumps(given.json).encode()
        body = b"" if given.status in (204, 304) else said
        size = given.file.stat().st_size if given.file else len(body)
        headers = {"Content-Type": JSON, "Content-Length": str(size), **given.headers}
        lines = [
            f"HTTP/1.1 {given.status} {HTTPStatus(given.status).phrase}",
            *(f"{n}: {v}" for n, v in headers.items()),
        ]
        head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
        if half:
            self.close_connection = True
        try:
            self.wfile.write(head + (body[: len(body) // 2] if half else body))
            if given.file:
                self._stream(given)
        except ConnectionError:
            self.close_connection = True

    def _stream(self, given: Given) -> None:
        assert given.file is not None  # noqa: S101 - the caller looked
        with given.file.open("rb") as file:
            while block := file.read(BLOCK):
                self.wfile.write(block)


class Server(ThreadingHTTPServer):
    """Many connections, none of which keeps the process alive."""

    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_: object) -> None:
        """A caller that was killed is part of the bench."""


def server(service: Service, port: int = 0) -> Server:
    """A bound server; `.server_port` says where."""
    return Server(("127.0.0.1", port), type("Bound", (Handler,), {"service": service}))


def _refused(refusal: Refusal) -> Given:
    answer = {"message": refusal.message, "documentation_url": "https://docs.github.com/rest"}
    return Given(refusal.status, answer, headers=refusal.headers)
