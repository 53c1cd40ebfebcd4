"""Rows of cells to a table: the header is found below titles, and totals, notes and repeated headers are set aside."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from scoring.model.problem import Problem
from scoring.problems import error, info, question, warning
from scoring.reading.headers import meaning_of
from scoring.reading.limits import MAX_COLUMNS, MAX_ROWS
from scoring.reading.numbers import LONGEST_NUMBER
from scoring.reading.sniff import DELIMITERS
from scoring.reading.table import Cell, Table, TableRow

Rows = list[tuple[int, list[str]]]
CellRows = Sequence[tuple[int, Sequence[Cell]]]
TITLE_ROWS = 40
NAMES_TRIED = 50
TOTALS = re.compile(
    r"\s*((grand|gran)\s+)?(total(es)?|sub-?total(es)?|sum|suma|average|avg|mean|median|promedio|media|mediana|overall)"
    r"\b[\s:.]*\Z",
    re.IGNORECASE,
)
RUNS = re.compile(
    r"\s*(#|no\.?|n[uú]m(ero)?|run|run.?id|rep|repeat|repetition|repetici[oó]n|trial|iteration|iteraci[oó]n|seed|semilla"
    r"|corrida|ejecuci[oó]n)\s*\Z",
    re.IGNORECASE,
)
NOTES = re.compile(
    r"\s*(#|\*|†|//|(notes?|notas?|source|fuente|remarks?|comments?|observaci[oó]n(es)?)\s*:)", re.IGNORECASE
)
UNITS = re.compile(
    r"\s*([\[(][^\])]{1,20}[\])]|%|[$€£]|usd|eur|gbp|ns|us|µs|ms|s|secs?|seconds?|segundos|mins?|minutes?|minutos|h|hrs?"
    r"|hours?|horas?|days?|d[ií]as?|(tok(en)?s?|samples?|req(uest)?s?|steps?|it|images?|[$€£]|usd|eur|gbp)\s?/\s?"
    r"(s|sec|min|h|hr|hour|hora)|-|–|—)\s*\Z",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"[\s$€£]{0,4}[-+−]?\d[\d.,'\u00a0\u202f ]*(%|[a-zA-Z€$/]{0,8})\s*"
    r"((±|\+/?-)\s*\d[\d.,]*\s*[a-zA-Z%]{0,8}|\(\s*\d[\d.,]*\s*\))?\s*\Z"
    r"|(\d{1,4}\s*d[a-zí]*,?\s+)?\d{1,4}(:\d{2}){1,2}([.,]\d+)?\Z"
    r"|(\d+\s*[a-z]{1,8}\s*){2,3}\Z"
    r"|\d[\d.,]*\s*/\s*\d[\d.,]*\Z"
)
"""What a cell below a header may hold: a number with its unit and its ±, a clock, `1h 23m`, or a count `812/1000`."""


def tables_from(
    rows: Rows, file: str, problems: list[Problem], part: str | None = None
) -> tuple[list[Table], list[Problem]]:
    """Rows of texts to a table, whatever they were read from."""
    return tables_of_cells([(line, [Cell(text) for text in row]) for line, row in rows], file, problems, part)


def tables_of_cells(
    rows: CellRows, file: str, problems: list[Problem], part: str | None = None
) -> tuple[list[Table], list[Problem]]:
    """The one table of these rows, or none, with the problems given and those found."""
    filled = [(line, cells) for line, cells in rows if any(c.text for c in cells)]
    at = _header_index(filled)
    if at is None:
        return [], problems
    header_row = filled[at][0]
    names, below = _with_units([c.text for c in filled[at][1]], filled[at + 1 :])
    place = {"file": file, "row": header_row}
    if len(names) > MAX_COLUMNS:
        found, expected = f"{len(names):,}", f"at most {MAX_COLUMNS:,}"
        return [], [*problems, error("too-many-columns", **place, found=found, expected=expected)]
    header, more = unique_header(names, file, header_row)
    body = _Body(file, tuple(header))
    for line, cells in below:
        body.add(line, cells)
    problems = problems + more + body.problems
    if not body.kept:
        return [], [*problems, question("header-only", **place, found=", ".join(header)[:200])]
    if len(body.kept) > MAX_ROWS:
        return [], [*problems, error("too-many-rows", file=file, found=f"over {MAX_ROWS:,}", expected=f"{MAX_ROWS:,}")]
    table = Table(
        file=file,
        header=tuple(header),
        header_row=header_row,
        rows=tuple(body.kept),
        part=part,
        preamble=dict(_pairs(cells for _, cells in filled[:at])),
        notes=(*(joined(cells) for _, cells in filled[:at]), *body.notes),
        totals=tuple(body.totals),
    )
    return [table], problems


def joined(cells: Sequence[Cell]) -> str:
    """The filled cells of a row as one line."""
    return " ".join(c.text for c in cells if c.text)


def _pairs(rows: Iterable[Sequence[Cell]]) -> Iterator[tuple[str, str]]:
    """`key: value` in one cell or two, above the table."""
    for cells in rows:
        texts = _with_decimal_comma([c.text for c in cells if c.text])
        if len(texts) == 1 and ":" in texts[0]:
            key, _, value = texts[0].partition(":")
            yield key.strip("# "), value.strip()
        elif len(texts) == 2 and texts[0].endswith(":"):
            yield texts[0].strip("#: "), texts[1]


def _with_decimal_comma(texts: list[str]) -> list[str]:
    """`price: 35` and `76 €/h` were one line before the table's comma divided it."""
    if len(texts) == 2 and re.search(r":\s*\d+\Z", texts[0]) and re.match(r"\d", texts[1]):
        return [f"{texts[0]},{texts[1]}"]
    return texts


