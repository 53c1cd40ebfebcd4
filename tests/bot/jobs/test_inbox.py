"""The inbox takes each state of a text once, from any thread, and says how it is."""

import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from bot.bench.postgres import Cluster
from bot.jobs import Inbox
from bot.settings import ProcessSettings
from tests.bot.jobs.laborer import job


def test_a_job_is_new_once(inbox: Inbox, settings: ProcessSettings) -> None:
    assert inbox.accept(job())
    assert not inbox.accept(job())
    assert inbox.accept(job("another state of the text"))
    second = Inbox(settings)
    assert not second.accept(job().model_copy(update={"delivery": "by another hook"}))
    second.close()
    assert inbox.depths() == {"queued": 2, "waiting": 0, "running": 0, "parked": 0}


def test_of_many_threads_one_is_told_that_a_job_is_new(inbox: Inbox) -> None:
    jobs = [job(comment=number) for number in range(8)] * 6
    with ThreadPoolExecutor(24) as threads:
        told = list(threads.map(inbox.accept, jobs))
    assert Counter(told) == {True: 8, False: 40}
    assert inbox.depths()["queued"] == 8


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_whoever_waits_for_a_store_that_fails_is_never_told_that_it_is_known(
    inbox: Inbox, settings: ProcessSettings
) -> None:
    with sqlite3.connect(settings.state_dir / "jobs.sqlite.arrivals") as connection:
        connection.execute("DROP TABLE steelyard_arrivals")
    connection.close()

    def told(number: int) -> object:
        try:
            return inbox.accept(job(comment=number))
        except BaseException as failure:
            return type(failure)

    with ThreadPoolExecutor(8) as threads:
        assert not set(threads.map(told, range(8))) & {True, False}


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_database_that_hangs_is_not_waited_for_beyond_the_time_given(inbox: Inbox, settings: ProcessSettings) -> None:
    blocking = sqlite3.connect(settings.state_dir / "jobs.sqlite.arrivals", isolation_level=None)
    blocking.execute("BEGIN IMMEDIATE")
    with pytest.raises(TimeoutError):
        inbox.accept(job(), 0.2)
    blocking.execute("ROLLBACK")
    blocking.close()
    assert inbox.accept(job(comment=2))
    assert not inbox.accept(job()), "what was given up was stored all the same, once"
    assert inbox.depths()["queued"] == 2


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_processes_that_start_at_once_make_one_database(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = request.getfixturevalue("postgres").database() if kind == "postgresql" else None
    settings = ProcessSettings(state_dir=tmp_path, database_url=url)
    with ThreadPoolExecutor(4) as threads:
        boxes = list(threads.map(Inbox, [settings] * 4))
    assert [box.accept(job()) for box in boxes] == [True, False, False, False]
    for box in boxes:
        box.close()


def test_ready_is_whether_the_database_answers(postgres: Cluster, settings: ProcessSettings) -> None:
    if settings.database_url is None:
        pytest.skip("a file is always there")
    name = postgres.name(settings.database_url)
    box = Inbox(settings)
    assert box.ready()
    postgres.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    postgres.disconnect(name)
    assert not box.ready()
    with pytest.raises(DBAPIError):
        box.accept(job())
    postgres.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    assert box.ready() and box.accept(job())
    box.close()


def test_what_cannot_be_stored_is_not_accepted_and_shows_no_password() -> None:
    settings = ProcessSettings(database_url="postgresql://u:geheim@127.0.0.1:1/d")
    with pytest.raises(DBAPIError) as failure:
        Inbox(settings)
    assert "geheim" not in str(failure.value)
