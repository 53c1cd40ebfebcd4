"""Tests that speak to GitHub speak to `emulate` through a proxy that can misbehave."""

from collections.abc import Iterator

import pytest

from bot.emulator import Emulator
from bot.github.tokens import TokenCache
from tests.bot.github.double import Lacking
from tests.bot.github.world import World
from tests.e2e.conftest import emulate
from tests.e2e.faults import FaultProxy

__all__ = ["emulate"]


@pytest.fixture(scope="module")
def _github(emulate: Emulator) -> Iterator[tuple[FaultProxy, Lacking, TokenCache]]:
    """One proxy and one token for all, since signing for a token takes longer than most tests."""
    lacking = Lacking()
    with FaultProxy(emulate.url, [lacking]) as github:
        yield github, lacking, TokenCache()


@pytest.fixture
def world(emulate: Emulator, _github: tuple[FaultProxy, Lacking, TokenCache]) -> Iterator[World]:
    """A private repository of its own, with the bot installed."""
    github, lacking, tokens = _github
    github.calm()
    lacking.forget()
    github.handlers = (lacking,)
    yield World(emulate, github, lacking, tokens=tokens)
    github.calm()
