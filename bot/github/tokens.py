"""Installation tokens of the App: fetched, kept until shortly before they expire, dropped when GitHub refuses them."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import SecretStr

from bot.github.errors import Later

EARLY_S = 300.0
"""A token is replaced this long before it expires, so that no job outlives the one it began with."""


@dataclass
class _Held:
    token: SecretStr
    expires_at: float
    replaces_refused: bool
    worked: bool = False


@dataclass
class TokenCache:
    """Tokens by key; `clock` gives seconds since 1970. Threads may share it; nobody sees a token in its repr."""

    clock: Callable[[], float] = time.time
    _held: dict[str, _Held] = field(default_factory=dict, repr=False)
    _refused: set[str] = field(default_factory=set, repr=False)
    _turns: dict[str, threading.Lock] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def get(self, key: str, fetch: Callable[[], tuple[str, str]]) -> "Credential":
        """The token that is held, or a new one: `fetch` gives it and when it expires, as GitHub writes times."""
        with self._lock:
            turn = self._turns.setdefault(key, threading.Lock())
        with turn:  # one fetches, the others of this key wait; other keys go on
            held = self._held.get(key)
            if held is None or held.expires_at - EARLY_S <= self.clock():
                token, expires = fetch()
                with self._lock:
                    held = _Held(SecretStr(token), _seconds(expires), key in self._refused)
                    self._held[key] = held
            return Credential(self, key, held)

    def drop(self, key: str, held: _Held) -> bool:
        """Forget a refused token unless another was fetched meanwhile. Whether a fresh one is worth a try."""
        with self._lock:
            if self._held.get(key) is held:
                del self._held[key]
            hopeless = held.replaces_refused and not held.worked
            (self._refused.discard if hopeless else self._refused.add)(key)
            return not hopeless

    def worked(self, key: str, held: _Held) -> None:
        """A request with it succeeded: the next refusal is a new story."""
        held.worked = True
        with self._lock:
            self._refused.discard(key)

    def clear(self) -> None:
        """Forget everything, as when the App's key was replaced."""
        with self._lock:
            self._held.clear()
            self._refused.clear()


class Credential:
    """One token as a connection uses it: it hears whether GitHub took it."""

    def __init__(self, cache: TokenCache, key: str, held: _Held) -> None:
        self._cache, self._key, self._held = cache, key, held

    def secret(self) -> str:
        """The token itself, for a header."""
        return self._held.token.get_secret_value()

    def accepted(self) -> None:
        """GitHub took it."""
        if not self._held.worked:
            self._cache.worked(self._key, self._held)

    def refused(self) -> bool:
        """GitHub answered 401. Whether a fresh token may help."""
        return self._cache.drop(self._key, self._held)


def _seconds(expires: str) -> float:
    try:
        return datetime.fromisoformat(expires).timestamp()
    except ValueError:
        raise Later("the token's expiry is no time") from None
