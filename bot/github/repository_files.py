"""Files of the repository by path and reference, through the contents API: never outside it, never without bound."""

import base64
import binascii
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bot.folder import CONFIG_NAMES, CONTRACT_NAMES, IGNORED_NAMES, PRICE_NAMES
from bot.github.attachments import TABLES, TEXTS, ending
from bot.github.client import TOO_LARGE, Connection
from bot.github.errors import Invalid, NotFound, Refused
from bot.github.spool import Spool
from bot.github.thread import repository_path
from scoring.model.problem import Problem
from scoring.problems import error, info

MAX_FOLDER_FILES = 50
MAX_FOLDERS = 20
MAX_DEPTH = 3
MAX_PATH = 500
SHOWN_NAMES = 5
MISSING = ("path-not-found", "path-missing", "ref-not-found")
_LFS = b"version https://git-lfs.github.com/spec/"
_CONFIGURATION = frozenset((*CONFIG_NAMES, *CONTRACT_NAMES, *PRICE_NAMES))


@dataclass(frozen=True)
class RepositoryFile:
    """A file as stored: its path in the repository, how many of that path's last parts lie below the folder that was
    asked for (None for a file that was asked for itself), and where its bytes are.
    """

    name: str
    below: int | None
    path: Path
    url: str


@dataclass
class Found:
    """What a path gave."""

    files: list[RepositoryFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True)
