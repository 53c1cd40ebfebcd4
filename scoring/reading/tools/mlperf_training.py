"""MLPerf training logs: `:::MLLOG` lines, one file one run, timed from run_start to run_stop.

Keys as in mlcommons/logging, mlperf_logging/mllog/constants.py. Times are in milliseconds since the epoch.
"""

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from scoring.model.estimates import Direction
from scoring.model.pilot import ColumnReading, Phase, Quality, Run, RunStatus
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import error, question
from scoring.reading.charset import decode, lines_of
from scoring.reading.interface import Reader
from scoring.reading.limits import MAX_TABLE_BYTES
from scoring.reading.moments import in_our_time
from scoring.reading.posted import PostedFile
from scoring.reading.structured import parsed_lines
from scoring.reading.tidy_table import TableReading
from scoring.reading.tools.mlperf_inference import is_detail

MARK = ":::MLLOG"
CONDITIONS = (
    "global_batch_size",
    "gradient_accumulation_steps",
    "opt_base_learning_rate",
    "opt_learning_rate_training_steps",
    "lora_rank",
    "lora_alpha",
    "train_samples",
    "eval_samples",
    "submission_division",
)


@dataclass(frozen=True)
class Target:
    """What a benchmark's evaluation value is, although its key may be called `eval_accuracy`."""

    metric: str
    direction: Direction
    phase: Phase
    value: float


TARGETS = {
    "llama2_70b_lora": Target("eval_loss", Direction.LOWER, Phase.FINETUNE, 0.925),
    "gpt3": Target("eval_log_perplexity", Direction.LOWER, Phase.TRAIN, 2.69),
    "llama31_405b": Target("eval_log_perplexity", Direction.LOWER, Phase.TRAIN, 5.6),
    "bert": Target("masked_lm_accuracy", Direction.HIGHER, Phase.TRAIN, 0.72),
    "resnet": Target("accuracy", Direction.HIGHER, Phase.TRAIN, 0.759),
    "ssd": Target("map", Direction.HIGHER, Phase.TRAIN, 0.34),
    "dlrm_dcnv2": Target("auc", Direction.HIGHER, Phase.TRAIN, 0.80275),
}
"""Targets of MLPerf Training 4.0 and 5.0 (mlcommons/training_policies, training_rules.adoc, 2025)."""


@dataclass
class _Log:
    times_ms: dict[str, float] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    last_eval: float | None = None
    unread_eval: str | None = None
    status: str | None = None
    problems: list[Problem] = field(default_factory=list)
    events: int = 0


def claims(head: bytes) -> bool:
    """A file with `:::MLLOG` lines; those of an inference run are another reader's."""
    return MARK.encode() in head and not is_detail(head)


def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
    """The one run of a log."""
    text, _, _ = decode(posted.read(MAX_TABLE_BYTES))
    log = _parsed(text, posted)
    reading = TableReading(problems=log.problems, rows=1)
    started, stopped = log.times_ms.get("run_start"), log.times_ms.get("run_stop")
    if started is None or stopped is None or stopped <= started:
        found = ", ".join(sorted(log.times_ms)) or "no timed event"
        reading.problems.append(
            error("mllog-without-run", file=posted.name, found=found, expected="run_start, run_stop")
        )
        return reading
    benchmark = str(log.values.get("submission_benchmark", "")) or None
    target = TARGETS.get(benchmark or "")
    metric = target.metric if target else "eval_accuracy"
    reading.directions = _directions(metric, target, log, settings, posted, reading.problems)
    if log.last_eval is None and log.unread_eval is not None and log.status in (None, "success"):
        place = {"file": posted.name, "row": 1, "column": "eval_accuracy"}
        reading.problems.append(question("quality-not-read", **place, found=log.unread_eval, count=1))
    initialised = log.times_ms.get("init_start")
    reading.columns = _columns(posted, metric, target)
    reading.runs.append(
        Run(
            arm=arm,
            file=posted.name,
            row=1,
            workload=benchmark,
            phase=target.phase if target else Phase.TRAIN,
            run=posted.name.rsplit("/", 1)[-1],
            seed=str(log.values["seed"]) if "seed" in log.values else None,
            started_at=_moment(started),
            duration_s=(stopped - started) / 1000,
            initialisation_s=(started - initialised) / 1000
            if initialised is not None and initialised <= started
            else None,
            accelerator=str(log.values.get("submission_platform", "")) or None,
            quality={metric: Quality(value=log.last_eval)} if log.last_eval is not None else {},
            conditions={name: str(log.values[name]) for name in CONDITIONS if name in log.values},
            other=_other(log),
            status=RunStatus.OK if log.status in (None, "success") else RunStatus.FAILED,
        )
    )
    return reading


