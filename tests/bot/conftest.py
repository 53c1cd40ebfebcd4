"""Tests that speak to GitHub speak to `emulate` through a proxy that can misbehave."""

from collections.abc import Iterator

import pytest

from bot.emulator import Emulator
from tests.bot.github.double import Lacking
from tests.bot.github.world import World
from tests.e2e.conftest import emulate
from tests.e2e.faults import FaultProxy

__all__ = ["emulate"]


@pytest.fixture
def world(emulate: Emulator) -> Iterator[World]:
    """A private repository of its own, with the bot installed."""
    lacking = Lacking()
    with FaultProxy(emulate.url, [lacking]) as github:
        yield World(emulate, github, lacking)
