"""One thread that stores for all: what waits while it stores is stored next, in one go."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue

from bot.job import Job

MOST = 256
"""At a time: nobody waits for more than that."""
CLOSING_S = 5.0
Store = Callable[[Sequence[Job]], Sequence[bool]]
_Ticket = tuple[Job, "Future[bool]"]


class Together:
    """`store` is called with all jobs that wait, never twice at once; it gives an answer for each, or raises."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: SimpleQueue[_Ticket | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="storing", daemon=True)
        self._thread.start()

    def __call__(self, job: Job, seconds: float) -> bool:
        """What was answered for the job, from any thread. Raises what `store` raised, and TimeoutError."""
        answer: Future[bool] = Future()
        self._waiting.put((job, answer))
        return answer.result(seconds)

    def close(self) -> None:
        """Store what waits, and no more; what hangs is left."""
        self._waiting.put(None)
        self._thread.join(CLOSING_S)

    def _run(self) -> None:
        while True:
            tickets, is_last = self._next()
            if tickets:
                self._answer(tickets)
            if is_last:
                return

    def _next(self) -> tuple[list[_Ticket], bool]:
        tickets: list[_Ticket] = []
        while len(tickets) < MOST and (not tickets or not self._waiting.empty()):
            ticket = self._waiting.get()
            if ticket is None:
                return tickets, True
            tickets.append(ticket)
        return tickets, False

    def _answer(self, tickets: Sequence[_Ticket]) -> None:
        try:
            answers = self._store([job for job, _ in tickets])
        except BaseException as failure:
            # Of any kind: whoever waits here must never take a job for stored that is not, nor wait for ever.
            for _, waiting in tickets:
                waiting.set_exception(failure)
            return
        for (_, waiting), is_new in zip(tickets, answers, strict=True):
            waiting.set_result(is_new)
