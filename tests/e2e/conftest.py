"""A GitHub of their own for the tests that speak to one: `emulate` with people, repositories and an App."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from bot.emulator import APP_ID, Emulator, World, emulator
from bot.node import NodeMissing, PackagesMissing
from tests.e2e.contract import API, Front, github
from tests.e2e.double import HOOKS, Double
from tests.e2e.node import free_port
from tests.e2e.people import Person

SECRET = "the webhook's secret"  # noqa: S105 (of a GitHub on loopback)
PRIVATE, PUBLIC, BROKEN = "lab/pilots", "lab/open", "lab/broken"


def world(webhook_url: str | None = None) -> World:
    """olga administers `lab`; the others have no permission until a test gives them one."""
    return World(
        organisation="lab",
        members=("olga",),
        others=("walt", "tess", "rita", "sam"),
        private=("pilots", "broken"),
        public=("open",),
        webhook_url=webhook_url,
        webhook_secret=SECRET,
    )


@pytest.fixture(scope="module")
def emulate() -> Iterator[Emulator]:
    """GitHub on loopback alone, without webhooks; a fresh one a module, since it refuses a token's 5,000th request."""
    yield from _running(world(), free_port())


def _running(seed: World, port: int, pages_url: str | None = None) -> Iterator[Emulator]:
    try:
        with emulator(seed, port, pages_url) as running:
            yield running
    except (NodeMissing, PackagesMissing) as reason:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(reason))


@dataclass(frozen=True)
class GitHub:
    """The whole chain: front (recorded and checked) → prism → double → emulate.

    The bot is given `api_url` and `pages_url`; people act at the double, past the front.
    """

    pages_url: str
    private_key: str = field(repr=False)
    front: Front
    behind: str
    app_id: int = APP_ID

    @property
    def api_url(self) -> str:
        """What the bot takes for GitHub's REST API."""
        return self.pages_url + API

    @property
    def double(self) -> Double:
        """What emulate lacks."""
        return self.front.double

    def person(self, login: str, repository: str = PRIVATE) -> Person:
        """Somebody who acts past the bot's own way."""
        return Person(self.behind, login, repository)


@pytest.fixture(scope="session")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitHub]:
    """GitHub with webhooks; where they go is `double.hook_target`."""
    ports = before, behind = free_port(), free_port()
    hooks, folder = f"http://127.0.0.1:{behind}{HOOKS}", tmp_path_factory.mktemp("chain")
    for running in _running(world(hooks), free_port(), f"http://127.0.0.1:{before}"):
        with github(running.url, world(), ports, folder) as (pages, address, front):
            yield GitHub(pages, running.private_key, front, address)
