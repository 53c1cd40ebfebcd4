"""A GitHub of their own for the tests that speak to one: `emulate` with people, repositories and an App."""

import os
from collections.abc import Iterator

import pytest

from bot.emulator import Emulator, World, emulator
from bot.node import NodeMissing, PackagesMissing
from tests.e2e.node import free_port

WORLD = World(
    organisation="lab",
    members=("olga",),
    others=("walt", "tess", "rita", "sam"),
    private=("pilots",),
    public=("open",),
)


@pytest.fixture(scope="session")
def emulate() -> Iterator[Emulator]:
    """GitHub on loopback; olga administers `lab`, the others have no permission until a test gives them one."""
    try:
        with emulator(WORLD, free_port()) as running:
            yield running
    except (NodeMissing, PackagesMissing) as reason:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(reason))
