"""A table to runs: one row a run, or a summary where the row says so; what cannot be a run is named, never dropped."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from scoring.model.estimates import Direction, MeanSpread
from scoring.model.pilot import ColumnReading, Phase, Pricing, Quality, Run, RunStatus, Summary
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import info, question, warning
from scoring.reading.cells import Place, Reading, read_number, read_time, whole
from scoring.reading.columns import NUMERIC, Column, Layout, layout_of
from scoring.reading.headers import currency_in, direction_of, meaning_of, normalised
from scoring.reading.numbers import Convention
from scoring.reading.table import Cell, Table, TableRow

ARM_COLUMNS = ("arm", "accelerator", "instance_type")
PHASES = {
    "train": Phase.TRAIN, "training": Phase.TRAIN, "entrenamiento": Phase.TRAIN, "pretrain": Phase.TRAIN,
    "finetune": Phase.FINETUNE, "fine-tune": Phase.FINETUNE, "fine_tune": Phase.FINETUNE, "finetuning": Phase.FINETUNE,
    "serve": Phase.SERVE, "serving": Phase.SERVE, "inference": Phase.SERVE, "inferencia": Phase.SERVE,
    "batch": Phase.BATCH, "lote": Phase.BATCH,
}  # fmt: skip
PRICINGS = {
    "on_demand": Pricing.ON_DEMAND, "ondemand": Pricing.ON_DEMAND, "bajo_demanda": Pricing.ON_DEMAND,
    "spot": Pricing.SPOT, "preemptible": Pricing.SPOT, "reserved": Pricing.RESERVED, "reservado": Pricing.RESERVED,
    "quote": Pricing.QUOTE, "oferta": Pricing.QUOTE,
}  # fmt: skip
FAILED = frozenset(
    {
        "failed", "fail", "failure", "error", "aborted", "crashed", "invalid", "oom", "timeout", "timed", "cancelled",
        "canceled", "killed", "interrupted", "preempted", "fallido", "fallida", "fallo", "abortado", "cancelado", "0",
        "false",
    }
)  # fmt: skip
"""First words of a status that says that a run did not finish."""

TEXTS = ("workload", "run", "block", "seed", "accelerator", "instance_type", "region")
POSITIVE = ("duration", "work", "work_units", "throughput", "price", "latency")


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
    reading = TableReading(columns=layout.readings, problems=list(layout.problems), rows=len(table.rows))
    reading.directions = dict(layout.directions)
    asked = {p.column for p in layout.problems if p.code in ("ambiguous-separator", "mixed-separators", "short-clock")}
    reader = _RowReader(table, layout, settings, default_arm, frozenset(c for c in asked if c), reading)
    for row in table.rows:
        reader.read(row)
    return reading


@dataclass
class _RowReader:
    table: Table
    layout: Layout
    settings: Settings
    default_arm: str | None
    asked: frozenset[str]
    reading: TableReading

    def __post_init__(self) -> None:
        self.arm_column = next((c for name in ARM_COLUMNS if (c := self.layout.first(name))), None)
        self.common = _preamble(self.table.preamble)
        if self.arm_column is None and self.default_arm is None and not self._common_arm():
            self.reading.problems.append(question("no-arm-column", file=self.table.file, row=self.table.header_row))
        self.naive_said = False

    def read(self, row: TableRow) -> None:
        """Add what the row gives."""
        arm = self._arm(row)
        if arm is None:
            place = {"file": self.table.file, "row": row.row}
            self.reading.problems.append(warning("arm-missing", **place, found="", expected="the name of an arm"))
            return
        numbers, problems = self._numbers(row)
        self.reading.problems += problems
        if self._is_summary(numbers):
            self.reading.summaries.append(self._summary(row, arm, numbers))
        else:
            self.reading.runs.append(self._run(row, arm, numbers, problems))

    def _arm(self, row: TableRow) -> str | None:
        if self.arm_column is not None:
            return row.cell(self.arm_column.index).text or None
        return self._common_arm() or self.default_arm

    def _common_arm(self) -> str | None:
        """The arm that the lines above the table name."""
        return next((str(self.common[name]) for name in ARM_COLUMNS if self.common.get(name)), None)

    def _numbers(self, row: TableRow) -> tuple[dict[tuple[str, str], Reading], list[Problem]]:
        numbers: dict[tuple[str, str], Reading] = {}
        problems: list[Problem] = []
        for column in self.layout.columns:
            if column.meaning.field not in NUMERIC or column.header in self.asked:
                continue
            cell, place = row.cell(column.index), Place(self.table.file, row.row, column.header)
            value, problem = read_number(cell, column, place)
            if value is not None and (refused := _impossible(column, value, cell, place)) is not None:
                value, problem = None, refused
            if problem is not None:
                problems.append(problem)
            if value is not None:
                numbers[column.meaning.field, column.meaning.name] = value
        return numbers, problems

    def _is_summary(self, numbers: dict[tuple[str, str], Reading]) -> bool:
        spread = any(r.spread is not None for r in numbers.values())
        n = numbers.get(("n", ""))
        return spread or any(_is_over_runs(key) for key in numbers) or (n is not None and n.value > 1)

    def _texts(self, row: TableRow) -> dict[str, str]:
        texts = {name: self.common[name] for name in TEXTS if name in self.common}
        for name in TEXTS:
            column = self.layout.first(name)
            if column is not None and (text := row.cell(column.index).text):
                texts[name] = text
        return texts

    def _shared(self, row: TableRow, arm: str, numbers: dict[tuple[str, str], Reading]) -> dict[str, Any]:
        """Fields that a run and a summary have in common."""
        texts = self._texts(row)
        price = numbers.get(("price", ""))
        return {
            "arm": arm,
            "file": self.table.file,
            "row": row.row,
            "workload": texts.get("workload"),
            "phase": PHASES.get(self._word(row, "phase") or ""),
            "accelerator": texts.get("accelerator"),
            "instance_type": texts.get("instance_type"),
            "instance_count": self._count(numbers, "instance_count") or 1,
            "region": texts.get("region"),
            "price_per_hour": price.exact if price else self.common.get("price"),
            "pricing": PRICINGS.get(normalised(self._word(row, "pricing") or "")),
            "currency": self._currency(row, numbers),
            "unit": self._unit(row),
            "conditions": self._conditions(row),
            "other": {c.header: t for c in self.layout.of("other") if (t := row.cell(c.index).text)},
        }

    def _currency(self, row: TableRow, numbers: dict[tuple[str, str], Reading]) -> str | None:
        named = self._word(row, "currency")
        if named:
            return currency_in(named) or named.upper()[:3]
        return next((c for name in ("price", "cost") if (c := self._currency_of(name, numbers))), None)

    def _currency_of(self, name: str, numbers: dict[tuple[str, str], Reading]) -> str | None:
        """The currency of an amount: what its cell says, else its header."""
        reading, column = numbers.get((name, "")), self.layout.first(name)
        if reading is not None and reading.currency:
            return reading.currency
        if column is not None and column.meaning.currency:
            return column.meaning.currency
        return self.common.get("price_currency") if name == "price" else None

    def _cost(self, row: TableRow, numbers: dict[tuple[str, str], Reading]) -> Decimal | None:
        """The cost as posted, unless it is in another currency than the price: a row has one."""
        cost, priced = numbers.get(("cost", "")), ("price", "") in numbers or "price" in self.common
        of_cost, of_price = self._currency_of("cost", numbers), self._currency_of("price", numbers)
        if cost is not None and priced and of_cost and of_price and of_cost != of_price:
            place = {"file": self.table.file, "row": row.row, "column": "cost"}
            found = f"{of_price}, {of_cost}"
            self.reading.problems.append(warning("currencies-differ", **place, found=found, expected="one currency"))
            return None
        return cost.exact if cost else None

    def _word(self, row: TableRow, name: str) -> str | None:
        column = self.layout.first(name)
        text = row.cell(column.index).text if column else ""
        common = self.common.get(name)
        return (text or (str(common) if common else "")).casefold() or None

    def _unit(self, row: TableRow) -> str | None:
        named = self._word(row, "unit")
        if named:
            meant = meaning_of(named)
            return meant.name if meant.field == "work" else normalised(named)
        for name in ("work", "throughput"):
            column = self.layout.first(name)
            if column is not None:
                return column.meaning.name or None
        return None

    def _conditions(self, row: TableRow) -> dict[str, str]:
        found = {k.removeprefix("condition:"): str(v) for k, v in self.common.items() if k.startswith("condition:")}
        return found | {c.meaning.name: t for c in self.layout.of("condition") if (t := row.cell(c.index).text)}

    def _count(self, numbers: dict[tuple[str, str], Reading], name: str) -> int | None:
        reading = numbers.get((name, ""))
        return whole(reading.value) if reading else None

    def _run(
        self, row: TableRow, arm: str, numbers: dict[tuple[str, str], Reading], problems: Sequence[Problem]
    ) -> Run:
        def value(name: str) -> float | None:
            return next((r.value for (f, _), r in numbers.items() if f == name), None)

        texts = self._texts(row)
        broken = [p for p in problems if p.column in self._vital()]
        attempted, completed = self._requests(numbers)
        run = Run(
            **self._shared(row, arm, numbers),
            run=texts.get("run"),
            block=texts.get("block"),
            seed=texts.get("seed"),
            started_at=self._started_at(row),
            duration_s=value("duration"),
            warmup_s=value("warmup"),
            initialisation_s=value("initialisation"),
            work_units=value("work") if value("work") is not None else value("work_units"),
            throughput=value("throughput"),
            device_count=self._count(numbers, "device_count"),
            stated_cost=self._cost(row, numbers),
            quality=self._quality(row, numbers),
            latency={name: r.value for (f, name), r in numbers.items() if f == "latency"},
            requests_attempted=attempted,
            requests_completed=completed,
            status=RunStatus.FAILED if self._has_failed(row) else RunStatus.OK,
            left_out=broken[0].code if broken else None,
        )
        return run

    def _has_failed(self, row: TableRow) -> bool:
        words = re.findall(r"\w+", self._word(row, "status") or "")
        return bool(words) and words[0] in FAILED

    def _vital(self) -> set[str]:
        vital = ("duration", "cost", "work", "work_units", "throughput", "price")
        return {c.header for name in vital for c in self.layout.of(name)}

    def _requests(self, numbers: dict[tuple[str, str], Reading]) -> tuple[int | None, int | None]:
        attempted, completed = self._count(numbers, "attempted"), self._count(numbers, "completed")
        failed = self._count(numbers, "failed_requests")
        if attempted is None and completed is not None and failed is not None:
            attempted = completed + failed
        if completed is None and attempted is not None and failed is not None:
            completed = max(attempted - failed, 0)
        return attempted, completed

    def _started_at(self, row: TableRow) -> Any:
        column = self.layout.first("started_at")
        if column is None or not row.cell(column.index).text:
            return None
        cell = row.cell(column.index)
        moment, naive = read_time(cell)
        if moment is not None and naive and len(cell.text) > 10 and not self.naive_said:
            self.naive_said = True
            self.reading.problems.append(info("time-zone-assumed", file=self.table.file, column=column.header))
        return moment

    def _quality(self, row: TableRow, numbers: dict[tuple[str, str], Reading]) -> dict[str, Quality]:
        correct, items = self._count(numbers, "correct"), self._count(numbers, "items")
        counts = {"correct": correct, "items": items} if correct is not None and items else {}
        found = {name: Quality(value=r.value, **counts) for (f, name), r in numbers.items() if f == "quality"}
        value = numbers.get(("quality_value", ""))
        metric = self._word(row, "quality_metric")
        if value is not None and metric:
            stderr = numbers.get(("quality_stderr", ""))
            found[normalised(metric)] = Quality(value=value.value, stderr=stderr.value if stderr else None, **counts)
            self._direct(normalised(metric), row)
        elif not found and counts and items:
            found["accuracy"] = Quality(value=(correct or 0) / items, **counts)
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
        elif not any(p.code == "metric-direction-unknown" and p.found == metric for p in self.reading.problems):
            place = {"file": self.table.file, "row": row.row, "column": "quality_metric"}
            asked = question("metric-direction-unknown", **place, found=metric, expected="lower or higher")
            self.reading.problems.append(asked)

    def _summary(self, row: TableRow, arm: str, numbers: dict[tuple[str, str], Reading]) -> Summary:
        n = self._count(numbers, "n")
        spreads = {key: r.value for (f, key), r in numbers.items() if f == "spread"}

        def spread(name: str, of: str) -> MeanSpread | None:
            reading = numbers.get((name, of))
            if reading is None:
                return None
            sd = reading.spread if reading.spread is not None else spreads.get(f"{name}:{of}")
            return MeanSpread(mean=reading.value, sd=sd, n=n)

        def named(name: str) -> dict[str, MeanSpread]:
            found = {of: spread(name, of) for f, of in numbers if f == name}
            return {of: s for of, s in found.items() if s is not None}

        work = next((r for (f, _), r in numbers.items() if f in ("work", "work_units")), None)
        unit = next((of for f, of in numbers if f == "throughput"), "")
        place = {"file": self.table.file, "row": row.row}
        if any(r.spread is not None for r in numbers.values()):
            self.reading.problems.append(info("plus-minus-is-sd", file=self.table.file))
        if n is None:
            self.reading.problems.append(warning("summary-without-n", **place, arm=arm, expected="a column `runs`"))
        return Summary(
            **self._shared(row, arm, numbers),
            n=n,
            work_units=work.value if work else None,
            duration_s=spread("duration", ""),
            cost=spread("cost", ""),
            throughput=spread("throughput", unit),
            quality=named("quality"),
            latency=named("latency"),
        )


def _is_over_runs(key: tuple[str, str]) -> bool:
    """Whether a number is a standard deviation over runs; that of a mean latency is one over requests of a run."""
    field, of = key
    return field == "spread" and not (of.startswith("latency:") and of.endswith("_mean"))


def _impossible(column: Column, reading: Reading, cell: Cell, place: Place) -> Problem | None:
    field = column.meaning.field
    if field in ("duration", "throughput", "price") and reading.value <= 0:
        return place.unreadable("not-above-zero", cell.text, "above 0")
    if field in ("cost", "work", "work_units", "latency") and reading.value < 0:
        return place.unreadable("below-zero", cell.text, "0 or above")
    return None


def _preamble(pairs: dict[str, str]) -> dict[str, Any]:
    """Fields of the `key: value` lines that apply to a table."""
    common: dict[str, Any] = {}
    for key, text in pairs.items():
        meaning = meaning_of(key)
        if meaning.field == "price":
            number = _plain_price(text)
            if number is not None:
                common |= {"price": number, **({"price_currency": meaning.currency} if meaning.currency else {})}
        elif meaning.field == "condition":
            common[f"condition:{meaning.name}"] = text
        elif meaning.field in (*TEXTS, "arm", "phase", "pricing", "unit", "currency", "quality_metric"):
            common[meaning.field] = text
    return common


def _plain_price(text: str) -> Decimal | None:
    column = Column(0, "price", meaning_of("price_per_hour"), Convention("."))
    reading, _ = read_number(Cell(text), column, Place("", 0, "price"))
    return reading.exact if reading and reading.value > 0 else None
