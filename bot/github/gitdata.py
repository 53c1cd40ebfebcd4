"""A branch through GitHub's git-data API: its head, files at it, and one commit on top of it. It is never forced."""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from bot.github.client import TOO_LARGE, Connection
from bot.github.errors import Conflict, Invalid, Later, NotFound

INLINE_BYTES = 256 * 1024
"""Text up to this size travels inside the tree's request; anything else is a blob of its own."""


@dataclass(frozen=True)
class Head:
    """A branch's newest commit and its tree."""

    commit: str
    tree: str


def blob_sha(data: bytes) -> str:
    """Git's name of these bytes, so that equal files are known without fetching them."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


class Branch:
    """One branch of `owner/name`. Every method raises a GitHubError."""

    def __init__(self, connection: Connection, repository: str, name: str) -> None:
        self._connection, self._name = connection, name
        self._repository = f"/repos/{repository}"
        self._uploaded: set[str] = set()

    def head(self) -> Head | None:
        """The branch's head; None where there is no such branch."""
        try:
            ref = self._connection.get(f"{self._repository}/git/ref/heads/{quote(self._name)}")
        except NotFound:
            return None
        except Conflict:  # how GitHub answers for a repository without any commit
            return None
        commit = _text(ref, "object", "sha")
        return Head(commit, _text(self._connection.get(f"{self._repository}/git/commits/{commit}"), "tree", "sha"))

    def read(self, path: str, at: str, most_bytes: int | None = None) -> bytes:
        """A file at a commit, of any size that GitHub stores (100 MB). Raises NotFound, and Invalid with status 413 for
        one of more than `most_bytes`, which is not fetched.
        """
        answer = self._contents(path, at)
        if not isinstance(answer, dict):
            raise NotFound(f"{path} is a folder")
        if most_bytes is not None and isinstance(size := answer.get("size"), int) and size > most_bytes:
            raise Invalid("more bytes than are read", TOO_LARGE)
        if answer.get("encoding") == "base64":
            return _decoded(answer)
        return _decoded(self._connection.get(f"{self._repository}/git/blobs/{_text(answer, 'sha')}"))

    def folder(self, path: str, at: str) -> dict[str, str]:
        """Names and blob names of the files of a folder at a commit; empty where there is none."""
        try:
            answer = self._contents(path, at)
        except NotFound:
            return {}
        listed = answer if isinstance(answer, list) else []
        return {str(item["name"]): str(item["sha"]) for item in listed if item.get("type") == "file"}

    def listed(self, tree: str, *, recursive: bool = False) -> dict[str, tuple[str, str]] | None:
        """Kind (`blob`, `tree`) and name of what a tree holds, by its path; None where GitHub lists a part only."""
        answer = self._connection.get(f"{self._repository}/git/trees/{tree}", recursive=1 if recursive else None)
        listed = answer.get("tree") if isinstance(answer, dict) else None
        if not isinstance(listed, list):
            raise Later("an answer without a tree")
        if answer.get("truncated"):
            return None
        return {_text(one, "path"): (_text(one, "type"), _text(one, "sha")) for one in listed}

    def commit(self, on: Head | None, message: str, files: Mapping[str, bytes | None]) -> str:
        """One commit on top of `on`, or the branch's first; a path without bytes is removed. Its id.

        Raises Conflict where the branch moved or was made meanwhile: nothing is changed then.
        """
        tree: dict[str, Any] = {"tree": [self._item(path, data) for path, data in sorted(files.items())]}
        if on:
            tree["base_tree"] = on.tree
        made = _text(self._connection.post(f"{self._repository}/git/trees", tree), "sha")
        body = {"message": message, "tree": made, "parents": [on.commit] if on else []}
        commit = _text(self._connection.post(f"{self._repository}/git/commits", body), "sha")
        if on:
            path = f"{self._repository}/git/refs/heads/{quote(self._name)}"
            self._connection.patch(path, {"sha": commit, "force": False})
        else:
            self._connection.post(f"{self._repository}/git/refs", {"ref": f"refs/heads/{self._name}", "sha": commit})
        return commit

    def _item(self, path: str, data: bytes | None) -> dict[str, Any]:
        item: dict[str, Any] = {"path": path, "mode": "100644", "type": "blob"}
        if data is None:
            return {**item, "sha": None}
        text = _as_text(data)
        return {**item, "content": text} if text is not None else {**item, "sha": self._upload(data)}

    def _upload(self, data: bytes) -> str:
        """A blob, once per branch object: a retry after a lost race needs none again."""
        name = blob_sha(data)
        if name not in self._uploaded:
            body = {"content": base64.b64encode(data).decode(), "encoding": "base64"}
            stored = _text(self._connection.post(f"{self._repository}/git/blobs", body), "sha")
            if stored != name:
                raise Later("a stored file differs from what was sent")
            self._uploaded.add(name)
        return name

    def _contents(self, path: str, at: str) -> Any:
        return self._connection.get(f"{self._repository}/contents/{quote(path)}", ref=at)


def _as_text(data: bytes) -> str | None:
    if len(data) > INLINE_BYTES or not data or b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _text(answer: Any, *keys: str) -> str:
    """A text inside an answer; an answer of another shape is a broken one."""
    for key in keys:
        answer = answer.get(key) if isinstance(answer, dict) else None
    if not isinstance(answer, str) or not answer:
        raise Later(f"an answer without {'.'.join(keys)}")
    return answer


def _decoded(answer: Any) -> bytes:
    try:
        return base64.b64decode(_text(answer, "content")) if answer.get("content") else b""
    except (binascii.Error, ValueError):
        raise Later("a file that is no base64") from None
