"""What readers of JSON files share: the objects of a file with their lines, and sound figures out of them."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.model.pilot import ColumnReading, Run
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import error, info, question, warning
from scoring.reading.catalogue import TIME_UNITS
from scoring.reading.charset import decode, lines_of
from scoring.reading.interface import Reader, no_fuller
from scoring.reading.limits import MAX_TABLE_BYTES
from scoring.reading.moments import read_moment
from scoring.reading.numbers import is_missing
from scoring.reading.posted import PostedFile
from scoring.reading.structured import item_lines, parse_json, parsed_lines
from scoring.reading.tidy_table import TableReading

Record = Mapping[str, Any]
LARGEST = 1e15
MIDDLE, MOST_REFUSED = 50, 10
NOT_FINITE = ("nan", "inf", "infinity")
_STATISTIC = re.compile(r"p\d{1,2}(?:\.\d{1,3})?\Z")
_MEANS = ("avg", "mean", "average")


@dataclass(frozen=True)
class Found:
    """One object of a tool's file: where it stands, and of which arm it is."""

    record: Record
    file: str
    row: int
    number: int
    arm: str
    problems: list[Problem]
    tool: str

    @property
    def place(self) -> dict[str, object]:
        """File and line, for a problem."""
        return {"file": self.file, "row": self.row}

    @property
    def run(self) -> str:
        """What tells it from the other runs of the posting."""
        return f"{self.file}:{self.number}"

    def missing(self, column: str, expected: str) -> None:
        """Say that a figure without which there is no run cannot be used."""
        details = {**self.place, "column": column, "found": str(self.record.get(column))[:40], "tool": self.tool}
        self.problems.append(error("tool-figure-missing", **details, expected=expected))

    def unsaid(self, found: str) -> None:
        """Say what the tool's file does not hold, although it changes the figures."""
        self.problems.append(info("load-not-in-file", file=self.file, found=found, tool=self.tool))

    def seconds_in(self, unit: object, column: str) -> float | None:
        """Seconds in one of a unit that the file names; one that is no time is asked about."""
        scale = TIME_UNITS.get(str(unit).strip().casefold())
        if scale is None:
            asked = question(
                "unit-not-understood", **self.place, column=column, found=str(unit)[:40], expected="ms or s"
            )
            self.problems.append(asked)
        return scale

    def diverged(self, metric: str, value: object) -> bool:
        """Whether a metric is no finite number, as of a model that diverged; that is asked about."""
        is_none = isinstance(value, str) and value.strip().casefold().lstrip("+-") in NOT_FINITE
        if is_none:
            details = {**self.place, "column": metric, "found": str(value)[:40], "expected": "a finite number"}
            self.problems.append(question("quality-not-finite", **details))
        return is_none

    def not_read(self) -> None:
        """Say which figures stood in the file and could not be used, once the run is made of the others."""
        refused = self.record.refused if isinstance(self.record, Noted) else {}
        for name, written in list(refused.items())[:MOST_REFUSED]:
            details = {**self.place, "column": name, "found": written, "expected": "a number, 0 or above"}
            self.problems.append(warning("cell-not-read", **details))

    def started(self, column: str) -> datetime | None:
        """When the run began; a text that is no moment is told."""
        value = self.record.get(column)
        moment, _ = read_moment(value) if isinstance(value, str) else (None, False)
        if moment is None and value not in (None, ""):
            details = {**self.place, "column": column, "found": str(value)[:100], "count": 1, "total": 1}
            self.problems.append(warning("times-not-read", **details))
        return moment


class Noted(dict[str, Any]):
    """An object of a file, or one inside it, that notes which of its figures stood there and were none."""

    def __init__(self, values: Record, refused: dict[str, str], place: str = "") -> None:
        super().__init__(values)
        self.refused, self.place = refused, place


def number(record: Record, key: str) -> float | None:
    """A figure that is finite and not negative, also where the tool wrote it as a text; None otherwise."""
    written = record.get(key)
    value = _figure(written)
    if value is not None and 0 <= value < LARGEST:
        return value
    if isinstance(record, Noted) and written is not None and not (isinstance(written, str) and is_missing(written)):
        record.refused.setdefault(record.place + key, str(written)[:40])
    return None


def _figure(value: object) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    return float(value) if abs(value) < LARGEST else None


def positive(record: Record, key: str) -> float | None:
    """A figure above zero."""
    return number(record, key) or None


def count(record: Record, key: str) -> int | None:
    """A whole figure."""
    value = number(record, key)
    return int(value) if value is not None and value == int(value) else None


def text(record: Record, key: str) -> str | None:
    """A text that is not empty."""
    value = record.get(key)
    return value.strip()[:200] or None if isinstance(value, str) else None


