"""The receiving side: takes a job durably, once, and says how many there are."""

from collections.abc import Sequence

import sqlalchemy as sa

from bot.job import Job
from bot.jobs import arrivals, database
from bot.jobs.together import Together
from bot.settings import ProcessSettings

LONGEST_S = 30.0


class Inbox:
    """Takes jobs from any thread. Making one prepares the database; raises sqlalchemy.exc.DBAPIError without it."""

    def __init__(self, settings: ProcessSettings) -> None:
        self._engine = database.connect(settings)
        self._arrivals = database.connect_arrivals(settings, self._engine)
        database.prepare(self._engine, self._arrivals)
        self._together = Together(self._store)

    def accept(self, job: Job, seconds: float = LONGEST_S) -> bool:
        """Store the job, so that it will be done; False where this state of the text is already known.

        Raises sqlalchemy.exc.DBAPIError where it could not be stored and TimeoutError where it was not within that
        time: the sender has to come again.
        """
        return self._together(job, seconds)

    def _store(self, jobs: Sequence[Job]) -> list[bool]:
        with self._arrivals.begin() as connection:
            return arrivals.store(connection, jobs)

    def ready(self) -> bool:
        """Whether the database answers."""
        try:
            for engine in (self._engine, self._arrivals):
                with engine.connect() as connection:
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
        with self._arrivals.connect() as connection:
            arrived = arrivals.waiting(connection)
        with self._engine.connect() as connection:
            found: dict[str, int] = {status: count for status, count in connection.execute(unfinished)}
            given_up = connection.execute(parked).scalar_one()
        depths = {name: found.get(status, 0) for status, name in database.ACTIVE.items()}
        return {**depths, "queued": depths["queued"] + arrived, "parked": given_up}

    def close(self) -> None:
        """Let the connections go."""
        self._together.close()
        self._engine.dispose()
        self._arrivals.dispose()
