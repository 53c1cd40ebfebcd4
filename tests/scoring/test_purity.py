"""The engine touches nothing but its arguments, and these tests would notice."""

import socket

import pytest
from pytest_socket import SocketBlockedError


@pytest.mark.filterwarnings("ignore:A test tried to use socket:UserWarning")
def test_no_test_of_the_engine_may_open_a_socket() -> None:
    with pytest.raises(SocketBlockedError):
        socket.socket(socket.AF_INET, socket.SOCK_STREAM)
