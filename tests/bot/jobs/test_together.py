"""What waits while one stores is stored next, in one go; a failure of any kind is everybody's, and never an answer."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.job import Job
from bot.jobs.together import MOST, Together
from tests.bot.jobs.laborer import job


class Store:
    """Remembers what it was asked, and stores when it may."""

    def __init__(self, failure: BaseException | None = None) -> None:
        self.calls: list[list[int]] = []
        self.begun, self.may = threading.Event(), threading.Event()
        self.failure = failure

    def __call__(self, jobs: Sequence[Job]) -> list[bool]:
        self.calls.append([job.comment_id or 0 for job in jobs])
        self.begun.set()
        assert self.may.wait(10)
        if self.failure:
            raise self.failure
        return [(job.comment_id or 0) % 2 == 0 for job in jobs]


def ask(together: Together, number: int) -> object:
    try:
        return together(job(comment=number), 10)
    except BaseException as failure:
        return type(failure)


def asked_while_it_stores(together: Together, store: Store, others: int) -> list[object]:
    """The first is being stored while the others come."""
    with ThreadPoolExecutor(others + 1) as threads:
        first = threads.submit(ask, together, 0)
        assert store.begun.wait(10)
        later = [threads.submit(ask, together, number) for number in range(1, others + 1)]
        while together._waiting.qsize() < others:
            threading.Event().wait(0.001)
        store.may.set()
        return [answer.result() for answer in (first, *later)]


def test_all_that_wait_are_stored_at_once_and_each_gets_its_own_answer() -> None:
    together = Together(store := Store())
    assert asked_while_it_stores(together, store, 5) == [True, False, True, False, True, False]
    assert [sorted(call) for call in store.calls] == [[0], [1, 2, 3, 4, 5]]
    together.close()


def test_nobody_waits_for_more_than_a_bounded_number() -> None:
    together = Together(store := Store())
    asked_while_it_stores(together, store, MOST + 3)
    assert [len(call) for call in store.calls] == [1, MOST, 3]
    together.close()


@pytest.mark.parametrize("failure", [OSError("full"), SystemExit(0), KeyboardInterrupt()])
def test_a_store_that_fails_gives_nobody_an_answer_and_the_next_is_tried(failure: BaseException) -> None:
    together = Together(store := Store(failure))
    assert asked_while_it_stores(together, store, 3) == [type(failure)] * 4
    store.failure = None
    assert ask(together, 2) is True
    together.close()


def test_closing_stores_what_waits() -> None:
    together = Together(store := Store())
    with ThreadPoolExecutor(2) as threads:
        waiting = threads.submit(ask, together, 2)
        assert store.begun.wait(10)
        closing = threads.submit(together.close)
        store.may.set()
        closing.result()
        assert waiting.result() is True
