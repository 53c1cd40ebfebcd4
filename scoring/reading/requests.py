"""Request-level latencies, one row a request: streamed to quantiles per repetition, so that 300 MB fit in little."""

import csv
import io
import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import isnan
from typing import BinaryIO

import numpy as np

from scoring.model.pilot import ColumnReading, Phase, Run
from scoring.problems import question, warning
from scoring.reading.charset import charset_of, lines_of
from scoring.reading.columns import separators_asked
from scoring.reading.headers import Meaning, meaning_of
from scoring.reading.limits import HEAD_BYTES, MAX_FILE_BYTES
from scoring.reading.numbers import Convention, convention_of, parse_duration, parse_number
from scoring.reading.posted import PostedFile
from scoring.reading.rows_to_table import TITLE_ROWS
from scoring.reading.sniff import Content, content_of, delimiter_of, text_kind
from scoring.reading.tidy_table import TableReading
from scoring.statistics.latency import quantiles

PROBABILITIES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
FEWEST_ROWS = 60
"""A group of rows of one arm and run this long is requests, not repetitions."""
NAMED = 3
CHUNK = 500
TOO_LONG = 1e12
_NAMED_LATENCY = re.compile(r"ttft|tpot|itl|e2e|latenc|token", re.IGNORECASE)


@dataclass
class _Shape:
    """Where the columns stand in such a file, and in which line their names."""

    header: list[str]
    header_line: int
    delimiter: str
    encoding: str
    arm: int | None
    run: int | None
    latencies: list[tuple[int, str, float]]
    convention: Convention
    sample: list[str]
    unknown_units: list[str] = field(default_factory=list)


def shape_of(posted: PostedFile) -> _Shape | None:
    """How a file holds request-level latencies, or None when it does not."""
    head = posted.read(HEAD_BYTES)
    if content_of(head) is not Content.TEXT:
        return None
    encoding, _ = charset_of(head)
    text = head.decode(encoding, errors="replace")
    if text_kind(text, posted.name) is not Content.TEXT:
        return None
    delimiter = delimiter_of(text) or ","
    rows = list(enumerate(_rows(lines_of(text), delimiter), start=1))[:-1]
    shapes = (_shape(rows[i:], delimiter, encoding) for i in range(min(TITLE_ROWS, len(rows) - FEWEST_ROWS + 1)))
    return next((shape for shape in shapes if shape is not None), None)


def _shape(numbered: list[tuple[int, list[str]]], delimiter: str, encoding: str) -> _Shape | None:
    """The shape of rows that begin with the header."""
    if not _NAMED_LATENCY.search(",".join(numbered[0][1])):
        return None
    header_line, rows = numbered[0][0], [row for _, row in numbered]
    header = [h.strip().lstrip("\ufeff") for h in rows[0]]
    meanings = [meaning_of(h) for h in header]
    latencies = [
        (i, kind, m.scale) for i, (h, m) in enumerate(zip(header, meanings, strict=True)) if (kind := _kind(h, m))
    ]
    fields = {m.field for m in meanings}
    if not latencies or fields & {"duration", "cost", "throughput"}:
        return None
    arm, run = _index(meanings, ("arm", "accelerator", "instance_type")), _index(meanings, ("run",))
    groups: dict[tuple[str, ...], int] = {}
    for row in rows[1:]:
        key = tuple(row[i] for i in (arm, run) if i is not None and i < len(row))
        groups[key] = groups.get(key, 0) + 1
    if max(groups.values(), default=0) < FEWEST_ROWS / 2:
        return None
    unknown = [h for h, m in zip(header, meanings, strict=True) if _kind(h, m) and not m.unit_known]
    texts = [row[i].strip() for row in rows[1:] for i, _, _ in latencies if i < len(row)]
    return _Shape(header, header_line, delimiter, encoding, arm, run, latencies, convention_of(texts), texts, unknown)


def _kind(header: str, meaning: Meaning) -> str | None:
    """The kind of latency of a column that holds single requests: its header names no quantile."""
    if meaning.field != "latency" or not meaning.name.endswith("_mean"):
        return None
    named = any(word in header.casefold() for word in ("mean", "avg", "average", "media", "promedio"))
    return None if named else meaning.name.removesuffix("_mean")


def _index(meanings: list[Meaning], fields: tuple[str, ...]) -> int | None:
    for name in fields:
        for i, meaning in enumerate(meanings):
            if meaning.field == name:
                return i
    return None


def read_requests(posted: PostedFile, shape: _Shape, default_arm: str) -> TableReading:
    """A run for each arm and repetition with p50, p90, p95, p99 and mean of each latency, in seconds."""
    reading = TableReading()
    for name in shape.unknown_units:
        place = {"file": posted.name, "row": shape.header_line}
        asked = question("latency-unit-unknown", **place, column=name, found=name, expected="ms or s")
        reading.problems.append(asked)
    place = {"file": posted.name, "row": shape.header_line + 1, "column": shape.header[shape.latencies[0][0]]}
    unclear = separators_asked(shape.convention, shape.sample, place)
    if unclear:
        reading.problems.append(unclear)
        return reading
    columns = _streamed(posted, shape, default_arm, reading)
    for (arm, run), latencies in columns.items():
        reading.runs.append(
            Run(
                arm=arm,
                file=posted.name,
                run=run,
                phase=Phase.SERVE,
                latency=dict(_quantiles(shape, latencies)),
                requests_completed=max(len(values) for values in latencies),
            )
        )
    reading.columns = tuple(
        ColumnReading(file=posted.name, column=shape.header[i], meaning=f"latency {kind}, one row a request")
        for i, kind, _ in shape.latencies
    )
    return reading


