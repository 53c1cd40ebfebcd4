"""Request-level latencies, one row a request: streamed to quantiles per repetition, so that 300 MB fit in little."""

import csv
import re
from array import array
from dataclasses import dataclass, field

import numpy as np

from scoring.model.pilot import ColumnReading, Phase, Run, WithinRun
from scoring.problems import question, warning
from scoring.reading.charset import charset_of, lines_of
from scoring.reading.columns import separators_asked
from scoring.reading.distributions import quantiles_of, within_of
from scoring.reading.headers import Meaning, meaning_of
from scoring.reading.limits import HEAD_BYTES
from scoring.reading.numbers import Convention, convention_of, parse_duration, parse_number
from scoring.reading.posted import PostedFile
from scoring.reading.request_blocks import TOO_LONG, blocks_of, columns_of
from scoring.reading.rows_to_table import TITLE_ROWS
from scoring.reading.sniff import Content, content_of, delimiter_of, text_kind
from scoring.reading.tidy_table import TableReading

FEWEST_ROWS = 60
"""A group of rows of one arm and run this long is requests, not repetitions."""
NAMED = 3
PIECES, SMALL = 64, 2**15
"""A block that is not sound throughout is tried again in so many pieces, unless it is small."""
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
        latency, within = _figures(shape, latencies)
        reading.runs.append(
            Run(
                arm=arm,
                file=posted.name,
                run=run,
                phase=Phase.SERVE,
                latency=latency,
                within=within,
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
    taken = _Taken(shape, default_arm, posted.name, reading)
    skip = shape.header_line
    with posted.open() as stream:
        for block in blocks_of(stream, shape.encoding):
            while skip and block:
                block = block[block.index(b"\n") + 1 :]
                skip -= 1
            if block:
                taken.block(block)
    if taken.refused > NAMED:
        found = f"{taken.refused:,}"
        reading.problems.append(warning("rows-left-out", file=posted.name, found=found, count=taken.refused))
    return taken.groups


def _rows(lines: list[str], delimiter: str) -> list[list[str]]:
    """Cells of each line on its own, so that one bad quote costs one line."""
    rows: list[list[str]] = []
    for line in lines:
        try:
            rows.append(next(csv.reader([line], delimiter=delimiter, strict=True), []))
        except csv.Error:
            rows.append([line[:80]])
    return rows


class _Taken:
    """Rows into groups: a block at once while every row of it is sound, which is what keeps 300 MB within seconds."""

    def __init__(self, shape: _Shape, default_arm: str, file: str, reading: TableReading) -> None:
        self.groups: Groups = {}
        self.refused = 0
        self._shape, self._default, self._file, self._reading = shape, default_arm, file, reading
        self._columns = [i for i, _, _ in shape.latencies]
        self._scales = [scale for _, _, scale in shape.latencies]
        self._keys = [i for i in (shape.arm, shape.run) if i is not None]
        self._line = shape.header_line + 1
        self._encoding = shape.encoding if shape.encoding == "cp1252" else "utf-8"

    def block(self, block: bytes, pieces: int = PIECES) -> None:
        """Take whole lines; where a row is not sound only the piece about it is read row by row."""
        if self._at_once(block):
            self._count(block.count(b"\n"))
        elif len(block) > SMALL and pieces > 1:
            at = 0
            while at < len(block):
                end = block.find(b"\n", min(at + len(block) // pieces, len(block) - 1)) + 1 or len(block)
                self.block(block[at:end], pieces=1)
                at = end
        else:
            self._row_by_row(block)

    def _count(self, rows: int) -> None:
        self._line += rows
        self._reading.rows += rows

    def _at_once(self, block: bytes) -> bool:
        shape = self._shape
        if shape.convention.decimal != ".":
            return False
        found = columns_of(block, shape.delimiter, len(shape.header), self._columns, self._keys)
        if found is None:
            return False
        columns, named, of_row = found
        for code, texts in enumerate(named):
            mine = of_row == code if len(named) > 1 else slice(None)
            for kept, values in zip(self._group(self._key(texts)), columns, strict=True):
                kept.frombytes(np.ascontiguousarray(values[mine]).tobytes())
        return True

    def _key(self, texts: list[bytes]) -> tuple[str, str | None]:
        names = [text.decode(self._encoding, "replace") for text in texts]
        arm = names.pop(0) if self._shape.arm is not None else self._default
        return arm, names.pop(0) if self._shape.run is not None else None

    def _row_by_row(self, block: bytes) -> None:
        lines = block.decode(self._encoding, "replace").split("\n")[:-1]
        for offset, row in enumerate(_rows(lines, self._shape.delimiter)):
            if not row or self.one(row):
                continue
            self.refused += 1
            if self.refused <= NAMED:
                place = {"file": self._file, "row": self._line + offset}
                column = self._shape.header[self._shape.latencies[0][0]]
                found = ",".join(row)[:80]
                self._reading.problems.append(warning("not-a-latency", **place, column=column, found=found))
        self._count(len(lines))

    def one(self, row: list[str]) -> bool:
        """Take one row; False when it is not sound."""
        try:
            values = [self._value(row[i], scale) for i, scale in zip(self._columns, self._scales, strict=True)]
            arm = row[self._shape.arm] if self._shape.arm is not None else self._default
            run = row[self._shape.run] if self._shape.run is not None else None
        except (ValueError, IndexError):
            return False
        if not all(0 <= v < TOO_LONG for v in values):
            return False
        for column, value in zip(self._group((arm, run)), values, strict=True):
            column.append(value)
        return True

    def _value(self, text: str, scale: float) -> float:
        """The number of a cell in its column's unit. Raises ValueError for a text that is none."""
        number = parse_number(text, self._shape.convention)
        if number is None or number.percent or number.spread is not None:
            raise ValueError(text)
        if number.unit is None:
            return number.value
        seconds = parse_duration(text, self._shape.convention)
        if seconds is None:
            raise ValueError(text)
        return seconds / scale

    def _group(self, key: tuple[str, str | None]) -> list["array[float]"]:
        group = self.groups.get(key)
        if group is None:
            group = self.groups[key] = [array("d") for _ in self._columns]
        return group


def _figures(shape: _Shape, latencies: list["array[float]"]) -> tuple[dict[str, float], dict[str, WithinRun]]:
    """The quantiles of each kind of latency, and what they are inside the run."""
    latency: dict[str, float] = {}
    within: dict[str, WithinRun] = {}
    for (_, kind, scale), values in zip(shape.latencies, latencies, strict=True):
        seconds = np.frombuffer(values, dtype=np.float64) * scale
        latency |= quantiles_of(kind, seconds)
        within |= within_of(kind, seconds)
    return latency, within
