"""JSON, JSON lines and YAML to a table: a list of objects, an object of lists, or `runs: […]`."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from scoring.model.problem import Problem
from scoring.problems import error
from scoring.reading.charset import lines_of
from scoring.reading.limits import MAX_CELLS, MAX_COLUMNS, MAX_ROWS
from scoring.reading.posted import whole_letters
from scoring.reading.table import Cell, Table, TableRow
from scoring.reading.yaml_document import load_yaml

DEPTH = 6
MAX_LISTS = 50
BROKEN_LINES = 20
"""So many lines that do not parse are named one by one."""
_HALF_LETTER = re.compile(r"\\u[dD][89a-fA-F]")
_BETWEEN = re.compile(r"[\s,]*")


def parse_json(text: str) -> Any:
    """JSON with NaN and infinity as texts, so that they are named as such.

    Raises ValueError, also for a key that stands twice with two values, or RecursionError.
    """
    value = json.loads(text.lstrip("\ufeff"), parse_constant=str, object_pairs_hook=_once_each)
    return _with_whole_letters(value) if _HALF_LETTER.search(text) else value


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next((key for key, value in pairs if found[key] != value), None)
        if twice is not None:
            raise ValueError(f"the key {twice[:60]!r} stands twice with two values")
    return found


def _with_whole_letters(value: Any) -> Any:
    if isinstance(value, str):
        return whole_letters(value)
    if isinstance(value, list):
        return [_with_whole_letters(item) for item in value]
    if isinstance(value, dict):
        return {whole_letters(key): _with_whole_letters(item) for key, item in value.items()}
    return value


def read_json(text: str, file: str, first_line: int = 1) -> tuple[list[Table], list[Problem]]:
    """The table of a JSON text."""
    try:
        value = parse_json(text)
    except json.JSONDecodeError as failure:
        return [], [error("json-syntax", file=file, row=first_line + failure.lineno - 1, found=failure.msg)]
    except (ValueError, RecursionError) as failure:
        return [], [error("json-syntax", file=file, found=str(failure)[:200])]
    return _tables(value, file, first_line, lambda key, count: item_lines(text, key, count, first_line))


def read_json_lines(text: str, file: str, first_line: int = 1) -> tuple[list[Table], list[Problem]]:
    """One object a line; a line that does not parse is named and left out."""
    problems: list[Problem] = []
    records = list(islice(parsed_lines(enumerate(lines_of(text), start=first_line), file, problems), MAX_ROWS + 1))
    objects = [(number, record) for number, record in records if isinstance(record, Mapping)]
    return _table(objects, file, {}, problems)


def parsed_lines(lines: Iterable[tuple[int, str]], file: str, problems: list[Problem]) -> Iterator[tuple[int, Any]]:
    """The JSON value of each line with its number; lines that do not parse are named, up to a bound."""
    broken = 0
    for number, line in lines:
        if not line.strip():
            continue
        try:
            value = parse_json(line)
        except (ValueError, RecursionError):
            broken += 1
            if broken <= BROKEN_LINES:
                problems.append(error("json-syntax", file=file, row=number, found=line[:80]))
            continue
        yield number, value
    if broken > BROKEN_LINES:
        found = f"{broken - BROKEN_LINES:,} more lines"
        problems.append(error("json-syntax", file=file, found=found))


def read_yaml(text: str, file: str, first_line: int = 1) -> tuple[list[Table], list[Problem]]:
    """The table of a YAML text; scalars are texts."""
    document, problems = load_yaml(text, file)
    if problems:
        above = first_line - 1
        return [], [p.model_copy(update={"row": p.row + above if p.row else None}) for p in problems]

    def rows(key: str | None, count: int) -> list[int]:
        parent = () if key is None else (key,)
        return [first_line - 1 + (document.line((*parent, i)) or 1) for i in range(count)]

    return _tables(document.value, file, first_line, rows)


ItemLines = Callable[[str | None, int], Sequence[int]]
"""The lines in which the items of a list begin: of the list that is the document, or of the one under a key."""


def item_lines(text: str, key: str | None, count: int, first_line: int) -> list[int]:
    """The lines of the items of a list in a JSON text that parses; their numbers where the list is not found."""
    start = re.search(r"\[" if key is None else rf"{re.escape(json.dumps(key))}\s*:\s*\[", text)
    numbered = [first_line + i for i in range(count)]
    if start is None or count > MAX_ROWS:
        return numbered
    decoder, lines = json.JSONDecoder(parse_constant=str), []
    at, line = start.end(), first_line + text.count("\n", 0, start.end())
    try:
        for _ in range(count):
            begins = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
            line += text.count("\n", at, begins)
            lines.append(line)
            at = decoder.raw_decode(text, begins)[1]
            line += text.count("\n", begins, at)
    except (ValueError, RecursionError):
        return numbered
    return lines


def _tables(value: Any, file: str, first_line: int, item_rows: ItemLines) -> tuple[list[Table], list[Problem]]:
    preamble: dict[str, str] = {}
    rows: Sequence[int] | None = None
    if isinstance(value, Mapping):
        lists = {k: v for k, v in value.items() if isinstance(v, list) and v}
        of_objects = [k for k, v in lists.items() if all(isinstance(item, Mapping) for item in v)]
        preamble = {str(k): str(v) for k, v in value.items() if isinstance(v, (str, int, float))}
        if len(of_objects) > 1:
            return _of_several(lists, of_objects, preamble, file, item_rows)
        if of_objects:
            value = lists[of_objects[0]]
            rows = item_rows(of_objects[0], len(value))
        elif len(lists) > 1 and len({len(v) for v in lists.values()}) == 1:
            value = [dict(zip(lists, items, strict=True)) for items in zip(*lists.values(), strict=True)]
        else:
            value, preamble = [value], {}
            rows = [first_line]
    elif isinstance(value, list):
        rows = item_rows(None, len(value))
    if not isinstance(value, list):
        return [], []
    rows = rows or range(first_line, first_line + len(value))
    records = [(row, record) for row, record in zip(rows, value, strict=True) if isinstance(record, Mapping)]
    return _table(records, file, preamble, [])


def _of_several(
    lists: Mapping[Any, list[Any]], keys: Sequence[Any], preamble: dict[str, str], file: str, item_rows: ItemLines
) -> tuple[list[Table], list[Problem]]:
    """`{"gpu": […], "trn2": […]}`: a table a key, which names the arm where nothing else does."""
    if len(keys) > MAX_LISTS:
        return [], [error("file-too-large", file=file, found=f"{len(keys):,} lists", expected=f"{MAX_LISTS} lists")]
    tables: list[Table] = []
    problems: list[Problem] = []
    for key in keys:
        records = list(zip(item_rows(key, len(lists[key])), lists[key], strict=True))
        found, problems = _table(records, file, {"arm": str(key), **preamble}, problems)
        tables += found
    return tables, problems


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
    if len(flat) > MAX_ROWS:
        return [], [*problems, error("too-many-rows", file=file, found=f"over {MAX_ROWS:,}", expected=f"{MAX_ROWS:,}")]
    if len(header) * len(flat) > MAX_CELLS:
        found, expected = f"over {MAX_CELLS:,} cells", f"{MAX_CELLS:,} cells"
        return [], [*problems, error("file-too-large", file=file, found=found, expected=expected)]
    rows = tuple(TableRow(line, tuple(record.get(name, Cell("")) for name in header)) for line, record in flat)
    table = Table(file=file, header=tuple(header), header_row=flat[0][0], rows=rows, preamble=preamble)
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
