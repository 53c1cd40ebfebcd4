"""The quality figures of a row, in whichever form a table has them; what cannot be read is asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.model.estimates import Direction
from scoring.model.pilot import Quality
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import question
from scoring.reading.catalogue import HIGHER, LOWER
from scoring.reading.cells import QUALITIES, Reading
from scoring.reading.columns import Column
from scoring.reading.headers import direction_of, normalised
from scoring.reading.numbers import is_missing
from scoring.reading.row_values import Numbers, RowValues
from scoring.reading.table import TableRow


@dataclass
class RowQuality:
    """Reads one table; what it finds amiss and the directions of metrics go into the lists given."""

    values: RowValues
    settings: Settings
    directions: dict[str, Direction]
    problems: list[Problem]

    def of(self, row: TableRow, numbers: Numbers) -> dict[str, Quality]:
        """Every quality of a run by its metric."""
        correct, items = self.values.count(numbers, "correct"), self.values.count(numbers, "items")
        of_row = (correct, items) if correct is not None and items else None

        def quality(read: Reading, stderr: float | None) -> Quality:
            counts = dict(zip(("correct", "items"), read.counted or of_row or (), strict=False))
            told = {"value": read.value, "stderr": stderr, "in_percent": read.percent}
            return Quality.model_validate({**told, **counts})

        found = {name: quality(read, read.spread) for name, read in self.values.named(numbers, "quality")}
        value, metric = numbers.get(("quality_value", "")), normalised(self.values.word(row, "quality_metric"))
        if value is not None and metric:
            stderr = numbers.get(("quality_stderr", ""))
            found[metric] = quality(value, stderr.value if stderr else value.spread)
            self._direct(metric, row)
        elif value is not None:
            code = "quality-metric-missing"
            self.problems += self.values.once(code, row, "quality_value", "", "the name of a metric")
        elif not found and of_row is not None:
            found["accuracy"] = quality(Reading(of_row[0] / of_row[1]), None)
            self.directions["accuracy"] = Direction.HIGHER
        return found

    def _direct(self, metric: str, row: TableRow) -> None:
        """The direction of a metric that a cell names; one that is not known is asked for once."""
        if metric in self.directions:
            return
        configured = next((m.direction for n, m in self.settings.margins.items() if normalised(n) == metric), None)
        direction = configured or direction_of(metric)
        if direction is not None:
            self.directions[metric] = direction
        else:
            asked = self.values.once("metric-direction-unknown", row, "quality_metric", metric, "lower or higher")
            self.problems += asked

    def tell_unread(self) -> None:
        """Ask about columns with quality figures of runs that finished, of which not one could be read."""
        for column in [c for name in QUALITIES for c in self.values.layout.of(name)]:
            unread = {
                p.row: p.found or "" for p in self.problems if p.column == column.header and p.code == "cell-not-read"
            }
            posted = [
                row.row
                for row in self.values.table.rows
                if not is_missing(row.cell(column.index).text) and self.values.finished(row)
            ]
            if posted and all(row in unread for row in posted) and _is_figure(column, [unread[row] for row in posted]):
                place = {"file": self.values.table.file, "row": posted[0], "column": column.header}
                self.problems.append(question("quality-not-read", **place, found=unread[posted[0]], count=len(posted)))


def _is_figure(column: Column, texts: Sequence[str]) -> bool:
    """Whether a quality column that could not be read held figures: by its exact name, or by a digit in each cell.

    `error message` and `loss function` are words that describe a run.
    """
    by_name = column.meaning.field == "quality_value" or column.meaning.name in (*LOWER, *HIGHER)
    return by_name or all(any(c.isdigit() for c in text) for text in texts)
