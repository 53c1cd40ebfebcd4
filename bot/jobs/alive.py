"""Which workers live: each holds a lock that the operating system or PostgreSQL lets go the moment it dies."""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from bot.jobs.database import is_sqlite

_LOOKS = 2
"""A lost connection frees a lock on PostgreSQL although its holder lives; it takes it again before a second look."""
_KEEPALIVE = ("tcp_keepalives_idle = 10", "tcp_keepalives_interval = 5", "tcp_keepalives_count = 3")
"""So that a host that lost its power counts as dead within half a minute, not two hours."""


class FileLives:
    """A locked file for each worker beside the SQLite file, so that all who share the one see the others."""

    def __init__(self, engine: sa.Engine, executor: str) -> None:
        self._folder = Path(f"{engine.url.database}.workers")
        self._folder.mkdir(parents=True, exist_ok=True)
        self._own = self._folder / executor
        self._held = os.open(self._own, os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def beat(self) -> None:
        """The kernel keeps it."""

    @contextmanager
    def dead(self, executor: str) -> Iterator[bool]:
        """Whether that worker is gone; its file goes with it."""
        path = self._folder / executor
        try:
            seen = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            yield True
            return
        try:
            fcntl.flock(seen, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
            path.unlink(missing_ok=True)
        finally:
            os.close(seen)

    def end(self) -> None:
        """Remove the file, which lets the lock go."""
        self._own.unlink(missing_ok=True)
        os.close(self._held)


class AdvisoryLives:
    """An advisory lock for each worker on a connection of its own."""

    def __init__(self, engine: sa.Engine, executor: str) -> None:
        self._engine = engine
        self._executor = executor
        self._gone: dict[str, int] = {}
        self._connection: sa.Connection | None = None
        self.beat()

    def beat(self) -> None:
        """Hold the own lock, on a new connection where the old one broke."""
        if self._connection is not None:
            try:
                self._connection.execute(sa.select(1))
                return
            except sa.exc.SQLAlchemyError:
                self._connection.invalidate()
                self._connection.close()
                self._connection = None
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        for setting in _KEEPALIVE:
            connection.execute(sa.text(f"SET {setting}"))
        connection.execute(sa.select(sa.func.pg_advisory_lock(_number(self._executor))))
        self._connection = connection

    @contextmanager
    def dead(self, executor: str) -> Iterator[bool]:
        """Whether that worker is gone, at the second look in a row."""
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            number = _number(executor)
            if not connection.execute(sa.select(sa.func.pg_try_advisory_lock(number))).scalar():
                self._gone.pop(executor, None)
                yield False
                return
            try:
                self._gone[executor] = self._gone.get(executor, 0) + 1
                certain = self._gone[executor] >= _LOOKS
                yield certain
                if certain:
                    del self._gone[executor]
            finally:
                connection.execute(sa.select(sa.func.pg_advisory_unlock(number)))

    def end(self) -> None:
        """Close the connection, which lets the lock go."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()


Lives = FileLives | AdvisoryLives


def hold(engine: sa.Engine, executor: str) -> Lives:
    """Take the lock of a new worker."""
    return FileLives(engine, executor) if is_sqlite(engine) else AdvisoryLives(engine, executor)


def _number(executor: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"steelyard worker {executor}".encode(), digest_size=8).digest(), signed=True)
