"""Small real HTTP servers and a client that passes requests on as they are."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

import urllib3

_HOP = {"connection", "content-length", "date", "host", "keep-alive", "server", "transfer-encoding", "accept-encoding"}
_POOL = urllib3.PoolManager(maxsize=16, retries=False, timeout=30)


@dataclass(frozen=True)
class Request:
    """A request as it came in; `path` as on the wire, without the query."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def parameters(self) -> dict[str, str]:
        """The query's parameters."""
        return dict(parse_qsl(self.query))

    @property
    def authorization(self) -> str:
        """The credential, empty for none."""
        return self.headers.get("authorization", "")

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body or b"null")


@dataclass(frozen=True)
class Response:
    """An answer."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, status: int, value: Any, **headers: str) -> "Response":
        """JSON."""
        return cls(status, json.dumps(value).encode(), {"content-type": "application/json; charset=utf-8", **headers})

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body or b"null")


def ask(base: str, request: Request) -> Response:
    """The same request somewhere else; 502 where nothing answers."""
    headers = {k: v for k, v in request.headers.items() if k not in _HOP}
    url = f"{base}{request.path}" + (f"?{request.query}" if request.query else "")
    try:
        got = _POOL.request(request.method, url, body=request.body or None, headers=headers, redirect=False)
    except urllib3.exceptions.HTTPError as failure:
        return Response.of(502, {"message": type(failure).__name__})
    kept = {k.lower(): v for k, v in got.headers.items() if k.lower() not in {*_HOP, "content-encoding"}}
    return Response(got.status, got.data, kept)


@contextmanager
def served(answer: Callable[[Request], Response], port: int = 0) -> Iterator[str]:
    """A server on loopback that answers by that function; its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {k.lower(): v for k, v in self.headers.items()}
            response = answer(Request(self.command, path, query, headers, body))
            self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(response.body)))
            self.end_headers()
            self.wfile.write(response.body)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _answer

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
