"""The ledger: every decision's files and one index, on a branch of the repository, one commit a command."""

import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from bot.github.client import Connection
from bot.github.errors import Conflict, GitHubError, Invalid, Later, NotFound, Refused
from bot.github.gitdata import Branch, Head, blob_sha
from bot.github.index import PLACE, BrokenIndex, Entry, Index
from bot.github.outcomes import Outcomes
from bot.github.outcomes import path_of as outcomes_path
from bot.github.sign_offs import SignOffs, path_of
from scoring.model.problem import Problem, Severity
from scoring.model.signing import Signature
from scoring.review.given import Outcome as Happened

INDEX = "index.json"
_ROUNDS, _STILL = 12, 5
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.1, 3.0
_UNSAFE = re.compile(r"[^\w .,+%()/-]+")
Update = Callable[[bytes | None], bytes | None]
"""What a file that all entries share shall hold, from what it holds (None: it is not there).

None leaves it as it is; so does a ValueError, for a file that cannot be read. The same twice changes nothing.
"""
Changes = dict[str, bytes | None]
"""Paths of the branch to write, and to remove (None)."""
_REFERENCE = re.compile(r"(?i)\bgh-(?=\d)")


@dataclass(frozen=True)
class Recorded:
    """What became of an entry. `commit_sha` is None where nothing had to be written, or where `problem` says why not.

    `urls` are pages by file name; they name the branch, so that they stay the same however often it is done.
    `left_alone` are shared files that could not be read.
    """

    folder: str
    commit_sha: str | None
    urls: dict[str, str]
    problem: Problem | None = None
    left_alone: tuple[str, ...] = ()


