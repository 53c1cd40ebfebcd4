"""What a reader may read: GitHub's own answer to the reader's own token, asked again after a minute."""

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, TypeVar

from flask import current_app

from bot.github.client import Connection
from bot.github.errors import Later, NotFound, Refused
from bot.settings import ProcessSettings
from bot.web.away import Away
from bot.web.session import Session

ASKED_AGAIN_S = 60.0
MOST_KEPT = 10_000
MOST_REPOSITORIES = 300
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})/[A-Za-z0-9_.-]{1,100}", re.ASCII)
T = TypeVar("T")


@dataclass(frozen=True)
class Readable:
    """A repository that the reader may read, as GitHub calls it today."""

    name: str
    default_branch: str
    is_private: bool


@dataclass
class Access:
    """One per app. `clock` gives seconds."""

    settings: Callable[[], ProcessSettings]
    clock: Callable[[], float] = monotonic
    away: Away = field(default_factory=Away, repr=False)
    _known: OrderedDict[tuple[str, str], tuple[float, Any]] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def of_app(cls) -> "Access":
        """That of the app that serves this request."""
        access = current_app.extensions["steelyard-access"]
        assert isinstance(access, cls)  # noqa: S101 - only create_app puts it there
        return access

    def connection(self, session: Session, name: str = "") -> Connection:
        """As the reader, about a repository or about the reader; a new one each time, since threads share none."""
        assert session.token is not None  # noqa: S101 - readers are logged in
        return self.away.connection(self.settings(), session.token.get_secret_value(), name.lower())

    def readable(self, session: Session, name: str) -> Readable | None:
        """The repository; None where there is none for this reader. Raises Refused (401) for a token that has ended,
        Later where GitHub does not answer.
        """
        return self._remembered(session, f"/{name.lower()}", lambda: self._asked(session, name))

    def repositories(self, session: Session) -> tuple[str, ...]:
        """Where the App is installed and the reader may read, by name, at most MOST_REPOSITORIES. Raises as before."""
        return self._remembered(session, "", lambda: self._listed(session))

    def _asked(self, session: Session, name: str) -> Readable | None:
        if not NAME.fullmatch(name):
            return None
        try:
            facts = self.connection(session, name).get(f"/repos/{name}")
        except NotFound:
            return None
        except Refused as refusal:
            if refusal.status == 401:
                raise
            return None
        if not isinstance(facts, dict) or not facts.get("permissions", {"pull": True}).get("pull"):
            return None
        full_name, branch = facts.get("full_name"), facts.get("default_branch")
        if not isinstance(full_name, str) or not NAME.fullmatch(full_name) or not isinstance(branch, str):
            raise Later("an answer without a repository")
        return Readable(full_name, branch, bool(facts.get("private")))

    def _listed(self, session: Session) -> tuple[str, ...]:
        connection, names = self.connection(session), set[str]()
        for installation in connection.pages("/user/installations", "installations"):
            path = f"/user/installations/{int(installation['id'])}/repositories"
            for repository in connection.pages(path, "repositories"):
                names.add(str(repository["full_name"]))
                if len(names) >= MOST_REPOSITORIES:
                    return tuple(sorted(names, key=str.lower))
        return tuple(sorted(names, key=str.lower))

    def _remembered(self, session: Session, what: str, ask: Callable[[], T]) -> T:
        assert session.token is not None  # noqa: S101 - readers are logged in
        key = (_digest(session.token.get_secret_value()), what)
        with self._lock:
            known = self._known.get(key)
        if known is not None and known[0] > self.clock():
            answer: T = known[1]
            return answer
        answer = ask()
        with self._lock:
            self._known[key] = (self.clock() + ASKED_AGAIN_S, answer)
            self._known.move_to_end(key)
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        return answer


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
