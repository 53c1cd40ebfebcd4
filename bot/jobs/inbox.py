"""The receiving side: takes a job durably, once, and says how many there are."""

import threading
import time
from collections import deque
from dataclasses import dataclass

import sqlalchemy as sa
from dbos import EnqueueOptions, error

from bot.job import Job
from bot.jobs import database
from bot.settings import ProcessSettings

_QUIET_S = 0.05
"""After so long without a delivery none is on its way."""


@dataclass
class _Ticket:
    """A job that waits to be stored, and what came of it."""

    job: Job
    done: bool = False
    is_new: bool = False
    failure: BaseException | None = None


class Inbox:
    """Takes jobs from any thread. Making one prepares the database; raises sqlalchemy.exc.DBAPIError without it."""

    def __init__(self, settings: ProcessSettings) -> None:
        self._engine = database.connect(settings)
        database.prepare(self._engine)
        self._client = database.client(self._engine)
        # SQLite has one writer and lets the others poll for it, unfairly: one at a time, and for all that wait.
        self._turn = threading.Lock() if database.is_sqlite(self._engine) else None
        self._waiting: deque[_Ticket] = deque()
        self._arrived = -_QUIET_S

    def accept(self, job: Job) -> bool:
        """Store the job, so that it will be done; False where this state of the text is already known.

        Raises sqlalchemy.exc.DBAPIError or TimeoutError where it could not be stored: the sender has to come again.
        """
        self._arrived = time.monotonic()
        if self._turn is None:
            return self._is_new(job, None)
        return self._together(_Ticket(job), self._turn)

    def let_pass(self, longest_s: float) -> None:
        """Wait while deliveries keep arriving, so that whoever works in the same process does not keep them waiting."""
        ends = time.monotonic() + longest_s
        while time.monotonic() < ends and time.monotonic() - self._arrived < _QUIET_S:
            time.sleep(_QUIET_S)

    def _together(self, ticket: "_Ticket", turn: threading.Lock) -> bool:
        """Whoever has the turn stores all that wait for it, in one transaction."""
        self._waiting.append(ticket)
        with turn:
            if not ticket.done:
                self._store([self._waiting.popleft() for _ in range(len(self._waiting))])
        if ticket.failure is not None:
            raise ticket.failure
        return ticket.is_new

    def _store(self, tickets: "list[_Ticket]") -> None:
        try:
            with self._engine.begin() as connection:
                for ticket in tickets:
                    ticket.is_new = self._is_new(ticket.job, connection)
        except BaseException as failure:
            # Of any kind: whoever waits here must never take a job for stored that is not.
            for ticket in tickets:
                ticket.failure = failure
        for ticket in tickets:
            ticket.done = True

    def _is_new(self, job: Job, connection: sa.Connection | None) -> bool:
        options: EnqueueOptions = {
            "workflow_name": database.WORKFLOW,
            "queue_name": database.QUEUE,
            "workflow_id": job.key,
            "workflow_id_reuse_policy": "reject",
            "app_version": database.VERSION,
            "queue_partition_key": job.place,
        }
        try:
            if connection is None:
                self._client.enqueue(options, job.model_dump(mode="json"), None)
            else:
                self._client.enqueue_in_transaction(connection, options, job.model_dump(mode="json"), None)
        except error.DBOSWorkflowIDInUseError:
            return False
        return True

    def ready(self) -> bool:
        """Whether the database answers."""
        try:
            with self._engine.connect() as connection:
                connection.execute(sa.select(1))
        except sa.exc.SQLAlchemyError:
            return False
        return True

    def depths(self) -> dict[str, int]:
        """How many jobs are queued, waiting (for another try), running and parked (given up, within the retention)."""
        jobs = database.workflows(self._engine)
        unfinished = (
            sa.select(jobs.c.status, sa.func.count())
            .where(jobs.c.queue_name == database.QUEUE, jobs.c.status.in_(database.ACTIVE))
            .group_by(jobs.c.status)
        )
        parked = sa.select(sa.func.count()).where(database.RUNS.c.parked.is_not(None))
        with self._engine.connect() as connection:
            found: dict[str, int] = {status: count for status, count in connection.execute(unfinished)}
            given_up = connection.execute(parked).scalar_one()
        return {**{name: found.get(status, 0) for status, name in database.ACTIVE.items()}, "parked": given_up}

    def close(self) -> None:
        """Let the connections go."""
        self._client.destroy()
        self._engine.dispose()
