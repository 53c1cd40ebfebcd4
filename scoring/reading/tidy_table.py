"""A table to runs: one row a run, or a summary where the row says so; what cannot be a run is named, never dropped."""

from collections import Counter
from dataclasses import dataclass, field

from scoring.model.estimates import Direction, MeanSpread
from scoring.model.pilot import ColumnReading, Quality, Run, Summary
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import info, question, warning
from scoring.reading.columns import NUMERIC, Layout, layout_of
from scoring.reading.headers import direction_of, normalised
from scoring.reading.preamble import common_of
from scoring.reading.row_values import Key, Numbers, RowValues
from scoring.reading.table import Table, TableRow

ARM_COLUMNS = ("arm", "accelerator", "instance_type")
WAITING = ("ambiguous-separator", "mixed-separators", "short-clock")
"""Questions about a column whose numbers cannot be told before they are answered."""


@dataclass
class TableReading:
    """What one table gave."""

    runs: list[Run] = field(default_factory=list)
    summaries: list[Summary] = field(default_factory=list)
    columns: tuple[ColumnReading, ...] = ()
    directions: dict[str, Direction] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    rows: int = 0


def read_table(table: Table, settings: Settings, default_arm: str | None) -> TableReading | None:
    """Runs of a table, or None when no column of it means anything to a pilot."""
    layout = layout_of(table, settings)
    if not any(c.meaning.field in NUMERIC for c in layout.columns):
        return None
    common, problems = common_of(table)
    reading = TableReading(columns=layout.readings, problems=[*layout.problems, *problems], rows=len(table.rows))
    reading.directions = dict(layout.directions)
    asked = frozenset(p.column for p in layout.problems if p.code in WAITING and p.column)
    _TableReader(RowValues(table, layout, common, asked), settings, default_arm, reading).read()
    return reading


