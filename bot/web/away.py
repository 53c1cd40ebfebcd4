"""Whether GitHub can be asked now: where it gave no answer a moment ago nobody waits for it again at once."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from time import monotonic
from typing import Any

import github

from bot.github.client import Connection
from bot.github.errors import Later
from bot.github.oauth import AS_READER
from bot.settings import ProcessSettings

REST_S = 10.0
LONGEST_REST_S = 60.0
MOST_KEPT = 10_000
SERVER_ERROR = 500
Key = tuple[str, str]


@dataclass
class Away:
    """One per app. A limit counts for the reader whom it was set, everything else for what was asked about, so that
    nobody can close other people's pages. `clock` gives seconds.
    """

    clock: Callable[[], float] = monotonic
    _until: OrderedDict[Key, tuple[float, int | None]] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @contextmanager
    def asking(self, reader: str, what: str) -> Iterator[None]:
        """Around whatever asks GitHub as `reader`, a token's digest. Raises Later, without asking, for as long as that
        is in vain.
        """
        keys = ("reader", reader), ("what", what)
        self._refuse(*keys)
        try:
            yield
        except Later as failure:
            is_limit = failure.status is not None and failure.status < SERVER_ERROR
            self._note(keys[0] if is_limit else keys[1], failure)
            raise

    def connection(self, settings: ProcessSettings, token: str, what: str) -> Connection:
        """As a reader, for requests about `what`; of one thread."""
        reader = sha256(token.encode()).hexdigest()
        return _Patient(settings.base_url, token, lambda: self.asking(reader, what or reader))

    def _refuse(self, *keys: Key) -> None:
        for key in keys:
            with self._lock:
                until, status = self._until.get(key, (0.0, None))
            if (left := until - self.clock()) > 0:
                raise Later("GitHub gave no answer a moment ago", status, left)

    def _note(self, key: Key, failure: Later) -> None:
        rest = min(max(failure.retry_after_s or 0.0, REST_S), LONGEST_REST_S)
        with self._lock:
            self._until[key] = (self.clock() + rest, failure.status)
            self._until.move_to_end(key)
            while len(self._until) > MOST_KEPT:
                self._until.popitem(last=False)


class _Patient(Connection):
    def __init__(self, base_url: str, token: str, asking: Callable[[], AbstractContextManager[None]]) -> None:
        super().__init__(github.Auth.Token(token), base_url, **AS_READER)
        self._asking = asking

    def _call(
        self,
        verb: str,
        url: str,
        parameters: Mapping[str, object] | None,
        body: Mapping[str, Any] | None,
        etag: str | None = None,
    ) -> tuple[dict[str, Any], Any]:
        with self._asking():
            return super()._call(verb, url, parameters, body, etag)
