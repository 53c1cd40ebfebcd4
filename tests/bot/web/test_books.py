"""Books that take long keep no other books waiting, and what failed is not tried again at once."""

import threading
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from flask import Flask
from markupsafe import Markup

from bot.web.books import FAILED_S, Paths, Quarters
from bot.web.desk import Busy, Desk
from tests.bot.web.readers import Clock

KEY, OTHER = ("lab/a", "contracts:1"), ("lab/b", "contracts:2")


@dataclass
class Computed:
    """Stands for the bounded process: what it gave, whether that lasts, and until when it computes."""

    lasting: bool = True
    until: threading.Event = field(default_factory=threading.Event)
    asked: int = 0

    def __call__(self, *_: Any) -> tuple[Markup, bool]:
        self.asked += 1
        assert self.until.wait(20)
        return Markup("shown"), self.lasting


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Computed:
    found = Computed()
    monkeypatch.setattr("bot.web.books._computed", found)
    return found


def of(quarters: Quarters, key: tuple[str, ...]) -> Markup:
    with Flask("x").app_context():
        return quarters.of(cast(Desk, None), key, "2027Q1", "en", Paths(), {})


@pytest.mark.parametrize(("lasting", "asked"), [(True, 1), (False, 2)])
def test_what_lasts_is_computed_once_and_what_failed_again_after_a_while(
    lasting: bool, asked: int, computed: Computed
) -> None:
    clock = Clock()
    quarters, computed.lasting = Quarters(clock=clock), lasting
    computed.until.set()
    assert [of(quarters, KEY) for _ in range(3)] == ["shown"] * 3 and computed.asked == 1
    clock.now += FAILED_S + 1
    assert of(quarters, KEY) == "shown" and computed.asked == asked


def test_one_computes_and_the_others_of_the_same_books_are_told_to_come_back(
    computed: Computed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.web.books.PATIENCE_S", 0.05)
    quarters = Quarters()
    thread = threading.Thread(target=of, args=(quarters, KEY))
    thread.start()
    while not computed.asked:
        pass
    with pytest.raises(Busy):
        of(quarters, KEY)
    other = threading.Thread(target=of, args=(quarters, OTHER))
    other.start()
    while computed.asked < 2:
        pass
    computed.until.set()
    thread.join(), other.join()
    assert of(quarters, KEY) == "shown" and computed.asked == 2
