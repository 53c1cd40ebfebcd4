"""What a reader of a tool's own files is: it recognises its files by their first bytes and turns one into runs."""

from collections.abc import Callable
from dataclasses import dataclass

from scoring.model.settings import Settings
from scoring.reading.posted import PostedFile
from scoring.reading.tidy_table import TableReading


def no_fuller(name: str) -> tuple[str, ...]:
    """For tools that write a run into one file only."""
    return ()


@dataclass(frozen=True)
class Reader:
    """`claims(head)` sees the first 64 KiB; `read(posted, arm, settings)` never raises for any bytes.

    `arm` is the name of the folder or file, for tools whose files do not name one. `fuller(name)` names the files
    that, beside a file of that name, hold the same run with more of it: then that file is not read.
    """

    name: str
    claims: Callable[[bytes], bool]
    read: Callable[[PostedFile, str, Settings], TableReading]
    fuller: Callable[[str], tuple[str, ...]] = no_fuller
