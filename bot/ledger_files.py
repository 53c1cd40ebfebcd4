"""The files of one ledger that a review reads, at one head: those that exist, and of these those that are not known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from bot.dossier import Spooled
from bot.file_cache import FileCache
from bot.github.gitdata import blob_sha
from bot.github.index import Entry, Index
from bot.github.ledger import INDEX, Ledger
from bot.github.outcomes import path_of as outcomes_path
from bot.github.sign_offs import path_of as sign_offs_path
from bot.github.spool import Spool
from scoring.review.quarter import Quarter

RECORD, REVIEW = "decision.json", "review.json"
MOST_BYTES = 32 * 1024 * 1024
"""As large as the record of a review may be."""
MOST_BEFORE = 8
_KNOWN = FileCache()
"""By the hash that an index has of a record, and by git's name of any other file: what is unchanged is asked once."""


@dataclass(frozen=True)
class LedgerFiles:
    """A ledger whose index was read: everything is of that head. Methods raise GitHubError, OSError."""

    repository: str
    ledger: Ledger
    spool: Spool

    def of(self, index: Index, entries: Sequence[Entry]) -> Iterator[Spooled]:
        """The index, the records of these of its entries, and what was signed and told of their issues."""
        if index.entries:
            yield Spooled(name=INDEX, path=self.spool.write(index.written()))
        for entry in entries:
            if RECORD in entry.files:
                yield from self._put(f"{entry.folder}/{RECORD}", self._record(entry))
        issues = sorted({entry.issue for entry in entries})
        yield from self._existing("sign-offs", [sign_offs_path(issue) for issue in issues])
        yield from self._existing("outcomes", [outcomes_path(issue) for issue in issues])

    def before(self, asked: Quarter) -> Iterator[Spooled]:
        """The last review of an earlier quarter."""
        paths = [f"reviews/{asked.after(-back).name}/{REVIEW}" for back in range(1, MOST_BEFORE + 1)]
        yield from islice(self._existing("reviews", paths), 1)

    def _record(self, entry: Entry) -> bytes | None:
        path, digest = f"{entry.folder}/{RECORD}", entry.sha256.get(RECORD)
        if digest is None:
            return self.ledger.kept(path)
        key = (self.repository, path, digest)
        if found := _KNOWN.find(key):
            return found[0]
        data = self.ledger.kept(path)
        if data is not None and sha256(data).hexdigest() == digest:
            _KNOWN.keep(key, data)
        return data

    def _existing(self, folder: str, paths: Sequence[str]) -> Iterator[Spooled]:
        """Those of a folder's files that there are; asked one by one where GitHub lists a part of the folder only."""
        listed = self.ledger.listed(folder) if paths else {}
        for path in paths:
            if listed is None:
                yield from self._put(path, self.ledger.kept(path))
            elif path in listed:
                yield from self._put(path, self._unchanged(path, listed[path]))

    def _unchanged(self, path: str, name: str) -> bytes | None:
        key = (self.repository, path, name)
        if found := _KNOWN.find(key):
            return found[0]
        data = self.ledger.kept(path)
        if data is not None and blob_sha(data) == name:
            _KNOWN.keep(key, data)
        return data

    def _put(self, path: str, data: bytes | None) -> Iterator[Spooled]:
        if data is not None and len(data) <= MOST_BYTES:
            yield Spooled(name=path, path=self.spool.write(data))