@dataclass
class _TableReader:
    values: RowValues
    settings: Settings
    default_arm: str | None
    reading: TableReading

    def __post_init__(self) -> None:
        self.layout: Layout = self.values.layout
        self.arm_column = next((c for name in ARM_COLUMNS if (c := self.layout.first(name))), None)
        texts = self.values.common.texts
        self.shared_arm = next((t for name in ARM_COLUMNS if (t := texts.get(name))), self.default_arm)
        arms = Counter(self._arm(row) for row in self.values.table.rows)
        several = max(arms.values(), default=0) > 1 and self.layout.first("n") is None
        self.rows_are_runs = several or self.layout.first("run") is not None

    def read(self) -> None:
        """Add what every row gives."""
        table, problems = self.values.table, self.reading.problems
        if self.arm_column is None and self.shared_arm is None:
            problems.append(question("no-arm-column", file=table.file, row=table.header_row))
            return
        problems += self._long_format()
        for row in table.rows:
            arm = self._arm(row)
            if arm is None:
                place = self.values.place(row)
                problems.append(warning("arm-missing", **place, found="", expected="the name of an arm"))
            else:
                self._read_row(row, arm)

    def _arm(self, row: TableRow) -> str | None:
        return (row.cell(self.arm_column.index).text or None) if self.arm_column is not None else self.shared_arm

    def _long_format(self) -> list[Problem]:
        """Several metrics of one run in rows of their own need a run number to be put together by."""
        column, table = self.layout.first("quality_metric"), self.values.table
        if column is None or self.layout.first("run") is not None:
            return []
        metrics = {normalised(c.text) for c in table.column(column.index) if c.text}
        if len(metrics) < 2:
            return []
        place = {"file": table.file, "row": table.header_row, "column": column.header}
        return [question("metrics-without-run", **place, found=", ".join(sorted(metrics))[:100])]

    def _read_row(self, row: TableRow, arm: str) -> None:
        numbers, problems = self.values.numbers(row)
        self.reading.problems += problems
        if self._is_summary(numbers):
            self.reading.summaries.append(self._summary(row, arm, numbers))
        else:
            self.reading.runs.append(self._run(row, arm, numbers, problems))

    def _is_summary(self, numbers: Numbers) -> bool:
        n = numbers.get(("n", ""))
        if n is not None or not self.rows_are_runs:
            spread = any(r.spread is not None for r in numbers.values()) or any(_is_over_runs(key) for key in numbers)
            return spread or (n is not None and n.value > 1)
        return False

    def _run(self, row: TableRow, arm: str, numbers: Numbers, problems: list[Problem]) -> Run:
        def value(name: str) -> float | None:
            return next((reading.value for _, reading in self.values.named(numbers, name)), None)

        shared, asked = self.values.shared(row, arm, numbers)
        status, status_asked = self.values.status(row)
        started_at, notes = self.values.started_at(row)
        self.reading.problems += [*asked, *status_asked, *notes, *self._spread_in_run(row, numbers)]
        cost, texts = numbers.get(("cost", "")), self.values.texts(row)
        attempted, completed = self._requests(numbers)
        work = value("work")
        return Run(
            **shared,
            run=texts.get("run"),
            block=texts.get("block"),
            seed=texts.get("seed"),
            started_at=started_at,
            duration_s=value("duration"),
            warmup_s=value("warmup"),
            initialisation_s=value("initialisation"),
            work_units=work if work is not None else value("work_units"),
            throughput=value("throughput"),
            device_count=self.values.count(numbers, "device_count"),
            stated_cost=cost.exact if cost else None,
            quality=self._quality(row, numbers),
            latency={name: reading.value for name, reading in self.values.named(numbers, "latency")},
            requests_attempted=attempted,
            requests_completed=completed,
            status=status,
            left_out=self.values.is_broken(problems),
        )

    def _spread_in_run(self, row: TableRow, numbers: Numbers) -> list[Problem]:
        """A ± on a quality is its standard error; on time or cost a row is a run or a summary, not both."""
        odd = [key for key, r in numbers.items() if r.spread is not None and key[0] not in ("quality", "quality_value")]
        if not odd or odd[0][0] == "latency":
            return []
        return self.values.once("spread-in-run", row, odd[0][0], "±", "a run, or a summary with its number of runs")

    def _requests(self, numbers: Numbers) -> tuple[int | None, int | None]:
        count = self.values.count
        attempted, completed = count(numbers, "attempted"), count(numbers, "completed")
        failed = count(numbers, "failed_requests")
        if attempted is None and completed is not None and failed is not None:
            attempted = completed + failed
        if completed is None and attempted is not None and failed is not None:
            completed = max(attempted - failed, 0)
        return attempted, completed

    def _quality(self, row: TableRow, numbers: Numbers) -> dict[str, Quality]:
        correct, items = self.values.count(numbers, "correct"), self.values.count(numbers, "items")
        counted = correct is not None and bool(items)

        def quality(value: float, stderr: float | None, percent: bool) -> Quality:
            counts = {"correct": correct, "items": items} if counted else {}
            return Quality.model_validate({"value": value, "stderr": stderr, "in_percent": percent, **counts})

        found = {name: quality(r.value, r.spread, r.percent) for name, r in self.values.named(numbers, "quality")}
        value, metric = numbers.get(("quality_value", "")), normalised(self.values.word(row, "quality_metric"))
        if value is not None and metric:
            stderr = numbers.get(("quality_stderr", ""))
            found[metric] = quality(value.value, stderr.value if stderr else value.spread, value.percent)
            self._direct(metric, row)
        elif not found and counted and items:
            found["accuracy"] = quality((correct or 0) / items, None, False)
            self.reading.directions["accuracy"] = Direction.HIGHER
        return found

    def _direct(self, metric: str, row: TableRow) -> None:
        """The direction of a metric that a cell names; one that is not known is asked for once."""
        if metric in self.reading.directions:
            return
        configured = next((m.direction for n, m in self.settings.margins.items() if normalised(n) == metric), None)
        direction = configured or direction_of(metric)
        if direction is not None:
            self.reading.directions[metric] = direction
        else:
            asked = self.values.once("metric-direction-unknown", row, "quality_metric", metric, "lower or higher")
            self.reading.problems += asked

    def _summary(self, row: TableRow, arm: str, numbers: Numbers) -> Summary:
        n = self.values.count(numbers, "n")
        spreads = {of: r.value for of, r in self.values.named(numbers, "spread")}

        def spread(key: Key) -> MeanSpread | None:
            reading = numbers.get(key)
            if reading is None:
                return None
            sd = reading.spread if reading.spread is not None else spreads.get(":".join(key))
            return MeanSpread(mean=reading.value, sd=sd, n=n, in_percent=reading.percent)

        def named(name: str) -> dict[str, MeanSpread]:
            found = {of: spread((name, of)) for of, _ in self.values.named(numbers, name)}
            return {of: s for of, s in found.items() if s is not None}

        shared, asked = self.values.shared(row, arm, numbers)
        self.reading.problems += asked
        work = next((r for (name, _), r in numbers.items() if name in ("work", "work_units")), None)
        unit = next((of for of, _ in self.values.named(numbers, "throughput")), "")
        if any(r.spread is not None for r in numbers.values()):
            self.reading.problems.append(info("plus-minus-is-sd", file=self.values.table.file))
        if n is None:
            place = self.values.place(row)
            self.reading.problems.append(warning("summary-without-n", **place, arm=arm, expected="a column `runs`"))
        return Summary(
            **shared,
            n=n,
            work_units=work.value if work else None,
            duration_s=spread(("duration", "")),
            cost=spread(("cost", "")),
            throughput=spread(("throughput", unit)),
            quality=named("quality"),
            latency=named("latency"),
        )


def _is_over_runs(key: Key) -> bool:
    """Whether a number is a standard deviation over runs; that of a mean latency is one over requests of a run."""
    name, of = key
    return name == "spread" and not (of.startswith("latency:") and of.endswith("_mean"))
