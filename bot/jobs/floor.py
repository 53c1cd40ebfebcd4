"""Who works beside whom: a job that has seen its process die works alone, so that no other is blamed for it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Floor:
    """Shared by the jobs of one process, or taken by one alone. Who wants it alone goes before newcomers."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._present = 0
        self._alone = False
        self._wish = 0

    @contextmanager
    def taken(self, alone: bool) -> Iterator[None]:
        """Wait for a place, keep it for the block."""
        with self._changed:
            self._wish += alone
            self._changed.wait_for(lambda: self._free(alone))
            self._wish -= alone
            self._present += 1
            self._alone = alone
        try:
            yield
        finally:
            with self._changed:
                self._present -= 1
                self._alone = False
                self._changed.notify_all()

    def _free(self, alone: bool) -> bool:
        return self._present == 0 if alone else not self._alone and not self._wish
