"""A throw-away PostgreSQL behind a socket in a temporary folder, for benches and tests that nothing was set up for."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from psycopg.abc import Query
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier, Literal

_numbers = count()


class NoPostgres(Exception):
    """PostgreSQL's server is not installed here."""


@dataclass(frozen=True)
class Cluster:
    """A running server. `reached` are libpq's words for its superuser."""

    reached: str
    folder: Path
    user: str

    def database(self, like: str = "template1") -> str:
        """The URL of a new database, a copy of another one; empty without."""
        name = f"jobs{next(_numbers)}"
        self.run(SQL("CREATE DATABASE {} TEMPLATE {}").format(Identifier(name), Identifier(like)))
        return f"postgresql://{self.user}@/{name}?host={self.folder}"

    @staticmethod
    def name(url: str) -> str:
        """The database's name in such an URL."""
        return url.split("/")[3].split("?")[0]

    def disconnect(self, name: str) -> None:
        """Break all connections to a database."""
        statement = SQL("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = {}")
        self.run(statement.format(Literal(name)))

    def run(self, statement: Query) -> list[tuple[Any, ...]]:
        """Rows of a statement as the superuser."""
        with psycopg.connect(self.reached, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, None where PostgreSQL's server is not installed."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((place for place in reversed(places) if (place / "pg_ctl").exists()), None)


@contextmanager
def cluster(*, durable: bool = False) -> Iterator[Cluster]:
    """Start one, and stop it whatever happens; `durable` waits for the disk, as a real one does. Raises NoPostgres.

    The server refuses to run as root, so root lends it to nobody.
    """
    binaries = programs()
    if binaries is None:
        raise NoPostgres("PostgreSQL's initdb and pg_ctl are not installed here")
    folder = Path(tempfile.mkdtemp(prefix="steelyard-pg-"))
    other: dict[str, Any] = {}
    user = pwd.getpwuid(os.getuid()).pw_name
    if os.getuid() == 0:
        user = "nobody"
        shutil.chown(folder, user)
        other = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    options = f"-k {folder} -h ''" + ("" if durable else " -c fsync=off -c full_page_writes=off -c shared_buffers=16MB")
    control: list[str | Path] = [binaries / "pg_ctl", "-D", folder / "data", "-w", "-s"]
    make: list[str | Path] = [binaries / "initdb", "-D", folder / "data", "-A", "trust", "-U", user, "-N"]
    quiet: dict[str, Any] = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder, **other}
    try:
        subprocess.run(make, **quiet)  # noqa: S603 - PostgreSQL's own programs
        subprocess.run([*control, "-l", folder / "log", "-o", options, "start"], **quiet)  # noqa: S603
        try:
            yield Cluster(make_conninfo(host=str(folder), user=user, dbname="postgres"), folder, user)
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **quiet)  # noqa: S603
    finally:
        shutil.rmtree(folder, ignore_errors=True)
