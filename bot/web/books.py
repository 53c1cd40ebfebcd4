"""A repository's books, read in the bounded process: where they are, and what a quarter looks like by them."""

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

from flask import current_app
from markupsafe import Markup

from bot.dossier import Outcome
from bot.grammar import Command
from bot.web.desk import Desk
from bot.web.pages import part, saying
from bot.web.quarter import quarter_shown
from bot.web.reply_html import reply_html

CONFIG_PATH = ".github/steelyard.yml"
MOST_KEPT = 200


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
    """One per app: the part of a page that shows books, by their content, the day, the quarter and the language."""

    _known: OrderedDict[tuple[str, ...], Markup] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _computing: threading.Lock = field(default_factory=threading.Lock)

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
        with self._lock:
            known = self._known.get(key)
        if known is not None:
            return known
        with self._computing:  # once, however many ask
            with self._lock:
                known = self._known.get(key)
            if known is None:
                known, lasting = _computed(desk, quarter, language, paths, books)
                if lasting:
                    self._keep(key, known)
        return known

    def _keep(self, key: tuple[str, ...], found: Markup) -> None:
        with self._lock:
            self._known[key] = found
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)


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