def part(record: Record, *keys: str) -> Record:
    """An object inside the object; an empty one where there is none."""
    for key in keys:
        inner = record.get(key)
        values = inner if isinstance(inner, Mapping) else {}
        record = Noted(values, record.refused, f"{record.place}{key}.") if isinstance(record, Noted) else values
    return record


def numbers(values: object) -> list[float]:
    """All figures of a list, or none of them where one is no sound figure."""
    if not isinstance(values, list):
        return []
    found = [number({"": value}, "") for value in values]
    return [value for value in found if value is not None] if None not in found else []


def conditions(record: Record, names: Iterable[str]) -> dict[str, str]:
    """The settings of a run as texts."""
    return {name: str(record[name])[:100] for name in names if isinstance(record.get(name), (str, int, float))}


def per_request(**lengths: float | None) -> dict[str, str]:
    """Conditions `…_tokens_per_request`: how long the requests were on average, which no setting of a file may tell."""
    return {f"{name}_tokens_per_request": f"{length:.6g}" for name, length in lengths.items() if length}


def statistic_of(name: str) -> str | None:
    """`p50`, `p99.9` or `mean` by what tools call them; None for another statistic, and for those of the fast half."""
    lowered = name.casefold()
    if lowered in _MEANS:
        return "mean"
    if lowered in ("median", "med"):
        return "p50"
    return lowered if _STATISTIC.match(lowered) and float(lowered[1:]) >= MIDDLE else None


def is_json(head: bytes, *keys: str, without: Iterable[str] = ()) -> bool:
    """Whether a file begins as JSON and its first bytes have all of these keys, and none of the others."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start not in (b"{", b"["):
        return False
    return all(f'"{key}"'.encode() in head for key in keys) and not any(f'"{k}"'.encode() in head for k in without)


def records_of(posted: PostedFile, problems: list[Problem]) -> Iterator[tuple[int, Record]]:
    """The objects of a JSON file: the one that it is, those of its list, or one a line; broken lines are named."""
    content, _, _ = decode(posted.read(MAX_TABLE_BYTES))
    try:
        value = parse_json(content)
        several = isinstance(value, list)
        rows = item_lines(content, None, len(value), posted.first_line) if several else [posted.first_line]
        found = list(zip(rows, value if several else [value], strict=True))
    except (ValueError, RecursionError) as failure:
        if not _is_lines(content):
            problems.append(_broken(posted, failure))
            return
        found = list(parsed_lines(enumerate(lines_of(content), start=posted.first_line), posted.name, problems))
    for row, record in found:
        if isinstance(record, Mapping):
            yield row, Noted(record, {})


def _is_lines(content: str) -> bool:
    """Whether the first line that is not empty is a JSON value on its own."""
    first = next((line for line in lines_of(content) if line.strip("\ufeff \t")), "")
    try:
        return isinstance(parse_json(first), Mapping)
    except (ValueError, RecursionError):
        return False


def _broken(posted: PostedFile, failure: Exception) -> Problem:
    if isinstance(failure, json.JSONDecodeError):
        row = posted.first_line + failure.lineno - 1
        return error("json-syntax", file=posted.name, row=row, found=failure.msg)
    return error("json-syntax", file=posted.name, found=str(failure)[:200])


Column = tuple[str, str, str | None]
"""The name in the file, what it was read as, and its unit."""


def columns_in(posted: PostedFile, columns: Iterable[Column]) -> tuple[ColumnReading, ...]:
    """How a tool's keys were read, for the reply."""
    return tuple(ColumnReading(file=posted.name, column=c, meaning=m, unit=u) for c, m, u in columns)


def of_pytorch(name: str) -> tuple[str, ...]:
    """vLLM writes `r.json` once more as `r.pytorch.json`, an object a metric, where its CI asks for that."""
    return (name.replace(".pytorch.json", ".json"),) if name.endswith(".pytorch.json") else ()


def json_reader(
    name: str, claims: Callable[[bytes], bool], run_of: Callable[[Found], Run | None], columns: Iterable[Column],
    fuller: Callable[[str], tuple[str, ...]] = no_fuller,
) -> Reader:  # fmt: skip
    """A reader of files whose every object is one run."""
    shown = tuple(columns)

    def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
        reading = TableReading()
        for row, record in records_of(posted, reading.problems):
            reading.rows += 1
            found = Found(record, posted.name, row, reading.rows, arm, reading.problems, name)
            run = run_of(found)
            if run is not None:
                reading.runs.append(run)
                found.not_read()
        reading.columns = columns_in(posted, shown)
        return reading

    return Reader(name=name, claims=claims, read=read, fuller=fuller)
