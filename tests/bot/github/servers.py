"""A web server over TLS with scripted answers, and a network in which every public name leads to it."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import trustme

from bot.github.exchange import Network

PUBLIC = "140.82.121.3"
STORAGE = "185.199.108.133"
HOSTS = {"github.com": [PUBLIC], "objects.githubusercontent.com": [STORAGE], "storage.example.com": [STORAGE]}

Route = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """One request; routes answer through it."""

    server: "Web"
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.seen.append(Seen(self.headers.get("Host", ""), self.path, self.headers.get("Authorization")))
        route = self.server.routes.get(self.path.partition("?")[0])
        with suppress(ConnectionError, ssl.SSLError, TimeoutError):
            if route is None:
                self.answer(404, b"not found")
            else:
                route(self)

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        """A whole answer; header names with `_` for `-`."""
        self.head(status, **{"Content_Length": str(len(body)), **headers})
        self.wfile.write(body)

    def head(self, status: int, **headers: str) -> None:
        """The answer's head alone."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


@dataclass(frozen=True)
class Seen:
    """What a request carried."""

    host: str
    path: str
    authorization: str | None


class Web(ThreadingHTTPServer):
    """The server; `seen` are the requests in order."""

    daemon_threads = True
    routes: dict[str, Route]
    seen: list[Seen]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of the tests."""


@dataclass
class World:
    """The server, its certificate authority, and who was connected to."""

    web: Web
    authority: trustme.CA
    names: dict[str, Sequence[str]] = field(default_factory=lambda: dict(HOSTS))
    resolved: list[str] = field(default_factory=list)
    dialled: list[str] = field(default_factory=list)

    def resolve(self, host: str, port: int) -> Sequence[str]:
        """Addresses by the world's own names; others are unknown."""
        self.resolved.append(host)
        if host not in self.names:
            raise socket.gaierror(f"unknown {host}")
        return self.names[host]

    def dial(self, address: str, port: int, seconds: float) -> socket.socket:
        """Whatever the address, the server answers."""
        self.dialled.append(address)
        return socket.create_connection(("127.0.0.1", self.web.server_port), seconds)

    def network(self) -> Network:
        """A network of this world that trusts its authority."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.authority.configure_trust(context)
        return Network(self.resolve, self.dial, context)

    def on(self, path: str) -> Callable[[Route], Route]:
        """Register an answer."""

        def register(route: Route) -> Route:
            self.web.routes[path] = route
            return route

        return register

    def gives(self, path: str, body: bytes, **headers: str) -> None:
        """A plain file at a path."""
        self.web.routes[path] = lambda request: request.answer(200, body, **headers)

    def redirects(self, path: str, location: str, status: int = 302) -> None:
        """A redirect at a path."""
        self.web.routes[path] = lambda request: request.answer(status, Location=location)


@contextmanager
def world(*, secure: bool = True) -> Iterator[World]:
    """A server on loopback until the block ends."""
    authority, context = _tls()
    web = Web(("127.0.0.1", 0), Request)
    web.routes, web.seen = {}, []
    if secure:
        web.socket = context.wrap_socket(web.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield World(web, authority)
    finally:
        web.shutdown()
        web.server_close()
        thread.join()


@cache
def _tls() -> tuple[trustme.CA, ssl.SSLContext]:
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*HOSTS, "127.0.0.1").configure_cert(context)
    return authority, context
