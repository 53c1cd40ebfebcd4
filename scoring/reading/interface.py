"""What a reader of a tool's own files is: it recognises its files by their first bytes and turns one into runs."""

from collections.abc import Callable
from dataclasses import dataclass

from scoring.model.settings import Settings
from scoring.reading.posted import PostedFile
from scoring.reading.tidy_table import TableReading


@dataclass(frozen=True)
class Reader:
    """`claims(head)` sees the first 64 KiB; `read(posted, arm, settings)` never raises for any bytes.

    `arm` is the name of the folder or file, for tools whose files do not name one.
    """

    name: str
    claims: Callable[[bytes], bool]
    read: Callable[[PostedFile, str, Settings], TableReading]
