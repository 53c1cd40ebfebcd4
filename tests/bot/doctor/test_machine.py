"""What the machine must have: real folders, modes and databases."""

import sqlite3

import pytest
import sqlalchemy as sa

from bot.doctor.finding import Level
from bot.job import Job
from bot.jobs import Inbox, arrivals, database
from tests.bot.doctor.patients import Clinic

OK, WARN, FAIL = Level.OK, Level.WARN, Level.FAIL
JOB = Job(repository="lab/pilots", issue=7, comment_id=42, updated_at="2026-12-01T10:00:00Z", content="c0ffee")


def test_before_the_first_start_nothing_is_made(clinic: Clinic) -> None:
    found = clinic.findings("state", "database")
    assert (found["state-absent"][0], found["database-absent"][0]) == (OK, OK)
    assert not clinic.state.exists()


def test_a_folder_of_its_own(clinic: Clinic) -> None:
    clinic.state.mkdir(mode=0o700)
    assert clinic.findings("state")["state"] == (OK, {"folder": clinic.state, "mode": "0700"})


@pytest.mark.parametrize(("level", "name"), [(WARN, ""), (FAIL, "app.json")])
def test_what_others_may_read(level: Level, name: str, clinic: Clinic) -> None:
    clinic.state.mkdir(mode=0o700)
    path = clinic.state / name
    if name:
        path.write_text("{}")
    path.chmod(0o755)
    found = clinic.findings("state")
    assert found["state-exposed"] == (level, {"path": path, "mode": "0755"})
    assert "state" not in found


def test_a_file_in_its_place(clinic: Clinic) -> None:
    clinic.state.write_text("")
    assert clinic.findings("state")["state-not-writable"][0] is FAIL


def inbox(clinic: Clinic) -> Inbox:
    clinic.state.mkdir(mode=0o700, exist_ok=True)
    return Inbox(clinic.settings())


def test_a_database_with_a_job(clinic: Clinic) -> None:
    taking = inbox(clinic)
    taking.accept(JOB)
    taking.close()
    level, facts = clinic.findings("database")["database"]
    assert (level, facts["unfinished"]) == (OK, 1)


def test_a_database_that_was_never_prepared(clinic: Clinic) -> None:
    clinic.state.mkdir(mode=0o700)
    with sqlite3.connect(clinic.state / "jobs.sqlite") as connection:
        connection.execute("create table other (x)")
    assert clinic.findings("database")["database-without-tables"][0] is WARN


def test_jobs_that_nobody_will_take_and_jobs_given_up(clinic: Clinic) -> None:
    taking = inbox(clinic)
    taking.accept(JOB)
    taking.close()
    engine = database.connect(clinic.settings())
    received = database.connect_arrivals(clinic.settings(), engine)
    assert arrivals.queue(received, engine, database.client(engine)) == 1
    received.dispose()
    with engine.begin() as connection:
        jobs = database.workflows(engine)
        connection.execute(sa.update(jobs).values(application_version="0"))
        connection.execute(database.RUNS.insert().values(key="k", starts=3, parked="killed", since=0.0))
    engine.dispose()
    found = clinic.findings("database")
    assert found["database-strange-jobs"] == (WARN, {"count": 1, "version": database.VERSION})
    assert found["database-parked"] == (WARN, {"count": 1})


@pytest.mark.parametrize(
    ("wanted", "url"),
    [
        ("database-unreachable", "postgresql://bot:of-the-database@127.0.0.1:9/steelyard"),
        ("database-kind", "mysql://bot:of-the-database@127.0.0.1:9/steelyard"),
    ],
)
def test_a_database_elsewhere(wanted: str, url: str, clinic: Clinic) -> None:
    level, facts = clinic.findings("database", database_url=url)[wanted]
    assert level is FAIL
    assert "of-the-database" not in str(facts)


def test_a_damaged_database(clinic: Clinic) -> None:
    clinic.state.mkdir(mode=0o700)
    (clinic.state / "jobs.sqlite").write_bytes(b"no database at all" * 100)
    assert clinic.findings("database")["database-unreachable"][0] is FAIL


KEY = "-----BEGIN RSA PRIVATE KEY-----\nnot a key\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("wanted", "level", "changes"),
    [
        ("credentials-app", OK, {}),
        ("credentials-key", FAIL, {"private_key": KEY}),
        ("webhook-secret-none", FAIL, {"webhook_secrets": ()}),
        ("webhook-secret-short", WARN, {"webhook_secrets": ("short",)}),
        ("webhook-secret-several", WARN, {"webhook_secrets": ("a" * 32, "b" * 32)}),
    ],
)
def test_credentials(wanted: str, level: Level, changes: dict[str, object], clinic: Clinic) -> None:
    assert clinic.findings("credentials", **changes)[wanted][0] is level


@pytest.mark.parametrize(
    ("wanted", "level", "given"),
    [
        ("credentials-none", FAIL, {}),
        ("credentials-token", OK, {"token": "ghp_0123456789"}),
        ("credentials-half", FAIL, {"app_id": "1"}),
        ("credentials-half", FAIL, {"private_key": KEY}),
    ],
)
def test_other_credentials(wanted: str, level: Level, given: dict[str, object], clinic: Clinic) -> None:
    clinic.given = {"base_url": clinic.given["base_url"], **given}
    assert clinic.findings("credentials")[wanted][0] is level
