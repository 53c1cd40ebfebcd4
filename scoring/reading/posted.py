"""A posted file: a name and bytes that can be opened again, so that 300 MB need not be held."""

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO


def whole_letters(text: str) -> str:
    """The text with halves of letters (lone surrogates) replaced by U+FFFD: no output could encode them."""
    if text.isascii():
        return text
    return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)


@dataclass(frozen=True)
class PostedFile:
    """`name` as posted, folders with "/"; `first_line` is where a nested text begins in its file, from 1;
    `posted_by` is the login of who posted it, where it came from a thread.

    `open` may be called any number of times. Bytes of a name that are no letters become U+FFFD.
    """

    name: str
    size: int
    open: Callable[[], BinaryIO]
    first_line: int = 1
    context: tuple[tuple[str, str], ...] = ()
    posted_by: str | None = None

    def __post_init__(self) -> None:
        # A tar or a disk may name a file in no known letters; a half of a letter cannot be printed or stored.
        object.__setattr__(self, "name", whole_letters(self.name))

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
