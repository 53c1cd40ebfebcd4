"""Which jobs kill: how often each was begun without coming to an end, counted where kill -9 cannot undo it."""

from collections.abc import Callable
from datetime import datetime

import sqlalchemy as sa

from bot.jobs.database import RUNS


class Deaths:
    """The count of one database, and the list of jobs that were given up."""

    def __init__(self, engine: sa.Engine, clock: Callable[[], datetime]) -> None:
        self._engine = engine
        self._clock = clock

    def of(self, key: str) -> int:
        """How often in a row the process died while it did this job."""
        with self._engine.connect() as connection:
            starts = connection.execute(sa.select(RUNS.c.starts).where(RUNS.c.key == key)).scalar()
        return int(starts or 0)

    def since(self, key: str) -> float:
        """When the first of these runs began, in seconds since 1970; now where there was none."""
        with self._engine.connect() as connection:
            since = connection.execute(sa.select(RUNS.c.since).where(RUNS.c.key == key)).scalar()
        return float(self._clock().timestamp() if since is None else since)

    def begun(self, key: str) -> None:
        """The job begins: if nothing more is heard of it, its process died."""
        with self._engine.begin() as connection:
            counted = sa.update(RUNS).where(RUNS.c.key == key).values(starts=RUNS.c.starts + 1)
            if connection.execute(counted).rowcount == 0:
                row = {"key": key, "starts": 1, "parked": None, "since": self._clock().timestamp()}
                connection.execute(sa.insert(RUNS), row)

    def ended(self, key: str) -> None:
        """The job came to an end of any kind, so that it is no suspect."""
        with self._engine.begin() as connection:
            connection.execute(sa.delete(RUNS).where(RUNS.c.key == key, RUNS.c.parked.is_(None)))

    def forgiven(self, key: str) -> None:
        """The process ends in order while the job is under way: nobody's fault."""
        with self._engine.begin() as connection:
            one_less = sa.update(RUNS).where(RUNS.c.key == key, RUNS.c.starts > 0).values(starts=RUNS.c.starts - 1)
            connection.execute(one_less)

    def parked(self, key: str, reason: str) -> None:
        """The job was given up."""
        row = {"key": key, "starts": 0, "parked": reason, "since": self._clock().timestamp()}
        with self._engine.begin() as connection:
            connection.execute(sa.delete(RUNS).where(RUNS.c.key == key))
            connection.execute(sa.insert(RUNS), row)

    def forget(self, before: datetime) -> None:
        """Drop what was given up before that time."""
        with self._engine.begin() as connection:
            connection.execute(sa.delete(RUNS).where(RUNS.c.since < before.timestamp(), RUNS.c.starts == 0))
