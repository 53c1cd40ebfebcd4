"""A table to runs: one row a run, or a summary where the row says so; what cannot be a run is named, never dropped."""

from collections import Counter
from dataclasses import dataclass, field

from scoring.model.estimates import Direction, MeanSpread
from scoring.model.pilot import ColumnReading, Run, Summary
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import info, question, warning
from scoring.reading.columns import NUMERIC, Layout, layout_of
from scoring.reading.headers import normalised
from scoring.reading.preamble import common_of
from scoring.reading.row_quality import RowQuality
from scoring.reading.row_values import Key, Numbers, RowValues
from scoring.reading.run_sheets import BLANK
from scoring.reading.spreads import Kind, as_deviation
from scoring.reading.table import Table, TableRow

ARM_COLUMNS = ("arm", "accelerator", "instance_type")
TOLD = {"se": "spread-is-se", "ci95": "spread-is-ci95"}
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
        self.quality = RowQuality(self.values, self.settings, self.reading.directions, self.reading.problems)
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
        problems += [*self._long_format(), *self.values.times_not_read()]
        for row in table.rows:
            arm = self._arm(row)
            if arm is None:
                place = self.values.place(row)
                problems.append(warning("arm-missing", **place, found="", expected="the name of an arm"))
            else:
                self._read_row(row, arm)
        self.quality.tell_unread()

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
            spread = any(r.spread is not None for r in numbers.values()) or any(
                _is_over_runs(key) and not (key[1].startswith("quality:") and self._kind(key) == "se")
                for key in numbers
            )
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
            host=texts.get("host"),
            seed=texts.get("seed"),
            started_at=started_at,
            duration_s=value("duration"),
            warmup_s=value("warmup"),
            initialisation_s=value("initialisation"),
            work_units=work if work is not None else value("work_units"),
            throughput=value("throughput"),
            device_count=self.values.count(numbers, "device_count"),
            stated_cost=cost.exact if cost else None,
            quality=self.quality.of(row, numbers),
            latency={name: reading.value for name, reading in self.values.named(numbers, "latency")},
            requests_attempted=attempted,
            requests_completed=completed,
            status=status,
            left_out=self.values.is_broken(problems) or (BLANK if self.values.is_blank(row) else None),
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

    def _summary(self, row: TableRow, arm: str, numbers: Numbers) -> Summary:
        n = self.values.count(numbers, "n")
        spreads = dict(self.values.named(numbers, "spread"))

        def spread(key: Key) -> MeanSpread | None:
            reading = numbers.get(key)
            if reading is None:
                return None
            of_column = spreads.get(":".join(key))
            points = reading.percent and of_column is not None and not of_column.percent
            sd, of = (
                of_column.value / (100 if points else 1) if of_column is not None else None,
                ("spread", ":".join(key)),
            )
            if reading.spread is not None:
                sd, of = reading.spread, key
            sd = None if sd is None else self._deviation(row, of, sd, n)
            return MeanSpread(mean=reading.value, sd=sd, n=n, in_percent=reading.percent)

        def named(name: str) -> dict[str, MeanSpread]:
            found = {of: spread((name, of)) for of, _ in self.values.named(numbers, name)}
            return {of: s for of, s in found.items() if s is not None}

        shared, asked = self.values.shared(row, arm, numbers)
        self.reading.problems += asked
        work = next((r for (name, _), r in numbers.items() if name in ("work", "work_units")), None)
        unit = next((of for of, _ in self.values.named(numbers, "throughput")), "")
        if any(r.spread is not None and not self._kind(key) for key, r in numbers.items()):
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

    def _kind(self, key: Key) -> Kind:
        return next((c.meaning.spread for c in self.layout.columns if (c.meaning.field, c.meaning.name) == key), "")

    def _deviation(self, row: TableRow, of: Key, spread: float, n: int | None) -> float | None:
        """The standard deviation between runs, by what the header says of its numbers; below zero there is none."""
        column = next((c for c in self.layout.columns if (c.meaning.field, c.meaning.name) == of), None)
        kind = column.meaning.spread if column else ""
        place = {**self.values.place(row), "column": column.header if column else of[0]}
        if spread < 0:
            self.reading.problems.append(question("spread-negative", **place, found=f"{spread:g}"))
            return None
        if kind == "unclear":
            self.reading.problems.append(question("spread-unclear", **place, found=place["column"]))
        elif kind in TOLD and n:
            self.reading.problems.append(info(TOLD[kind], file=place["file"], column=place["column"]))
        return as_deviation(spread, kind, n)


def _is_over_runs(key: Key) -> bool:
    """Whether a number is a spread over runs; that of a mean latency is one over requests of a run."""
    name, of = key
    return name == "spread" and not (of.startswith("latency:") and of.endswith("_mean"))
