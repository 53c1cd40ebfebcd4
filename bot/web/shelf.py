"""A repository's ledger and books as the pages show them, kept by commit: GitHub is asked once for each change."""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from operator import attrgetter
from time import monotonic
from typing import TypeVar
from urllib.parse import quote

from flask import current_app

from bot.file_cache import FileCache
from bot.github.client import TOO_LARGE, Connection
from bot.github.errors import Conflict, Invalid, Later, NotFound
from bot.github.gitdata import Branch, blob_sha
from bot.github.index import BrokenIndex, Entry, Index
from bot.github.index_reader import IndexReader
from bot.web.books import CONFIG_PATH, Paths, paths_of
from bot.web.desk import Desk

LOOKED_AGAIN_S = 10.0
"""For so long a branch is taken to stand still; then one conditional request tells."""
MOST_REPOSITORIES = 50
MOST_BOOK_BYTES = 2**20
MOST_FILE_BYTES = 32 * 2**20
MOST_INDEX_BYTES = 64 * 2**20
MOST_LISTED = 1_000
"""Files that GitHub lists of a folder."""
INDEX = "index.json"
ASKED_FOR = ("quarter", "workload", "verdict", "region")
K = TypeVar("K")


class Decisions:
    """The entries of an index, found in every way that a page asks for them."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self.newest_first = tuple(sorted(entries, key=lambda e: (e.decided_on or "", e.issue, e.seq), reverse=True))
        self.by_place = {(e.quarter, e.issue, e.seq): e for e in entries}
        self._by_issue = _grouped(self.newest_first, lambda e: e.issue)
        self._by = {name: _grouped(self.newest_first, attrgetter(name)) for name in ASKED_FOR}
        self.quarters = tuple(sorted(self._by["quarter"], reverse=True))
        self.workloads, self.verdicts, self.regions = (
            tuple(sorted(filter(None, self._by[name]))) for name in ("workload", "verdict", "region")
        )

    def of_issue(self, issue: int) -> tuple[Entry, ...]:
        """The issue's entries, the newest first."""
        return tuple(self._by_issue.get(issue, ()))

    def chosen(self, **wanted: str) -> Sequence[Entry]:
        """The entries that have all of these values of ASKED_FOR, the newest first; an empty value is not asked for."""
        asked = {name: value for name, value in wanted.items() if value}
        found = (self._by[name].get(value, ()) for name, value in asked.items())
        fewest = min(found, key=len, default=self.newest_first)
        if len(asked) < 2:
            return fewest
        return [e for e in fewest if all(getattr(e, name) == value for name, value in asked.items())]


