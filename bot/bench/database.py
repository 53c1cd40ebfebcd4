"""The job database of a bench: the default, one of its own on a server that is named, or on a throw-away one."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url

from bot.bench.postgres import cluster

SQLITE, POSTGRES = "SQLite", "PostgreSQL"


@dataclass(frozen=True)
class Database:
    """Which kind, and its URL; None for the bot's default."""

    kind: str
    url: str | None


@contextmanager
def bench_database(url: str | None, *, postgres: bool) -> Iterator[Database]:
    """An empty job database until the block ends. `url` names a PostgreSQL server on which databases may be made.

    Raises NoPostgres, psycopg.Error.
    """
    if url:
        with _made_on(url) as made:
            yield Database(POSTGRES, made)
    elif postgres:
        with cluster(durable=True) as running:
            yield Database(POSTGRES, running.database())
    else:
        yield Database(SQLITE, None)


@contextmanager
def _made_on(url: str) -> Iterator[str]:
    name = f"steelyard_bench_{secrets.token_hex(4)}"
    given = make_url(url).set(drivername="postgresql")
    reached = given.render_as_string(hide_password=False)
    with psycopg.connect(reached, autocommit=True) as connection:
        connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        try:
            yield given.set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))
