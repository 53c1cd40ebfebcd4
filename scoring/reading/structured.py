"""JSON, JSON lines and YAML to a table: a list of objects, an object of lists, or `runs: […]`."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.model.problem import Problem
from scoring.problems import error
from scoring.reading.limits import MAX_COLUMNS, MAX_ROWS
from scoring.reading.table import Cell, Table, TableRow
from scoring.reading.yaml_document import load_yaml

DEPTH = 6


def parse_json(text: str) -> Any:
    """JSON with NaN and infinity as texts, so that they are named as such. Raises ValueError or RecursionError."""
    return json.loads(text.lstrip("\ufeff"), parse_constant=str)


def read_json(text: str, file: str, first_line: int = 1) -> tuple[list[Table], list[Problem]]:
    """The table of a JSON text."""
    try:
        value = parse_json(text)
    except json.JSONDecodeError as failure:
        return [], [error("json-syntax", file=file, row=first_line + failure.lineno - 1, found=failure.msg)]
    except (ValueError, RecursionError) as failure:
        return [], [error("json-syntax", file=file, found=str(failure)[:200])]
    return _tables(value, file, first_line, None)


def read_json_lines(text: str, file: str, first_line: int = 1) -> tuple[list[Table], list[Problem]]:
    """One object a line; a line that does not parse is named and left out."""
    records: list[tuple[int, Any]] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), start=first_line):
        if not line.strip():
            continue
        try:
            records.append((number, parse_json(line)))
        except (ValueError, RecursionError):
            problems.append(error("json-syntax", file=file, row=number, found=line[:80]))
        if len(records) > MAX_ROWS:
            return [], [
                *problems,
                error("too-many-rows", file=file, found=f"over {MAX_ROWS:,}", expected=f"{MAX_ROWS:,}"),
            ]
    objects = [(number, record) for number, record in records if isinstance(record, Mapping)]
    return _table(objects, file, {}, problems)


def read_yaml(text: str, file: str, first_line: int = 1) -> tuple[list[Table], list[Problem]]:
    """The table of a YAML text; scalars are texts."""
    document, problems = load_yaml(text, file)
    if problems:
        return [], problems
    lines = {path[0]: line for path, line in document.lines.items() if len(path) == 1}
    return _tables(document.value, file, first_line, lines)


def _tables(
    value: Any, file: str, first_line: int, lines: Mapping[Any, int] | None
) -> tuple[list[Table], list[Problem]]:
    preamble: dict[str, str] = {}
    if isinstance(value, Mapping):
        lists = {k: v for k, v in value.items() if isinstance(v, list) and v}
        of_objects = [k for k, v in lists.items() if all(isinstance(item, Mapping) for item in v)]
        preamble = {str(k): str(v) for k, v in value.items() if isinstance(v, (str, int, float))}
        if of_objects:
            value = lists[of_objects[0]]
        elif len(lists) > 1 and len({len(v) for v in lists.values()}) == 1:
            value = [dict(zip(lists, items, strict=True)) for items in zip(*lists.values(), strict=True)]
        else:
            value, preamble = [value], {}
    if not isinstance(value, list):
        return [], []
    records = [
        (lines.get(i, first_line) if lines else first_line + i, record)
        for i, record in enumerate(value[: MAX_ROWS + 1])
        if isinstance(record, Mapping)
    ]
    return _table(records, file, preamble, [])


def _table(
    records: Sequence[tuple[int, Mapping[Any, Any]]], file: str, preamble: dict[str, str], problems: list[Problem]
) -> tuple[list[Table], list[Problem]]:
    flat = [(line, dict(_flat(record))) for line, record in records]
    header = list(dict.fromkeys(name for _, record in flat for name in record))
    if not header or not flat:
        return [], problems
    if len(header) > MAX_COLUMNS:
        found, expected = f"{len(header):,}", f"at most {MAX_COLUMNS:,}"
        return [], [*problems, error("too-many-columns", file=file, found=found, expected=expected)]
    rows = tuple(TableRow(line, tuple(record.get(name, Cell("")) for name in header)) for line, record in flat)
    table = Table(file=file, header=tuple(header), header_row=1, rows=rows, preamble=preamble)
    return [table], problems


def _flat(record: Mapping[Any, Any], prefix: str = "", depth: int = 0) -> list[tuple[str, Cell]]:
    pairs: list[tuple[str, Cell]] = []
    for key, value in record.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and depth < DEPTH:
            pairs += _flat(value, f"{name}.", depth + 1)
        elif not isinstance(value, (list, Mapping)):
            pairs.append((name, _cell(value)))
    return pairs


def _cell(value: Any) -> Cell:
    if value is None:
        return Cell("")
    if isinstance(value, bool):
        return Cell(str(value).lower(), value)
    if isinstance(value, int) and abs(value) > 2**53:
        return Cell(str(value)[:60])
    if isinstance(value, (int, float)):
        return Cell(repr(value), float(value))
    return Cell(str(value).strip())