class RepositoryFiles:
    """The files of one repository as one identity sees them."""

    connection: Connection
    repository: str
    spool: Spool

    def read_path(self, path: str, ref: str | None, shown: str | None = None, *, nearest: bool = True) -> Found:
        """The file at a path, or the files that may be evidence below a folder; `ref` None for the default branch.

        `shown` is how the asker wrote it; with `nearest` the name that a wrong one may have meant is looked for.
        Raises GitHubError for what is no matter of this path.
        """
        shown, plain = shown or path, plain_path(path)
        if plain is None:
            return Found(problems=[error("path-invalid", found=shown[:100], expected="folder/file.csv")])
        try:
            answer = self._contents(plain, ref)
        except NotFound as missing:
            return Found(problems=[self._missing(missing, plain, ref, shown, nearest)])
        except (Refused, Invalid) as refused:
            return Found(problems=[error("path-not-read", file=shown[:200], found=str(refused)[:100])])
        if isinstance(answer, list):
            return self._folder(plain, answer, ref, shown)
        return self._file(answer, ref, shown, plain, None)

    def read_link(self, rest: str, shown: str) -> Found:
        """What a link's `<ref>/<path>` names, where the reference may hold slashes. Raises GitHubError."""
        for prefix in ("refs/heads/", "refs/tags/"):
            rest = rest.removeprefix(prefix)
        ref, _, path = rest.partition("/")
        found = self.read_path(path, ref, shown)
        if not any(p.code in MISSING for p in found.problems):
            return found
        for longer in self._references(ref, rest):
            return self.read_path(rest[len(longer) + 1 :], longer, shown)
        return found

    def _references(self, first: str, rest: str) -> Iterator[str]:
        """Branches and tags that a link may begin with, the longest first."""
        names: set[str] = set()
        for kind in ("heads", "tags"):
            place = f"{repository_path(self.repository)}/git/matching-refs/{kind}/{quote(first, safe='')}"
            try:
                answer = self.connection.get(place)
            except (NotFound, Invalid):
                continue
            names |= {str(item.get("ref", "")).removeprefix(f"refs/{kind}/") for item in answer}
        yield from sorted((n for n in names if "/" in n and rest.startswith(f"{n}/")), key=len, reverse=True)

    def _contents(self, path: str, ref: str | None) -> Any:
        return self.connection.get(self._place(path), ref=ref)

    def _place(self, path: str) -> str:
        return f"{repository_path(self.repository)}/contents/{quote(path, safe='/')}"

    def _file(self, entry: Mapping[str, Any], ref: str | None, shown: str, path: str, below: int | None) -> Found:
        if entry.get("type") != "file":
            kind = str(entry.get("type"))[:20]
            return Found(problems=[error("path-not-a-file", file=shown[:200], found=kind)])
        if self.spool.files_left <= 0:
            return Found(problems=[error("too-many-files", file=shown[:200], expected=f"{self.spool.max_files}")])
        size = int(entry.get("size") or 0)
        if size > self.spool.limit:
            return Found(problems=[too_large(shown, size, self.spool.limit)])
        stored = self._stored(entry, ref, size)
        if stored is None:
            return Found(problems=[too_large(shown, size, self.spool.limit)])
        with stored.open("rb") as stream:
            if stream.read(len(_LFS)) == _LFS:
                return Found(problems=[error("file-in-lfs", file=shown[:200])])
        return Found([RepositoryFile(path, below, stored, str(entry.get("html_url") or ""))])

    def _stored(self, entry: Mapping[str, Any], ref: str | None, size: int) -> Path | None:
        """Where the bytes lie now; None when they are more than were declared and may be."""
        content = entry.get("content")
        if entry.get("encoding") == "base64" and isinstance(content, str) and (content or not size):
            try:
                data = base64.b64decode(content)
            except binascii.Error:
                data = b""
            if len(data) == size:
                return self.spool.write(data)
        path = self.spool.path()
        try:
            taken = self.connection.download(self._place(str(entry.get("path"))), path, self.spool.limit, ref=ref)
        except Invalid as failure:
            if failure.status != TOO_LARGE:
                raise
            return None
        self.spool.took(taken)
        return path

    def _folder(self, folder: str, entries: list[Any], ref: str | None, shown: str) -> Found:
        found = Found()
        wanted: list[str] = []
        beside: list[str] = []
        left = [MAX_FOLDERS]
        for path in self._below(entries, ref, left, MAX_DEPTH):
            (beside if _is_configuration(path) else wanted).append(path)
        if not wanted:
            expected = ", ".join(sorted(t.removeprefix(".") for t in TABLES))
            return Found(problems=[error("folder-without-files", found=shown[:200], expected=expected)])
        if len(wanted) > MAX_FOLDER_FILES or left[0] < 0:
            found.problems.append(error("folder-too-large", found=shown[:200], expected=f"{MAX_FOLDER_FILES}"))
            return found
        if beside:
            found.problems.append(info("configuration-beside", found=", ".join(sorted(beside))[:200]))
        for path in wanted:
            more = self._member(path, ref, path.count("/") + 1 - (folder.count("/") + 1 if folder else 0))
            found.files += more.files
            found.problems += more.problems
        return found

    def _member(self, path: str, ref: str | None, below: int) -> Found:
        try:
            entry = self._contents(path, ref)
        except (NotFound, Refused, Invalid) as refused:
            return Found(problems=[error("path-not-read", file=path[:200], found=str(refused)[:100])])
        return self._file(entry, ref, path, path, below) if isinstance(entry, dict) else Found()

    def _below(self, entries: list[Any], ref: str | None, left: list[int], depth: int) -> Iterator[str]:
        """Paths of the files below a folder that may be evidence, in a stable order; hidden ones are left alone."""
        for entry in sorted((e for e in entries if isinstance(e, dict)), key=lambda e: str(e.get("name"))):
            path, name = str(entry.get("path") or ""), str(entry.get("name") or "")
            if not name or name.startswith("."):
                continue
            if entry.get("type") == "file" and may_be_evidence(name):
                yield path
            elif entry.get("type") == "dir" and depth > 1:
                left[0] -= 1
                if left[0] < 0:
                    return
                inside = self._contents(path, ref)
                yield from self._below(inside if isinstance(inside, list) else [], ref, left, depth - 1)

    def _missing(self, missing: NotFound, path: str, ref: str | None, shown: str, nearest: bool) -> Problem:
        if not nearest:
            return error("path-missing", found=shown[:200])
        if "no commit found" in str(missing).lower():
            return error("ref-not-found", found=str(ref)[:100], expected=shown[:200])
        folder, _, name = path.rpartition("/")
        try:
            entries = self._contents(folder, ref)
        except (NotFound, Refused, Invalid):
            entries = []
        names = [str(e.get("name")) for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.4) or names[:SHOWN_NAMES]
        if not near:
            return error("path-missing", found=shown[:200])
        prefix = f"{folder}/" if folder else ""
        return error("path-not-found", found=shown[:200], expected=", ".join(prefix + n for n in near)[:200])


def may_be_evidence(name: str) -> bool:
    """Whether a file of a folder may hold measurements, by its name; configuration is told apart afterwards."""
    lowered = name.lower()
    known = ending(lowered) in (*TABLES, *TEXTS) and ending(lowered) != ""
    return known and not lowered.startswith(IGNORED_NAMES)


def too_large(shown: str, size: int, limit: int) -> Problem:
    """A file above what may be read, or above what is left for it."""
    return error("file-too-large", file=shown[:200], found=f"{size:,} bytes", expected=f"{limit:,}")


def _is_configuration(path: str) -> bool:
    return path.rsplit("/", 1)[-1].lower() in _CONFIGURATION


def plain_path(path: str) -> str | None:
    """A path of the repository as GitHub names it; empty for its top; None for what is none."""
    plain = path.removeprefix("./").removesuffix("/")
    if plain in ("", "."):
        return "" if path in (".", "./") else None
    parts = plain.split("/")
    unsafe = "\\" in plain or not plain.isprintable() or len(plain) > MAX_PATH
    return None if unsafe or any(part in ("", ".", "..") for part in parts) else plain
