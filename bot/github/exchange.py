"""One request of a download: its name is resolved, checked and connected to in one step, within a time."""

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import requests
import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection

from bot.github.addresses import PUBLIC_PAGES, Target, Unsafe, is_inside, is_public

SOCKET_SECONDS = 20.0
BLOCK = 1 << 16
MAX_ADDRESSES = 4
REDIRECTS = (301, 302, 303, 307, 308)
AGAIN = (500, 502, 503, 504)
TOO_SLOW = "it takes too long"
_LOGIN = ("/login", "/session", "/sso")
_PAGE = (b"<!doctype html", b"<html")

Resolve = Callable[[str, int], Sequence[str]]
"""Addresses of a host. May raise OSError."""
Dial = Callable[[str, int, float], socket.socket]
"""A connection to an address and port within seconds. May raise OSError."""


class NotRead(Exception):
    """A file that was not had. The message is a short reason that may be shown.

    `for_good`: no other credential would help; `again`: the same request may succeed at once.
    """

    def __init__(self, reason: str, *, for_good: bool = False, again: bool = False) -> None:
        super().__init__(reason)
        self.for_good, self.again = for_good, again


class TooLarge(Exception):
    """The file is larger than the limit, by what was declared or counted."""


@dataclass(frozen=True)
class Redirect:
    """Where the server sends the asker."""

    location: str


def resolve(host: str, port: int) -> Sequence[str]:
    """Addresses by the system's resolver."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def dial(address: str, port: int, seconds: float) -> socket.socket:
    """A TCP connection to an address; no name is resolved any more."""
    return socket.create_connection((address, port), seconds)


@dataclass(frozen=True)
class Network:
    """How names are resolved and connections are made; tests bring their own."""

    resolve: Resolve = resolve
    dial: Dial = dial
    context: ssl.SSLContext | None = None

    def tls(self) -> ssl.SSLContext:
        """What a server's certificate is checked by."""
        return self.context or _trusted()

    def connect(self, target: Target) -> socket.socket:
        """A connection to an address that was checked. Raises Unsafe when any address of the host is not to be asked,
        OSError when none answers.
        """
        last = OSError("no address")
        for address in checked(self.resolve(target.host, target.port), target)[:MAX_ADDRESSES]:
            try:
                return self.dial(address, target.port, SOCKET_SECONDS)
            except OSError as failure:
                last = failure
        raise last


@cache
def _trusted() -> ssl.SSLContext:
    """The system's certificates and those that the rest of the bot trusts; loading them takes a tenth of a second."""
    context = ssl.create_default_context()
    trusted = requests.Session().merge_environment_settings(PUBLIC_PAGES, {}, None, None, None)["verify"]
    context.load_verify_locations(trusted if isinstance(trusted, str) else requests.utils.DEFAULT_CA_BUNDLE_PATH)
    return context


def checked(addresses: Sequence[str], target: Target) -> Sequence[str]:
    """The addresses, all of which may be asked. Raises Unsafe otherwise."""
    for address in addresses:
        if not (target.any_address or is_public(address) or (target.may_be_private and is_inside(address))):
            raise Unsafe("leads into a private network")
    return addresses


class _Plain(HTTPConnection):
    connected: Callable[[], socket.socket]

    def _new_conn(self) -> socket.socket:
        return self.connected()


class _Secure(HTTPSConnection):
    connected: Callable[[], socket.socket]

    def _new_conn(self) -> socket.socket:
        return self.connected()


class Exchange:
    """One GET. Entered, it has a watchdog that cuts the connection at `ends` (of the monotonic clock), however slowly
    headers or bytes drip.
    """

    def __init__(self, network: Network, target: Target, ends: float) -> None:
        self._network, self._target = network, target
        self._handle: socket.socket | None = None
        self._expired = threading.Event()
        self._watchdog = threading.Timer(max(ends - time.monotonic(), 0.0), self._expire)
        self._watchdog.daemon = True
        secure = target.scheme == "https"
        self._connection: _Secure | _Plain = (
            _Secure(target.host, target.port, timeout=SOCKET_SECONDS, ssl_context=network.tls())
            if secure
            else _Plain(target.host, target.port, timeout=SOCKET_SECONDS)
        )
        self._connection.connected = self._connect

    def __enter__(self) -> Self:
        self._watchdog.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._watchdog.cancel()
        self._connection.close()
        if self._handle is not None:
            self._handle.close()

    def run(self, secret: str | None, into: Path, limit: int) -> int | Redirect:
        """Bytes written, or a redirect. Raises NotRead, TooLarge, or Unsafe; OSError for the disk alone."""
        response = self._asked(secret)
        if response.status in REDIRECTS:
            return self._redirect(response)
        self._check(response, limit)
        total = 0
        with into.open("wb") as out:
            while block := self._block(response):
                if total == 0 and block.lstrip()[:16].lower().startswith(_PAGE):
                    raise NotRead("a page came instead of the file")
                total += len(block)
                if total > limit:
                    raise TooLarge
                out.write(block)
        return total

    def _connect(self) -> socket.socket:
        opened = self._network.connect(self._target)
        opened.settimeout(SOCKET_SECONDS)
        # TLS takes the descriptor over; the watchdog needs one of its own to cut the connection at any moment.
        self._handle = opened.dup()
        if self._expired.is_set():
            raise TimeoutError
        return opened

    def _expire(self) -> None:
        self._expired.set()
        if self._handle is not None:
            with suppress(OSError):
                self._handle.shutdown(socket.SHUT_RDWR)

    def _asked(self, secret: str | None) -> urllib3.BaseHTTPResponse:
        headers = {"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": "steelyard", "Connection": "close"}
        if secret is not None:
            headers["Authorization"] = f"token {secret}"
        try:
            self._connection.request("GET", self._target.path, headers=headers, preload_content=False)
            response = self._connection.getresponse()
        except (OSError, urllib3.exceptions.HTTPError, http.client.HTTPException, ValueError) as failure:
            raise self._lost(failure) from None
        return response

    def _block(self, response: urllib3.BaseHTTPResponse) -> bytes:
        try:
            block = response.read1(BLOCK, decode_content=False)
        except (OSError, urllib3.exceptions.HTTPError, http.client.HTTPException, ValueError) as failure:
            raise self._lost(failure) from None
        if self._expired.is_set():
            raise NotRead(TOO_SLOW, for_good=True)
        return block

    def _lost(self, failure: Exception) -> NotRead:
        if self._expired.is_set():
            return NotRead(TOO_SLOW, for_good=True)
        return NotRead(f"the connection fails: {type(failure).__name__}", again=True)

    def _redirect(self, response: urllib3.BaseHTTPResponse) -> Redirect:
        location = response.headers.get("Location", "")
        if not location:
            raise NotRead(f"the answer is {response.status} without a target")
        if self._target.own and _path(location).startswith(_LOGIN):
            raise NotRead("GitHub asks for a login")
        return Redirect(location)

    def _check(self, response: urllib3.BaseHTTPResponse, limit: int) -> None:
        status = response.status
        if status != 200:
            raise NotRead(f"the answer is {status}", again=status in AGAIN)
        if "text/html" in response.headers.get("Content-Type", "").lower():
            raise NotRead("a page came instead of the file")
        declared = response.headers.get("Content-Length", "")
        if declared.isdigit() and int(declared[:20]) > limit:
            raise TooLarge


def _path(location: str) -> str:
    try:
        return urlsplit(location).path
    except ValueError:
        return ""
