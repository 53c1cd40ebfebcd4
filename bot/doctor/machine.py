"""What this machine must have: versions, the state directory, the job database, credentials that can be used."""

import os
import platform
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import sqlalchemy as sa

from bot.doctor.finding import Finding, Patient, fail, ok, unchecked, warn
from bot.github.connect import BrokenKey, app_connection
from bot.jobs import arrivals, database
from bot.settings import StoredApp

SHORTEST_SECRET = 16
LEAST_FREE_BYTES = 2**30
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def versions(patient: Patient) -> Iterator[Finding]:
    """For a report of a problem; nothing here can be wrong, since the installer checked it."""
    names = {name: version(name) for name in ("steelyard", "dbos", "pygithub")}
    yield ok("versions", python=platform.python_version(), sqlite=sqlite3.sqlite_version, **names)


def state_directory(patient: Patient) -> Iterator[Finding]:
    """It holds credentials, and the job database where no other is named."""
    folder = patient.settings.state_dir
    if not folder.exists():
        home = next(p for p in folder.absolute().parents if p.exists())
        yield ok("state-absent", folder=folder) if os.access(home, os.W_OK | os.X_OK) else _not_writable(home)
        return
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        yield _not_writable(folder)
        return
    stored = StoredApp.path(folder)
    exposed = [p for p in (stored, folder) if p.exists() and stat.S_IMODE(p.stat().st_mode) & OTHERS]
    if exposed:
        yield (fail if stored in exposed else warn)("state-exposed", path=exposed[0], mode=_mode(exposed[0]))
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE_BYTES:
        yield warn("state-full", folder=folder, free=f"{free / 2**20:,.0f} MB")
    if not exposed:
        yield ok("state", folder=folder, mode=_mode(folder))


def _not_writable(folder: Path) -> Finding:
    return fail("state-not-writable", folder=folder, user=os.geteuid())


def _mode(path: Path) -> str:
    return f"{stat.S_IMODE(path.stat().st_mode):04o}"


def job_database(patient: Patient) -> Iterator[Finding]:
    """Reachable, with its tables, and no job that nobody will take. It is looked at and not changed."""
    url = sa.make_url(patient.settings.jobs_url)
    shown = url.render_as_string(hide_password=True)
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        yield fail("database-kind", url=shown)
        return
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists():
        yield ok("database-absent", url=shown)
        return
    try:
        engine = database.connect(patient.settings, pool_size=1)
        received = database.connect_arrivals(patient.settings, engine)
        try:
            yield from _tables(engine, received, shown)
        finally:
            received.dispose()
            engine.dispose()
    except sa.exc.SQLAlchemyError as failure:
        # The driver's own words name host and cause; the statement and the password are not among them.
        yield fail(
            "database-unreachable", url=shown, cause=str(getattr(failure, "orig", None) or type(failure).__name__)
        )


def _is_there(engine: sa.Engine) -> bool:
    """Connecting to an SQLite file would make it."""
    return not database.is_sqlite(engine) or Path(str(engine.url.database)).exists()


def _tables(engine: sa.Engine, received: sa.Engine, shown: str) -> Iterator[Finding]:
    jobs = database.workflows(engine)
    look = sa.inspect(engine)
    queue = look.has_table(jobs.name, schema=jobs.schema) and look.has_table(database.RUNS.name)
    if not queue or not _is_there(received) or not sa.inspect(received).has_table(database.ARRIVALS.name):
        yield warn("database-without-tables", url=shown)
        return
    waiting = sa.select(sa.func.count()).where(jobs.c.queue_name == database.QUEUE, jobs.c.status.in_(database.ACTIVE))
    with received.connect() as connection:
        arrived = arrivals.waiting(connection)
    with engine.connect() as connection:
        unfinished = arrived + connection.execute(waiting).scalar_one()
        strange = connection.execute(waiting.where(jobs.c.application_version != database.VERSION)).scalar_one()
        parked = connection.execute(sa.select(sa.func.count()).where(database.RUNS.c.parked.is_not(None))).scalar_one()
    if strange:
        yield warn("database-strange-jobs", count=strange, version=database.VERSION)
    if parked:
        yield warn("database-parked", count=parked)
    yield ok("database", url=shown, unfinished=unfinished)


def credentials(patient: Patient) -> Iterator[Finding]:
    """An App that is whole, or a token."""
    settings = patient.settings
    if not (settings.app_id or settings.private_key or settings.token):
        yield fail("credentials-none")
        return
    if settings.token and not settings.app_id:
        yield ok("credentials-token")
        if not settings.webhook_secrets:
            yield unchecked("webhook-secret-without-app")
        return
    if not settings.app_id or settings.private_key is None:
        yield fail("credentials-half", missing="STEELYARD_APP_ID" if settings.private_key else "STEELYARD_PRIVATE_KEY")
        return
    try:
        app_connection(settings)
    except BrokenKey as broken:
        yield fail("credentials-key", cause=str(broken))
        return
    yield from _webhook_secrets(patient)
    yield ok("credentials-app", app=settings.app_id)


def _webhook_secrets(patient: Patient) -> Iterator[Finding]:
    held = patient.settings.webhook_secrets
    if not held:
        yield fail("webhook-secret-none")
    if any(len(secret.get_secret_value()) < SHORTEST_SECRET for secret in held):
        yield warn("webhook-secret-short", least=SHORTEST_SECRET)
    if len(held) > 1:
        yield warn("webhook-secret-several", count=len(held))
