"""Entries of a YAML book of the review: each read into its value, or into problems with their lines."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pydantic import ValidationError

from scoring.model.base import Value
from scoring.model.problem import Problem
from scoring.problems import error
from scoring.reading.asked_for import asked_for
from scoring.reading.yaml_document import Document, Path

SHOWN = 100
Read = TypeVar("Read", bound=Value)


@dataclass(frozen=True)
class Entry:
    """A part of a document, and where it stands."""

    file: str
    document: Document
    path: Path
    value: Any

    @property
    def line(self) -> int:
        """The line of it, or of the nearest part around it that is there."""
        return self.document.line(self.path) or 1

    def below(self, *path: str | int) -> "Entry":
        """A part of it; None where it is not there."""
        value = self.value
        for part in path:
            is_there = part in value if isinstance(value, dict) else isinstance(value, list) and isinstance(part, int)
            value = value[part] if is_there else None
        return replace(self, path=(*self.path, *path), value=value)

    def holding(self, value: object) -> "Entry":
        """The same place with another value."""
        return replace(self, value=value)

    def read(self, kind: type[Read]) -> tuple[Read | None, list[Problem]]:
        """The value, or what is wrong with each of its keys."""
        try:
            return kind.model_validate(_without_nothing(self.value)), []
        except ValidationError as failure:
            return None, [self._problem(dict(item), kind) for item in _first_causes(failure)]

    def wrong(self, found: str, expected: str) -> Problem:
        """`workload-invalid`, here."""
        told = {"file": self.file, "row": self.line, "column": ".".join(str(part) for part in self.path)[:SHOWN]}
        return error("workload-invalid", **told, found=found[:SHOWN], expected=expected[:200])

    def _problem(self, item: dict[str, Any], kind: type[Value]) -> Problem:
        path, found, expected = tuple(item["loc"]), item["input"], asked_for(item)
        if item["type"] == "extra_forbidden":
            found, expected = path[-1], unknown(str(path[-1]), _keys(kind))
        elif item["type"] == "missing":
            found = "nothing"
        elif path[-1:] == ("currency",):
            expected = "three letters such as USD"
        return self.below(*path).wrong(shown(found), str(expected))


def _first_causes(failure: ValidationError) -> list[Mapping[str, Any]]:
    """Without lists that are too short for the one reason that an entry of theirs is wrong."""
    items = failure.errors()
    return [item for item in items if item["type"] != "too_short" or not any(_lies_in(one, item) for one in items)]


def _lies_in(inner: Mapping[str, Any], outer: Mapping[str, Any]) -> bool:
    place = outer["loc"]
    return len(inner["loc"]) > len(place) and inner["loc"][: len(place)] == place


def shown(found: object) -> str:
    """What was found, as it is told: of a mapping its keys."""
    if isinstance(found, dict):
        return ", ".join(str(key) for key in found) or "nothing"
    return "nothing" if found is None else str(found)[:SHOWN] or "nothing"


def unknown(name: str, known: Iterable[str]) -> str:
    """What was meant by an unknown name: the one that begins with it, else the nearest one, else all of them."""
    names = sorted(set(known))
    longer = [one for one in names if one.startswith(name)]
    if len(longer) == 1:
        return longer[0]
    return next(iter(difflib.get_close_matches(name[:60], names, n=1)), ", ".join(names)[:200])


def _keys(kind: Any) -> list[str]:
    """All keys of a value and of the values in it."""
    found = []
    for name, field in kind.model_fields.items():
        found.append(field.alias or name)
        inner = [field.annotation, *getattr(field.annotation, "__args__", ())]
        found += [key for one in inner if isinstance(one, type) and issubclass(one, Value) for key in _keys(one)]
    return found


def _without_nothing(entry: Any) -> Any:
    """A key without a value stands for its default."""
    if isinstance(entry, dict):
        return {key: _without_nothing(value) for key, value in entry.items() if value is not None}
    return [_without_nothing(value) for value in entry] if isinstance(entry, list) else entry