class Ledger:
    """The ledger branch of `owner/name`. `pages_url` is where GitHub's pages are."""

    def __init__(
        self,
        connection: Connection,
        repository: str,
        branch: str = "steelyard",
        pages_url: str = "https://github.com",
        *,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._branch = Branch(connection, repository, branch)
        self._pages = f"{pages_url.rstrip('/')}/{repository}/blob/{quote(branch)}"
        self._name, self._wait = branch, wait
        self._asked: Head | None = None
        self._read: tuple[Head, Index] | None = None
        self._top: tuple[str, dict[str, tuple[str, str]] | None] | None = None

    def index(self) -> Index:
        """The index at the head; empty where there is no branch yet. Raises BrokenIndex, GitHubError."""
        self._asked = head = self._branch.head()
        return self._index(head)

    def index_again(self) -> Index:
        """The index as it was last read; read now where it was not. Raises BrokenIndex, GitHubError."""
        return self._read[1] if self._read else self.index()

    def known(self, place: str) -> Entry | None:
        """The entry of a command as the index was last read; None where it has none, or nothing was read."""
        return self._read[1].at(place) if self._read else None

    def read(self, path: str) -> bytes:
        """A file at the head. Raises NotFound, Later, Refused."""
        head = self._branch.head()
        if head is None:
            raise NotFound(f"there is no branch {self._name}")
        return self._branch.read(path, head.commit)

    def kept(self, path: str) -> bytes | None:
        """A file at the head at which the index was last read; None where it has none. Raises Later, Refused."""
        return self._there(path, self._read[0]) if self._read else None

    def listed(self, folder: str) -> dict[str, str] | None:
        """The files below a folder of the top at that head, path to git's name; None where GitHub lists a part only.

        Raises Later, Refused.
        """
        if not self._read:
            return {}
        at = self._read[0].tree
        if self._top is None or self._top[0] != at:
            self._top = (at, self._branch.listed(at))
        if self._top[1] is None:
            return None
        kind, tree = self._top[1].get(folder, ("", ""))
        below = self._branch.listed(tree, recursive=True) if kind == "tree" else {}
        if below is None:
            return None
        return {f"{folder}/{path}": name for path, (kind, name) in below.items() if kind == "blob"}

    def sign_offs(self, issue: int) -> SignOffs:
        """The issue's signatures at that head. Raises BrokenIndex, Later, Refused."""
        data = self.kept(path_of(issue))
        return SignOffs() if data is None else SignOffs.read(data)

    def sign(self, signature: Signature, entry: Entry, files: Mapping[str, bytes]) -> Recorded:
        """Keep a signature on the entry's `files`, in one commit; the same comment again gives none.

        It goes on top of a head at which the entry is still the issue's last and its files are still these. Raises
        Later where that is no longer so: what is signed has to be looked at again. Where the branch may not be
        written, the value says so.
        """
        blobs = {name: blob_sha(data) for name, data in files.items()}
        message = f"{signature.act.value.capitalize()} by {signature.login}: decision for #{entry.issue}"
        path = path_of(entry.issue)

        def changes_at(head: Head | None) -> Changes:
            index = self._index(head)
            known = self.sign_offs(entry.issue)
            if known.at(signature.place):
                return {}
            there = self._branch.folder(entry.folder, head.commit) if head else {}
            if index.last_of(entry.issue) != entry or any(there.get(name) != blob for name, blob in blobs.items()):
                raise Later("the decision was changed meanwhile")
            return {path: known.with_signature(signature).written()}

        try:
            commit = self._committed(message, changes_at)
        except BrokenIndex as broken:
            return self._not_kept(entry, "ledger-index-broken", str(broken))
        except (Refused, NotFound, Invalid, Conflict) as refusal:
            return self._not_kept(entry, "ledger-not-written", str(refusal))
        return Recorded(entry.folder, commit, {path: f"{self._pages}/{path}"})

    def tell(self, outcome: Happened) -> Recorded:
        """Keep an outcome with its issue's others, in one commit; the same again gives none. Raises Later."""
        path = outcomes_path(outcome.issue)

        def changes_at(head: Head | None) -> Changes:
            there = self._there(path, head)
            known = Outcomes() if there is None else Outcomes.read(there)
            wanted = known.with_outcome(outcome).written()
            return {} if wanted == there else {path: wanted}

        return self._beside(f"Outcome for #{outcome.issue}", {path: b""}, changes_at)

    def keep(self, folder: str, files: Mapping[str, bytes], message: str) -> Recorded:
        """Keep files that belong to no decision, in one commit; the same again gives none. Raises Later."""

        def changes_at(head: Head | None) -> Changes:
            there = self._branch.folder(folder, head.commit) if head else {}
            changed: Changes = {f"{folder}/{n}": d for n, d in files.items() if there.get(n) != blob_sha(d)}
            if changed and head is None:
                changed[INDEX] = Index().written()
            return changed

        return self._beside(message, {f"{folder}/{name}": data for name, data in files.items()}, changes_at)

    def _beside(
        self, message: str, files: Mapping[str, bytes], changes_at: Callable[[Head | None], Changes]
    ) -> Recorded:
        try:
            commit = self._committed(message, changes_at)
        except (BrokenIndex, Refused, NotFound, Invalid, Conflict) as refusal:
            code = "ledger-index-broken" if isinstance(refusal, BrokenIndex) else "ledger-not-written"
            told = {"found": str(refusal)[:200], "arguments": {"branch": self._name}}
            return Recorded("", None, {}, Problem.model_validate({"code": code, "severity": Severity.WARNING, **told}))
        return Recorded("", commit, {path: self.page_of(path) for path in files})

    def page_of(self, path: str) -> str:
        """The page of a file of the branch."""
        return f"{self._pages}/{path}"

    def folder(self, quarter: str, issue: int, place: str) -> str:
        """The folder for a command: the one it has already, or the issue's next. `quarter` is `2026Q4`.

        Where the index is broken or may not be read it is the issue's first; `record` then says what is wrong.
        Raises Later, ValueError for a place that is none.
        """
        try:
            index = self.index()
        except (BrokenIndex, Refused, NotFound, Invalid):
            index = Index()
        return _placed(index, quarter, issue, place).folder

    def record(self, entry: Entry, files: Mapping[str, bytes], shared: Mapping[str, Update] = {}) -> Recorded:
        """Keep an entry and its files, in one commit; the same again gives no commit.

        `shared` files, by their path on the branch, are those of all entries: each is read at the head that the commit
        goes on top of, so that nothing that another writer put in is lost.
        `entry.seq` and `entry.quarter` are those of `folder()`; an entry whose folder was taken by another command
        meanwhile raises Later, since its files name the folder: begin with `folder()` again. A file that the entry
        had and has no more is removed. Where GitHub or the branch does not allow it, the value says so.
        Raises Later, which a repetition may mend.
        """
        try:
            return self._recorded(entry.model_copy(update={"files": tuple(sorted(files))}), files, shared)
        except BrokenIndex as broken:
            return self._not_kept(entry, "ledger-index-broken", str(broken))
        except (Refused, NotFound, Invalid, Conflict) as refusal:
            return self._not_kept(entry, "ledger-not-written", str(refusal))

    def _recorded(self, entry: Entry, files: Mapping[str, bytes], shared: Mapping[str, Update]) -> Recorded:
        for name in files:
            if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", name):
                raise Invalid(f"no file name for the ledger: {name[:40]!r}")
        urls = {name: f"{self._pages}/{entry.folder}/{name}" for name in files}
        left: list[str] = []

        def changes_at(head: Head | None) -> Changes:
            of_all, left[:] = self._shared(head, shared)
            return self._changes(head, entry, files) | of_all

        commit = self._committed(commit_message(entry), changes_at)
        return Recorded(entry.folder, commit, urls, left_alone=tuple(left))

    def _committed(self, message: str, changes_at: Callable[[Head | None], Changes]) -> str | None:
        """One commit of what has to change at whatever head it goes on top of; None where nothing has."""
        refused_at: list[Head | None] = []
        while len(refused_at) < _ROUNDS:
            head, self._asked = self._asked or self._branch.head(), None  # a head that is old by now ends as Conflict
            changes = changes_at(head)
            if not changes:
                return None
            try:
                return self._branch.commit(head, message, changes)
            except Conflict as conflict:
                refused_at.append(head)
                self._wait_after(conflict, refused_at)
        raise Later("the ledger branch moves faster than it can be written")

    def _wait_after(self, conflict: Conflict, refused_at: Sequence[Head | None]) -> None:
        """A branch that stands still and yet refuses, longer than GitHub's copies lag, is not to be written."""
        if len(refused_at) >= _STILL and len(set(refused_at[-_STILL:])) == 1:
            raise Refused(str(conflict), conflict.status) from None
        longest = min(_FIRST_WAIT_S * 2 ** len(refused_at), _LONGEST_WAIT_S)
        self._wait(random.uniform(longest / 4, longest))  # noqa: S311 - spreads writers, no secret

    def _changes(self, head: Head | None, entry: Entry, files: Mapping[str, bytes]) -> Changes:
        """Paths to write (bytes) and to remove (None) so that the branch holds the entry; empty where it does."""
        index = self._index(head)
        known = index.at(entry.place)
        taken = [e for e in index.of_issue(entry.issue) if e.seq == entry.seq and e.place != entry.place]
        if taken or (known and known.folder != entry.folder):
            raise Later("the folder was given to another command meanwhile")
        there = self._branch.folder(entry.folder, head.commit) if head and known else {}
        changes: dict[str, bytes | None] = {f"{entry.folder}/{name}": None for name in there if name not in files}
        changes.update({f"{entry.folder}/{n}": d for n, d in files.items() if there.get(n) != blob_sha(d)})
        if known != entry:
            changes[INDEX] = index.with_entry(entry).written()
        return changes

    def _shared(self, head: Head | None, shared: Mapping[str, Update]) -> tuple[Changes, list[str]]:
        """Shared files to write, and those that are left alone."""
        changes, left = dict[str, bytes | None](), list[str]()
        for path, update in shared.items():
            there = self._there(path, head)
            try:
                wanted = update(there)
            except ValueError:
                left.append(path)
                continue
            if wanted is not None and wanted != there:
                changes[path] = wanted
        return changes, left

    def _there(self, path: str, head: Head | None) -> bytes | None:
        try:
            return self._branch.read(path, head.commit) if head else None
        except NotFound:
            return None

    def _index(self, head: Head | None) -> Index:
        if head is None:
            return Index()
        if self._read is None or self._read[0] != head:
            try:
                self._read = (head, Index.read(self._branch.read(INDEX, head.commit)))
            except NotFound:
                raise BrokenIndex(f"branch `{self._name}` has no {INDEX}") from None
        return self._read[1]

    def _not_kept(self, entry: Entry, code: str, reason: str) -> Recorded:
        problem = Problem(code=code, severity=Severity.WARNING, found=reason[:200], arguments={"branch": self._name})
        return Recorded(entry.folder, None, {}, problem)


def _placed(index: Index, quarter: str, issue: int, place: str) -> Entry:
    if not PLACE.match(place):
        raise ValueError(f"no place: {place[:40]!r}")
    known = index.at(place)
    return known or Entry(issue=issue, seq=index.next_seq(issue), quarter=quarter, place=place)


def placed_entry(folder: str, place: str) -> Entry:
    """A bare entry from a folder as `Ledger.folder` gave it. Raises ValueError for anything else."""
    found = re.fullmatch(r"decisions/([0-9]{4}Q[1-4])/issue-([0-9]+)/([0-9]+)", folder)
    if not found:
        raise ValueError(f"no ledger folder: {folder[:60]!r}")
    return Entry(quarter=found[1], issue=int(found[2]), seq=int(found[3]), place=place)


def quarter_of(day_year: int, month: int) -> str:
    """The quarter of a month: 2026, 12 → `2026Q4`."""
    return f"{day_year}Q{(month + 2) // 3}"


def commit_message(entry: Entry) -> str:
    """`Decision for #12: SWITCH (workload)`. A workload is a poster's text: it names nobody and closes nothing."""
    plain = " ".join(_REFERENCE.sub("", _UNSAFE.sub(" ", entry.workload or "")).split())[:60].strip()
    word = " ".join(_UNSAFE.sub(" ", entry.verdict or "recorded").split())[:40]
    return f"Decision for #{entry.issue}: {word.upper()}" + (f" ({plain})" if plain else "")


__all__ = [
    "BrokenIndex",
    "Entry",
    "GitHubError",
    "Index",
    "Ledger",
    "Recorded",
    "commit_message",
    "placed_entry",
    "quarter_of",
]
