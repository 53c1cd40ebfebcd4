"""Which column means what in one table, how its numbers are written, and what must be asked about it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.model.estimates import Direction
from scoring.model.pilot import ColumnReading
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import info, question
from scoring.reading.column_cells import asked_of, one_each, refined
from scoring.reading.headers import Meaning, meaning_of, normalised
from scoring.reading.numbers import (
    Convention,
    convention_of,
    evidence,
    is_missing,
    is_short_clock,
    parse_duration,
)
from scoring.reading.table import Table

NUMERIC = frozenset({
    "duration", "warmup", "initialisation", "work", "work_units", "throughput", "price", "cost", "quality",
    "quality_value", "quality_stderr", "latency", "n", "instance_count", "device_count", "correct", "items",
    "attempted", "completed", "failed_requests", "spread",
})  # fmt: skip
LABELS = {"work": "work done", "work_units": "work done", "n": "number of runs", "price": "price per hour"}
UNITS = {1.0: "seconds", 60.0: "minutes", 3600.0: "hours", 1e-3: "milliseconds", 1e-6: "microseconds", 86400.0: "days"}
TIMED = ("duration", "warmup", "initialisation", "latency")
_MAPPING = re.compile(r"(.+?)\s*([*/])\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Column:
    """One column of a table with its meaning and the way its numbers are written."""

    index: int
    header: str
    meaning: Meaning
    convention: Convention


@dataclass(frozen=True)
class Layout:
    """The columns of a table by what they mean; `arm` is the column that names the arm."""

    columns: tuple[Column, ...]
    readings: tuple[ColumnReading, ...]
    problems: tuple[Problem, ...]

    def of(self, field: str) -> list[Column]:
        """Columns of one meaning."""
        return [c for c in self.columns if c.meaning.field == field]

    def first(self, field: str) -> Column | None:
        """The first column of a meaning."""
        return next(iter(self.of(field)), None)

    @property
    def directions(self) -> dict[str, Direction]:
        """Directions of the quality metrics named by columns."""
        return {c.meaning.name: c.meaning.direction for c in self.of("quality") if c.meaning.direction}


def layout_of(table: Table, settings: Settings) -> Layout:
    """Meanings by header, then by the settings' `map`; ambiguous numbers and unknown units become questions."""
    mapped = _mapped(refined(table, [meaning_of(h) for h in table.header]), table.header, settings)
    meanings, problems = one_each(table, [_with_configured_direction(m, settings) for m in mapped])
    problems += asked_of(table, meanings)
    hint = _hint(table, meanings)
    columns: list[Column] = []
    for index, (header, meaning) in enumerate(zip(table.header, meanings, strict=True)):
        texts = [c.text for c in table.column(index) if c.value is None and not is_missing(c.text)]
        convention = _convention(table, texts, hint) if meaning.field in NUMERIC else Convention(".")
        columns.append(Column(index, header, meaning, convention))
        if meaning.field in NUMERIC:
            problems += _asked(table, columns[-1], texts)
    readings = tuple(_reading(table, c) for c in columns if c.meaning.field != "other")
    unread = [c.header for c in columns if c.meaning.field == "other"]
    if unread and readings:
        problems.append(info("columns-kept-unread", file=table.file, found=", ".join(unread)[:300]))
    return Layout(tuple(columns), readings, tuple(problems))


def _convention(table: Table, texts: Sequence[str], hint: str | None) -> Convention:
    """A column's decimal mark; `3.600` beside semicolons may be three thousand six hundred."""
    convention = convention_of(texts, hint)
    unsure = table.delimiter == ";" and hint is None and convention.decimal == "."
    return replace(convention, ambiguous=True) if unsure and "?." in map(evidence, texts) else convention


def _hint(table: Table, meanings: Sequence[Meaning]) -> str | None:
    """The decimal mark that the table's number columns show, where they agree."""
    sure = {
        e
        for index, meaning in enumerate(meanings)
        if meaning.field in NUMERIC
        for c in table.column(index)
        if c.value is None and (e := evidence(c.text)) in (".", ",")
    }
    return sure.pop() if len(sure) == 1 else None


