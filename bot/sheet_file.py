"""Where `steelyard plan` writes its run sheet: never over figures that somebody has measured."""

import csv
import io
from pathlib import Path

PLANNED = frozenset({"workload", "phase", "unit", "arm", "run", "block"})
"""Columns that the plan itself fills; every other one is for what is measured."""
SHEET = frozenset({"arm", "run", "block"})
MOST_NAMES = 1000


def holds_measured(path: Path) -> bool:
    """Whether a file is there that is more than a run sheet still to be filled in. Raises OSError.

    What is no run sheet at all counts as measured: nobody can say that it is not missed.
    """
    if not path.is_file():
        return False
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    if not text.strip():
        return False
    try:
        rows = list(csv.reader(io.StringIO(text, newline="")))
    except csv.Error:
        return True
    header, *lines = rows
    if not set(header) >= SHEET:
        return True
    open_cells = [i for i, name in enumerate(header) if name not in PLANNED]
    return any(len(line) > len(header) or any(line[i].strip() for i in open_cells if i < len(line)) for line in lines)


def free_name(path: Path) -> Path:
    """The same name with a number, such as runs-2.csv, where no file is yet."""
    names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(2, MOST_NAMES))
    return next((name for name in names if not name.exists()), path.with_name(f"{path.stem}-new{path.suffix}"))
