"""The job database, SQLite or PostgreSQL: connections, tables, and the names that inboxes and workers share."""

import logging
import sqlite3
import time
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from dbos import DBOSClient, DBOSPortableJSONSerializer

from bot.settings import ProcessSettings

APPLICATION = "steelyard"
QUEUE = "jobs"
WORKFLOW = "job"
VERSION = "1"
"""Which jobs a worker takes. It changes only where a job that waits could not be understood by newer code."""
SERIALIZER = DBOSPortableJSONSerializer()
ACTIVE = {"ENQUEUED": "queued", "DELAYED": "waiting", "PENDING": "running"}
"""States of an unfinished job, and what they are called outside."""
_SETUP_LOCK = 0x5354_4545_4C59
_BUSY_MS = 30_000
_AGAIN_S = 0.02
_IDLE_TRANSACTION_MS = 60_000
_METADATA = sa.MetaData()
_RECEIVED = sa.MetaData()

RUNS = sa.Table(
    "steelyard_runs",
    _METADATA,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("starts", sa.Integer, nullable=False),
    sa.Column("parked", sa.Text),
    sa.Column("since", sa.Float, nullable=False),
)
"""How often a job was begun and not ended since it last came to an end; and which jobs were given up, and why."""

ARRIVALS = sa.Table(
    "steelyard_arrivals",
    _RECEIVED,
    sa.Column("number", sa.Integer, sa.Identity(), primary_key=True),
    sa.Column("key", sa.Text, nullable=False, unique=True),
    sa.Column("place", sa.Text, nullable=False),
    sa.Column("job", sa.JSON),
    sa.Index(
        "steelyard_arrivals_untaken",
        "number",
        sqlite_where=sa.text("job IS NOT NULL"),
        postgresql_where=sa.text("job IS NOT NULL"),
    ),
    sqlite_autoincrement=True,
)
"""What was received, in order: storing it here costs a tenth of the queue. A job that is null is there."""


def connect(settings: ProcessSettings, pool_size: int = 10) -> sa.Engine:
    """Connections to the job database. Nothing is connected yet; the values of statements stay out of messages."""
    url = sa.make_url(settings.jobs_url)
    if url.get_backend_name() == "sqlite":
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(url, hide_parameters=True, pool_size=pool_size, pool_timeout=30)
        sa.event.listen(engine, "connect", _prepare_sqlite)
        return engine
    engine = sa.create_engine(
        url.set(drivername="postgresql+psycopg"),
        hide_parameters=True,
        pool_size=pool_size,
        pool_timeout=10,
        pool_pre_ping=True,
        connect_args={"application_name": APPLICATION, "connect_timeout": 5},
    )
    sa.event.listen(engine, "connect", _prepare_postgres)
    return engine


def connect_arrivals(settings: ProcessSettings, jobs: sa.Engine) -> sa.Engine:
    """Connections to what was received: on SQLite a file of its own, since whoever works would keep it locked."""
    if not is_sqlite(jobs):
        return jobs
    url = sa.make_url(settings.jobs_url)
    file = f"{url.database}.arrivals"
    engine = sa.create_engine(url.set(database=file), hide_parameters=True, pool_timeout=30)
    sa.event.listen(engine, "connect", _prepare_sqlite)
    return engine


def is_sqlite(engine: sa.Engine) -> bool:
    """Whether it is one file on this host."""
    return engine.dialect.name == "sqlite"


def client(engine: sa.Engine) -> DBOSClient:
    """A client of the queue that runs no jobs and raises where the database cannot be reached."""
    quiet()
    return DBOSClient(
        system_database_engine=engine,
        serializer=SERIALIZER,
        application_name=APPLICATION,
        lazy=True,
        retry_connection_errors=False,
    )


def prepare(engine: sa.Engine, arrivals: sa.Engine) -> None:
    """Make or upgrade the tables; safe when several processes start at once. Raises sqlalchemy.exc.DBAPIError."""
    client(engine)._sys_db.run_migrations()
    for of, tables in ((engine, _METADATA), (arrivals, _RECEIVED)):
        with of.begin() as connection:
            if is_sqlite(of):
                connection.execute(sa.text("BEGIN IMMEDIATE"))
            else:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_SETUP_LOCK)))
            tables.create_all(connection)


def workflows(engine: sa.Engine) -> sa.TableClause:
    """The table of all jobs, for counting."""
    columns: list[sa.ColumnClause[Any]] = [
        sa.column(name)
        for name in (
            "workflow_uuid",
            "status",
            "executor_id",
            "queue_name",
            "queue_partition_key",
            "application_version",
        )
    ]
    return sa.table("workflow_status", *columns, schema=None if is_sqlite(engine) else "dbos")


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """As DBOS does it for its own connections, and with a log that readers and the writer share."""
    connection.isolation_level = "IMMEDIATE"
    connection.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
    _write_ahead(connection)
    connection.execute("PRAGMA foreign_keys=ON")
    # Copying the log back waits for the disk, and every writer with it: ten times as seldom as by default.
    connection.execute("PRAGMA wal_autocheckpoint=10000")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Of several that open a new file at once, all but one are refused at once: SQLite does not wait for this one."""
    until = time.monotonic() + _BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(_AGAIN_S)


def _prepare_postgres(connection: Any, _record: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET idle_in_transaction_session_timeout = {_IDLE_TRANSACTION_MS}")
    connection.commit()


def quiet() -> None:
    """DBOS speaks through this process's own log, and only of what is wrong."""
    logger = logging.getLogger("dbos")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
    logger.propagate = True
    logger.setLevel(logging.WARNING)
