"""A PostgreSQL of our own for the tests: a throw-away cluster behind a socket in a temporary folder."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

_numbers = count()


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, None where PostgreSQL's server is not installed."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((place for place in reversed(places) if (place / "pg_ctl").exists()), None)


class Cluster:
    """A running server; `database()` makes an empty one and names it as an URL."""

    def __init__(self, folder: Path, user: str) -> None:
        self.folder = folder
        self.user = user

    def database(self, like: str = "template1") -> str:
        """The URL of a new database, a copy of another one."""
        name = f"jobs{next(_numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {like}")
        return f"postgresql://{self.user}@/{name}?host={self.folder}"

    @staticmethod
    def name(url: str) -> str:
        """The name in such an URL."""
        return url.split("/")[3].split("?")[0]

    def disconnect(self, name: str) -> None:
        """Break all connections to a database."""
        self.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")  # noqa: S608

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """Rows of a statement as the superuser."""
        where = f"host={self.folder} user={self.user} dbname=postgres"
        with psycopg.connect(where, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


@contextmanager
def cluster(binaries: Path) -> Iterator[Cluster]:
    """Start one, and stop it whatever happens. The server refuses to run as root, so root lends it to nobody."""
    folder = Path(tempfile.mkdtemp(prefix="steelyard-pg-"))
    other: dict[str, Any] = {}
    user = pwd.getpwuid(os.getuid()).pw_name
    if os.getuid() == 0:
        user = "nobody"
        shutil.chown(folder, user)
        other = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    quick = f"-k {folder} -h '' -c fsync=off -c full_page_writes=off -c shared_buffers=16MB"
    control = [binaries / "pg_ctl", "-D", folder / "data", "-w", "-s"]
    make = [binaries / "initdb", "-D", folder / "data", "-A", "trust", "-U", user, "-N"]
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder, **other}
    try:
        subprocess.run(make, **quiet)
        subprocess.run([*control, "-l", folder / "log", "-o", quick, "start"], **quiet)
        try:
            yield Cluster(folder, user)
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **quiet)
    finally:
        shutil.rmtree(folder)
