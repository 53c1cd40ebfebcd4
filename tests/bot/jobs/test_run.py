"""When a job is blamed for deaths: often enough, and for long enough."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.job import Job
from bot.jobs import database
from bot.jobs.deaths import Deaths
from bot.jobs.floor import Floor
from bot.jobs.run import Begun, Patience, Reason, Run
from bot.settings import ProcessSettings

START = datetime(2026, 11, 30, 12, tzinfo=UTC)
JOB = Job(repository="lab/pilots", issue=1, comment_id=2, updated_at="2026-11-30T12:00:00Z", content="0" * 16)
PATIENCE = Patience()


class Bench:
    """A run of the one job, on a clock that is set by hand."""

    def __init__(self, folder: Path) -> None:
        self.now = START
        engine = database.connect(ProcessSettings(state_dir=folder))
        database.prepare(engine, engine)
        self.deaths = Deaths(engine, lambda: self.now)
        self.run = Run(lambda *_: "done", lambda *_: None, self.deaths, PATIENCE, lambda: self.now, Floor())

    def work(self, rested: int = 0) -> tuple[str, float | None, str | None]:
        """What the run said, when to come again, and why it was given up."""
        begun: Begun = {**self.run.begin(), "rested": rested}
        end = self.run.work(JOB, begun)
        return end["said"], end["wait_s"], end["park"]

    def die(self, times: int, every_s: float) -> None:
        """The process dies in the middle of the job, again and again."""
        for _ in range(times):
            self.deaths.begun(JOB.key)
            self.now += timedelta(seconds=every_s)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A fresh database."""
    return Bench(tmp_path)


@pytest.mark.parametrize(
    ("wanted", "times", "every_s", "rested"),
    [
        (("done", None, None), 0, 1.0, 0),
        (("done", None, None), 1, 1.0, 0),
        (("", 5.0, None), 2, 1.0, 0),
        (("", 20.0, None), 4, 1.0, 3),
        (("done", None, None), 4, 1.0, 4),
        (("", 600.0, None), 40, 1.0, 0),
        (("done", None, None), 40, 1.0, 40),
        (("done", None, None), 5, 1000.0, 5),
        (("", None, Reason.DIED.value), 6, 200.0, 6),
    ],
)
def test_what_a_job_that_saw_deaths_does(
    bench: Bench, wanted: tuple[str, float | None, str | None], times: int, every_s: float, rested: int
) -> None:
    bench.die(times, every_s)
    assert bench.work(rested) == wanted


def test_the_day_is_the_first_ones(bench: Bench) -> None:
    assert bench.run.begin()["today"] == date(2026, 11, 30).isoformat()
