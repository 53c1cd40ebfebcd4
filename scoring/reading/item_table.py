"""A table with a row an item of an eval set: which run scored what on it, as lm-eval's `samples_*.jsonl` has it."""

from dataclasses import dataclass, field

from scoring.model.estimates import Direction
from scoring.model.pilot import ColumnReading, ItemScores
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import warning
from scoring.reading.cells import Place, read_number
from scoring.reading.columns import Column, Layout, layout_of
from scoring.reading.table import Table, TableRow

ARM_COLUMNS = ("arm", "accelerator", "instance_type")
OF_RUNS = ("duration", "cost", "throughput", "work", "work_units", "items", "n")
"""A table with one of these has a row a run, or a request."""
TRUE, FALSE = (
    frozenset({"true", "yes", "correct", "pass", "passed"}),
    frozenset({"false", "no", "wrong", "fail", "failed"}),
)
ONE_METRIC = "accuracy"
"""What a column `correct` of single items measures."""


@dataclass
class ItemReading:
    """What one table gave."""

    scores: list[ItemScores] = field(default_factory=list)
    directions: dict[str, Direction] = field(default_factory=dict)
    columns: tuple[ColumnReading, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    rows: int = 0


Key = tuple[str, str | None, str | None, str]


def read_items(table: Table, settings: Settings, default_arm: str) -> ItemReading | None:
    """Scores by item of each arm, run and metric; None for a table that holds none.

    Without a column for the run, a seed tells runs apart. An item that a run scored twice, as under several filters,
    keeps its first score, which is said.
    """
    layout = layout_of(table, settings)
    item, metrics = layout.first("item"), _metrics(layout)
    if item is None or not metrics or any(layout.of(name) for name in OF_RUNS):
        return None
    reading = ItemReading(columns=layout.readings, rows=len(table.rows))
    found: dict[Key, dict[str, float]] = {}
    twice = refused = 0
    for row in table.rows:
        label = row.cell(item.index).text
        for metric, column in metrics.items():
            score = _score(row, column, table)
            if score is None or not label:
                refused += 1
                continue
            scores = found.setdefault((*_whose(row, layout, default_arm), metric), {})
            twice += label in scores
            scores.setdefault(label, score)
    if twice:
        reading.problems.append(warning("item-scored-twice", file=table.file, found=str(twice), count=twice))
    if refused:
        reading.problems.append(warning("item-not-scored", file=table.file, found=str(refused), count=refused))
    for (arm, workload, run, metric), scores in found.items():
        reading.scores.append(
            ItemScores(
                arm=arm,
                metric=metric,
                file=table.file,
                workload=workload,
                run=run,
                n=len(scores),
                mean=sum(scores.values()) / len(scores),
                items=tuple(scores),
                scores=tuple(scores.values()),
            )
        )
    reading.directions = {**layout.directions, **({ONE_METRIC: Direction.HIGHER} if ONE_METRIC in metrics else {})}
    return reading


def _metrics(layout: Layout) -> dict[str, Column]:
    metrics = {column.meaning.name: column for column in layout.of("quality")}
    correct = layout.first("correct")
    return metrics or ({ONE_METRIC: correct} if correct is not None else {})


def _whose(row: TableRow, layout: Layout, default_arm: str) -> tuple[str, str | None, str | None]:
    def text(*fields: str) -> str | None:
        columns = (layout.first(name) for name in fields)
        return next((t for c in columns if c is not None and (t := row.cell(c.index).text)), None)

    return text(*ARM_COLUMNS) or default_arm, text("workload"), text("run", "seed")


def _score(row: TableRow, column: Column, table: Table) -> float | None:
    cell = row.cell(column.index)
    word = cell.text.strip().casefold()
    if word in TRUE or word in FALSE:
        return 1.0 if word in TRUE else 0.0
    reading, _ = read_number(cell, column, Place(table.file, row.row, column.header))
    return reading.value if reading is not None else None