def _grouped(entries: Sequence[Entry], key: Callable[[Entry], K]) -> dict[K, Sequence[Entry]]:
    """The entries of each key, in their order."""
    groups: defaultdict[K, list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[key(entry)].append(entry)
    return dict(groups)


@dataclass(frozen=True)
class Held:
    """A repository at the commits that its branches had when it was last looked at. `broken` says what of the index
    cannot be read; then it has no entries.
    """

    repository: str
    main_commit: str | None = None
    ledger_commit: str | None = None
    paths: Paths = field(default_factory=Paths)
    books: Mapping[str, bytes] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    """Books that are too large."""
    decisions: Decisions = field(default_factory=Decisions)
    broken: str | None = None
    etags: Mapping[str, str | None] = field(default_factory=dict)
    looked_at: float = -1e9
    folders: dict[str, Mapping[str, str]] = field(default_factory=dict, repr=False, compare=False)
    """Files of the ledger's folders at this commit, with git's names of them, as far as anybody asked."""
    reader: IndexReader = field(default_factory=IndexReader, repr=False, compare=False)

    @property
    def commits(self) -> tuple[str | None, ...]:
        """What the branches hold."""
        return self.repository, self.main_commit, self.ledger_commit

    @property
    def others(self) -> tuple[str, ...]:
        """Repositories of the same owner that the settings list for the review."""
        owner = self.repository.partition("/")[0].casefold()
        return tuple(name for name in self.paths.repositories if name.partition("/")[0].casefold() == owner)

    @cached_property
    def key(self) -> tuple[str, ...]:
        """Changes with any book."""
        return (self.repository, *(f"{name}:{sha256(data).hexdigest()}" for name, data in sorted(self.books.items())))


@dataclass
class Shelf:
    """One per app. Of each repository one thread looks at GitHub; the others are shown what is known meanwhile."""

    clock: Callable[[], float] = monotonic
    _held: OrderedDict[str, Held] = field(default_factory=OrderedDict)
    _files: FileCache = field(default_factory=FileCache)
    _turns: dict[str, threading.Lock] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of_app(cls) -> "Shelf":
        """That of the app that serves this request."""
        shelf = current_app.extensions["steelyard-shelf"]
        assert isinstance(shelf, cls)  # noqa: S101 - only create_app puts it there
        return shelf

    def held(self, connection: Connection, repository: str, default_branch: str, desk: Desk) -> Held:
        """The repository as it is now. Raises GitHubError where nothing is known of it yet."""
        with self._lock:
            turn = self._turns.setdefault(repository, threading.Lock())
            known = self._held.get(repository)
        if known is not None and self.clock() - known.looked_at < LOOKED_AGAIN_S:
            return known
        if not turn.acquire(blocking=known is None):
            assert known is not None  # noqa: S101 - else it was waited for
            return known
        try:
            with self._lock:
                known = self._held.get(repository)
            if known is not None and self.clock() - known.looked_at < LOOKED_AGAIN_S:
                return known
            return self._looked(connection, known or Held(repository), default_branch, desk)
        finally:
            turn.release()

    def names(self, connection: Connection, held: Held, folder: str) -> Mapping[str, str]:
        """Files of a folder of the ledger with git's names of them, asked for once a commit. Raises GitHubError."""
        if held.ledger_commit is None:
            return {}
        if folder not in held.folders:
            there = Branch(connection, held.repository, held.paths.ledger).folder(folder, held.ledger_commit)
            held.folders[folder] = there
        return held.folders[folder]

    def listed(self, connection: Connection, held: Held, path: str) -> bytes | None:
        """A file that may change, or be missing: known by git's name of it. Raises GitHubError."""
        folder, _, name = path.rpartition("/")
        names = self.names(connection, held, folder)
        is_whole = len(names) < MOST_LISTED
        return None if is_whole and name not in names else self.file(connection, held, path, names.get(name))

    def file(self, connection: Connection, held: Held, path: str, digest: str | None = None) -> bytes | None:
        """A file of the ledger, None where there is none; `digest` is the SHA-256 that it shall have, or git's name of
        it, by which it is known at every commit. Raises GitHubError.
        """
        if held.ledger_commit is None:
            return None
        keys = [(held.repository, path, known) for known in (digest, held.ledger_commit) if known]
        if found := self._files.find(*keys):
            return found[0]
        try:
            branch = Branch(connection, held.repository, held.paths.ledger)
            data = branch.read(path, held.ledger_commit, MOST_FILE_BYTES)
        except NotFound:
            data = None
        is_as_written = data is not None and digest in (sha256(data).hexdigest(), blob_sha(data))
        self._files.keep(keys[0] if is_as_written else keys[-1], data)
        return data

    def _looked(self, connection: Connection, known: Held, default_branch: str, desk: Desk) -> Held:
        try:
            fresh = _with_ledger(connection, _with_books(connection, known, default_branch, desk))
        except Later:
            if known.looked_at < 0:
                raise
            fresh = known  # GitHub is away: what is known is better than nothing
        fresh = replace(fresh, looked_at=self.clock())
        with self._lock:
            self._held[known.repository] = fresh
            self._held.move_to_end(known.repository)
            while len(self._held) > MOST_REPOSITORIES:
                gone, _ = self._held.popitem(last=False)
                self._turns.pop(gone, None)
        return fresh


def _with_books(connection: Connection, held: Held, branch: str, desk: Desk) -> Held:
    """The settings and the books, read again where the default branch moved."""
    etag, commit = _head(connection, held.repository, branch, held.etags.get("main"))
    etags = {**held.etags, "main": etag}
    if commit is None or commit == held.main_commit:
        return replace(held, etags=etags)
    files = Branch(connection, held.repository, branch)
    settings, too_large = _read_books(files, commit, {"settings": CONFIG_PATH})
    paths = paths_of(desk, settings.get("settings"))
    others, larger = _read_books(files, commit, {"contracts": paths.contracts, "workloads": paths.workloads})
    if paths.ledger != held.paths.ledger:
        etags["ledger"] = None
    books, unread = {**settings, **others}, (*too_large, *larger)
    return replace(held, main_commit=commit, paths=paths, books=books, unread=unread, etags=etags)


def _with_ledger(connection: Connection, held: Held) -> Held:
    """The index, read again where the ledger's branch moved."""
    try:
        etag, commit = _head(connection, held.repository, held.paths.ledger, held.etags.get("ledger"))
    except NotFound:
        return replace(
            held, ledger_commit=None, decisions=Decisions(), broken=None, etags={**held.etags, "ledger": None}
        )
    etags = {**held.etags, "ledger": etag}
    if commit is None or commit == held.ledger_commit:
        return replace(held, etags=etags)
    try:
        data = Branch(connection, held.repository, held.paths.ledger).read(INDEX, commit, MOST_INDEX_BYTES)
        index, broken = held.reader.read(data), None
    except NotFound:
        index, broken = Index(), None
    except Invalid as failure:
        index, broken = Index(), str(failure)
    except BrokenIndex as failure:
        index, broken = Index(), str(failure)
    return replace(
        held, ledger_commit=commit, decisions=Decisions(index.entries), broken=broken, etags=etags, folders={}
    )


def _head(connection: Connection, repository: str, branch: str, etag: str | None) -> tuple[str | None, str | None]:
    """The ETag and the branch's newest commit, None where it has not moved. Raises NotFound."""
    try:
        fresh, answer = connection.get_if_changed(f"/repos/{repository}/git/ref/heads/{quote(branch)}", etag)
    except Conflict:  # how GitHub answers for a repository without any commit
        raise NotFound("an empty repository") from None
    if answer is None:
        return etag, None
    commit = answer.get("object", {}).get("sha") if isinstance(answer, dict) else None
    if not isinstance(commit, str):
        raise Later("an answer without a commit")
    return fresh, commit


def _read_books(files: Branch, commit: str, wanted: Mapping[str, str]) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The books that are there, by kind, and the paths of those that are too large to be read."""
    found, unread = dict[str, bytes](), list[str]()
    for kind, path in wanted.items():
        try:
            found[kind] = files.read(path, commit, MOST_BOOK_BYTES)
        except NotFound:
            continue
        except Invalid as failure:
            if failure.status != TOO_LARGE:
                raise
            unread.append(path)
    return found, tuple(unread)
