"""What a person may do in a repository: GitHub's own answer, since `author_association` says less."""

from enum import IntEnum
from urllib.parse import quote

from bot.github.client import Connection
from bot.github.errors import NotFound


class Role(IntEnum):
    """Ordered: a greater role may do all that a smaller one may."""

    NONE = 0
    READ = 1
    TRIAGE = 2
    WRITE = 3
    MAINTAIN = 4
    ADMIN = 5


_NAMES = {
    "none": Role.NONE,
    "read": Role.READ,
    "pull": Role.READ,
    "triage": Role.TRIAGE,
    "write": Role.WRITE,
    "push": Role.WRITE,
    "maintain": Role.MAINTAIN,
    "admin": Role.ADMIN,
}


def role_of(connection: Connection, repository: str, login: str) -> Role:
    """The role of a login in `owner/name`. A custom role counts as the base permission that GitHub gives beside it.

    Nobody (404) is NONE; in a public repository everybody has READ there. Raises Refused, Later, Invalid.
    """
    try:
        answer = connection.get(f"/repos/{repository}/collaborators/{quote(login, safe='')}/permission")
    except NotFound:
        return Role.NONE
    named = _NAMES.get(str(answer.get("role_name") or "").lower())
    return _NAMES.get(str(answer.get("permission") or "").lower(), Role.NONE) if named is None else named


def may(role: Role, needed: str) -> bool:
    """Whether a role is enough; `needed` is a role's name as the configuration has it."""
    return role >= Role[needed.upper()]
