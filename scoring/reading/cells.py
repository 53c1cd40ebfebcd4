"""One cell to one value in the base unit, or the problem that keeps it from being one."""

import datetime as dt
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from scoring.model.problem import Problem
from scoring.problems import question, warning
from scoring.reading.catalogue import TIME_UNITS
from scoring.reading.columns import TIMED, Column
from scoring.reading.counted import read_counted
from scoring.reading.headers import Meaning, meaning_of
from scoring.reading.moments import in_our_time, read_moment
from scoring.reading.numbers import Number, is_missing, parse_duration, parse_number, parse_short_clock
from scoring.reading.table import Cell

HOURLY = re.compile(
    r"(?:/|per\s+|por\s+)\s*(?:(?:instance|node|machine|instancia|nodo)[\s_-]*)?(?:h|hrs?|hours?|horas?)\Z",
    re.IGNORECASE,
)
PER_RUN = re.compile(r"(?:/|per\s+|por\s+)\s*(?:run|job|ejecuci[oó]n|corrida|trabajo)\Z", re.IGNORECASE)
TIMES = ("x", "×", "gpus", "gpu", "nodes", "node", "instances", "instance", "devices", "chips", "nodos", "instancias")
COUNTS = frozenset({
    "n", "instance_count", "device_count", "correct", "items", "attempted", "completed", "failed_requests",
})  # fmt: skip
QUALITIES = ("quality", "quality_value")
EXPECTED_UNITS = {
    "price": "an amount per instance-hour",
    "cost": "an amount per run",
    "duration": "seconds, minutes or hours",
    "latency": "milliseconds or seconds",
    "throughput": "the unit of the column, per second",
    "work": "the unit of the column",
}
TOO_LARGE = 1e18
"""No measured figure; squares of greater ones would overflow."""


@dataclass(frozen=True)
class Reading:
    """A number in the base unit, its ± part, its exact amount and currency; of a count its successes and items."""

    value: float
    spread: float | None = None
    exact: Decimal | None = None
    currency: str | None = None
    percent: bool = False
    counted: tuple[int, int] | None = None


@dataclass(frozen=True)
class Place:
    """Where a cell stands."""

    file: str
    row: int
    column: str

    def asked(self, code: str, found: str, expected: str) -> Problem:
        """A cell whose number would be wrong by a factor until someone says what it is."""
        return question(code, file=self.file, row=self.row, column=self.column, found=found[:100], expected=expected)

    def unreadable(self, code: str, found: str, expected: str) -> Problem:
        """A cell that is not what its column says."""
        return warning(code, file=self.file, row=self.row, column=self.column, found=found[:100], expected=expected)


def read_number(cell: Cell, column: Column, place: Place) -> tuple[Reading | None, Problem | None]:
    """The number of a cell; (None, None) where the cell says that there is none."""
    meaning = column.meaning
    if isinstance(cell.value, (int, float)) and not isinstance(cell.value, bool):
        return _typed(float(cell.value), cell, column, place)
    if is_missing(cell.text):
        return None, None
    if meaning.clock and (clocked := parse_short_clock(cell.text, meaning.clock)) is not None:
        return Reading(clocked), None
    if meaning.field in TIMED and (seconds := parse_duration(cell.text, column.convention)) is not None:
        return Reading(seconds), None
    if meaning.field in QUALITIES and (counted := read_counted(cell.text)) is not None:
        return Reading(counted[0] / counted[1], percent=meaning.percent, counted=counted), None
    text = _without_times(cell.text) if meaning.field in COUNTS else cell.text
    number = parse_number(text, column.convention)
    if number is None:
        return None, place.unreadable("not-a-number", cell.text, "a number")
    percent = number.percent or (meaning.percent and meaning.field == "quality")
    own_scale = _own_scale(number, meaning)
    if own_scale is None:
        return None, place.asked("unit-not-understood", cell.text, EXPECTED_UNITS.get(meaning.field, "a plain number"))
    scale = own_scale * (0.01 if percent else 1.0)
    spread = None if number.spread_value is None else number.spread_value * scale
    value = number.value / 100 if percent and own_scale == 1.0 else number.value * scale
    if not abs(value) < TOO_LARGE or (spread is not None and not spread < TOO_LARGE):
        return None, place.unreadable("not-a-number", cell.text, "a number")
    return Reading(value, spread, _exact(number.digits, number.factor * own_scale), number.currency, percent), None


def _own_scale(number: Number, meaning: Meaning) -> float | None:
    """The scale of the unit that a cell names itself, which is nearer to its number than the header's.

    None for a unit that is not known in such a column: ignoring it would be wrong by a factor.
    """
    unit = number.unit
    if meaning.field in ("work", "work_units"):
        return _work_scale(number, meaning)
    if unit is None:
        return meaning.scale
    if meaning.field in TIMED:
        return TIME_UNITS.get(unit.casefold().rstrip("."))
    if meaning.field == "throughput":
        own = meaning_of(f"throughput ({unit})")
        return own.scale if own.unit_known and own.name in ("", meaning.name) else None
    if meaning.field == "price":
        return meaning.scale if HOURLY.match(unit) else None
    if meaning.field == "cost":
        return meaning.scale if PER_RUN.match(unit) else None
    if meaning.field in COUNTS:
        return meaning.scale if unit.casefold() in TIMES else None
    return meaning.scale


def _work_scale(number: Number, meaning: Meaning) -> float | None:
    if number.factor != 1.0 and meaning.scale != 1.0:
        return None
    if number.unit is None:
        return meaning.scale
    own = meaning_of(number.unit)
    return meaning.scale * own.scale if own.field == "work" and own.name in (meaning.name or own.name,) else None


def _without_times(text: str) -> str:
    """`x4` and `4 ×` are counts."""
    return text.strip().strip("xX×").strip()


def _typed(value: float, cell: Cell, column: Column, place: Place) -> tuple[Reading | None, Problem | None]:
    if not abs(value) < TOO_LARGE:
        return None, place.unreadable("not-a-number", repr(value), "a number")
    if column.meaning.percent and column.meaning.field == "quality" and not cell.is_percent:
        value /= 100
    exact = Decimal(repr(value)) * Decimal(repr(column.meaning.scale))
    percent = cell.is_percent or column.meaning.percent
    return Reading(value * column.meaning.scale, None, exact, cell.currency, percent), None


def _exact(digits: str, factor: float) -> Decimal | None:
    try:
        return Decimal(digits) * Decimal(repr(factor))
    except InvalidOperation:
        return None


def read_time(cell: Cell, days_first: bool | None = None) -> tuple[dt.datetime | None, bool]:
    """A point in time, and whether it named no zone and was taken as UTC; None for a cell that is none."""
    if isinstance(cell.value, dt.datetime):
        return in_our_time(cell.value), len(cell.text) > len("2026-11-02")
    return read_moment(cell.text, days_first)


def whole(value: float) -> int | None:
    """A count, where the number is one."""
    return int(value) if value == int(value) and 0 <= value < 2**53 else None
