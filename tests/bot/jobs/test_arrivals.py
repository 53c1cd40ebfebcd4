"""What arrived comes into the queue in order, once, and no thread keeps the others waiting."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from bot.jobs import Inbox, arrivals, database
from bot.settings import ProcessSettings
from tests.bot.jobs.laborer import job


class Queue:
    """The queue of a database, and its way in."""

    def __init__(self, settings: ProcessSettings) -> None:
        self.engine = database.connect(settings)
        self.received = database.connect_arrivals(settings, self.engine)
        self._client = database.client(self.engine)

    def fill(self) -> int:
        return arrivals.queue(self.received, self.engine, self._client)

    def ids(self) -> list[str]:
        """Of the jobs in the queue, as they came in."""
        jobs = self._client.list_workflows(queue_name=database.QUEUE)
        return [one.workflow_id for one in sorted(jobs, key=lambda one: one.created_at or 0)]

    def finish(self, ids: list[str]) -> None:
        """As if a worker had done them."""
        self._client.cancel_workflows(ids)

    def remove(self, ids: list[str]) -> None:
        self._client.delete_workflows(ids)


@pytest.fixture
def queue(settings: ProcessSettings, inbox: Inbox) -> Iterator[Queue]:
    made = Queue(settings)
    yield made
    made.received.dispose()
    made.engine.dispose()


def test_what_arrived_is_queued_once_in_the_order_of_arrival(inbox: Inbox, queue: Queue) -> None:
    jobs = [job(issue=number, comment=number) for number in (3, 1, 2)]
    for one in jobs:
        assert inbox.accept(one)
    assert queue.fill() == 3
    assert queue.ids() == [one.key for one in jobs]
    assert queue.fill() == 0
    assert not inbox.accept(jobs[0]), "what is in the queue is known"
    assert inbox.depths()["queued"] == 3


def test_the_queue_is_short_and_what_waits_before_it_counts_as_queued(inbox: Inbox, queue: Queue) -> None:
    for number in range(arrivals.AHEAD + 7):
        inbox.accept(job(issue=number, comment=number))
    assert queue.fill() == arrivals.AHEAD
    assert queue.fill() == 0
    assert inbox.depths()["queued"] == arrivals.AHEAD + 7
    queue.finish(queue.ids()[:5])
    assert queue.fill() == 5


def test_a_thread_with_many_commands_keeps_no_other_waiting(inbox: Inbox, queue: Queue) -> None:
    for number in range(arrivals.AHEAD + 20):
        inbox.accept(job(issue=1, comment=number))
    for number in (2, 3):
        inbox.accept(job(issue=number, comment=1000 + number))
    assert queue.fill() == arrivals.OF_ONE_PLACE + 2
    assert queue.fill() == 0
    queue.finish([job(issue=1, comment=0).key])
    assert queue.fill() == 1
    assert queue.ids()[-1] == job(issue=1, comment=arrivals.OF_ONE_PLACE).key


def test_what_the_queue_has_forgotten_is_new_and_what_waits_is_kept(inbox: Inbox, queue: Queue) -> None:
    inbox.accept(job(comment=1))
    queue.fill()
    inbox.accept(job(comment=2))
    queue.remove([job(comment=1).key])
    arrivals.forget(queue.received, [job(comment=1).key, job(comment=2).key])
    assert inbox.accept(job(comment=1))
    assert not inbox.accept(job(comment=2))


@pytest.mark.parametrize("is_done", [False, True])
def test_a_job_whose_process_died_before_it_counted_as_taken_is_queued_once(
    inbox: Inbox, queue: Queue, is_done: bool
) -> None:
    inbox.accept(job())
    queue.fill()
    if is_done:
        queue.finish([job().key])
    with queue.received.begin() as connection:
        connection.execute(sa.update(database.ARRIVALS).values(job=job().model_dump(mode="json")))
    assert queue.fill() == 1
    assert queue.ids() == ([] if is_done else [job().key])
    assert inbox.depths()["queued"] == (0 if is_done else 1)
