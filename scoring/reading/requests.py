"""Request-level latencies, one row a request: streamed to quantiles per repetition, so that 300 MB fit in little."""

import csv
import io
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np

from scoring.model.pilot import ColumnReading, Phase, Run
from scoring.model.problem import Problem
from scoring.problems import question, warning
from scoring.reading.charset import charset_of
from scoring.reading.headers import Meaning, meaning_of
from scoring.reading.limits import HEAD_BYTES, MAX_FILE_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.sniff import Content, content_of, delimiter_of, text_kind
from scoring.reading.tidy_table import TableReading
from scoring.statistics.latency import quantiles

PROBABILITIES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
FEWEST_ROWS = 60
"""A group of rows of one arm and run this long is requests, not repetitions."""
NAMED = 3


@dataclass
class _Shape:
    """Where the columns stand in such a file."""

    header: list[str]
    delimiter: str
    encoding: str
    arm: int | None
    run: int | None
    latencies: list[tuple[int, str, float]]
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
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))[:-1]
    except csv.Error:
        return None
    if len(rows) < FEWEST_ROWS:
        return None
    return _shape(rows, delimiter, encoding)


def _shape(rows: list[list[str]], delimiter: str, encoding: str) -> _Shape | None:
    header = [h.strip() for h in rows[0]]
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
    return _Shape(header, delimiter, encoding, arm, run, latencies, unknown)


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
        asked = question("latency-unit-unknown", file=posted.name, row=1, column=name, found=name, expected="ms or s")
        reading.problems.append(asked)
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
        rows = csv.reader(_text(stream, shape), delimiter=shape.delimiter)
        next(rows, None)
        for row in _rows(rows, reading.problems, posted):
            reading.rows += 1
            try:
                values = [float(row[i]) for i, _, _ in shape.latencies]
                arm = row[shape.arm] if shape.arm is not None else default_arm
                run = row[shape.run] if shape.run is not None else None
            except (ValueError, IndexError):
                values, arm, run = [], "", None
            if not values or not all(0 <= v < 1e12 for v in values):
                refused += 1
                if refused <= NAMED:
                    place = {"file": posted.name, "row": rows.line_num, "column": shape.header[shape.latencies[0][0]]}
                    reading.problems.append(warning("not-a-latency", **place, found=",".join(row)[:80]))
                continue
            group = groups.get((arm, run))
            if group is None:
                group = groups[arm, run] = [array("d") for _ in shape.latencies]
            for column, value in zip(group, values, strict=True):
                column.append(value)
    if refused > NAMED:
        reading.problems.append(warning("rows-left-out", file=posted.name, found=f"{refused:,}", count=refused))
    return groups


def _text(stream: BinaryIO, shape: _Shape) -> io.TextIOWrapper:
    bounded = io.BufferedReader(_Bounded(stream), 1 << 20)
    return io.TextIOWrapper(bounded, shape.encoding, errors="replace", newline="")


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


def _rows(rows: Iterator[list[str]], problems: list[Problem], posted: PostedFile) -> Iterator[list[str]]:
    try:
        for row in rows:
            if row:
                yield row
    except csv.Error as failure:
        problems.append(warning("csv-syntax", file=posted.name, found=str(failure)))


def _quantiles(shape: _Shape, latencies: list["array[float]"]) -> Iterator[tuple[str, float]]:
    for (_, kind, scale), values in zip(shape.latencies, latencies, strict=True):
        numbers = np.frombuffer(values, dtype=np.float64)
        for name, value in zip(PROBABILITIES, quantiles(numbers, list(PROBABILITIES.values())), strict=True):
            yield f"{kind}_{name}", value * scale
        yield f"{kind}_mean", float(numbers.mean()) * scale
