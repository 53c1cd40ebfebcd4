"""A worker in a process of its own, to be killed: what a job does stands in its content, what happened in a file."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from bot.job import Job
from bot.jobs import Patience, Worker
from bot.settings import ProcessSettings

_PROCESSES = multiprocessing.get_context("forkserver")
# Loading the database's libraries takes longer than most of what is tested, so it is done once.
_PROCESSES.set_forkserver_preload(["tests.bot.jobs.laborer"])


def job(content: str = "quick", issue: int = 1, comment: int = 1) -> Job:
    """A job that does what `content` says."""
    return Job(
        repository="o/r",
        issue=issue,
        comment_id=comment,
        updated_at="2026-01-02T03:04:05Z",
        content=content,
        delivery=f"delivery-{issue}-{comment}",
    )


@contextmanager
def laborer(
    settings: ProcessSettings, folder: Path, today: str = "2026-11-30", deaths: int = 5
) -> Iterator[ForkServerProcess]:
    """A running worker; killed at the end if it still lives."""
    process = _PROCESSES.Process(target=main, args=(settings, folder, date.fromisoformat(today), deaths))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def events(folder: Path) -> list[str]:
    """What happened so far, in order."""
    path = folder / "events"
    return path.read_text().splitlines() if path.exists() else []


def wait_for(folder: Path, *wanted: str, seconds: float = 30) -> list[str]:
    """Wait until all of these happened; a bound so that a broken worker does not hang the tests."""
    end = time.monotonic() + seconds
    while not set(wanted) <= set(events(folder)):
        assert time.monotonic() < end, f"{wanted} did not happen: {events(folder)}"
        time.sleep(0.02)
    return events(folder)


def main(settings: ProcessSettings, folder: Path, today: date, deaths: int) -> None:
    """Work until told to end."""

    def note(event: str) -> None:
        with (folder / "events").open("a") as lines:
            lines.write(event + "\n")

    def handle(job: Job, day: date) -> str:
        note(f"begin {job.comment_id} {day}")
        if job.content == "kills":
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGKILL)
        if job.content == "is long":
            time.sleep(1)
        while job.content == "waits" and not (folder / "go").exists():
            time.sleep(0.02)
        note(f"end {job.comment_id} {day}")
        return "done"

    def park(job: Job, reason: str) -> None:
        note(f"park {job.comment_id} {reason}")

    clock = datetime(today.year, today.month, today.day, 12, tzinfo=UTC)
    patience = Patience(deaths=deaths, first_wait_s=0.2, blame_after_s=0.0)
    worker = Worker(settings, handle, park, patience=patience, clock=lambda: clock, look_s=0.1)
    ending = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ending.set())
    worker.start()
    note("up")
    ending.wait()
    note("stopped" if worker.stop(grace_s=1) else "cut short")
    os._exit(0)
