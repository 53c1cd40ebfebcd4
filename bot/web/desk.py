"""What the pages have of the bounded process: one for the app, a few answers at a time."""

import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from flask import current_app

from bot import litter
from bot.dossier import Answer, Dossier, Spooled
from bot.grammar import Command
from bot.sandbox import Limits, Sandbox
from bot.web import kept

REGISTRY = "bot.page_answers:REGISTRY"
ANSWER_S = 60.0
AT_A_TIME = 2
PATIENCE_S = 20.0
File = tuple[str, bytes]
"""A name as it is shown, and the bytes."""


class Busy(Exception):
    """All places were taken for PATIENCE_S."""


@dataclass
class Desk:
    """One per app: the bounded process, how many may use it at a time and how often, and files to download."""

    seconds: float = ANSWER_S
    memory_mb: int = 2048
    sandbox: Sandbox = field(default_factory=lambda: Sandbox(REGISTRY))
    turns: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(AT_A_TIME))
    own_pace: kept.Pace = field(default_factory=lambda: kept.Pace(12, 60.0))
    address_pace: kept.Pace = field(default_factory=lambda: kept.Pace(120, 600.0))
    """Of everybody behind one address, who may drop the cookie that counts them apart."""
    files: kept.Kept = field(default_factory=kept.Kept)
    today: Callable[[], date] = date.today  # noqa: TID251 - the shell may read the clock

    @classmethod
    def of_app(cls) -> "Desk":
        """The desk of the app that serves this request."""
        desk = current_app.extensions["steelyard-desk"]
        assert isinstance(desk, cls)  # noqa: S101 - only create_app puts it there
        return desk

    def answer(
        self, command: Command, language: str, postings: tuple[File, ...] = (), books: Mapping[str, File] | None = None
    ) -> Answer:
        """What the bounded process says; files are on the disk for as long as it reads them. Raises Busy.

        `books` are `settings`, `contracts`, `prices` and `workloads` by these names.
        """
        with self._turn(), tempfile.TemporaryDirectory(prefix=litter.PREFIX) as folder:
            named = {kind: _spooled(Path(folder), kind, file) for kind, file in (books or {}).items()}
            dossier = Dossier(
                command=command,
                repository="-",
                issue=0,
                today=self.today(),
                language=language,
                postings=tuple(_spooled(Path(folder), f"{n:04d}", file) for n, file in enumerate(postings)),
                settings=named.get("settings"),
                contracts=named.get("contracts"),
                prices=named.get("prices"),
                workloads=named.get("workloads"),
            )
            return self.sandbox.answer(dossier, Limits(self.seconds, self.memory_mb))

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self.turns.acquire(timeout=PATIENCE_S):
            raise Busy
        try:
            yield
        finally:
            self.turns.release()


def _spooled(folder: Path, own_name: str, file: File) -> Spooled:
    """A file on the disk under a name of ours; no posted name becomes a path."""
    path = folder / own_name
    path.write_bytes(file[1])
    return Spooled(name=file[0], path=path)
