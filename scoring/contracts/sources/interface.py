"""What a reader of a vendor's output gives: entries of a contract book, each with its place, and what to be told."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.model.problem import Problem

Entry = dict[str, Any]
Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Record:
    """One record of an output, as it stands at a line of a file; `region` is where the output was asked for."""

    fields: Fields
    file: str
    row: int | None
    region: str | None = None

    def place(self, column: str | None = None, found: object = None, **more: object) -> dict[str, Any]:
        """Details of a problem with a field."""
        said = {} if found is None else {"found": str(found)[:100]}
        return {"file": self.file, "row": self.row, "column": column, **said, **more}


@dataclass(frozen=True)
class Draft:
    """An entry of a contract book as a person would write it, and where it came from."""

    entry: Entry
    file: str
    row: int | None


@dataclass
class Reading:
    """Drafts in the order of the files, and all that must be told about the rest."""

    drafts: list[Draft] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


Records = Mapping[str, Sequence[Record]]
"""All records that were read together, by the key of their list: one output may complete another."""


@dataclass(frozen=True)
class Output:
    """The JSON that one command of a vendor prints: a list of records under `key`.

    `fields` are those of the service's published model; a record's other fields are kept and told. `page` documents
    them. `convert` gives the draft of a record, or None where it is no contract in force, and what to be told.
    """

    command: str
    key: str
    page: str
    fields: frozenset[str]
    convert: Callable[[Record, Records], tuple[Entry | None, list[Problem]]]
