"""What a check found: a code of the catalogue `doctor`, how grave it is, and the facts that its sentence needs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from bot.github.client import Connection
from bot.github.connect import app_connection, connection_for
from bot.settings import ProcessSettings


class Level(StrEnum):
    """`fail` keeps the bot from working, `warn` will or may."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"
    UNCHECKED = "not checked"


@dataclass(frozen=True)
class Finding:
    """One line of the report."""

    code: str
    level: Level
    facts: dict[str, object] = field(default_factory=dict)


def ok(code: str, **facts: object) -> Finding:
    """It is as it should be."""
    return Finding(code, Level.OK, facts)


def warn(code: str, **facts: object) -> Finding:
    """It works, and will or may not go on so."""
    return Finding(code, Level.WARN, facts)


def fail(code: str, **facts: object) -> Finding:
    """It keeps the bot from working."""
    return Finding(code, Level.FAIL, facts)


def unchecked(code: str, **facts: object) -> Finding:
    """Nothing can be said, and why."""
    return Finding(code, Level.UNCHECKED, facts)


@dataclass
class Patient:
    """What is examined: the settings of this process, GitHub as the bot meets it, and one repository if named."""

    settings: ProcessSettings
    repository: str | None
    clock: Callable[[], datetime]

    @cached_property
    def app(self) -> Connection:
        """As the App itself. Raises GitHubError."""
        return app_connection(self.settings)

    @cached_property
    def installation(self) -> int | None:
        """The App's installation on the repository; None without an App. Raises NotFound where there is none."""
        if not self.settings.app_id:
            return None
        return int(self.app.get(f"/repos/{self.repository}/installation")["id"])

    @cached_property
    def there(self) -> Connection:
        """As the bot meets the repository. Raises GitHubError."""
        return connection_for(self.settings, self.installation)


Examination = Callable[[Patient], Iterator[Finding]]
