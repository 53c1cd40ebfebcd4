"""GitHub for the tests of what was not delivered."""

from tests.e2e.conftest import emulate

__all__ = ["emulate"]