Groups = dict[tuple[str, str | None], list["array[float]"]]


def _streamed(posted: PostedFile, shape: _Shape, default_arm: str, reading: TableReading) -> Groups:
    groups: Groups = {}
    refused = 0
    with posted.open() as stream:
        text = _text(stream, shape)
        taken = _Taken(shape, default_arm, groups)
        line = shape.header_line + 1
        for _ in islice(text, shape.header_line):
            pass
        for lines in _chunks(text):
            count = len(lines)
            if not taken.all_of(lines):
                for offset, row in enumerate(_rows(lines, shape.delimiter)):
                    if not row or taken.one(row):
                        continue
                    refused += 1
                    if refused <= NAMED:
                        place = {"file": posted.name, "row": line + offset}
                        column = shape.header[shape.latencies[0][0]]
                        found = ",".join(row)[:80]
                        reading.problems.append(warning("not-a-latency", **place, column=column, found=found))
            line += count
            reading.rows += count
    if refused > NAMED:
        reading.problems.append(warning("rows-left-out", file=posted.name, found=f"{refused:,}", count=refused))
    return groups


def _rows(lines: list[str], delimiter: str) -> list[list[str]]:
    """Cells of each line on its own, so that one bad quote costs one line."""
    rows: list[list[str]] = []
    for line in lines:
        try:
            rows.append(next(csv.reader([line], delimiter=delimiter, strict=True), []))
        except csv.Error:
            rows.append([line[:80]])
    return rows


def _chunks(text: io.TextIOWrapper) -> Iterator[list[str]]:
    """Lines by the hundred; a quoted cell over several lines is not looked for, its lines are left out and named."""
    while lines := list(islice(text, CHUNK)):
        yield lines


class _Taken:
    """Rows into groups: a chunk at once while every row of it is sound, which is what keeps 300 MB within seconds."""

    def __init__(self, shape: _Shape, default_arm: str, groups: Groups) -> None:
        self._columns = [i for i, _, _ in shape.latencies]
        self._scales = [scale for _, _, scale in shape.latencies]
        self._convention = shape.convention
        self._arm, self._run, self._default = shape.arm, shape.run, default_arm
        self._groups = groups
        self._delimiter, self._width = shape.delimiter, len(shape.header)

    def all_of(self, lines: list[str]) -> bool:
        """Take a chunk of sound rows; False, and nothing taken, when a row is not sound."""
        mark, width = self._delimiter, self._width
        joined = "".join(lines)
        if (
            self._convention.decimal != "."
            or '"' in joined
            or not joined.endswith("\n")
            or any(line.count(mark) != width - 1 for line in lines)
        ):
            return False
        cells = joined.replace("\n", mark).split(mark)
        try:
            columns = [list(map(float, cells[i:-1:width])) for i in self._columns]
        except ValueError:
            return False
        if not all(0 <= min(values) and max(values) < TOO_LONG and not isnan(sum(values)) for values in columns):
            return False
        arms = cells[self._arm : -1 : width] if self._arm is not None else [self._default] * len(lines)
        runs = cells[self._run : -1 : width] if self._run is not None else [None] * len(lines)
        keys = list(zip(arms, runs, strict=True))
        for number, values in enumerate(columns):
            appends = {key: self._group(key)[number].append for key in dict.fromkeys(keys)}
            for key, value in zip(keys, values, strict=True):
                appends[key](value)
        return True

    def one(self, row: list[str]) -> bool:
        """Take one row; False when it is not sound."""
        try:
            values = [self._value(row[i], scale) for i, scale in zip(self._columns, self._scales, strict=True)]
            arm = row[self._arm] if self._arm is not None else self._default
            run = row[self._run] if self._run is not None else None
        except (ValueError, IndexError):
            return False
        if not all(0 <= v < TOO_LONG for v in values):
            return False
        for column, value in zip(self._group((arm, run)), values, strict=True):
            column.append(value)
        return True

    def _value(self, text: str, scale: float) -> float:
        """The number of a cell in its column's unit. Raises ValueError for a text that is none."""
        number = parse_number(text, self._convention)
        if number is None or number.percent or number.spread is not None:
            raise ValueError(text)
        if number.unit is None:
            return number.value
        seconds = parse_duration(text, self._convention)
        if seconds is None:
            raise ValueError(text)
        return seconds / scale

    def _group(self, key: tuple[str, str | None]) -> list["array[float]"]:
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = [array("d") for _ in self._columns]
        return group


def _text(stream: BinaryIO, shape: _Shape) -> io.TextIOWrapper:
    bounded = io.BufferedReader(_Bounded(stream), 1 << 20)
    return io.TextIOWrapper(bounded, shape.encoding, errors="replace", newline=None)


class _Bounded(io.RawIOBase):
    """A stream cut at the largest file size."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._left = stream, MAX_FILE_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        data = self._stream.read(min(len(view), self._left))
        self._left -= len(data)
        view[: len(data)] = data
        return len(data)


def _quantiles(shape: _Shape, latencies: list["array[float]"]) -> Iterator[tuple[str, float]]:
    for (_, kind, scale), values in zip(shape.latencies, latencies, strict=True):
        numbers = np.frombuffer(values, dtype=np.float64)
        for name, value in zip(PROBABILITIES, quantiles(numbers, list(PROBABILITIES.values())), strict=True):
            yield f"{kind}_{name}", value * scale
        yield f"{kind}_mean", float(numbers.mean()) * scale
