"""Delimited text to rows with their lines: quotes are honoured, and one that is never closed costs one row only."""

import csv
from collections.abc import Iterator
from dataclasses import replace

from scoring.model.problem import Problem
from scoring.problems import error
from scoring.reading.charset import lines_of
from scoring.reading.limits import MAX_CELLS, MAX_LINE_CHARACTERS, MAX_ROWS
from scoring.reading.rows_to_table import TITLE_ROWS, Rows, tables_from
from scoring.reading.sniff import delimiter_of, without_sep_line
from scoring.reading.table import Table

NO_DELIMITER = "\x1f"
"""Divides a single column into nothing."""
QUOTED_LINES = 100
"""A quoted cell of more lines than this was never meant to be one."""
UNCLOSED_QUOTES = 5
"""So many are named; a text with more is not read further."""
csv.field_size_limit(2**24)


class _NeverClosed(Exception):
    """A quote runs on."""


class _LongLine(Exception):
    """A line that no table has."""


def read_delimited(text: str, file: str, first_line: int = 1) -> tuple[list[Table], list[Problem]]:
    """The table of a text, if it holds one. `first_line` is the line of the file in which the text begins."""
    body, named = without_sep_line(text)
    delimiter = named or delimiter_of(text) or NO_DELIMITER
    rows, problems = rows_of(lines_of(body), delimiter, file, first_line + (named is not None))
    tables, problems = tables_from(rows, file, problems)
    return [replace(table, delimiter=delimiter) for table in tables], problems


def rows_of(lines: list[str], delimiter: str, file: str, first_line: int) -> tuple[Rows, list[Problem]]:
    """Rows with the line in which each begins.

    A row whose quote is never closed, or closed in a row far below, is named and left out, and reading goes on in
    the line after it: a lone quote must not swallow the runs that follow.
    """
    rows: Rows = []
    problems: list[Problem] = []
    start: int | None = 0
    while start is not None and len(problems) < UNCLOSED_QUOTES:
        before = len(rows)
        try:
            start = _read_until_quote(lines, start, delimiter, rows)
        except (csv.Error, _LongLine) as failure:
            at = rows[-1][0] + 1 if len(rows) > before else start or 0
            problems.append(error("csv-syntax", file=file, row=first_line + at, found=str(failure)[:200]))
            break
        if start is not None:
            problems.append(error("unclosed-quote", file=file, row=first_line + start, found=lines[start][:80]))
            start += 1
    problems += _over_limits(rows, file)
    return [(first_line + at, cells) for at, cells in rows], problems


def _over_limits(rows: Rows, file: str) -> list[Problem]:
    if len(rows) > MAX_ROWS + TITLE_ROWS:
        return [error("too-many-rows", file=file, found=f"over {MAX_ROWS:,}", expected=f"{MAX_ROWS:,}")]
    if sum(len(cells) for _, cells in rows) > MAX_CELLS:
        return [error("file-too-large", file=file, found=f"over {MAX_CELLS:,} cells", expected=f"{MAX_CELLS:,} cells")]
    return []


def _read_until_quote(lines: list[str], start: int, delimiter: str, rows: Rows) -> int | None:
    """Add rows from a line on; the line (from 0) of the first row with a quote that is never closed, if any."""
    feed = _Feed(lines, start)
    reader = csv.reader(feed, delimiter=delimiter)
    width, cells_left = 0, MAX_CELLS
    while True:
        begins = feed.row_begins()
        try:
            cells = next(reader)
        except StopIteration:
            return None
        except _NeverClosed:
            return begins
        block = lines[begins : feed.at]
        if len(block) > 1 and _swallowed(block, width, delimiter):
            return begins
        width = max(width, len(cells))
        cells_left -= len(cells)
        if any(cell and not cell.isspace() for cell in cells):
            rows.append((begins, [cell.strip() for cell in cells]))
        if cells_left < 0 or len(rows) > MAX_ROWS + TITLE_ROWS:
            return None


def _swallowed(block: list[str], width: int, delimiter: str) -> bool:
    """Whether a row of several lines is really several rows.

    Either its quotes do not pair up (the "closing" one opens another cell), or a line inside it has the table's width.
    """
    try:
        list(csv.reader([f"{line}\n" for line in block], delimiter=delimiter, strict=True))
    except csv.Error:
        return True
    return width > 1 and any(line.count(delimiter) == width - 1 for line in block[1:-1])


class _Feed:
    """Lines for `csv.reader`, which asks for more of them only inside quotes."""

    def __init__(self, lines: list[str], start: int) -> None:
        self.lines, self.at, self._begins = lines, start, start

    def row_begins(self) -> int:
        """Mark that a row begins in the next line."""
        self._begins = self.at
        return self.at

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        inside = self.at > self._begins
        if self.at >= len(self.lines):
            if inside:
                raise _NeverClosed
            raise StopIteration
        if self.at - self._begins > QUOTED_LINES:
            raise _NeverClosed
        line = self.lines[self.at]
        if len(line) > MAX_LINE_CHARACTERS:
            raise _LongLine(f"{len(line):,} characters in a line")
        self.at += 1
        return line + "\n"
