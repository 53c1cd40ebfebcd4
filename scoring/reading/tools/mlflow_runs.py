"""MLflow runs as CSV: the export of its pages, and what `search_runs()` gives pandas.

Headers as in mlflow/mlflow at e52d70d, mlflow/server/js/src/experiment-tracking/utils/CsvUtils.ts (`Start Time`,
`Duration`, `Run ID`, `Name`, … then params, metrics, tags; durations as `1.3h`, rounded) and as mlflow.search_runs
writes them (`run_id`, `start_time`, `end_time`, `metrics.*`, `params.*`, `tags.*`). `train_runtime` is that of the
Hugging Face Trainer, in seconds, and more exact than the time of the whole run.
"""

from dataclasses import replace

from scoring.reading.moments import read_moment
from scoring.reading.table import Cell, Table
from scoring.reading.tools.exported_table import header_of, table_reader

OF_PAGES = ["Start Time", "Duration", "Run ID", "Name", "Source Type"]
PREFIXES = ("metrics.", "params.")
RUNTIME = "train_runtime"
UNUSED = ("experiment_id", "artifact_uri", "Source Type", "Source Name", "User")


def claims(head: bytes) -> bool:
    """The first columns of the pages' export, or prefixed columns beside a run's id."""
    header = header_of(head)
    return header[:5] == OF_PAGES or ("run_id" in header and any(h.startswith(PREFIXES) for h in header))


def _said(table: Table) -> Table:
    header = [_name(name) for name in table.header]
    runtime = next((i for i, name in enumerate(header) if name == f"{RUNTIME} (s)"), None)
    if runtime is not None:
        header = ["whole run" if name == "Duration" else name for name in header]
    start, end = (header.index(n) if n in header else None for n in ("start_time", "end_time"))
    if runtime is None and start is not None and end is not None and "Duration" not in header:
        rows = tuple(replace(row, cells=(*row.cells, _between(row.cell(start), row.cell(end)))) for row in table.rows)
        padded = tuple(replace(r, cells=_padded(r.cells, len(header))) for r in rows)
        return replace(table, header=(*header, "duration_s"), rows=padded)
    return replace(table, header=tuple(header))


def _name(header: str) -> str:
    bare = next((header.removeprefix(p) for p in PREFIXES if header.startswith(p)), header)
    return f"{RUNTIME} (s)" if bare == RUNTIME else f"mlflow {bare}" if bare in UNUSED else bare


def _between(start: Cell, end: Cell) -> Cell:
    """Seconds between two times, an empty cell where either is none."""
    began, ended = read_moment(start.text)[0], read_moment(end.text)[0]
    if began is None or ended is None:
        return Cell("")
    seconds = (ended - began).total_seconds()
    return Cell(repr(seconds), seconds)


def _padded(cells: tuple[Cell, ...], width: int) -> tuple[Cell, ...]:
    """A short row with its last cell, the duration, under its header."""
    return (*cells[:-1], *(Cell("") for _ in range(width + 1 - len(cells))), cells[-1])


READER = table_reader("MLflow runs", claims, _said)
