"""A repository's books, read in the bounded process: where they are, and what a quarter looks like by them."""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

from flask import current_app
from markupsafe import Markup

from bot.dossier import Outcome
from bot.grammar import Command
from bot.web.desk import PATIENCE_S, Busy, Desk
from bot.web.made import Key, Made
from bot.web.pages import part, saying
from bot.web.quarter import quarter_shown
from bot.web.reply_html import reply_html

CONFIG_PATH = ".github/steelyard.yml"
FAILED_S = 30.0
MOST_FAILED = 200


@dataclass(frozen=True)
class Paths:
    """Where a repository's settings say that things are."""

    ledger: str = "steelyard"
    contracts: str = ".github/steelyard/contracts.yml"
    workloads: str = ".github/steelyard/workloads.yml"
    repositories: tuple[str, ...] = ()
    """Others that `/review` of this one reads, where they agree."""


@dataclass
class Quarters:
    """One per app: the part of a page that shows books, by their content, the day, the quarter and the language.

    What the bounded process could not answer is told for FAILED_S, so that nobody waits for it again at once.
    `clock` gives seconds.
    """

    clock: Callable[[], float] = monotonic
    _known: Made = field(default_factory=Made)
    _failed: OrderedDict[Key, tuple[float, Markup]] = field(default_factory=OrderedDict)
    _turns: dict[Key, threading.Lock] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of_app(cls) -> "Quarters":
        """That of the app that serves this request."""
        quarters = current_app.extensions["steelyard-quarters"]
        assert isinstance(quarters, cls)  # noqa: S101 - only create_app puts it there
        return quarters

    def of(
        self, desk: Desk, key: tuple[str, ...], quarter: str, language: str, paths: Paths, books: Mapping[str, bytes]
    ) -> Markup:
        """The quarter by these books, which `key` tells from all others, or what is wrong with them. Raises Busy."""
        if found := self._found(key):
            return found
        with self._turn(key):  # once, however many ask; other books do not wait for it
            if found := self._found(key):
                return found
            shown, is_lasting = _computed(desk, quarter, language, paths, books)
            if is_lasting:
                return self._known.of(key, lambda: shown)
            self._fail(key, shown)
            return shown

    def _found(self, key: Key) -> Markup | None:
        with self._lock:
            until, failed = self._failed.get(key, (0.0, None))
        return failed if failed is not None and until > self.clock() else self._known.find(key)

    def _fail(self, key: Key, shown: Markup) -> None:
        with self._lock:
            self._failed[key] = (self.clock() + FAILED_S, shown)
            while len(self._failed) > MOST_FAILED:
                self._failed.popitem(last=False)

    @contextmanager
    def _turn(self, key: Key) -> Iterator[None]:
        with self._lock:
            turn = self._turns.setdefault(key, threading.Lock())
        if not turn.acquire(timeout=PATIENCE_S):
            raise Busy
        try:
            yield
        finally:
            with self._lock:
                self._turns.pop(key, None)
            turn.release()


def paths_of(desk: Desk, settings: bytes | None) -> Paths:
    """By the settings; the defaults where they cannot be read. Raises Busy."""
    if settings is None:
        return Paths()
    answer = desk.answer(Command("paths", (), 1), "en", books={"settings": (CONFIG_PATH, settings)})
    told = json.loads(answer.files.get("paths.json", b"{}"))
    return Paths(**{**told, "repositories": tuple(told.get("repositories", ()))})


def _computed(desk: Desk, quarter: str, language: str, paths: Paths, books: Mapping[str, bytes]) -> tuple[Markup, bool]:
    """The quarter, and whether the same would come out again."""
    names = {"settings": CONFIG_PATH, "contracts": paths.contracts, "workloads": paths.workloads}
    given = {kind: (name, books[kind]) for kind, name in names.items() if kind in books}
    answer = desk.answer(Command("quarter", (quarter,), 1), language, books=given)
    review = json.loads(answer.files["quarter.json"]) if "quarter.json" in answer.files else None
    shown = part(
        "books.html",
        language,
        shown=quarter_shown(review, language, desk.today()) if review else None,
        wrong=reply_html(answer.body, table=str(saying(language)("table"))) if answer.body else None,
        contracts_path=paths.contracts,
    )
    return shown, answer.outcome is not Outcome.FAILED
