"""The receiving side: takes a job durably, once, and says how many there are."""

import threading
from contextlib import AbstractContextManager, nullcontext

import sqlalchemy as sa
from dbos import EnqueueOptions, error

from bot.job import Job
from bot.jobs import database
from bot.settings import ProcessSettings


class Inbox:
    """Takes jobs from any thread. Making one prepares the database; raises sqlalchemy.exc.DBAPIError without it."""

    def __init__(self, settings: ProcessSettings) -> None:
        self._engine = database.connect(settings)
        database.prepare(self._engine)
        self._client = database.client(self._engine)
        # SQLite has one writer and lets the others poll for it, unfairly: in turn, the slowest waits a fifth as long.
        self._turn: AbstractContextManager[object] = (
            threading.Lock() if database.is_sqlite(self._engine) else nullcontext()
        )

    def accept(self, job: Job) -> bool:
        """Store the job, so that it will be done; False where this state of the text is already known.

        Raises sqlalchemy.exc.DBAPIError or TimeoutError where it could not be stored: the sender has to come again.
        """
        options: EnqueueOptions = {
            "workflow_name": database.WORKFLOW,
            "queue_name": database.QUEUE,
            "workflow_id": job.key,
            "workflow_id_reuse_policy": "reject",
            "app_version": database.VERSION,
            "queue_partition_key": job.place,
        }
        with self._turn:
            try:
                self._client.enqueue(options, job.model_dump(mode="json"), None)
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
