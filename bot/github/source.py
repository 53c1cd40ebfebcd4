"""A repository's source through GitHub's git-data API: a tree, and those of its blobs that a scan reads; no clone."""

import base64
import binascii
import difflib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import quote

from bot.github.client import Connection
from bot.github.errors import Conflict, Invalid, Later, NotFound, Refused
from bot.github.repository_files import SHOWN_NAMES, plain_path
from bot.github.thread import repository_path
from bot.source_tree import Bounds, is_read
from scoring.model.portability import Place
from scoring.model.problem import Problem
from scoring.portability.files import kind_of, place_of
from scoring.portability.scan import SourceFile
from scoring.problems import error

READ = "py, ipynb, cu, ptx, sh, yml, toml, ini, Dockerfile, Makefile, requirements.txt, pyproject.toml"
MAX_REF = 250
_SHA = re.compile(r"[0-9a-f]{40,64}")
_NO_REF = re.compile(r"\A[-/]|\.\.|//|/\.|[\s~^:?*\[\\]|[/.]\Z|\A\.")
"""What git allows in no name of a branch or tag; a `..` would lead to another address of the API, too."""


@dataclass(frozen=True)
class Entry:
    """A file of the tree: its path in the repository, its blob, and the bytes that GitHub tells."""

    path: str
    sha: str
    size: int


@dataclass(frozen=True)
class Tree:
    """The files that a scan reads below a path at a commit, source before tests and examples, code before settings.

    `truncated`: GitHub listed a part only.
    """

    commit: str
    entries: tuple[Entry, ...]
    truncated: bool


@dataclass(frozen=True)
class RepositorySource:
    """The source of one repository as one identity sees it. Methods raise GitHubError for what is no matter of the
    path or the reference.
    """

    connection: Connection
    repository: str

    def tree(self, path: str, ref: str, shown: str, bounds: Bounds) -> Tree | Problem:
        """What is to be read below `path`, or of that one file; `shown` is how the asker wrote both."""
        plain = plain_path(path or ".")
        if plain is None:
            return error("path-invalid", found=shown[:100], expected="folder@branch")
        try:
            commit, top = self._commit(ref)
        except (NotFound, Invalid, Conflict):
            return error("ref-not-found", found=ref[:100], expected=shown[:200])
        except Refused as refused:
            return error("path-not-read", file=shown[:200], found=str(refused)[:100])
        found = self._at(top, plain, shown)
        if isinstance(found, Problem):
            return found
        folder, listed, truncated = found
        wanted = [entry for entry in map(_entry, listed) if entry and is_read(entry.path, bounds)]
        if not wanted and not truncated:
            return error("folder-without-files", found=shown[:200], expected=READ)
        whole = [Entry(f"{folder}{entry.path}", entry.sha, entry.size) for entry in wanted]
        ordered = sorted(whole, key=_by_weight)
        return Tree(commit, tuple(ordered), truncated)

    def files(self, tree: Tree, bounds: Bounds) -> Iterator[SourceFile]:
        """The tree's files until a bound is passed, each with its bytes or the reason why it has none."""
        for entry in tree.entries:
            if bounds.stopped():
                return
            yield bounds.file(entry.path, entry.size, lambda sha=entry.sha: self._blob(sha))  # type: ignore[misc]

    def _commit(self, ref: str) -> tuple[str, str]:
        """Names of the commit and of its tree."""
        if not ref or len(ref) > MAX_REF or not ref.isprintable() or _NO_REF.search(ref):
            raise NotFound("no name of a branch, tag or commit")
        # One file a page: the answer's list of changes is not needed.
        answer = self.connection.get(f"{self._place}/commits/{quote(ref, safe='')}", per_page=1)
        return _sha(answer, "sha"), _sha(answer, "commit", "tree", "sha")

    def _at(self, top: str, path: str, shown: str) -> tuple[str, list[Any], bool] | Problem:
        """The folder that the listed paths are below, what is listed, and whether that is a part only."""
        sha, before, parts = top, "", path.split("/") if path else []
        for number, part in enumerate(parts, start=1):
            listed, _ = self._listed(sha)
            entry = next((one for one in listed if one.get("path") == part), None)
            if entry is None:
                return _missing(part, before, listed, shown)
            if entry.get("type") == "blob" and number == len(parts):
                linked = entry.get("mode") == "120000"
                return (
                    error("path-not-a-file", file=shown[:200], found="symlink") if linked else (before, [entry], False)
                )
            if entry.get("type") != "tree":
                kind = "submodule" if entry.get("type") == "commit" else "file"
                return error("path-not-a-file", file=shown[:200], found=kind)
            sha, before = _sha(entry, "sha"), f"{before}{part}/"
        listed, truncated = self._listed(sha, recursive=1)
        return before, listed, truncated

    def _listed(self, sha: str, recursive: int | None = None) -> tuple[list[dict[str, Any]], bool]:
        answer = self.connection.get(f"{self._place}/git/trees/{sha}", recursive=recursive)
        listed = answer.get("tree") if isinstance(answer, dict) else None
        if not isinstance(listed, list):
            raise Later("an answer without a tree")
        return [one for one in listed if isinstance(one, dict)], bool(answer.get("truncated"))

    def _blob(self, sha: str) -> IO[bytes]:
        """Raises OSError for a file that GitHub does not hand out."""
        try:
            answer = self.connection.get(f"{self._place}/git/blobs/{sha}")
            return io.BytesIO(base64.b64decode(str(answer["content"])))
        except (NotFound, Refused, Invalid, KeyError, TypeError, binascii.Error) as failure:
            raise OSError(5, "GitHub gives no such blob", sha) from failure

    @property
    def _place(self) -> str:
        return repository_path(self.repository)


def _by_weight(entry: Entry) -> tuple[bool, bool, str]:
    """Settings say the least, and a large repository is read in part."""
    return place_of(entry.path) is not Place.SOURCE, kind_of(entry.path) in ("config", "yaml"), entry.path


def _entry(listed: dict[str, Any]) -> Entry | None:
    """A regular file; neither link nor submodule nor folder is one."""
    path, sha, size = listed.get("path"), str(listed.get("sha")), listed.get("size")
    if listed.get("type") != "blob" or listed.get("mode") == "120000" or not isinstance(path, str):
        return None
    if not _SHA.fullmatch(sha):
        return None
    return Entry(path.encode("utf-8", "replace").decode(), sha, size if isinstance(size, int) else 0)


def _missing(part: str, before: str, listed: list[dict[str, Any]], shown: str) -> Problem:
    names = [str(one.get("path")) for one in listed]
    near = difflib.get_close_matches(part, names, n=1, cutoff=0.4) or names[:SHOWN_NAMES]
    if not near:
        return error("path-missing", found=shown[:200])
    return error("path-not-found", found=shown[:200], expected=", ".join(before + name for name in near)[:200])


def _sha(answer: Any, *keys: str) -> str:
    """An object's name inside an answer; it becomes part of the next address."""
    for key in keys:
        answer = answer.get(key) if isinstance(answer, dict) else None
    if not isinstance(answer, str) or not _SHA.fullmatch(answer):
        raise Later(f"an answer without {'.'.join(keys)}")
    return answer