def _parsed(text: str, posted: PostedFile) -> _Log:
    log = _Log()
    numbered = enumerate(lines_of(text), start=posted.first_line)
    marked = ((number, line.partition(MARK)[2]) for number, line in numbered if MARK in line)
    for _, event in parsed_lines(marked, posted.name, log.problems):
        if isinstance(event, dict):
            _take(log, event)
    return log


def _take(log: _Log, event: dict[str, Any]) -> None:
    key, value, moment = event.get("key"), event.get("value"), event.get("time_ms")
    if not isinstance(key, str):
        return
    if key in ("init_start", "init_stop", "run_start", "run_stop") and (at := _number(moment)) is not None:
        log.times_ms.setdefault(key, at)
    metadata = event.get("metadata")
    if key == "run_stop" and isinstance(metadata, dict):
        log.status = str(metadata.get("status")) if metadata.get("status") is not None else None
        log.values["samples_count"] = metadata.get("samples_count")
    if key == "eval_accuracy":
        found = value.get("value") if isinstance(value, dict) else value
        number = _number(found)
        log.last_eval = log.last_eval if number is None else number
        log.unread_eval = str(found)[:100] if number is None else log.unread_eval
    elif value not in (None, "") and isinstance(value, (str, int, float)):
        log.values.setdefault(key, value)


def _number(value: Any) -> float | None:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or abs(value) >= 1e15:
        return None
    return float(value) if math.isfinite(value) else None


def _moment(time_ms: float) -> datetime | None:
    try:
        return in_our_time(datetime.fromtimestamp(time_ms / 1000, UTC))
    except (OverflowError, OSError, ValueError):
        return None


def _directions(
    metric: str, target: Target | None, log: _Log, settings: Settings, posted: PostedFile, problems: list[Problem]
) -> dict[str, Direction]:
    if target is not None:
        return {metric: target.direction}
    configured = settings.margins.get(metric)
    if configured is not None and configured.direction is not None:
        return {metric: configured.direction}
    if log.last_eval is not None:
        found = str(log.values.get("submission_benchmark", "?"))
        details = {"column": metric, "found": metric, "expected": "lower or higher", "benchmark": found}
        problems.append(question("metric-direction-unknown", file=posted.name, **details))
    return {}


def _columns(posted: PostedFile, metric: str, target: Target | None) -> tuple[ColumnReading, ...]:
    known = f"target {target.value:g}, {target.direction.value} is better" if target else None
    return (
        ColumnReading(file=posted.name, column="run_start … run_stop", meaning="duration", unit="milliseconds"),
        ColumnReading(file=posted.name, column="init_start … run_start", meaning="initialisation", unit="milliseconds"),
        ColumnReading(
            file=posted.name, column="eval_accuracy", meaning=f"quality {metric.replace('_', ' ')}", note=known
        ),
    )


def _other(log: _Log) -> dict[str, str]:
    names = ("submission_org", "submission_platform", "samples_count")
    return {name: str(log.values[name]) for name in names if log.values.get(name) is not None}


READER = Reader(name="MLPerf training log", claims=claims, read=read)
