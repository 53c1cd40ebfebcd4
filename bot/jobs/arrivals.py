"""The way from what was received into the queue: stored at once and cheaply, queued in order by whoever works."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from dbos import DBOSClient, EnqueueOptions
from sqlalchemy.dialects import postgresql, sqlite

from bot.job import Job
from bot.jobs import database
from bot.jobs.database import ARRIVALS

AHEAD = 100
"""Jobs in the queue at most: what waits before it costs nothing, and is done in the order of arrival."""
OF_ONE_PLACE = 5
"""Of these at most so many of one thread: whoever posts a hundred commands keeps nobody else waiting."""

_ARRIVAL_LOCK = 0x5354_4545_4C5A
_QUEUE_LOCK = 0x5354_4545_4C5B
_INSERTS = {
    "sqlite": sqlite.insert(ARRIVALS).on_conflict_do_nothing().execution_options(preserve_rowcount=True),
    "postgresql": postgresql.insert(ARRIVALS).on_conflict_do_nothing().execution_options(preserve_rowcount=True),
}
_TAKEN = sa.update(ARRIVALS).where(ARRIVALS.c.number == sa.bindparam("taken")).values(job=sa.null())


def store(connection: sa.Connection, jobs: Sequence[Job]) -> list[bool]:
    """Whether each of them is new; in the order given, and in the transaction of the connection."""
    insert = _INSERTS[connection.dialect.name]
    if connection.dialect.name != "sqlite":
        # As on SQLite one transaction at a time: none waits for another in a circle, and numbers tell the order.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ARRIVAL_LOCK)))
    rows = ({"key": job.key, "place": job.place, "job": job.model_dump(mode="json")} for job in jobs)
    return [connection.execute(insert, row).rowcount == 1 for row in rows]


def waiting(connection: sa.Connection) -> int:
    """How many are not in the queue yet."""
    return int(connection.execute(sa.select(sa.func.count()).where(ARRIVALS.c.job.is_not(None))).scalar_one())


def queue(received: sa.Engine, jobs: sa.Engine, client: DBOSClient) -> int:
    """Put the oldest of `received` into the queue of `jobs` while there is room; how many.

    One process at a time does, the others go on. A job is in the queue before it counts as taken: whoever dies in
    between leaves it to be queued again, which its key makes no difference.
    """
    with received.connect() as connection:
        if waiting(connection) == 0:
            return 0
    with jobs.begin() as connection:
        if not _alone(connection):
            return 0
        queued = _queued(connection, jobs)
        chosen = _chosen(received, queued)
        for row in chosen:
            client.enqueue_in_transaction(connection, _options(row.key, row.place), row.job, None)
    if chosen:
        with received.begin() as connection:
            connection.execute(_TAKEN, [{"taken": row.number} for row in chosen])
    return len(chosen)


def forget(received: sa.Engine, keys: Sequence[str]) -> None:
    """Drop jobs that the queue knows no longer, by their keys."""
    with received.begin() as connection:
        connection.execute(sa.delete(ARRIVALS).where(ARRIVALS.c.job.is_(None), ARRIVALS.c.key.in_(keys)))


def _chosen(received: sa.Engine, queued: Counter[str]) -> list[sa.Row[Any]]:
    with received.connect() as connection:
        rows = connection.execute(_oldest(queued)).all()
    return [row for row in rows if row.rank + queued[row.place] <= OF_ONE_PLACE]


def _options(key: str, place: str) -> EnqueueOptions:
    return {
        "workflow_name": database.WORKFLOW,
        "queue_name": database.QUEUE,
        "workflow_id": key,
        "app_version": database.VERSION,
        "queue_partition_key": place,
    }


def _alone(connection: sa.Connection) -> bool:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        return True
    return bool(connection.execute(sa.select(sa.func.pg_try_advisory_xact_lock(_QUEUE_LOCK))).scalar_one())


def _queued(connection: sa.Connection, engine: sa.Engine) -> Counter[str]:
    """How many jobs of each thread are in the queue."""
    jobs = database.workflows(engine)
    waits = (jobs.c.queue_name == database.QUEUE, jobs.c.status == "ENQUEUED")
    place = jobs.c.queue_partition_key
    counted = sa.select(place, sa.func.count()).where(*waits).group_by(place)
    return Counter({str(name): int(count) for name, count in connection.execute(counted)})


def _oldest(queued: Counter[str]) -> sa.Select[Any]:
    """What has waited longest, with its rank in its thread; none of threads that wait in the queue already."""
    rank = sa.func.row_number().over(partition_by=ARRIVALS.c.place, order_by=ARRIVALS.c.number).label("rank")
    full = [place for place, count in queued.items() if count >= OF_ONE_PLACE]
    waits = sa.select(ARRIVALS, rank).where(ARRIVALS.c.job.is_not(None), ARRIVALS.c.place.not_in(full)).subquery()
    room = max(AHEAD - queued.total(), 0)
    return sa.select(waits).where(waits.c.rank <= OF_ONE_PLACE).order_by(waits.c.number).limit(room)
