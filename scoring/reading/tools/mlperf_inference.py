"""MLPerf inference `mlperf_log_summary.txt`: one run a file, latencies in nanoseconds.

Lines as in mlcommons/inference at 05a9cec, loadgen/results.cc. "Result is : INVALID" is a failed run. Rates are the
completed ones of the Server scenario, not the scheduled; latencies of the Offline scenario count from the start of the
whole batch and are no latencies of requests. `mlperf_log_detail.txt` holds `:::MLLOG` lines of the same run.
"""

import re
from collections.abc import Iterator, Mapping

from scoring.model.pilot import Phase, Run, RunStatus
from scoring.model.settings import Settings
from scoring.problems import error, warning
from scoring.reading.charset import decode, lines_of
from scoring.reading.interface import Reader
from scoring.reading.limits import MAX_TABLE_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.tidy_table import TableReading
from scoring.reading.tools.records import Column, columns_in, positive

NAME = "MLPerf inference"
NANOSECONDS = 1e9
TITLE = b"MLPerf Results Summary"
RATES = (
    ("Completed tokens per second", "output_token"),
    ("Tokens per second", "output_token"),
    ("TPS w/ loadgen overhead", "output_token"),
    ("Completed samples per second", "sample"),
    ("Samples per second", "sample"),
    ("QPS w/ loadgen overhead", "sample"),
    ("Scheduled samples per second", "sample"),
)
"""The first of these that a file has is its rate, in the unit beside it."""
CONDITIONS = (
    "Scenario", "Mode", "samples_per_query", "target_qps", "target_latency (ns)", "ttft_latency (ns)",
    "tpot_latency (ns)", "max_async_queries", "performance_sample_count",
)  # fmt: skip
KINDS = {"latency": "e2el", "first token latency": "ttft", "time to output token": "tpot",
         "time per output token": "tpot"}  # fmt: skip
_QUANTILE = re.compile(
    r"(\d+(?:\.\d+)?) percentile (latency|first token latency|time (?:to|per) output token) \(ns\)\Z"
)
_MEAN = re.compile(r"Mean (latency|First Token latency|Time (?:to|per) Output Token) \(ns\)\Z")
COLUMNS: tuple[Column, ...] = (
    ("Completed tokens per second, Samples per second …", "throughput", "per second"),
    ("99.00 percentile latency (ns) …", "latency", "nanoseconds"),
    ("Result is", "status", None),
)


def claims(head: bytes) -> bool:
    """The summary by its title; the detailed log of the same run by its lines."""
    return TITLE in head or is_detail(head)


def is_detail(head: bytes) -> bool:
    """`mlperf_log_detail.txt`, whose lines have the mark of a training log."""
    return b":::MLLOG" in head and b'"loadgen_' in head


def fuller(name: str) -> tuple[str, ...]:
    """The summary holds what the detailed log beside it does."""
    return (name.replace("_detail", "_summary"),) if "_detail" in name else ()


def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
    """The one run of a summary."""
    content, _, _ = decode(posted.read(MAX_TABLE_BYTES))
    reading = TableReading(rows=1)
    if is_detail(content[:65536].encode()):
        wanted = "mlperf_log_summary.txt"
        reading.problems.append(
            error("same-run-needs-file", file=posted.name, expected=wanted, found="mlperf_log_detail")
        )
        return reading
    figures = _figures(content)
    rate, unit = next(((v, unit) for name, unit in RATES if (v := positive(figures, name))), (None, None))
    result, scenario = figures.get("Result is"), figures.get("Scenario", "").replace(" ", "")
    latency = {} if scenario == "Offline" else dict(_latencies(figures))
    if result not in ("VALID", "INVALID") or (rate is None and not latency):
        details = {"file": posted.name, "row": posted.first_line, "tool": NAME, "found": str(result)[:40]}
        reading.problems.append(
            error("tool-figure-missing", **details, column="Result is", expected="VALID or INVALID, and a rate")
        )
        return reading
    valid, measured = result == "VALID", "Accuracy" not in figures.get("Mode", "")
    if not valid:
        why = ", ".join(name for name, value in figures.items() if name.endswith("satisfied") and value == "NO")
        reading.problems.append(
            warning("mlperf-invalid", file=posted.name, row=posted.first_line, found=why or "INVALID")
        )
    if not measured:
        reading.problems.append(
            warning("accuracy-run", file=posted.name, row=posted.first_line, found=figures.get("Mode", "")[:60])
        )
    reading.runs.append(
        Run(
            arm=arm,
            file=posted.name,
            row=posted.first_line,
            phase=Phase.BATCH if scenario == "Offline" else Phase.SERVE,
            run=posted.name,
            throughput=rate,
            unit=unit,
            latency=latency if valid else {},
            conditions={name: figures[name][:100] for name in CONDITIONS if name in figures},
            other={"SUT name": figures["SUT name"][:100]} if "SUT name" in figures else {},
            status=RunStatus.OK if valid else RunStatus.FAILED,
            left_out=None if measured else "accuracy-run",
        )
    )
    reading.columns = columns_in(posted, COLUMNS)
    return reading


def _figures(content: str) -> dict[str, str]:
    """The lines `name : value`; the first of a name counts, since parameters follow results."""
    figures: dict[str, str] = {}
    for line in lines_of(content):
        name, colon, value = line.partition(":")
        if colon and len(line) < 400:
            figures.setdefault(re.sub(r"\s+", " ", name).strip(), value.strip())
    return figures


def _latencies(figures: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    for name in figures:
        quantile, average = _QUANTILE.match(name), _MEAN.match(name)
        value = positive(figures, name) if quantile or average else None
        if value and quantile:
            yield f"{KINDS[quantile[2]]}_p{float(quantile[1]):g}", value / NANOSECONDS
        elif value and average:
            yield f"{KINDS[average[1].lower()]}_mean", value / NANOSECONDS


READER = Reader(name=NAME, claims=claims, read=read, fuller=fuller)
