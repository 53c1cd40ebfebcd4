"""`repositories` and `reviewed_in` of a repository's settings: names of repositories, and what is wrong with any."""

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator

MOST = 30
EXPECTED = f"repositories of the same owner such as octo-org/train, each once, at most {MOST}"
EXPECTED_READERS = f"repositories that may read this one for a review, such as octo-org/finance, at most {MOST}"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}/[A-Za-z0-9._-]{1,100}\Z")
"""ASCII alone: a letter of another script that looks alike would name another repository."""


def _listed(value: object) -> object:
    """One name alone is a list of one."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _name(value: str) -> str:
    name = value.rpartition("/")[2]
    if not _NAME.match(value) or name in (".", "..") or name.endswith(".git"):
        raise ValueError(EXPECTED)
    return value


def _bounded(value: tuple[str, ...]) -> tuple[str, ...]:
    if len(value) > MOST:
        raise ValueError(EXPECTED)
    return value


Repositories = Annotated[
    tuple[Annotated[str, AfterValidator(_name)], ...], BeforeValidator(_listed), AfterValidator(_bounded)
]


def is_same(one: str, other: str) -> bool:
    """GitHub takes names in any case of letters."""
    return one.casefold() == other.casefold()


def unfit(listed: tuple[str, ...], home: str | None) -> Iterator[tuple[int, str]]:
    """Places in a home's list that cannot stand there: doubles, and where the home is known itself and other owners."""
    seen = {home.casefold()} if home else set()
    owner = (home or "").partition("/")[0]
    for number, name in enumerate(listed):
        if name.casefold() in seen or (owner and not is_same(name.partition("/")[0], owner)):
            yield number, name
        seen.add(name.casefold())
