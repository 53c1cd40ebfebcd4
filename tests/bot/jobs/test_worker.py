"""One worker in this process: order, tries, giving up, and what it keeps."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.github.errors import Later, Refused
from bot.job import Job
from bot.jobs import Inbox, Patience, Reason, Worker
from bot.settings import ProcessSettings
from tests.bot.jobs.laborer import job

QUICK = Patience(first_wait_s=0.2, longest_wait_s=0.4, give_up_after_s=3600)
SECONDS = 30


class Bench:
    """What a worker did, with a handler of the test's own, and a clock that the test sets."""

    def __init__(
        self, settings: ProcessSettings, inbox: Inbox, handler: Callable[[Job], str], patience: Patience
    ) -> None:
        self.now = datetime(2026, 11, 30, 23, 59, tzinfo=UTC)
        self.begun: list[tuple[int | None, date]] = []
        self.parked: list[tuple[int | None, str]] = []
        self.parking: Callable[[], None] = lambda: None
        self._handler = handler
        self._changed = threading.Condition()
        self._inbox = inbox
        self.worker = Worker(settings, self._handle, self._park, patience=patience, clock=lambda: self.now, poll_s=0.05)

    def _handle(self, job: Job, today: date) -> str:
        with self._changed:
            self.begun.append((job.comment_id, today))
            self._changed.notify_all()
        return self._handler(job)

    def _park(self, job: Job, reason: str) -> None:
        with self._changed:
            self.parked.append((job.comment_id, reason))
            self._changed.notify_all()
        self.parking()

    def until(self, wanted: Callable[[], bool]) -> None:
        """Wait for it; the bound is for a worker that is broken."""
        with self._changed:
            assert self._changed.wait_for(wanted, SECONDS), (self.begun, self.parked)

    def depths_are(self, **wanted: int) -> None:
        """Wait for these depths of the queue."""
        want = {"queued": 0, "waiting": 0, "running": 0, "parked": 0, **wanted}
        pause = threading.Event()
        for _ in range(SECONDS * 50):
            if self._inbox.depths() == want:
                return
            pause.wait(0.02)
        raise AssertionError(self._inbox.depths())


Start = Callable[..., Bench]


@pytest.fixture
def start(settings: ProcessSettings, inbox: Inbox) -> Iterator[Start]:
    """Starts a worker, which is stopped at the end."""
    benches: list[Bench] = []

    def started(handler: Callable[[Job], str], patience: Patience = QUICK) -> Bench:
        bench = Bench(settings, inbox, handler, patience)
        benches.append(bench)
        bench.worker.start()
        return bench

    yield started
    for bench in benches:
        assert bench.worker.stop(grace_s=1)


def test_jobs_of_a_thread_come_one_after_the_other_and_threads_side_by_side(inbox: Inbox, start: Start) -> None:
    for number in range(4):
        inbox.accept(job(issue=1, comment=number))
        inbox.accept(job(issue=2, comment=10 + number))
    both = threading.Barrier(2)
    inside: set[int] = set()

    def handler(job: Job) -> str:
        assert job.issue not in inside
        inside.add(job.issue)
        both.wait(SECONDS)  # opens only for a job of each thread at the same time
        inside.remove(job.issue)
        return "done"

    bench = start(handler)
    bench.depths_are()
    numbers = [number for number, _ in bench.begun if number is not None]
    assert [n for n in numbers if n < 10] == [0, 1, 2, 3]
    assert [n for n in numbers if n >= 10] == [10, 11, 12, 13]
    assert bench.parked == []


def test_later_is_tried_again_on_the_same_day_and_not_sooner_than_github_says(inbox: Inbox, start: Start) -> None:
    times: list[float] = []

    def handler(_: Job) -> str:
        times.append(time.monotonic())
        bench.now += timedelta(minutes=5)  # past midnight
        if len(times) < 3:
            raise Later("503", 503, retry_after_s=1.0 if len(times) == 1 else None)
        return "done"

    inbox.accept(job())
    bench = start(handler)
    bench.until(lambda: len(bench.begun) == 3)
    bench.depths_are()
    assert [day for _, day in bench.begun] == [date(2026, 11, 30)] * 3
    assert times[1] - times[0] >= 1.0
    assert times[2] - times[1] >= 0.4
    assert bench.parked == []