def _header_index(rows: CellRows) -> int | None:
    """The first row of texts, as wide as the table, with a row under it that holds a number."""
    if not rows:
        return None
    width = max(_filled(cells) for _, cells in rows[: TITLE_ROWS * 2])
    if width < 2:
        return 0 if len(rows) > 1 and not _has_number(rows[0][1]) and _has_number(rows[1][1]) else None
    for i, (_, cells) in enumerate(rows[:TITLE_ROWS]):
        texts = [c for c in cells if c.text]
        if len(texts) < max(2, 0.6 * width) or any(_is_number(c) for c in texts):
            continue
        following = rows[i + 1 : i + 6]
        if any(_has_number(below) for _, below in following):
            return i
    return next((i for i, (_, cells) in enumerate(rows[:TITLE_ROWS]) if _is_known_header(cells)), None)


def _is_known_header(cells: Sequence[Cell]) -> bool:
    """Names that the catalogue knows make a header, although no number stands below it yet."""
    texts = [c.text for c in cells if c.text][:NAMES_TRIED]
    known = [t for t in texts if len(t) <= LONGEST_NUMBER and meaning_of(t).field != "other"]
    return len(known) >= max(2, 0.6 * len(texts))


def _filled(cells: Sequence[Cell]) -> int:
    return sum(1 for c in cells if c.text)


def _is_number(cell: Cell) -> bool:
    typed = isinstance(cell.value, (int, float)) and not isinstance(cell.value, bool)
    return typed or (len(cell.text) <= LONGEST_NUMBER and bool(_NUMBER.match(cell.text)))


def _has_number(cells: Sequence[Cell]) -> bool:
    return any(_is_number(c) for c in cells)


def _with_units(names: list[str], below: CellRows) -> tuple[list[str], CellRows]:
    """Names without the empty ones at the end; units in a second header row are put behind them in brackets."""
    names = names[: next((i for i in range(len(names), 0, -1) if names[i - 1]), 0)]
    second = [c.text for c in below[0][1]] if len(below) > 1 else []
    units = [text.strip("[]() ") for text in second[: len(names)]]
    if not any(any(c.isalnum() or c in "%$€£" for c in u) for u in units):
        return names, below
    if not all(len(text) <= LONGEST_NUMBER and UNITS.match(text) for text in second if text):
        return names, below
    units += [""] * (len(names) - len(units))
    return [f"{n} ({u})" if n and u.strip("-–—") else n for n, u in zip(names, units, strict=True)], below[1:]


