"""vLLM `bench serve --save-result` (and the older benchmark_serving): one JSON object a repetition.

Keys as in vllm-project/vllm, vllm/benchmarks/serve.py: `duration` in seconds, `*_ms` in milliseconds,
`request_rate` may be "inf". Versions without `failed` attempted `num_prompts`.
"""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from scoring.model.pilot import ColumnReading, Phase, Run, RunStatus
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import error, info, warning
from scoring.reading.charset import decode, lines_of
from scoring.reading.interface import Reader
from scoring.reading.limits import MAX_TABLE_BYTES
from scoring.reading.moments import read_moment
from scoring.reading.posted import PostedFile
from scoring.reading.structured import item_lines, parse_json, parsed_lines
from scoring.reading.tidy_table import TableReading

NEEDED = (b'"total_output_tokens"', b'"completed"', b'"duration"')
FOREIGN = (b'"total_output_tokens_retokenized"',)
"""SGLang writes most of the same keys and this one besides: its files are another reader's."""
CONDITIONS = (
    "model_id", "backend", "endpoint_type", "request_rate", "burstiness", "max_concurrency", "num_prompts",
    "dataset_name", "random_input_len", "random_output_len", "max_num_seqs", "tensor_parallel_size", "dtype",
    "quantization", "enable_prefix_caching",
)  # fmt: skip
_LATENCY = re.compile(r"(mean|median|p\d+(?:\.\d+)?)_(ttft|tpot|itl|e2el)_ms\Z")


def claims(head: bytes) -> bool:
    """JSON with the keys that the writer always writes; near formats are left to their own readers."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return start in (b"{", b"[") and all(key in head for key in NEEDED) and not any(key in head for key in FOREIGN)


def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
    """A run for each object of the file: one, a JSON-lines file of several, or a list."""
    text, _, _ = decode(posted.read(MAX_TABLE_BYTES))
    reading = TableReading()
    for row, record in _records(text, posted, reading.problems):
        reading.rows += 1
        run = _run(record, row, posted, arm, reading)
        if run is not None:
            reading.runs.append(run)
    reading.columns = _columns(posted)
    return reading


def _records(text: str, posted: PostedFile, problems: list[Problem]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        value = parse_json(text)
        several = isinstance(value, list)
        rows = item_lines(text, None, len(value), posted.first_line) if several else [posted.first_line]
        found = list(zip(rows, value if several else [value], strict=True))
    except (ValueError, RecursionError):
        found = list(parsed_lines(enumerate(lines_of(text), start=posted.first_line), posted.name, problems))
    for row, record in found:
        if isinstance(record, Mapping):
            yield row, record


def _number(record: Mapping[str, Any], key: str) -> float | None:
    value = record.get(key)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    return float(value) if math.isfinite(value) and 0 <= value < 1e15 else None


def _count(record: Mapping[str, Any], key: str) -> int | None:
    value = _number(record, key)
    return int(value) if value is not None and value == int(value) else None


def _run(record: Mapping[str, Any], row: int, posted: PostedFile, arm: str, reading: TableReading) -> Run | None:
    problems = reading.problems
    duration, completed = _number(record, "duration"), _count(record, "completed")
    if duration is None or completed is None:
        details = {"file": posted.name, "row": row, "found": str(record.get("duration"))[:40]}
        problems.append(error("vllm-without-duration", **details, expected="numbers in duration and completed"))
        return None
    attempted = _attempted(record, completed, posted, row, problems)
    failed = completed == 0
    if failed:
        problems.append(warning("no-request-completed", file=posted.name, row=row, found=f"0 of {attempted or 0}"))
    return Run(
        arm=arm,
        file=posted.name,
        row=row,
        workload=str(record["model_id"]) if isinstance(record.get("model_id"), str) else None,
        phase=Phase.SERVE,
        run=f"{posted.name}:{reading.rows}",
        started_at=_started(record.get("date"), posted, row, problems),
        duration_s=duration if duration > 0 else None,
        work_units=None if failed else _number(record, "total_output_tokens"),
        unit="output_token",
        latency={} if failed else dict(_latencies(record)),
        requests_attempted=attempted,
        requests_completed=completed,
        conditions={k: str(record[k]) for k in CONDITIONS if isinstance(record.get(k), (str, int, float))},
        status=RunStatus.FAILED if failed else RunStatus.OK,
    )


def _attempted(
    record: Mapping[str, Any], completed: int, posted: PostedFile, row: int, problems: list[Problem]
) -> int | None:
    failed, prompts = _count(record, "failed"), _count(record, "num_prompts")
    if failed is not None:
        return completed + failed
    if prompts is not None and prompts > completed:
        found = f"{prompts - completed:,} of {prompts:,}"
        problems.append(info("failed-field-missing", file=posted.name, row=row, found=found))
    return prompts


def _latencies(record: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for key in record:
        match = _LATENCY.match(key) if isinstance(key, str) else None
        value = _number(record, key) if match else None
        if match and value:
            statistic = "p50" if match[1] == "median" else match[1]
            yield f"{match[2]}_{statistic}", value / 1000


def _started(value: Any, posted: PostedFile, row: int, problems: list[Problem]) -> datetime | None:
    moment, _ = read_moment(value) if isinstance(value, str) else (None, False)
    if moment is None and value not in (None, ""):
        place = {"file": posted.name, "row": row, "column": "date"}
        problems.append(warning("times-not-read", **place, found=str(value)[:100], count=1, total=1))
    return moment


def _columns(posted: PostedFile) -> tuple[ColumnReading, ...]:
    return (
        ColumnReading(file=posted.name, column="duration", meaning="duration", unit="seconds"),
        ColumnReading(file=posted.name, column="total_output_tokens", meaning="work done output token"),
        ColumnReading(file=posted.name, column="*_ttft_ms …", meaning="latency", unit="milliseconds"),
    )


READER = Reader(name="vLLM bench serve", claims=claims, read=read)
