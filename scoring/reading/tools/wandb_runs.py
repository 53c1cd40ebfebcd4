"""Weights & Biases runs as CSV: the export of the table of runs, one row a run.

Headers as in the table of its project page (`Name`, `State`, `Created`, `Runtime` in seconds, then config and summary);
no public code writes it. The export of a chart, as public repositories have it,
(`"Step","<run> - <metric>","<run> - <metric>__MIN"`) is a curve: it tells no time of a run, and says so.
"""

from dataclasses import replace

from scoring.model.settings import Settings
from scoring.problems import error
from scoring.reading.charset import plain_head
from scoring.reading.interface import Reader
from scoring.reading.limits import HEAD_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.table import Table
from scoring.reading.tidy_table import TableReading
from scoring.reading.tools.exported_table import header_of, table_reader

NAME = "Weights & Biases runs"
SAID = {
    "Name": "run", "Runtime": "Runtime (s)", "_runtime": "summary runtime", "Created": "started_at",
    "GPU Type": "gpu_type", "GPU Count": "gpu_count", "Hostname": "hostname", "User": "wandb user",
    "_step": "summary step", "_timestamp": "summary timestamp", "ID": "wandb id",
}  # fmt: skip
RUNTIMES = ("train_runtime", "train/train_runtime", "train/runtime")


def claims(head: bytes) -> bool:
    """The columns that every export of runs has, or a curve with its bounds."""
    header = header_of(head)
    return {"Name", "State", "Runtime"} <= set(header) or _is_curve(header)


def _is_curve(header: list[str]) -> bool:
    return len(header) > 1 and " - " in header[1] and any(name.endswith("__MIN") for name in header)


def _said(table: Table) -> Table:
    header = [SAID.get(name) or name for name in table.header]
    exact = next((name for name in RUNTIMES if name in header), None)
    if exact is not None:
        header = ["train_runtime (s)" if n == exact else "whole run" if n == "Runtime (s)" else n for n in header]
    return replace(table, header=tuple(header))


_RUNS = table_reader(NAME, claims, _said)


def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
    """The runs of a table; a curve gives none."""
    if not _is_curve(header_of(plain_head(posted.read(HEAD_BYTES)))):
        return _RUNS.read(posted, arm, settings)
    expected = "the export of the table of runs"
    return TableReading(problems=[error("same-run-needs-file", file=posted.name, found="a curve", expected=expected)])


READER = Reader(name=NAME, claims=claims, read=read)