def test_a_job_that_waits_holds_no_place(inbox: Inbox, start: Start) -> None:
    def handler(job: Job) -> str:
        if job.comment_id in (1, 2):
            raise Later("limit", 403, retry_after_s=600)
        return "done"

    for number in (1, 2, 3):
        inbox.accept(job(issue=number, comment=number))
    bench = start(handler)
    bench.until(lambda: len(bench.begun) == 3)
    bench.depths_are(waiting=2)
    assert not inbox.accept(job(issue=1, comment=1)), "a job that waits is known"


def test_a_day_without_github_is_the_end_of_patience(inbox: Inbox, start: Start) -> None:
    silent = [Later("502", 502), Later("502", 502)]

    def handler(_: Job) -> str:
        bench.now += timedelta(hours=1)
        raise Later("502", 502)

    def parking() -> None:
        if silent:
            raise silent.pop()

    inbox.accept(job())
    bench = start(handler)
    bench.parking = parking
    bench.depths_are(parked=1)
    assert len(bench.begun) == 1
    assert bench.parked == [(1, Reason.UNREACHABLE)] * 3, "the reply is tried as patiently"


def test_credentials_that_are_not_taken_put_a_job_off_until_they_are(inbox: Inbox, start: Start) -> None:
    failures = [Refused("Bad credentials", 401), Refused("no credentials", None)]

    def handler(_: Job) -> str:
        if failures:
            raise failures.pop()
        return "done"

    inbox.accept(job())
    bench = start(handler)
    bench.until(lambda: len(bench.begun) == 3)
    bench.depths_are()
    assert bench.parked == []


@pytest.mark.parametrize("failure", [ZeroDivisionError("a bug"), Refused("not allowed", 403), SystemExit(3)])
def test_any_other_error_is_said_once_and_traced_for_the_operator(
    failure: BaseException, inbox: Inbox, start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    def handler(job: Job) -> str:
        if job.comment_id == 1:
            raise failure
        return "done"

    inbox.accept(job(comment=1))
    inbox.accept(job(comment=2))
    with caplog.at_level(logging.WARNING):
        bench = start(handler)
        bench.until(lambda: len(bench.begun) == 2)
        bench.depths_are(parked=1)
    assert bench.parked == [(1, Reason.INTERNAL)]
    (line,) = [record for record in caplog.records if record.exc_info]
    assert line.exc_info and line.exc_info[1] is failure
    assert vars(line)["delivery"] == "delivery-1-1"
    assert not inbox.accept(job(comment=1)), "a job that was given up is known"


def test_a_job_given_up_without_a_reply_is_given_up_all_the_same(inbox: Inbox, start: Start) -> None:
    def broken(*_: object) -> str:
        raise ZeroDivisionError

    inbox.accept(job())
    bench = start(broken)
    bench.parking = broken  # type: ignore[assignment]
    bench.depths_are(parked=1)
    assert bench.parked == [(1, Reason.INTERNAL)]


def test_finished_jobs_are_kept_for_the_retention_and_then_forgotten(inbox: Inbox, start: Start) -> None:
    def handler(job: Job) -> str:
        if job.comment_id == 1:
            raise Later("limit", 403, retry_after_s=600)
        return "done" if job.comment_id == 2 else str(1 / 0)

    for number in (1, 2, 3):
        inbox.accept(job(issue=number, comment=number))
    bench = start(handler)
    bench.depths_are(waiting=1, parked=1)
    bench.now = datetime.now(UTC) + timedelta(days=89)  # noqa: TID251 - the database has the machine's clock
    assert bench.worker.prune() == 0
    bench.now += timedelta(days=2)
    assert bench.worker.prune() == 3, "two finished ones, and the run of the waiting one that ended"
    bench.depths_are(waiting=1)
    assert inbox.accept(job(issue=2, comment=2)), "what is forgotten is new"
