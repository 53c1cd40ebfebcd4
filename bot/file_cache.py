"""Files of ledgers that were read before, so that GitHub is not asked for them again."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

MOST_BYTES = 64 * 2**20
MOST_FILES = 20_000
Key = tuple[str, str, str]
"""Repository, path, and what tells one content of it from another: its SHA-256 or a commit."""


@dataclass
class FileCache:
    """The files kept last, up to `most_bytes` and `most_files`; None is a file that is known to be absent.

    Threads may share it.
    """

    most_bytes: int = MOST_BYTES
    most_files: int = MOST_FILES
    _files: OrderedDict[Key, bytes | None] = field(default_factory=OrderedDict)
    _bytes: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def find(self, *keys: Key) -> tuple[bytes | None] | None:
        """What is kept by the first of these keys that is known; None where none is."""
        with self._lock:
            return next(((self._files[key],) for key in keys if key in self._files), None)

    def keep(self, key: Key, data: bytes | None) -> None:
        """Keep a file; the oldest ones go."""
        with self._lock:
            self._bytes += len(data or b"") - len(self._files.pop(key, None) or b"")
            self._files[key] = data
            while self._bytes > self.most_bytes or len(self._files) > self.most_files:
                _, gone = self._files.popitem(last=False)
                self._bytes -= len(gone or b"")
