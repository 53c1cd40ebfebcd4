"""A repository of its own for a test, people who write in it, and the bot as the App's installation."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import github
from pydantic import SecretStr

from bot.emulator import APP_ID, INSTALLATION_ID, Emulator, token_of
from bot.github.client import Connection
from bot.github.connect import connection_for
from bot.github.errors import Later
from bot.github.identity import Identity
from bot.github.reply import Thread
from bot.github.tokens import TokenCache
from bot.settings import ProcessSettings
from tests.bot.github.double import Lacking
from tests.e2e.faults import FaultProxy

_NAMES = itertools.count(1)
TRIES = 40
STEELYARD = Identity.of_app(APP_ID, "steelyard")
T = TypeVar("T")


@dataclass
class World:
    """`github` is the server as the bot sees it; `straight` bypasses the proxy, for preparing and looking."""

    emulate: Emulator
    github: FaultProxy
    lacking: Lacking
    repository: str = ""
    tokens: TokenCache = field(default_factory=TokenCache)

    def __post_init__(self) -> None:
        name = f"r{next(_NAMES)}"
        self.straight("olga").post("/orgs/lab/repos", {"name": name, "private": True, "auto_init": True})
        self.repository = f"lab/{name}"

    @property
    def settings(self) -> ProcessSettings:
        """The bot's settings: the App, and the proxy as GitHub."""
        return ProcessSettings(
            base_url=self.github.url, app_id=str(APP_ID), private_key=SecretStr(self.emulate.private_key)
        )

    def bot(self) -> Connection:
        """A fresh connection of the bot, as every job makes one."""
        return connection_for(self.settings, INSTALLATION_ID, tokens=self.tokens, timeout_s=1)

    def straight(self, login: str) -> Connection:
        """A person's connection past the proxy."""
        return Connection(github.Auth.Token(token_of(login)), self.emulate.url, pace=False)

    def issue(self, body: str = "/compare") -> int:
        """A new issue's number."""
        made = self.straight("olga").post(f"/repos/{self.repository}/issues", {"title": "Pilot", "body": body})
        return int(made["number"])

    def comment(self, issue: int, body: str, login: str = "olga") -> dict[str, Any]:
        """A person's comment."""
        path = f"/repos/{self.repository}/issues/{issue}/comments"
        made: dict[str, Any] = self.straight(login).post(path, {"body": body})
        return made

    def comments(self, issue: int) -> list[dict[str, Any]]:
        """All comments of an issue."""
        return list(self.straight("olga").pages(f"/repos/{self.repository}/issues/{issue}/comments"))

    def replies(self, issue: int) -> list[dict[str, Any]]:
        """The comments that the bot wrote."""
        return [one for one in self.comments(issue) if one["user"]["login"] == "steelyard[bot]"]

    def thread(self, issue: int, connection: Connection | None = None) -> Thread:
        """The issue as the bot works in it."""
        return Thread(connection or self.bot(), self.repository, issue, STEELYARD)


def until_done(action: Callable[[], T]) -> T:
    """As a durable job does it: the whole action again after Later, without the waits."""
    for _ in range(TRIES):
        try:
            return action()
        except Later:
            continue
    raise AssertionError(f"not done after {TRIES} tries")