def unique_header(names: Sequence[str], file: str, row: int) -> tuple[list[str], list[Problem]]:
    """Names in one line each, none empty and none twice: the second `x` is called `x (2)`, which is a problem."""
    header: list[str] = []
    problems: list[Problem] = []
    taken = {" ".join(name.split()).casefold() for name in names}
    seen: dict[str, int] = {}
    for number, raw in enumerate(names, start=1):
        name = " ".join(raw.split()) or f"column {number}"
        count = seen[name.casefold()] = seen.get(name.casefold(), 0) + 1
        if count > 1:
            problems.append(warning("duplicate-header", file=file, row=row, column=name, found=name))
            while f"{name} ({count})".casefold() in taken:
                count += 1
            seen[name.casefold()] = count
            name = f"{name} ({count})"
            taken.add(name.casefold())
        header.append(name)
    return header, problems


@dataclass
class _Body:
    """The rows below a header, each put where it belongs."""

    file: str
    header: tuple[str, ...]
    kept: list[TableRow] = field(default_factory=list)
    totals: list[TableRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.run_columns = [i for i, name in enumerate(self.header) if RUNS.match(name)]

    def add(self, line: int, cells: Sequence[Cell]) -> None:
        """Keep the row, or set it aside and say so."""
        width, place = len(self.header), {"file": self.file, "row": line}
        if self._is_total(cells):
            self.totals.append(TableRow(line, tuple(cells)))
            self.problems.append(info("totals-row-left-out", **place, found=joined(cells)[:100]))
        elif self._is_divided_otherwise(cells):
            self.problems.append(error("ragged-row", **place, found="1", expected=str(width)))
        elif self._is_note(cells):
            self.notes.append(joined(cells))
            self.problems.append(info("note-beside-table", **place, found=joined(cells)[:100]))
        elif len(cells) > width and any(c.text for c in cells[width:]):
            self.problems.append(error("ragged-row", **place, found=str(len(cells)), expected=str(width)))
        else:
            if len(cells) < width:
                self.problems.append(warning("short-row", **place, found=str(len(cells)), expected=str(width)))
            self.kept.append(TableRow(line, tuple(cells)))

    def _is_total(self, cells: Sequence[Cell]) -> bool:
        """`Total` in the first filled cell, or where the number of the run should stand."""
        first = next((i for i, c in enumerate(cells) if c.text), 0)
        said = any(TOTALS.match(cells[i].text[:LONGEST_NUMBER]) for i in (first, *self.run_columns) if i < len(cells))
        return said and _has_number(cells[first + 1 :])

    def _is_divided_otherwise(self, cells: Sequence[Cell]) -> bool:
        """One cell that another delimiter would divide into as many as the header has, a number among them."""
        width, lone = len(self.header), next(c.text for c in cells if c.text)
        if width < 3 or _filled(cells) > 1 or NOTES.match(lone[:LONGEST_NUMBER]):
            return False
        divided = [lone.split(mark) for mark in DELIMITERS if lone.count(mark) == width - 1]
        return any(_has_number([Cell(text.strip()) for text in parts]) for parts in divided)

    def _is_note(self, cells: Sequence[Cell]) -> bool:
        """A line of its own, a remark by its first word, or the header once more."""
        if tuple(c.text for c in cells[: len(self.header)]) == self.header:
            return True
        lone = _filled(cells) == 1 and len(self.header) > 1 and (len(self.header) > 2 or len(cells) == 1)
        first = next(c for c in cells if c.text)
        return (lone and not _is_number(first)) or (
            bool(NOTES.match(first.text[:LONGEST_NUMBER])) and not _has_number(cells)
        )
