"""What the request handlers of one process share: its settings, its inbox and the bound on waiting for it."""

from dataclasses import dataclass, field

from flask import Flask

from bot import logs
from bot.intake.inbox import Bounded, Inbox
from bot.settings import ProcessSettings

ACCEPT_SECONDS = 8.0
"""GitHub gives up after ten."""
READY_SECONDS = 3.0
SLOTS = 16


@dataclass
class Wiring:
    """One per app. Credentials that the setup page stores, in this process or beside it, are taken up while running."""

    settings: ProcessSettings
    inbox: Inbox
    bounded: Bounded = field(default_factory=lambda: Bounded(SLOTS))

    @classmethod
    def of(cls, app: Flask) -> "Wiring":
        """The wiring of the app that serves this request."""
        wiring = app.extensions["steelyard"]
        assert isinstance(wiring, cls)  # noqa: S101 - only create_app puts it there
        return wiring

    def current(self) -> ProcessSettings:
        """The settings, with credentials as soon as they are stored."""
        fresh = self.settings.with_stored_app()
        if fresh is not self.settings:
            logs.REDACTOR.learn(fresh.secrets)
            self.settings = fresh
        return self.settings

    def webhook_secrets(self) -> tuple[str, ...]:
        """All secrets that a delivery may be signed with."""
        return tuple(s.get_secret_value() for s in self.current().webhook_secrets)
