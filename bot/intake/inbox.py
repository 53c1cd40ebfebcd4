"""Where jobs are put durably, as the receiving process sees it, and a bound on how long it may take."""

import contextvars
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from typing import Protocol, TypeVar

from bot.job import Job

T = TypeVar("T")


class Inbox(Protocol):
    """The job database. Every method may raise anything that a database raises."""

    def accept(self, job: Job, seconds: float = ...) -> bool:
        """Store the job durably; False where its key is known already. TimeoutError where that takes longer."""

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
        self._tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._idle = threading.Semaphore(0)

    def call(self, work: Callable[[], T], seconds: float) -> T:
        """What `work` gives. Raises Unavailable from its error, or where no slot or no answer comes in time.

        Work that is given up may still take effect later.
        """
        until = time.monotonic() + seconds
        if not self._slots.acquire(timeout=seconds / 2):
            raise Unavailable("earlier calls hang")
        future: Future[T] = Future()
        # In a copy of the context, so that log lines of the work name the delivery.
        self._tasks.put(partial(contextvars.copy_context().run, self._run, work, future))
        self._have_a_thread()
        try:
            return future.result(max(until - time.monotonic(), 0))
        except TimeoutError as late:
            if not future.done():
                raise Unavailable("no answer in time") from None
            raise Unavailable(type(late).__name__) from late
        except BaseException as failure:
            raise Unavailable(type(failure).__name__) from failure

    def _run(self, work: Callable[[], T], future: "Future[T]") -> None:
        try:
            result = work()
        except BaseException as failure:
            self._done()
            future.set_exception(failure)
        else:
            self._done()
            future.set_result(result)

    def _done(self) -> None:
        """This thread is free before its slot is, so that there are never more threads than slots."""
        self._idle.release()
        self._slots.release()

    def _have_a_thread(self) -> None:
        """Threads are kept: starting one takes longer than most calls. Daemons, so that what hangs keeps no process."""
        if self._idle.acquire(blocking=False):
            return
        threading.Thread(target=self._serve, name="inbox", daemon=True).start()

    def _serve(self) -> None:
        while True:
            self._tasks.get()()