def _mapped(meanings: list[Meaning], header: Sequence[str], settings: Settings) -> list[Meaning]:
    """`map: {duration_s: elapsed/1000}`: the column `elapsed`, divided by 1000, is a duration in seconds."""
    names = [normalised(h) for h in header]
    for target, source in settings.map.items():
        factor, column = map_factor(source), mapped_column(source)
        if factor is None or column not in names:
            continue
        meaning = meaning_of(target)
        meanings[names.index(column)] = replace(meaning, scale=meaning.scale * factor, unit_known=True)
    return meanings


def mapped_column(source: str) -> str:
    """The column of `elapsed/1000`, as headers are compared."""
    match = _MAPPING.match(source.strip())
    return normalised(match[1] if match else source)


def map_factor(source: str) -> float | None:
    """The factor of `elapsed/1000` or `elapsed*60`, 1 for a bare name; None for one that no unit has."""
    match = _MAPPING.match(source.strip())
    if match is None:
        return 1.0
    number = float(match[3])
    if not 1e-12 <= number <= 1e12:
        return None
    return number if match[2] == "*" else 1 / number


def _with_configured_direction(meaning: Meaning, settings: Settings) -> Meaning:
    """A column that the settings give a margin and a direction for is a quality metric, whatever its name."""
    if meaning.field != "other":
        return meaning
    for metric, margin in settings.margins.items():
        if margin.direction and normalised(metric) == meaning.name:
            return Meaning("quality", meaning.name, direction=margin.direction)
    return meaning


def _asked(table: Table, column: Column, texts: Sequence[str]) -> list[Problem]:
    place = {"file": table.file, "row": table.rows[0].row if table.rows else None, "column": column.header}
    meaning, convention = column.meaning, column.convention
    unclear = separators_asked(convention, texts, place)
    if unclear:
        return [unclear]
    if meaning.field in TIMED and not meaning.clock and any(is_short_clock(t) for t in texts):
        return [question("short-clock", **place, found=next(t for t in texts if is_short_clock(t)))]
    if meaning.field == "throughput" and not meaning.unit_known:
        return [question("throughput-unit-unknown", **place, found=column.header, expected="tokens/s, samples/s …")]
    if meaning.field in TIMED and not meaning.unit_known and not all(_has_unit(t, convention) for t in texts):
        code = "latency-unit-unknown" if meaning.field == "latency" else "duration-unit-unknown"
        return [question(code, **place, found=column.header, expected="seconds, milliseconds, minutes or hours")]
    return []


def separators_asked(convention: Convention, texts: Sequence[str], place: dict[str, Any]) -> Problem | None:
    """The question about a column whose decimal mark cannot be told."""
    if convention.mixed:
        return question("mixed-separators", **place, found=", ".join(texts[:3]), expected="one decimal mark")
    if convention.ambiguous:
        shown = next(t for t in texts if evidence(t) in ("?,", "?."))
        digits = shown.strip().replace(",", ".")
        readings = {"as_decimal": digits, "as_thousands": digits.replace(".", "")}
        return question("ambiguous-separator", **place, found=shown, **readings)
    return None


def _has_unit(text: str, convention: Convention) -> bool:
    return parse_duration(text, convention) is not None


def _reading(table: Table, column: Column) -> ColumnReading:
    meaning = column.meaning
    label = LABELS.get(meaning.field, meaning.field.replace("_", " "))
    if meaning.name:
        label = f"{label} {meaning.name.replace('_', ' ')}"
    unit = UNITS.get(meaning.scale) if meaning.field in TIMED else meaning.currency
    if meaning.field == "quality":
        unit = "per cent" if meaning.percent else None
        label = f"{label} ({meaning.direction.value if meaning.direction else '?'} is better)"
    note = "decimal comma" if column.convention.decimal == "," else None
    return ColumnReading(file=table.file, column=column.header, meaning=label, unit=unit, note=note)
