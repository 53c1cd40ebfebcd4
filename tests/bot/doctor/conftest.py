"""The doctor's tests speak to `emulate`, with answers in front of it for what that lacks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.emulator import APP_ID, Emulator
from tests.bot.doctor.patients import Clinic, Scripted
from tests.e2e.conftest import emulate
from tests.e2e.faults import FaultProxy

__all__ = ["emulate"]


@pytest.fixture
def clinic(emulate: Emulator, tmp_path: Path) -> Iterator[Clinic]:
    """An App with everything in order, as far as the emulated GitHub can tell."""
    github = Scripted()
    with FaultProxy(emulate.url, [github]) as proxy:
        given: dict[str, object] = {
            "base_url": proxy.url,
            "app_id": str(APP_ID),
            "private_key": emulate.private_key,
            "webhook_secrets": ("0123456789abcdef0123456789abcdef",),
        }
        yield Clinic(tmp_path / "state", given, github)
