"""What one row of a table says: its numbers in base units, its words, and what runs and summaries have in common."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from scoring.model.pilot import RunStatus
from scoring.model.problem import Problem
from scoring.problems import info, question, warning
from scoring.reading.cells import COUNTS, QUALITIES, Place, Reading, read_number, read_time, whole
from scoring.reading.columns import NUMERIC, Column, Layout
from scoring.reading.headers import currency_in, meaning_of, normalised
from scoring.reading.moments import day_first
from scoring.reading.numbers import is_missing
from scoring.reading.preamble import Common
from scoring.reading.table import Cell, Table, TableRow
from scoring.reading.vocabulary import phase_of, pricing_of, status_of

TEXTS = ("workload", "run", "block", "host", "seed", "accelerator", "instance_type", "region")
RESULT_HEADERS = ("result", "resultado", "outcome", "state", "estado")
"""Columns that may tell how a run ended, and are left alone where none of their words says so."""
VITAL = ("duration", "cost", "work", "work_units", "throughput", "price", "instance_count")
"""A row whose cell of such a column cannot be read is no run."""
BEFOREHAND = ("price", "n", "instance_count", "device_count", "work_units", "items", "attempted")
"""Numbers that a run sheet may hold before the run is made."""
LEAST_ONE = ("n", "instance_count", "device_count")
NOT_FINITE = frozenset({"nan", "inf", "+inf", "-inf", "infinity", "-infinity", "diverged"})
Key = tuple[str, str]
Numbers = dict[Key, Reading]


@dataclass
class RowValues:
    """Reads rows of one table; `asked` are columns that wait for an answer, `common` what the preamble says."""

    table: Table
    layout: Layout
    common: Common
    asked: frozenset[str]
    said: set[str] = field(default_factory=set)

    def place(self, row: TableRow, column: str | None = None) -> dict[str, Any]:
        """Where a row or one of its cells stands."""
        return {"file": self.table.file, "row": row.row, "column": column}

    def numbers(self, row: TableRow) -> tuple[Numbers, list[Problem]]:
        """Every number of the row by the field and name of its column, and the cells that are none."""
        numbers: Numbers = {}
        problems: list[Problem] = []
        for column in self.layout.columns:
            if column.meaning.field not in NUMERIC or column.header in self.asked:
                continue
            cell, place = row.cell(column.index), Place(self.table.file, row.row, column.header)
            value, problem = read_number(cell, column, place)
            refused = _impossible(column, value, cell, place) if value is not None else _weighed(column, problem)
            if refused is not None:
                problems.append(refused)
            elif value is not None:
                numbers[column.meaning.field, column.meaning.name] = value
        return numbers, problems

    def is_broken(self, problems: list[Problem]) -> str | None:
        """The code of the problem for which the row is no run."""
        vital = {c.header for name in VITAL for c in self.layout.of(name)}
        return next((p.code for p in problems if p.column in vital), None)

    def is_blank(self, row: TableRow) -> bool:
        """Whether the row names a run and nothing that came of it, as a run sheet does before the run is made.

        What may stand there from the beginning does not count: labels, machines, prices, columns filled in every row.
        """
        if self.layout.first("run") is None or not any(_is_measured(c) for c in self.layout.columns):
            return False
        filled = [c for c in self.layout.columns if not is_missing(row.cell(c.index).text)]
        return not any(_tells_a_result(c, self.table) for c in filled)

    def count(self, numbers: Numbers, name: str) -> int | None:
        """A count of the row, or of the preamble."""
        reading = numbers.get((name, ""))
        return whole(reading.value) if reading else self.common.counts.get(name)

    def word(self, row: TableRow, name: str) -> str:
        """The text of a column, or of the preamble; empty where neither says anything."""
        column = self.layout.first(name)
        return (row.cell(column.index).text if column else "") or self.common.texts.get(name, "")

    def texts(self, row: TableRow) -> dict[str, str]:
        """Fields that are kept as they were posted."""
        return {name: text for name in TEXTS if not is_missing(text := self.word(row, name))}

    def shared(self, row: TableRow, arm: str, numbers: Numbers) -> tuple[dict[str, Any], list[Problem]]:
        """Fields that a run and a summary have in common."""
        texts, price = self.texts(row), numbers.get(("price", ""))
        phase, phase_asked = self._phase(row)
        pricing_text = self.word(row, "pricing")
        pricing = pricing_of(pricing_text)
        conditions = self._conditions(row)
        if pricing_text and pricing is None:
            conditions["pricing"] = pricing_text
        fields = {
            "arm": arm,
            "file": self.table.file,
            "row": row.row,
            "workload": texts.get("workload"),
            "phase": phase,
            "accelerator": texts.get("accelerator"),
            "instance_type": texts.get("instance_type"),
            "instance_count": self.count(numbers, "instance_count") or 1,
            "region": texts.get("region"),
            "price_per_hour": price.exact if price else self.common.price,
            "pricing": pricing,
            "currency": self._currency(row, numbers, "price") or self.common.price_currency,
            "cost_currency": self._currency(row, numbers, "cost"),
            "unit": self._unit(row),
            "conditions": conditions,
            "other": {c.header: t for c in self.layout.of("other") if (t := row.cell(c.index).text)},
        }
        return fields, phase_asked

    def _phase(self, row: TableRow) -> tuple[Any, list[Problem]]:
        text = self.word(row, "phase")
        phase = phase_of(text) if text else None
        if not text or phase is not None:
            return phase, []
        return None, self.once("phase-unknown", row, "phase", text, "train, finetune, serve or batch")

    def status(self, row: TableRow) -> tuple[RunStatus, list[Problem]]:
        """How the run ended; words that do not say so are asked about."""
        column = self.layout.first("status")
        text = self.word(row, "status")
        status = status_of(text)
        if status is not None:
            return status, []
        if column is not None and normalised(column.header) in RESULT_HEADERS and not self._tells(column):
            return RunStatus.OK, []
        return RunStatus.FAILED, self.once("status-unknown", row, "status", text, "ok or failed")

    def finished(self, row: TableRow) -> bool:
        """Whether the row does not say that its run failed."""
        return status_of(self.word(row, "status")) is not RunStatus.FAILED

    def _tells(self, column: Column) -> bool:
        texts = [c.text for c in self.table.column(column.index) if c.text]
        return any(status_of(text) is not None for text in texts)

    def once(self, code: str, row: TableRow, name: str, found: str, expected: str) -> list[Problem]:
        """A question about a word, asked for its first row only."""
        if f"{code} {found}" in self.said:
            return []
        self.said.add(f"{code} {found}")
        column = self.layout.first(name)
        place = self.place(row, column.header if column else None)
        return [question(code, **place, found=found[:100], expected=expected)]

    def _currency(self, row: TableRow, numbers: Numbers, name: str) -> str | None:
        """The currency that a money cell, its header or the row names; each money column has its own."""
        reading, column = numbers.get((name, "")), self.layout.first(name)
        if reading is not None and reading.currency:
            return reading.currency
        if column is not None and column.meaning.currency:
            return column.meaning.currency
        named = self.word(row, "currency")
        return currency_in(named) or named.upper()[:3] or None

    def _unit(self, row: TableRow) -> str | None:
        named = self.word(row, "unit").casefold()
        if named:
            meant = meaning_of(named)
            return meant.name if meant.field == "work" else normalised(named)
        columns = (self.layout.first(name) for name in ("work", "throughput"))
        return next((c.meaning.name or None for c in columns if c is not None), None)

    def _conditions(self, row: TableRow) -> dict[str, str]:
        own = {c.meaning.name: t for c in self.layout.of("condition") if (t := row.cell(c.index).text)}
        return self.common.conditions | own

    @cached_property
    def _days_first(self) -> bool | None:
        column = self.layout.first("started_at")
        return None if column is None else day_first(c.text for c in self.table.column(column.index))

    def started_at(self, row: TableRow) -> tuple[Any, list[Problem]]:
        """When the run began; a time without a zone is read as UTC, which is said once."""
        column = self.layout.first("started_at")
        if column is None or is_missing(row.cell(column.index).text):
            return None, []
        moment, naive = read_time(row.cell(column.index), self._days_first)
        if moment is None or not naive or "zone" in self.said:
            return moment, []
        self.said.add("zone")
        return moment, [info("time-zone-assumed", file=self.table.file, column=column.header)]

    def times_not_read(self) -> list[Problem]:
        """Start times that are none, or that two readings fit: the days of their runs are not known."""
        column = self.layout.first("started_at")
        if column is None:
            return []
        posted = [r for r in self.table.rows if not is_missing(r.cell(column.index).text)]
        unread = [r for r in posted if read_time(r.cell(column.index), self._days_first)[0] is None]
        if not unread:
            return []
        found = unread[0].cell(column.index).text[:100]
        place = self.place(unread[0], column.header)
        return [warning("times-not-read", **place, found=found, count=len(unread), total=len(posted))]

    def named(self, numbers: Numbers, field_name: str) -> Iterator[tuple[str, Reading]]:
        """Numbers of one field by their name."""
        return ((name, reading) for (of, name), reading in numbers.items() if of == field_name)


def _tells_a_result(column: Column, table: Table) -> bool:
    name = column.meaning.field
    if name == "other":
        return any(is_missing(cell.text) for cell in table.column(column.index))
    return name in ("status", "started_at") or _is_measured(column)


def _is_measured(column: Column) -> bool:
    return column.meaning.field in NUMERIC and column.meaning.field not in BEFOREHAND


def _impossible(column: Column, reading: Reading, cell: Cell, place: Place) -> Problem | None:
    name = column.meaning.field
    if name in ("duration", "throughput", "price") and reading.value <= 0:
        return place.unreadable("not-above-zero", cell.text, "above 0")
    if name in ("cost", "work", "work_units", "latency") and reading.value < 0:
        return place.unreadable("below-zero", cell.text, "0 or above")
    if name in COUNTS and (whole(reading.value) is None or (name in LEAST_ONE and reading.value < 1)):
        return place.unreadable("not-a-count", cell.text, "a whole number")
    return None


def _weighed(column: Column, problem: Problem | None) -> Problem | None:
    """A cell that is no number leaves out its row, or only itself; a quality that is not finite is asked about."""
    if problem is None or problem.code != "not-a-number" or column.meaning.field in VITAL:
        return problem
    details = {"file": problem.file, "row": problem.row, "column": problem.column, "found": problem.found}
    found = (problem.found or "").strip().casefold()
    if column.meaning.field in QUALITIES and found in NOT_FINITE:
        return question("quality-not-finite", **details, expected=problem.expected)
    return warning("cell-not-read", **details, expected=problem.expected)
