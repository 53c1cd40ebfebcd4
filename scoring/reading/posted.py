"""A posted file: a name and bytes that can be opened again, so that 300 MB need not be held."""

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO


@dataclass(frozen=True)
class PostedFile:
    """`name` as posted, folders with "/"; `first_line` is where a nested text begins in its file, from 1."""

    name: str
    size: int
    open: Callable[[], BinaryIO]
    first_line: int = 1
    context: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_bytes(
        cls, name: str, data: bytes, first_line: int = 1, context: tuple[tuple[str, str], ...] = ()
    ) -> "PostedFile":
        """A file in memory; `context` are key: value lines that were posted with it."""
        return cls(name, len(data), lambda: io.BytesIO(data), first_line, context)

    @classmethod
    def from_path(cls, path: Path, name: str | None = None) -> "PostedFile":
        """A file on disk. Opening it may raise OSError."""
        return cls(name or path.name, path.stat().st_size, lambda: path.open("rb"))

    def read(self, limit: int) -> bytes:
        """The first bytes, at most `limit`."""
        with self.open() as stream:
            return stream.read(limit)

    def sha256(self) -> str:
        """Hash of the whole content."""
        digest = hashlib.sha256()
        with self.open() as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
        return digest.hexdigest()

    @property
    def stem(self) -> str:
        """The file's own name without its ending."""
        return self.name.rsplit("/", 1)[-1].split(".", 1)[0]

    @property
    def folder(self) -> str | None:
        """Name of the folder that holds it, None at the top."""
        parts = self.name.split("/")
        return parts[-2] if len(parts) > 1 else None
