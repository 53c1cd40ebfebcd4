"""The ledger's index read again and again: lines that were read before are not read anew."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from bot.github.index import HEAD, TAIL, Entry, Index


@dataclass
class IndexReader:
    """Remembers the entries of the file that it read last, by the SHA-256 of their lines. One thread at a time."""

    _known: Mapping[bytes, Entry] = field(default_factory=dict)

    def read(self, data: bytes) -> Index:
        """What `Index.read` gives for these bytes, and raises: BrokenIndex.

        Between two lines other threads have their turn; a file in one piece is read without.
        """
        lines = _lines(data)
        found = None if lines is None else self._entries(lines)
        if found is None:
            return Index.read(data)
        self._known = found
        return Index.model_construct(entries=tuple(found.values())).without_doubles()

    def _entries(self, lines: Sequence[bytes]) -> dict[bytes, Entry] | None:
        """By their lines' hashes; None where a line is no entry, or stands there twice."""
        found = dict[bytes, Entry]()
        for line in lines:
            key = sha256(line).digest()
            entry = self._known.get(key) or _entry(line)
            if entry is None or key in found:
                return None
            found[key] = entry
        return found


def _lines(data: bytes) -> Sequence[bytes] | None:
    """The entries' JSON, one a line as `Index.written` puts them; None for a file that is written otherwise.

    A line break stands in no JSON string, so that lines which are values each are the values of the whole.
    """
    head, *lines, tail, end = data.split(b"\n") if data.count(b"\n") > 2 else (b"", b"", b"", b"")
    if (head, tail, end) != (HEAD.encode(), TAIL.encode(), b"") or not all(line.endswith(b",") for line in lines[:-1]):
        return None
    return [*(line[:-1] for line in lines[:-1]), *lines[-1:]]


def _entry(line: bytes) -> Entry | None:
    try:
        return Entry.model_validate(json.loads(line.decode()))
    except (ValueError, RecursionError):
        return None
