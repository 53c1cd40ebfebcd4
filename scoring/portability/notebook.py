"""Notebooks: each code cell as a Python text of its own, its shell lines as shell."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from scoring.portability.python_source import NotRead

MOST_MISSES = 50
"""Lines of a notebook that are searched for through its whole text in vain."""
SHELL = ("!", "%pip", "%conda", "%env", "%%bash", "%%sh")


class Cell(NamedTuple):
    """A code cell by its number from 1; `lines` are those of the notebook's file, by the cell's own, None unknown."""

    number: int
    python: str
    shell: str
    lines: tuple[int | None, ...]


def cells(text: str) -> Iterator[Cell]:
    """All code cells. Raises NotRead: notebook."""
    try:
        document = json.loads(text)
        listed = document["cells"] if "cells" in document else document["worksheets"][0]["cells"]
        codes = [(n, _source(cell)) for n, cell in enumerate(listed, start=1) if cell["cell_type"] == "code"]
    except (ValueError, RecursionError, MemoryError, KeyError, IndexError, TypeError):
        raise NotRead("notebook") from None
    position, misses = 0, 0
    for number, code in codes:
        found, position, misses = _places(text, code, position, misses)
        python, shell = _split(code)
        yield Cell(number, python, shell, found)


def _source(cell: dict[str, object]) -> str:
    source = cell.get("source", cell.get("input", ""))
    return source if isinstance(source, str) else "".join(part for part in source if isinstance(part, str))  # type: ignore[attr-defined]


def _split(code: str) -> tuple[str, str]:
    """The cell's Python and its shell lines; the other's lines stay empty, so that lines keep their numbers."""
    lines = code.split("\n")
    if lines[0].startswith("%%"):
        return "", code if lines[0].startswith(SHELL) else ""
    python, shell = list[str](), list[str]()
    for line in lines:
        bare = line.lstrip()
        magic = bare.startswith(("%", "!"))
        indent = line[: len(line) - len(bare)]
        python.append(f"{indent}pass" if magic and indent else "" if magic else line)
        shell.append(bare.lstrip("!%") if bare.startswith(SHELL) else "")
    return "\n".join(python), "\n".join(shell)


def _places(text: str, code: str, position: int, misses: int) -> tuple[tuple[int | None, ...], int, int]:
    """Where each line of a cell stands in the file, looked for from `position` on; after some misses no longer."""
    found = list[int | None]()
    for line in code.split("\n"):
        looked = bool(line.strip()) and misses < MOST_MISSES
        at = next((p for form in _written(line) if (p := text.find(form, position)) >= 0), -1) if looked else -1
        misses += looked and at < 0
        position = max(position, at)
        found.append(None if at < 0 else at)
    return _numbered(text, found), position, misses


def _written(line: str) -> tuple[str, str]:
    return json.dumps(line)[1:-1], json.dumps(line, ensure_ascii=False)[1:-1]


def _numbered(text: str, offsets: list[int | None]) -> tuple[int | None, ...]:
    """Offsets as line numbers; counted onwards from one to the next."""
    numbers = list[int | None]()
    line, last = 1, 0
    for offset in offsets:
        if offset is None:
            numbers.append(None)
            continue
        line += text.count("\n", last, offset)
        last = offset
        numbers.append(line)
    return tuple(numbers)
