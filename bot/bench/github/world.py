"""What this GitHub knows: people, one App, one private repository with issues, comments and files, and every effect."""

import itertools
import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bot.bench.github.objects import Commit, Objects
from bot.bench.github.refusal import not_found

TOKEN_SECONDS = 3600


@dataclass(frozen=True)
class Setting:
    """What it begins with. `people` are roles by login; each has the token `token-of-<login>`.

    `files` lie on the default branch; `large` are files on disk by path, which are served and never held.
    """

    owner: str
    repository: str
    people: dict[str, str]
    app_id: int
    app_slug: str
    installation: int
    public_key: str
    files: dict[str, str] = field(default_factory=dict)
    large: dict[str, Path] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        """`owner/name`."""
        return f"{self.owner}/{self.repository}"


@dataclass(frozen=True)
class Who:
    """Whom a request comes from: a person, the App by its JWT, or its installation."""

    login: str
    kind: str
    app: int | None = None


@dataclass
class Comment:
    """An issue's comment; times are seconds since 1970."""

    id: int
    issue: int
    who: Who
    body: str
    created: float
    updated: float
    reactions: set[tuple[str, str]] = field(default_factory=set)


@dataclass
class Issue:
    """An issue by its number."""

    number: int
    title: str
    who: Who
    body: str
    created: float
    updated: float
    labels: list[str] = field(default_factory=list)
    reactions: set[tuple[str, str]] = field(default_factory=set)


@dataclass(frozen=True)
class Effect:
    """Something that was changed: when, what, and at which issue or comment."""

    at: float
    what: str
    where: int


@dataclass
class World:
    """The state of this GitHub. Whoever touches it holds the server's lock."""

    setting: Setting
    clock: Callable[[], float] = time.time
    issues: dict[int, Issue] = field(default_factory=dict)
    comments: dict[int, Comment] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, float] = field(default_factory=dict)
    effects: list[Effect] = field(default_factory=list)
    requests: Counter[str] = field(default_factory=Counter)
    objects: Objects = field(default_factory=Objects)
    ids: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1_000_001))

    def __post_init__(self) -> None:
        blobs = {path: self.objects.blob(text.encode()) for path, text in self.setting.files.items()}
        first = Commit(self.objects.tree(None, blobs), (), "Begin", int(self.clock()))
        self.objects.create_ref("refs/heads/main", self.objects.commit(first))

    def person(self, login: str) -> Who:
        """Somebody with an account."""
        return Who(login, "User")

    @property
    def bot(self) -> Who:
        """The installation, as it writes."""
        return Who(f"{self.setting.app_slug}[bot]", "Bot", self.setting.app_id)

    def new_token(self) -> tuple[str, float]:
        """A token of the installation, and when it ends."""
        token = f"ghs_{secrets.token_hex(18)}"
        self.tokens[token] = self.clock() + TOKEN_SECONDS
        return token, self.tokens[token]

    def open_issue(self, login: str, title: str, body: str) -> Issue:
        """A new issue, as a person opens it."""
        now = self.clock()
        issue = Issue(len(self.issues) + 1, title, self.person(login), body, now, now)
        self.issues[issue.number] = issue
        return issue

    def write_comment(self, who: Who, issue: int, body: str) -> Comment:
        """A new comment. Raises Refusal for an issue that is not there."""
        self.issue(issue)
        now = self.clock()
        comment = Comment(next(self.ids), issue, who, body, now, now)
        self.comments[comment.id] = comment
        self.did("comment", comment.id)
        return comment

    def issue(self, number: int) -> Issue:
        """Raises Refusal (404)."""
        if number not in self.issues:
            raise not_found()
        return self.issues[number]

    def comment(self, number: int) -> Comment:
        """Raises Refusal (404)."""
        if number not in self.comments:
            raise not_found()
        return self.comments[number]

    def did(self, what: str, where: int) -> None:
        """Remember an effect."""
        self.effects.append(Effect(self.clock(), what, where))


def when(seconds: float) -> str:
    """A time as GitHub writes it, without fractions."""
    return datetime.fromtimestamp(int(seconds), UTC).isoformat().replace("+00:00", "Z")
