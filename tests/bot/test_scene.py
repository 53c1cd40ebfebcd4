"""The credential for downloads opens the one repository that a thread is in."""

import github
import pytest

from bot.emulator import INSTALLATION_ID
from bot.github.client import Connection
from bot.github.connect import installation_token
from bot.github.errors import NotFound, Refused
from tests.bot.github.world import World


def test_a_token_for_downloads_opens_no_other_repository(world: World) -> None:
    token = installation_token(world.settings, INSTALLATION_ID, world.repository, tokens=world.tokens)
    asker = Connection(github.Auth.Token(token), world.emulate.url, pace=False)
    assert asker.get(f"/repos/{world.repository}")["full_name"] == world.repository
    assert world.bot().get("/repos/lab/pilots")["full_name"] == "lab/pilots"
    with pytest.raises((NotFound, Refused)):
        asker.get("/repos/lab/pilots")


def test_each_repository_has_a_token_of_its_own(world: World) -> None:
    first, again, other = (
        installation_token(world.settings, INSTALLATION_ID, name, tokens=world.tokens)
        for name in (world.repository, world.repository, "lab/pilots")
    )
    assert first == again != other
