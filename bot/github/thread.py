"""An issue's thread as values: facts of the repository and the posts in order. All of it is written by others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from bot.github.client import Connection
from bot.github.errors import NotFound

GHOST = "ghost"
"""Who GitHub names for a deleted account."""
MAX_BODY_CHARACTERS = 2**18 + 1
"""Four times what GitHub takes, and one more than is read as evidence, so that a longer text is told as too long."""
MAX_COMMENTS = 5_000


class Moved(NotFound):
    """The issue was transferred: GitHub leads to another repository, which is none of this command's business."""


@dataclass(frozen=True)
class Facts:
    """What is known of a repository. One that does not say that it is private counts as public."""

    full_name: str
    private: bool
    default_branch: str
    html_url: str


@dataclass(frozen=True)
class Post:
    """The issue's own text (`comment_id` None) or a comment. Times are GitHub's text, `2026-12-02T06:46:24Z`.

    `via_app` is the slug of the App that wrote in the author's name, None for most. `author_id` stays the
    author's when the login changes hands.
    """

    comment_id: int | None
    author: str
    is_bot: bool
    body: str
    created_at: str
    updated_at: str
    url: str
    via_app: str | None = None
    author_id: int | None = None
    node_id: str = ""


@dataclass(frozen=True)
class Thread:
    """An issue with everything that was posted to it, in the order of posting."""

    facts: Facts
    issue: int
    title: str
    is_pull_request: bool
    posts: tuple[Post, ...]


def repository_path(repository: str) -> str:
    """`/repos/owner/name`, quoted. Raises ValueError for what is no `owner/name`."""
    owner, _, name = repository.partition("/")
    if not owner or not name or "/" in name or {owner, name} & {".", ".."}:
        raise ValueError(f"no repository: {repository[:100]!r}")
    return f"/repos/{quote(owner, safe='')}/{quote(name, safe='')}"


def repository_facts(connection: Connection, repository: str) -> Facts:
    """The repository as this identity sees it. Raises GitHubError."""
    data = _mapping(connection.get(repository_path(repository)))
    return Facts(
        full_name=_text(data, "full_name") or repository,
        private=data.get("private") is True,
        default_branch=_text(data, "default_branch") or "main",
        html_url=_text(data, "html_url"),
    )


def read_thread(connection: Connection, repository: str, issue: int) -> Thread:
    """The issue's own text, then its comments by number. The facts have the repository's name of today.

    Raises GitHubError; NotFound for a deleted issue, Moved for a transferred one.
    """
    facts, opened = _opened(connection, repository, issue)
    place = f"{repository_path(facts.full_name)}/issues/{issue}"
    posts = [_post(opened, None)]
    for data in connection.pages(f"{place}/comments"):
        comment = _mapping(data)
        if isinstance(number := comment.get("id"), int):
            posts.append(_post(comment, number))
        if len(posts) > MAX_COMMENTS:
            break
    posts[1:] = sorted(posts[1:], key=lambda post: post.comment_id or 0)
    return Thread(facts, issue, _text(opened, "title")[:300], "pull_request" in opened, tuple(posts))


def home_of(connection: Connection, repository: str, issue: int) -> str:
    """The `owner/name` of today of an issue's repository. Raises GitHubError; Moved for a transferred issue."""
    facts, _ = _opened(connection, repository, issue)
    return facts.full_name


def _opened(connection: Connection, repository: str, issue: int) -> tuple[Facts, Mapping[str, Any]]:
    facts = repository_facts(connection, repository)
    opened = _mapping(connection.get(f"{repository_path(facts.full_name)}/issues/{issue}"))
    home = _text(opened, "repository_url").casefold()
    if home and not home.endswith(repository_path(facts.full_name).casefold()):
        raise Moved("the issue is in another repository now")
    return facts, opened


def read_post(connection: Connection, repository: str, issue: int, comment_id: int | None) -> Post | None:
    """One post as it stands now; None when it was deleted. Raises other GitHubErrors."""
    base = f"{repository_path(repository)}/issues"
    try:
        found = connection.get(f"{base}/{issue}" if comment_id is None else f"{base}/comments/{comment_id}")
    except NotFound:
        return None
    return _post(_mapping(found), comment_id)


def _post(data: Mapping[str, Any], comment_id: int | None) -> Post:
    user = _mapping(data.get("user"))
    app = _mapping(data.get("performed_via_github_app"))
    created = _text(data, "created_at")
    login = _text(user, "login") or GHOST
    return Post(
        comment_id=comment_id,
        author=login,
        is_bot=user.get("type") == "Bot" or login.endswith("[bot]"),
        body=_text(data, "body")[:MAX_BODY_CHARACTERS],
        created_at=created,
        updated_at=_text(data, "updated_at") or created,
        url=_text(data, "html_url"),
        via_app=_text(app, "slug") or None,
        node_id=_text(data, "node_id"),
        author_id=user["id"] if isinstance(user.get("id"), int) else None,
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""
