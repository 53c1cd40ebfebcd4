"""A load generator in a process of its own: kept connections, each with one signed delivery under way at any time.

One thread and a selector, so that no lock of the interpreter stands between an answer and its time.
"""

import hashlib
import hmac
import itertools
import json
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

ID = b"@@@@@@@@@@"
"""Where each body gets its own number, of ten digits."""
ISSUE = b"%%%%"
"""Where it gets the number of one of many issues, of four digits."""
ISSUES = 200
FIRST = 5_000_000_000
BLOCK = 1 << 16
ACCEPTED = 202
LATEST_S = 15.0
"""GitHub waits ten seconds; what takes longer is an error."""


@dataclass
class Load:
    """What was answered: when (seconds since 1970) and after how many seconds; and how many went wrong."""

    answers: list[tuple[float, float]] = field(default_factory=list)
    errors: int = 0

    def within(self, begin: float, end: float) -> "Load":
        """The part that was answered in a span; errors count wholly."""
        return Load([(at, took) for at, took in self.answers if begin <= at <= end], self.errors)

    def quantile_ms(self, share: float) -> float:
        """A quantile of the times in milliseconds; 0 for none."""
        times = sorted(took for _, took in self.answers)
        return times[min(len(times) - 1, int(len(times) * share))] * 1000 if times else 0.0


class _Connection:
    """One kept connection and the delivery that is under way on it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.socket = self._connected()
        self.began = 0.0
        self._sending = memoryview(b"")
        self._received = b""

    def _connected(self) -> socket.socket:
        connected = socket.create_connection(("127.0.0.1", self._port), timeout=LATEST_S)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected.setblocking(False)
        return connected

    def begin(self, request: bytes) -> None:
        """Post this next; the time begins now."""
        self._sending, self._received, self.began = memoryview(request), b"", time.perf_counter()

    def is_sending(self) -> bool:
        """Whether there is more to send."""
        return bool(self._sending)

    def send(self) -> None:
        """As much as goes at once. Raises OSError."""
        self._sending = self._sending[self.socket.send(self._sending) :]

    def status(self) -> int | None:
        """The status once the whole answer is there. Raises OSError for a connection that ended."""
        block = self.socket.recv(BLOCK)
        if not block:
            raise ConnectionResetError
        self._received += block
        head, found, rest = self._received.partition(b"\r\n\r\n")
        if not found:
            return None
        length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        return int(head[9:12]) if len(rest) >= length else None


class _Generator:
    """Connections that are never idle."""

    def __init__(self, port: int, secret: str, body: bytes) -> None:
        self._port, self._secret, self._body = port, secret, body
        self._numbers = itertools.count(FIRST)
        self._selector = selectors.DefaultSelector()
        self.load = Load()

    def run(self, connections: int, end: threading.Event) -> None:
        """Post as fast as it is answered until the event."""
        for _ in range(connections):
            self._begin(_Connection(self._port))
        while not end.is_set():
            for key, _ in self._selector.select(0.1):
                self._move(key.data)
            self._replace_late()

    def _begin(self, connection: _Connection) -> None:
        connection.begin(self._request(next(self._numbers)))
        self._selector.register(connection.socket, selectors.EVENT_WRITE, connection)

    def _move(self, connection: _Connection) -> None:
        try:
            if connection.is_sending():
                connection.send()
                if not connection.is_sending():
                    self._selector.modify(connection.socket, selectors.EVENT_READ, connection)
                return
            status = connection.status()
        except BlockingIOError:
            return
        except OSError:
            self._replace(connection)
            return
        if status is not None:
            self.load.answers.append((time.time(), time.perf_counter() - connection.began))
            self.load.errors += status != ACCEPTED
            self._selector.unregister(connection.socket)
            self._begin(connection)

    def _replace_late(self) -> None:
        now = time.perf_counter()
        for key in list(self._selector.get_map().values()):
            if now - key.data.began > LATEST_S:
                self._replace(key.data)

    def _replace(self, connection: _Connection) -> None:
        self.load.errors += 1
        self._selector.unregister(connection.socket)
        connection.socket.close()
        self._begin(_Connection(self._port))

    def _request(self, number: int) -> bytes:
        """A delivery of its own, signed."""
        body = self._body.replace(ID, b"%d" % number).replace(ISSUE, b"%d" % (1000 + number % ISSUES))
        signature = hmac.new(self._secret.encode(), body, hashlib.sha256).hexdigest()
        lines = (
            "POST /webhook HTTP/1.1",
            f"Host: 127.0.0.1:{self._port}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            "X-GitHub-Event: issue_comment",
            f"X-GitHub-Delivery: bench-{number}",
            f"X-Hub-Signature-256: sha256={signature}",
        )
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@dataclass(frozen=True)
class Running:
    """A generator that posts in a process of its own."""

    process: "subprocess.Popen[str]"

    def finish(self) -> Load:
        """Let it stop, and take what it measured. Raises ValueError where it failed."""
        output, _ = self.process.communicate("")
        values = json.loads(output)
        return Load([(at, took) for at, took in values["answers"]], values["errors"])


@contextmanager
def generator(port: int, secret: str, body: bytes, connections: int) -> Iterator[Running]:
    """Begin to post; `body` holds `ID` and `ISSUE` wherever its own numbers go."""
    order = {"port": port, "secret": secret, "body": body.decode(), "connections": connections}
    process = subprocess.Popen(
        [sys.executable, "-m", "bot.bench.load"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        process.stdin.write(json.dumps(order) + "\n")
        process.stdin.flush()
        yield Running(process)
    finally:
        process.kill()
        process.wait()


def main() -> None:
    """Post what standard input orders until that input ends, and print what was measured."""
    order = json.loads(sys.stdin.readline())
    posting = _Generator(order["port"], order["secret"], order["body"].encode())
    end = threading.Event()
    threading.Thread(target=_wait_for_end, args=[end], daemon=True).start()
    posting.run(order["connections"], end)
    print(json.dumps(vars(posting.load)))


def _wait_for_end(end: threading.Event) -> None:
    sys.stdin.read()
    end.set()


if __name__ == "__main__":
    main()
