"""`key: value` lines above a table: what all of its rows share."""

from dataclasses import dataclass, field
from decimal import Decimal

from scoring.model.problem import Problem
from scoring.problems import question
from scoring.reading.cells import Place, Reading, read_number, whole
from scoring.reading.columns import NUMERIC, Column
from scoring.reading.headers import meaning_of
from scoring.reading.numbers import convention_of
from scoring.reading.table import Cell, Table

TEXTS = frozenset({
    "workload", "run", "block", "seed", "accelerator", "instance_type", "region", "arm", "phase", "pricing", "unit",
    "currency", "quality_metric", "status",
})  # fmt: skip
COUNTS = ("instance_count", "device_count", "n")


@dataclass
class Common:
    """What every row of a table that says nothing else takes over."""

    texts: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    conditions: dict[str, str] = field(default_factory=dict)
    price: Decimal | None = None
    price_currency: str | None = None


def common_of(table: Table) -> tuple[Common, list[Problem]]:
    """The shared fields; a line that names a number of the runs and cannot be shared by them is asked about."""
    common, problems = Common(), list[Problem]()
    for key, text in table.preamble.items():
        meaning = meaning_of(key)
        if meaning.field == "condition":
            common.conditions[meaning.name] = text
        elif meaning.field in TEXTS:
            common.texts[meaning.field] = text
        elif meaning.field in ("price", *COUNTS):
            reading = _number(key, text)
            if reading is None or not _take(common, meaning.field, reading, meaning.currency):
                problems.append(_not_used(table, key, text))
        elif meaning.field in NUMERIC:
            problems.append(_not_used(table, key, text))
    return common, problems


def _number(key: str, text: str) -> Reading | None:
    column = Column(0, key, meaning_of(key), convention_of([text]))
    reading, problem = read_number(Cell(text), column, Place("", 0, key))
    return None if problem is not None or reading is None or reading.value <= 0 else reading


def _take(common: Common, name: str, reading: Reading, currency: str | None) -> bool:
    if name == "price":
        common.price, common.price_currency = reading.exact, reading.currency or currency
        return reading.exact is not None
    count = whole(reading.value)
    if count:
        common.counts[name] = count
    return bool(count)


def _not_used(table: Table, key: str, text: str) -> Problem:
    return question("preamble-not-used", file=table.file, row=table.header_row, column=key[:60], found=text[:100])
