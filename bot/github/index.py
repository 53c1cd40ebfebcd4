"""The ledger's index: which command was answered where, and how. One JSON file, one line an entry."""

import json
import re
from collections.abc import Iterable
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.github.looks import MadeLook
from bot.github.place import order_of

SCHEMA = "steelyard/ledger-index"
VERSION = 1
HEAD, TAIL = f'{{"schema": "{SCHEMA}", "version": {VERSION}, "entries": [', "]}"
PLACE = re.compile(r"[ci][0-9]{1,20}(#[0-9]{1,4})?\Z")


class BrokenIndex(ValueError):
    """The file is not what this program writes. The message says where, without quoting more than a word of it."""


class Entry(BaseModel):
    """One answered command. `place` is its comment (`c<id>`) or the issue's text (`i<issue>`), `#n` for a second one.

    `seq` counts the issue's entries from 1. `quarter` is `2026Q4`. `looks` are those of its answers, `earlier` the ones
    that its answer as `asked_at` took for earlier ones. `document` is the record's own hash, `sha256` those of its
    files. Fields of later versions are kept.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    issue: int = Field(ge=1)
    seq: int = Field(ge=1)
    quarter: str = Field(pattern=r"^[0-9]{4}Q[1-4]$")
    place: str = Field(pattern=r"^[ci][0-9]{1,20}(#[0-9]{1,4})?$")
    comment_url: str | None = None
    asked_by: str | None = None
    decided_on: str | None = None
    verdict: str | None = None
    workload: str | None = None
    incumbent: str | None = None
    candidate: str | None = None
    region: str | None = None
    """Where the candidate runs."""
    document: str | None = None
    memo_sha256: str | None = None
    sha256: dict[str, str] = {}
    looks: tuple[MadeLook, ...] = ()
    asked_at: str | None = None
    earlier: tuple[MadeLook, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """Where its files lie on the branch."""
        return f"decisions/{self.quarter}/issue-{self.issue}/{self.seq}"


class Index(BaseModel):
    """All entries, in the order of issue and seq."""

    model_config = ConfigDict(frozen=True)

    entries: tuple[Entry, ...] = ()

    @classmethod
    def read(cls, data: bytes) -> Self:
        """The index from its file. Raises BrokenIndex."""
        try:
            values = json.loads(data)
        except (ValueError, RecursionError) as failure:
            raise BrokenIndex(f"no JSON ({str(failure)[-60:]})") from None
        if not isinstance(values, dict) or values.get("schema") != SCHEMA or values.get("version") != VERSION:
            raise BrokenIndex(f"not `{SCHEMA}` of version {VERSION}")
        try:
            index = cls.model_validate({"entries": values.get("entries")})
        except ValidationError as failure:
            where = ".".join(str(part) for part in failure.errors()[0]["loc"])
            raise BrokenIndex(f"{where[:80]}: {failure.errors()[0]['type']}") from None
        return index.without_doubles()

    def without_doubles(self) -> Self:
        """This index. Raises BrokenIndex for two entries of one command, or two of one issue and seq."""
        for name, keys in (("place", self._places), ("issue and seq", self._numbers)):
            if len(set(keys)) < len(keys):
                raise BrokenIndex(f"two entries of the same {name}")
        return self

    def written(self) -> bytes:
        """The file: the same entries give the same bytes."""
        lines = [json.dumps(_plain(e), ensure_ascii=False, sort_keys=True) for e in self.entries]
        inner = ",\n".join(f"  {line}" for line in lines)
        return f"{HEAD}\n{inner}\n{TAIL}\n".encode() if lines else f"{HEAD}{TAIL}\n".encode()

    def of_issue(self, issue: int) -> tuple[Entry, ...]:
        """The issue's entries by seq."""
        return tuple(e for e in self.entries if e.issue == issue)

    def last_of(self, issue: int) -> Entry | None:
        """The issue's entry whose command was written last, whichever was answered last."""
        return max(self.of_issue(issue), key=lambda e: order_of(e.place), default=None)

    def at(self, place: str) -> Entry | None:
        """The entry of one command."""
        return next((e for e in self.entries if e.place == place), None)

    def next_seq(self, issue: int) -> int:
        """The number of the issue's next entry; numbers are not used twice unless the last entry was removed."""
        return max((e.seq for e in self.of_issue(issue)), default=0) + 1

    def with_entry(self, entry: Entry) -> "Index":
        """The index with this entry in place of the one of the same command."""
        others: Iterable[Entry] = (e for e in self.entries if e.place != entry.place)
        return Index(entries=tuple(sorted([*others, entry], key=lambda e: (e.issue, e.seq))))

    @property
    def _places(self) -> list[Any]:
        return [e.place for e in self.entries]

    @property
    def _numbers(self) -> list[Any]:
        return [(e.issue, e.seq) for e in self.entries]


def _plain(entry: Entry) -> dict[str, Any]:
    empty = {name for name in ("looks", "earlier", "sha256") if not getattr(entry, name)}
    return entry.model_dump(mode="json", exclude_none=True, exclude=empty)
