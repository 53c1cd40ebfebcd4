"""Where jobs are put durably, as the receiving process sees it, and a bound on how long it may take."""

import threading
from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from bot.job import Job

T = TypeVar("T")


class Inbox(Protocol):
    """The job database. Every method may raise anything that a database raises."""

    def accept(self, job: Job) -> bool:
        """Store the job durably; False where its key is known already."""

    def ready(self) -> bool:
        """Whether jobs can be stored now."""

    def depths(self) -> Mapping[str, int]:
        """How many jobs are in each state."""


class Unavailable(Exception):
    """The database did not answer in time, or with an error."""


class Bounded:
    """Calls that are given up after some seconds; what hangs holds a slot, so that threads cannot pile up."""

    def __init__(self, slots: int) -> None:
        self._slots = threading.BoundedSemaphore(slots)

    def call(self, work: Callable[[], T], seconds: float) -> T:
        """What `work` gives. Raises Unavailable from its error, or where no slot or no answer comes in time.

        Work that is given up may still take effect later.
        """
        if not self._slots.acquire(timeout=seconds / 2):
            raise Unavailable("earlier calls hang")
        results: list[T] = []
        failures: list[BaseException] = []

        def run() -> None:
            try:
                results.append(work())
            except BaseException as failure:
                failures.append(failure)
            finally:
                self._slots.release()

        thread = threading.Thread(target=run, name="inbox", daemon=True)
        thread.start()
        thread.join(seconds / 2)
        if failures:
            raise Unavailable(type(failures[0]).__name__) from failures[0]
        if not results:
            raise Unavailable("no answer in time")
        return results[0]
