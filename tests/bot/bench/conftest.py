"""The bench's GitHub in this process, as the bot's own connections meet it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import github
import pytest

from bot.bench.github.faults import Faults
from bot.bench.github.server import Service, server
from bot.bench.github.world import World
from bot.bench.scene import INSTALLATION, Scene
from bot.github.client import Connection
from bot.github.connect import connection_for
from bot.github.tokens import TokenCache
from bot.settings import ProcessSettings


@dataclass
class Now:
    """A clock that a test sets."""

    seconds: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Bench:
    """A running GitHub with one repository, `lab/pilots`."""

    scene: Scene
    world: World
    now: Now
    url: str

    @property
    def settings(self) -> ProcessSettings:
        """The bot's, for this GitHub."""
        return ProcessSettings.model_validate(
            {
                "base_url": self.url,
                "app_id": str(self.scene.setting.app_id),
                "private_key": self.scene.private_key,
                "webhook_secrets": (self.scene.secret,),
            }
        )

    def bot(self) -> Connection:
        """A connection as the App's installation, with a token of its own."""
        return connection_for(self.settings, INSTALLATION, tokens=TokenCache())

    def holder(self, token: str) -> Connection:
        """A connection with a token."""
        return Connection(github.Auth.Token(token), self.url, pace=False)


Start = Callable[..., Bench]


@pytest.fixture(scope="session")
def scene() -> Scene:
    """One key for all, since making one takes a while."""
    return Scene.made({"README.md": "Pilots.\n", ".github/steelyard.yml": "baseline: gpu\n"})


@pytest.fixture
def start(scene: Scene) -> Iterator[Start]:
    """Starts a GitHub, with faults if wanted, that ends with the test."""
    with ExitStack() as stack:

        def started(faults: Faults | None = None) -> Bench:
            now = Now()
            world = World(scene.setting, now)
            bound = server(Service(world, "the bench's", faults))
            serving = threading.Thread(target=bound.serve_forever, args=[0.02], daemon=True)
            serving.start()
            stack.callback(bound.server_close)
            stack.callback(bound.shutdown)
            return Bench(scene, world, now, f"http://127.0.0.1:{bound.server_port}")

        yield started
