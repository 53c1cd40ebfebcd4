"""The engine is pure: no test of it may open a socket."""

import pytest


@pytest.fixture(autouse=True)
def _no_sockets(socket_disabled: None) -> None:
    """pytest-socket refuses every socket for the length of a test."""
