"""What AIPerf and GenAI-Perf share: metrics that are objects with a unit and statistics, as JSON and as CSV."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from scoring.model.pilot import Phase, Run, RunStatus
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import warning
from scoring.reading.charset import decode, plain_head
from scoring.reading.interface import Reader
from scoring.reading.limits import MAX_TABLE_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.tidy_table import TableReading
from scoring.reading.tools.records import (
    Found,
    Noted,
    Record,
    columns_in,
    count,
    is_json,
    number,
    part,
    per_request,
    positive,
    records_of,
    statistic_of,
)

LATENCIES = {
    "request_latency": "e2el",
    "time_to_first_token": "ttft",
    "inter_token_latency": "tpot",
    "inter_chunk_latency": "itl",
}
"""Their inter-token latency is (request latency − first token) / (tokens − 1) of a request: what is called TPOT."""
COLUMNS = (
    ("benchmark_duration", "duration", "the unit that it names"),
    ("total_osl, output_token_throughput", "work done output token", None),
    ("request_latency, time_to_first_token, inter_chunk_latency", "latency", "the unit that it names"),
    ("inter_token_latency", "latency tpot", "the unit that it names"),
)
_RATE = re.compile(r"tokens/s(ec)?\Z")
_CSV_NAME = re.compile(r"(?P<name>[^()]+?)\s*(?:\((?P<unit>[^()]*)\))?\s*\Z")


@dataclass(frozen=True)
class Load:
    """What the file says of the model and of how it was loaded."""

    workload: str | None
    conditions: Mapping[str, str]


def metrics_run(found: Found, load: Load) -> Run | None:
    """The run of one file: its output tokens over its duration, or their rate where no duration is told."""
    record = found.record
    duration, rate = _seconds(found, "benchmark_duration"), _rate(found)
    tokens = _of(record, "total_osl") or _of(record, "total_output_tokens")
    completed, failed = count(part(record, "request_count"), "avg"), count(part(record, "error_request_count"), "avg")
    if rate is None and (duration is None or tokens is None) and not completed and failed:
        found.problems.append(warning("no-request-completed", **found.place, found=f"0 of {failed}"))
    elif rate is None and (duration is None or tokens is None):
        found.missing("output_token_throughput", "an object with unit tokens/sec and avg")
        return None
    cancelled = record.get("was_cancelled") is True
    if cancelled:
        found.problems.append(warning("run-cancelled", **found.place, found="was_cancelled: true", tool=found.tool))
    nothing = not completed and bool(failed)
    return Run(
        arm=found.arm,
        file=found.file,
        row=found.row,
        workload=load.workload,
        phase=Phase.SERVE,
        run=found.run,
        started_at=found.started("start_time"),
        duration_s=duration,
        work_units=tokens if duration is not None else None,
        throughput=rate,
        unit="output_token",
        latency={} if nothing else dict(_latencies(found)),
        requests_attempted=None if completed is None else completed + (failed or 0),
        requests_completed=completed,
        conditions={**load.conditions, **_lengths(record)},
        status=RunStatus.FAILED if nothing else RunStatus.OK,
        left_out="run-cancelled" if cancelled else None,
    )


def _of(record: Record, metric: str) -> float | None:
    return positive(part(record, metric), "avg")


def _lengths(record: Record) -> dict[str, str]:
    return per_request(input=_of(record, "input_sequence_length"), output=_of(record, "output_sequence_length"))


def _seconds(found: Found, metric: str) -> float | None:
    value = _of(found.record, metric)
    scale = found.seconds_in(part(found.record, metric).get("unit"), metric) if value else None
    return value * scale if value and scale else None


def _rate(found: Found) -> float | None:
    """Output tokens per second of the whole system; a rate in another unit is none."""
    metric = part(found.record, "output_token_throughput")
    return positive(metric, "avg") if _RATE.match(str(metric.get("unit", ""))) else None


def _latencies(found: Found) -> Iterator[tuple[str, float]]:
    for metric, kind in LATENCIES.items():
        stats = part(found.record, metric)
        scale = found.seconds_in(stats.get("unit"), metric) if stats else None
        for name in stats if scale else ():
            statistic = statistic_of(name)
            value = number(stats, name) if statistic else None
            if statistic and value and scale:
                yield f"{kind}_{statistic}", value * scale


def metrics_of_csv(content: str) -> dict[str, dict[str, str]]:
    """The same metrics out of the two tables of their CSV: `Metric,avg,…` with statistics, `Metric,Value` without.

    What cannot be read as CSV is left out.
    """
    metrics: dict[str, dict[str, str]] = {}
    header: list[str] = []
    try:
        for row in csv.reader(io.StringIO(content)):
            if row[:1] == ["Metric"]:
                header = row
            elif header and len(row) == len(header) and (match := _CSV_NAME.match(row[0][:200])):
                name = re.sub(r"\W+", "_", match["name"].strip().casefold())
                stats = zip(header[1:], row[1:], strict=True)
                told = {"avg" if key == "Value" else key: value.replace(",", "") for key, value in stats}
                metrics[name] = {"unit": match["unit"] or "", **told}
            elif not row:
                header = []
    except csv.Error:
        return metrics
    return metrics


def metrics_reader(tool: str, claims: Callable[[bytes], bool], load_of: Callable[[Record], Load]) -> Reader:
    """A reader of such files. The CSV is the JSON rounded to two decimals: beside it, it is not read."""

    def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
        reading = TableReading()
        for row, record in _records(posted, reading.problems):
            reading.rows += 1
            found = Found(record, posted.name, row, reading.rows, arm, reading.problems, tool)
            run = metrics_run(found, load_of(record))
            if run is not None:
                reading.runs.append(run)
                found.not_read()
        reading.columns = columns_in(posted, COLUMNS)
        return reading

    def fuller(name: str) -> tuple[str, ...]:
        return (f"{name[:-4]}.json",) if name.endswith(".csv") else ()

    return Reader(name=tool, claims=claims, read=read, fuller=fuller)


def _records(posted: PostedFile, problems: list[Problem]) -> Iterator[tuple[int, Record]]:
    if is_json(plain_head(posted.read(256))):
        yield from records_of(posted, problems)
        return
    content, _, _ = decode(posted.read(MAX_TABLE_BYTES))
    yield posted.first_line, Noted(metrics_of_csv(content), {})


def is_metrics_csv(head: bytes, header: bytes) -> bool:
    """Whether a file is a CSV of metrics whose statistics stand in this order."""
    return head.lstrip(b"\xef\xbb\xbf").startswith(header)
