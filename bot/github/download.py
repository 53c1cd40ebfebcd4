"""Attachments to disk: which credential is tried when, redirects by hand, tokens to GitHub's own host only."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urljoin

from bot.github.addresses import Hosts, Target, Unsafe
from bot.github.exchange import TOO_SLOW, Exchange, Network, NotRead, Redirect, TooLarge

MAX_REDIRECTS = 5
FILE_SECONDS = 180.0
TOTAL_SECONDS = 600.0
ATTEMPTS = 2

Token = Callable[[], str | None]
"""A token when it is needed, so that none is made in vain; None for none."""

__all__ = ["Downloader", "Network", "NotRead", "TooLarge"]


class Downloader:
    """Downloads for one job. Of `tokens` the first is tried, then none, then the others; a token goes to GitHub's own
    host alone, and after the first other host there is none any more.
    """

    def __init__(
        self,
        hosts: Hosts,
        tokens: Sequence[Token] = (),
        network: Network | None = None,
        *,
        file_seconds: float = FILE_SECONDS,
        total_seconds: float = TOTAL_SECONDS,
    ) -> None:
        self._hosts, self._network = hosts, network or Network()
        self._tries: tuple[Token, ...] = (*tokens[:1], lambda: None, *tokens[1:])
        self._file_seconds = file_seconds
        self._ends = time.monotonic() + total_seconds

    def fetch(self, url: str, into: Path, limit: int) -> int:
        """The file's bytes to a path; their number. Raises NotRead or TooLarge, and leaves no file then."""
        reasons: list[str] = []
        asked: set[str | None] = set()
        for token in self._tries:
            if (secret := token()) in asked:
                continue
            asked.add(secret)
            try:
                return self._followed(url, secret, into, limit)
            except NotRead as failure:
                into.unlink(missing_ok=True)
                if failure.for_good:
                    raise
                reasons.append(str(failure))
            except TooLarge:
                into.unlink(missing_ok=True)
                raise
        raise NotRead(reasons[0])

    def _followed(self, url: str, secret: str | None, into: Path, limit: int) -> int:
        ends = min(time.monotonic() + self._file_seconds, self._ends)
        for _ in range(MAX_REDIRECTS + 1):
            target = self._target(url)
            if not target.own:
                secret = None
            answer = self._asked(target, secret, into, limit, ends)
            if isinstance(answer, int):
                return answer
            url = self._next(url, answer)
        raise NotRead("it is redirected too often", for_good=True)

    def _target(self, url: str) -> Target:
        try:
            return self._hosts.target(url)
        except Unsafe as unsafe:
            raise NotRead(str(unsafe), for_good=True) from None

    def _next(self, url: str, redirect: Redirect) -> str:
        try:
            return urljoin(url, redirect.location)
        except ValueError:
            raise NotRead("the redirect is no address", for_good=True) from None

    def _asked(self, target: Target, secret: str | None, into: Path, limit: int, ends: float) -> int | Redirect:
        for attempt in range(1, ATTEMPTS + 1):
            if time.monotonic() >= ends:
                raise NotRead(TOO_SLOW, for_good=True)
            try:
                with Exchange(self._network, target, ends) as exchange:
                    return exchange.run(secret, into, limit)
            except Unsafe as unsafe:
                raise NotRead(str(unsafe), for_good=True) from None
            except NotRead as failure:
                if attempt == ATTEMPTS or not failure.again:
                    raise
        raise AssertionError("unreachable")
