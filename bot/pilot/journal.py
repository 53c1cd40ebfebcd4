"""The journal of a pilot: one JSON line for each thing that happened, on the disk before anything else is done."""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Entry = dict[str, Any]
JOURNAL, LOCK = "journal.jsonl", "lock"


class Busy(Exception):
    """Another process makes the runs of this folder."""


class Journal:
    """Append-only; a line that a kill tore is left where it is and counts as never written."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / JOURNAL

    def entries(self) -> list[Entry]:
        """All whole lines in order. Raises OSError."""
        if not self.path.is_file():
            return []
        lines = self.path.read_bytes().split(b"\n")
        return [entry for line in lines if (entry := _entry(line)) is not None]

    def add(self, event: str, **facts: object) -> None:
        """One line, on the disk when this returns. Raises OSError."""
        line = json.dumps({"event": event, **facts}, ensure_ascii=False, default=str).encode()
        with self.path.open("ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                line = line if file.read(1) == b"\n" else b"\n" + line
            file.write(line + b"\n")
            file.flush()
            os.fsync(file.fileno())


def _entry(line: bytes) -> Entry | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) and isinstance(entry.get("event"), str) else None


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """The folder for this process alone, until it ends in whatever way. Raises Busy, OSError."""
    with (folder / LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            raise Busy from held
        yield


def write_whole(path: Path, text: str) -> None:
    """The file as a whole or not at all. Raises OSError."""
    beside = path.with_name(f"{path.name}.new")
    with beside.open("w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def write_record(path: Path, record: Mapping[str, object]) -> None:
    """A record as JSON, whole or not at all. Raises OSError."""
    write_whole(path, json.dumps(record, indent=2, ensure_ascii=False) + "\n")
