"""Workers that die, by kill -9 and in order, and what becomes of their jobs."""

from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.bench.postgres import Cluster
from bot.jobs import Inbox, Reason, database
from bot.settings import ProcessSettings
from tests.bot.jobs.laborer import events, job, laborer, wait_for


def starts(settings: ProcessSettings) -> list[int]:
    """The deaths that are counted against any job."""
    engine = database.connect(settings)
    with engine.connect() as connection:
        found = list(connection.execute(sa.select(database.RUNS.c.starts)).scalars())
    engine.dispose()
    return found


def end_in_order(worker: ForkServerProcess) -> None:
    """What has begun is finished and stored."""
    worker.terminate()
    worker.join(30)
    assert worker.exitcode == 0


def test_a_living_worker_does_what_a_killed_one_had_begun(
    inbox: Inbox, settings: ProcessSettings, tmp_path: Path
) -> None:
    inbox.accept(job("waits", comment=1))
    inbox.accept(job("quick", comment=2))
    with laborer(settings, tmp_path, today="2026-11-30") as first:
        wait_for(tmp_path, "begin 1 2026-11-30")
        with laborer(settings, tmp_path, today="2026-12-01") as second:
            while events(tmp_path).count("up") < 2:
                wait_for(tmp_path, "up")
            first.kill()
            first.join()
            (tmp_path / "go").touch()
            happened = wait_for(tmp_path, "end 1 2026-11-30", "end 2 2026-12-01")
            end_in_order(second)
    assert happened.count("begin 1 2026-11-30") == 2, "on the day on which it was begun first"
    assert happened.index("end 1 2026-11-30") < happened.index("begin 2 2026-12-01"), "it kept its place"
    assert inbox.depths() == {"queued": 0, "waiting": 0, "running": 0, "parked": 0}
    assert starts(settings) == []


def test_a_worker_that_lives_is_not_robbed(
    inbox: Inbox, settings: ProcessSettings, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    inbox.accept(job("waits", issue=1, comment=1))
    with laborer(settings, tmp_path):
        wait_for(tmp_path, "begin 1 2026-11-30")
        with laborer(settings, tmp_path):
            while events(tmp_path).count("up") < 2:
                wait_for(tmp_path, "up")
            if settings.database_url is not None:
                cluster: Cluster = request.getfixturevalue("postgres")
                cluster.disconnect(cluster.name(settings.database_url))
            for number in range(2, 8):
                while not _stored(inbox, number):
                    pass
                wait_for(tmp_path, f"end {number} 2026-11-30")
            (tmp_path / "go").touch()
            happened = wait_for(tmp_path, "end 1 2026-11-30")
    assert happened.count("begin 1 2026-11-30") == 1


def _stored(inbox: Inbox, number: int) -> bool:
    """A sender comes again while the connections are broken."""
    try:
        inbox.accept(job(issue=number, comment=number))
    except sa.exc.DBAPIError:
        return False
    return True


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_a_job_that_kills_is_put_aside_once_and_no_other_is_blamed(
    inbox: Inbox, settings: ProcessSettings, tmp_path: Path
) -> None:
    deaths = 3
    inbox.accept(job("kills", issue=1, comment=1))
    inbox.accept(job("is long", issue=2, comment=2))
    for _ in range(deaths + 1):
        with laborer(settings, tmp_path, deaths=deaths) as dying:
            dying.join(30)
            assert dying.exitcode is not None, "still alive"
    with laborer(settings, tmp_path, deaths=deaths) as last:
        wait_for(tmp_path, f"park 1 {Reason.DIED}", "end 2 2026-11-30")
        end_in_order(last)
    happened = events(tmp_path)
    assert happened.count("begin 1 2026-11-30") == deaths + 1
    assert sum(event.startswith("park") for event in happened) == 1
    assert happened.count("end 2 2026-11-30") == 1
    assert inbox.depths() == {"queued": 0, "waiting": 0, "running": 0, "parked": 1}


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_who_ends_in_order_blames_nobody(inbox: Inbox, settings: ProcessSettings, tmp_path: Path) -> None:
    inbox.accept(job("waits"))
    with laborer(settings, tmp_path) as ending:
        wait_for(tmp_path, "begin 1 2026-11-30")
        end_in_order(ending)
    assert "cut short" in events(tmp_path)
    assert starts(settings) == [0]
    (tmp_path / "go").touch()
    with laborer(settings, tmp_path) as after:
        wait_for(tmp_path, "end 1 2026-11-30")
        end_in_order(after)
    assert "stopped" in events(tmp_path)
