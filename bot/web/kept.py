"""What is kept in memory for minutes: files to download, and how often somebody has asked."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic

KEPT_S = 900.0
MOST_BYTES = 64 * 2**20
Clock = Callable[[], float]


@dataclass(frozen=True)
class _Held:
    owner: str
    until: float
    files: Mapping[str, bytes]

    @property
    def size(self) -> int:
        return sum(len(data) for data in self.files.values())


@dataclass
class Kept:
    """Answers' files by a key that nobody guesses, for the session that asked; the oldest go when there are many."""

    clock: Clock = monotonic
    most_bytes: int = MOST_BYTES
    _held: OrderedDict[str, _Held] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, owner: str, files: Mapping[str, bytes]) -> str:
        """The key under which they are had for KEPT_S."""
        key = secrets.token_urlsafe(18)
        with self._lock:
            self._held[key] = _Held(owner, self.clock() + KEPT_S, files)
            self._tidy()
        return key

    def file(self, owner: str, key: str, name: str) -> bytes | None:
        """A file; None where it is gone, or somebody else's."""
        with self._lock:
            self._tidy()
            held = self._held.get(key)
        return held.files.get(name) if held is not None and held.owner == owner else None

    def _tidy(self) -> None:
        total = sum(held.size for held in self._held.values())
        for key, held in list(self._held.items()):
            if held.until > self.clock() and total <= self.most_bytes:
                break
            total -= held.size
            del self._held[key]


@dataclass
class Pace:
    """At most `most` times within `seconds` for each asker. The askers that came longest ago are forgotten first."""

    most: int
    seconds: float
    clock: Clock = monotonic
    most_askers: int = 10_000
    _times: OrderedDict[str, list[float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait_s(self, asker: str) -> float:
        """0 where the asker may go on, which counts; else the seconds until it may."""
        now = self.clock()
        with self._lock:
            recent = [at for at in self._times.pop(asker, []) if at > now - self.seconds]
            wait = (recent or [now])[0] + self.seconds - now if len(recent) >= self.most else 0.0
            self._times[asker] = recent if wait else [*recent, now]
            while len(self._times) > self.most_askers:
                self._times.popitem(last=False)
        return wait
