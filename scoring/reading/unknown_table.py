"""A table of which no column is known: what was found, and the lines that would say how to read it."""

import re

from scoring.model.problem import Problem
from scoring.problems import error
from scoring.reading.headers import normalised
from scoring.reading.numbers import convention_of, parse_number
from scoring.reading.table import Table

EXPECTED = "time, cost, throughput or quality"
TIME = re.compile(r"time|tiempo|elapsed|durat|durac|took|wall|sec|latenc|_(ms|us|ns|s|min|h)\Z")
SCALES = (
    (r"(?:^|_)(?:ms|millis\w*|msec)(?:_|\Z)", "/1000"),
    (r"(?:^|_)(?:us|micros\w*)(?:_|\Z)", "/1000000"),
    (r"(?:^|_)(?:ns|nanos\w*)(?:_|\Z)", "/1000000000"),
    (r"(?:^|_)(?:min|mins|minutes|minutos)(?:_|\Z)", "*60"),
    (r"(?:^|_)(?:h|hr|hrs|hours|horas)(?:_|\Z)", "*3600"),
)
LONGEST = 60


def no_known_column(table: Table) -> Problem:
    """The columns that were found, and a line for `map` out of the one that looks most like a time."""
    found = ", ".join(table.header)[:200]
    return error("no-known-column", file=table.file, found=found, expected=EXPECTED, mapping=suggestion(table))


def suggestion(table: Table) -> str:
    """`duration_s: elapsed_ms/1000`; a column of numbers whose name speaks of time, else the first of numbers."""
    numeric = [header for i, header in enumerate(table.header) if header and _is_numeric(table, i)]
    likely = next((h for h in numeric if TIME.search(normalised(h))), numeric[0] if numeric else "elapsed")
    name = normalised(likely)[:LONGEST]
    scale = next((scale for pattern, scale in SCALES if re.search(pattern, name)), "")
    return f"duration_s: {name}{scale}"


def _is_numeric(table: Table, index: int) -> bool:
    texts = [cell.text for cell in table.column(index)[:20] if cell.text]
    convention = convention_of(texts)
    return bool(texts) and all(parse_number(text, convention) is not None for text in texts)
