"""One request as its handler sees it, and what the handler gives back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.bench.github.refusal import unprocessable
from bot.bench.github.world import Who, World


@dataclass(frozen=True)
class Request:
    """A request as it came; header names in lower case."""

    verb: str
    path: str
    query: dict[str, str]
    headers: Mapping[str, str]
    body: Any
    root: str


@dataclass(frozen=True)
class Call:
    """A request that is routed and whose sender is known. `root` is the address that links begin with."""

    world: World
    who: Who
    parts: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    accept: str
    root: str

    def number(self, name: str) -> int:
        """A number in the path."""
        return int(self.parts[name])

    def text(self, name: str, limit: int = 65_536) -> str:
        """A required text of the body. Raises Refusal."""
        value = self.body.get(name) if isinstance(self.body, dict) else None
        if not isinstance(value, str) or not value:
            raise unprocessable(f'Invalid request.\n\n"{name}" wasn\'t supplied.')
        if len(value) > limit:
            raise unprocessable(f"{name} is too long (maximum is {limit} characters)")
        return value

    def page(self, items: list[Any]) -> list[Any]:
        """The page of a list that was asked for."""
        size = min(int(self.query.get("per_page", "30")), 100)
        begin = (int(self.query.get("page", "1")) - 1) * size
        return items[begin : begin + size]


@dataclass(frozen=True)
class Given:
    """An answer: JSON, or the bytes of a file on disk, or no body."""

    status: int = 200
    json: Any = None
    raw: bytes | None = None
    file: Path | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


Handler = Callable[[Call], Given]
