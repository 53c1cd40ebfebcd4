"""What people do on GitHub, as themselves and past the bot's own way: post, edit, delete, commit a file, look."""

import base64
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

import requests

from bot.emulator import token_of

PATIENCE_S = 60.0
T = TypeVar("T")


@dataclass(frozen=True)
class Person:
    """Somebody with a token, at one repository. `address` is the REST API's."""

    address: str
    login: str
    repository: str

    def at(self, repository: str) -> "Person":
        """The same person at another repository."""
        return Person(self.address, self.login, repository)

    def opens(self, title: str, body: str = "") -> int:
        """A new issue; its number."""
        return int(self._call("POST", "/issues", {"title": title, "body": body})["number"])

    def edits_issue(self, issue: int, body: str) -> None:
        """The issue's own text is another now."""
        self._call("PATCH", f"/issues/{issue}", {"body": body})

    def comments(self, issue: int, body: str) -> int:
        """A new comment; its id."""
        return int(self._call("POST", f"/issues/{issue}/comments", {"body": body})["id"])

    def edits(self, comment: int, body: str) -> None:
        """The comment's text is another now."""
        self._call("PATCH", f"/issues/comments/{comment}", {"body": body})

    def deletes(self, comment: int) -> None:
        """The comment is gone."""
        self._call("DELETE", f"/issues/comments/{comment}")

    def sees(self, issue: int) -> list[dict[str, Any]]:
        """All comments of an issue."""
        found: list[dict[str, Any]] = self._call("GET", f"/issues/{issue}/comments?per_page=100")
        return found

    def commits(self, path: str, data: bytes, branch: str | None = None) -> None:
        """A file is added or replaced."""
        known = self._answer("GET", f"/contents/{quote(path)}" + (f"?ref={branch}" if branch else ""))
        body: dict[str, Any] = {"message": f"Put {path}", "content": base64.b64encode(data).decode()}
        body |= {"sha": known.json()["sha"]} if known.status_code == 200 else {}
        self._call("PUT", f"/contents/{quote(path)}", body | ({"branch": branch} if branch else {}))

    def reads(self, path: str, ref: str) -> bytes:
        """A file's bytes at a branch or commit."""
        entry = self._call("GET", f"/contents/{quote(path)}?ref={quote(ref)}")
        if entry.get("content"):
            return base64.b64decode(entry["content"])
        return base64.b64decode(self._call("GET", f"/git/blobs/{entry['sha']}")["content"])

    def finds(self, path: str, ref: str) -> bytes | None:
        """A file's bytes; None where there is none."""
        there = self._answer("GET", f"/contents/{quote(path)}?ref={quote(ref)}").status_code == 200
        return self.reads(path, ref) if there else None

    def history(self, branch: str) -> list[str]:
        """The messages of a branch's commits, the newest first."""
        return [c["commit"]["message"] for c in self._call("GET", f"/commits?sha={quote(branch)}&per_page=100")]

    def lets(self, login: str, permission: str) -> None:
        """Make somebody a collaborator: pull, triage, push, maintain or admin."""
        self._call("PUT", f"/collaborators/{login}", {"permission": permission})

    def labels(self, issue: int) -> set[str]:
        """An issue's labels."""
        return {label["name"] for label in self._call("GET", f"/issues/{issue}/labels")}

    def reactions(self, comment: int) -> set[str]:
        """The reactions to a comment."""
        return {r["content"] for r in self._call("GET", f"/issues/comments/{comment}/reactions")}

    def _call(self, method: str, path: str, body: object = None) -> Any:
        answer = self._answer(method, path, body)
        assert answer.status_code < 300, f"{method} {path}: {answer.status_code} {answer.text[:300]}"
        return answer.json() if answer.content else None

    def _answer(self, method: str, path: str, body: object = None) -> requests.Response:
        headers = {"Authorization": f"Bearer {token_of(self.login)}"}
        url = f"{self.address}/repos/{self.repository}{path}"
        return requests.request(method, url, json=body, headers=headers, timeout=30)


def until(look: Callable[[], T | None], what: str, patience_s: float = PATIENCE_S) -> T:
    """What `look` gives as soon as it gives something true."""
    ends = time.monotonic() + patience_s
    while time.monotonic() < ends:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError(f"in vain: {what}")
