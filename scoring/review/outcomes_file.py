"""`outcomes.csv`: what really happened, one row a decision and period."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from scoring.model.problem import Problem, Severity
from scoring.problems import error
from scoring.reading.charset import decode
from scoring.reading.posted import PostedFile
from scoring.reading.table import Table
from scoring.reading.tables import tables_of
from scoring.review.figures_given import FIGURE, PERIOD, figure_of, period_of, quality_of
from scoring.review.given import Outcome

MOST = 20_000
HEADER_BYTES = 10_000
FIGURES = ("cost_per_unit", "incumbent_cost_per_unit", "monthly_cost")
COUNTS = ("issue", "seq")
TEXTS = ("workload", "by")
QUALITY = "quality."
SHOWN = 100


def read_outcomes(posted: PostedFile) -> tuple[tuple[Outcome, ...], list[Problem]]:
    """Rows that stand; each mistake with its line. Columns: issue, seq, workload, period, the costs, quality.METRIC."""
    held = tables_of(posted)
    problems = [p for p in held.problems if p.severity in (Severity.ERROR, Severity.QUESTION)]
    found = list[Outcome]()
    for table in held.tables:
        rows, wrong = _rows(table)
        found += rows
        problems += wrong
    if not held.tables and not problems:
        problems += _without_table(posted)
    return tuple(found), problems


def _without_table(posted: PostedFile) -> Iterator[Problem]:
    """A file of a header alone has no outcome yet; of another one that is no table outcomes would be lost."""
    text, _, _ = decode(posted.read(HEADER_BYTES))
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    number, first = lines[0] if lines else (1, "")
    if not {"issue", "period"} <= set(re.findall(r"[a-z_.]+", first.casefold())):
        yield _wrong(posted.name, number, "issue", first, _columns())
    elif len(lines) > 1:
        number, row = lines[1]
        yield _wrong(posted.name, number, "issue", row, first[:SHOWN])


def _rows(table: Table) -> tuple[list[Outcome], list[Problem]]:
    if len(table.rows) > MOST:
        told = {"found": f"{len(table.rows):,} rows", "expected": f"{MOST:,} rows"}
        return [], [error("file-too-large", file=table.file, **told)]
    names = [header.strip().casefold() for header in table.header]
    odd = [name for name in names if _is_odd(name)]
    problems = [_wrong(table.file, table.header_row, name, name, _columns()) for name in odd]
    found = []
    for row in table.rows:
        if len(row.cells) > len(names):
            # A decimal comma makes two cells of one: what stands behind it would be read as another figure.
            told = {"found": str(len(row.cells)), "expected": str(len(names))}
            problems.append(error("ragged-row", file=table.file, row=row.row, **told))
            continue
        cells = {name: row.cell(i).text.strip() for i, name in enumerate(names) if name and name not in odd}
        given = {name: text for name, text in cells.items() if text}
        wrong = list(mistakes(given, table.file, row.row)) if given else []
        problems += wrong
        if given and not wrong:
            found.append(outcome_of(given, table.file, row.row))
    return found, problems


def _columns() -> str:
    return ", ".join((*COUNTS, *TEXTS, "period", *FIGURES, f"{QUALITY}METRIC"))


def _is_odd(name: str) -> bool:
    known = {*COUNTS, *TEXTS, *FIGURES, "period"}
    return bool(name) and name not in known and not (name.startswith(QUALITY) and name != QUALITY)


def mistakes(given: Mapping[str, str], file: str | None, row: int | None) -> Iterator[Problem]:
    """What cannot be read of an outcome's texts, by their columns."""
    for name in ("issue", "period"):
        if name not in given:
            yield _wrong(file, row, name, "nothing", PERIOD if name == "period" else "an issue's number")
    for name, text in given.items():
        if name in COUNTS and not (text.isascii() and text.isdigit() and 0 < int(text[:12]) <= 10**9):
            yield _wrong(file, row, name, text, "a whole number from 1 on")
        elif name in FIGURES and (figure_of(text) is None or (name != "monthly_cost" and not figure_of(text))):
            yield _wrong(file, row, name, text, FIGURE)
        elif name == "period" and period_of(text) is None:
            yield _wrong(file, row, name, text, PERIOD)
        elif name.startswith(QUALITY) and quality_of(text) is None:
            yield _wrong(file, row, name, text, FIGURE)


def outcome_of(given: Mapping[str, str], file: str | None = None, row: int | None = None, **more: Any) -> Outcome:
    """The outcome of texts that are without a mistake."""
    period = period_of(given["period"])
    assert period is not None  # noqa: S101 - the caller has checked it
    qualities = {k.removeprefix(QUALITY): quality_of(v) for k, v in given.items() if k.startswith(QUALITY)}
    told = {name: value for name, value in qualities.items() if value is not None}
    values: dict[str, Any] = {name: figure_of(given[name]) for name in FIGURES if name in given}
    values |= {name: int(given[name]) for name in COUNTS if name in given}
    values |= {name: given[name] for name in TEXTS if name in given}
    values |= {"quality": {name: value for name, (value, _) in told.items()}}
    values |= {"quality_in_percent": tuple(sorted(name for name, (_, percent) in told.items() if percent))}
    return Outcome.model_validate(
        {**values, "starts_on": period[0], "ends_on": period[1], "source": file, "row": row, **more}
    )


def _wrong(file: str | None, row: int | None, column: str, found: str, expected: str) -> Problem:
    return error("outcome-invalid", file=file, row=row, column=column[:SHOWN], found=found[:SHOWN], expected=expected)
