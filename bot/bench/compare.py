"""`steelyard bench` alone: times and memory of one comparison and of reading large files; it passes no judgement."""

import argparse
import csv
import io
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.bench import timeline
from bot.render.comment import render_comment
from bot.render.record import render_record
from bot.render.workbook import render_workbook
from scoring.analysis import Evidence, analyse_read, read_evidence
from scoring.model.settings import Settings
from scoring.reading.pilot_reader import read_pilot
from scoring.reading.posted import PostedFile
from scoring.statistics.latency import quantiles_with_bounds

TODAY = date(2026, 12, 15)
REPEATS = 9
CONFIDENCE = 0.95
METRICS = ("wer", "cer", "loss", "accuracy", "bleu")
SETTINGS = """baseline: gpu
candidate: trn2
horizon: 12m
annual_discount_rate: 8%
demand: 2000
migration_cost: 60000
margins: {wer: 0.5, cer: 0.5, loss: {relative: 1%}, accuracy: 0.01, bleu: 1}
"""
CONTRACTS = """contracts:
  - {id: one, kind: take_or_pay, starts_on: 2026-07-01, ends_on: 2027-06-30, covers: {instance_types: [p5.48xlarge]},
     commitment: {instances: 1}, rate: 38, notice: {days: 90}, renewal: {kind: automatic, months: 12}}
  - {id: two, kind: take_or_pay, starts_on: 2026-07-01, ends_on: 2027-09-30, covers: {instance_types: [p5.48xlarge]},
     commitment: {instance_hours_per_month: 100}, rate: 40}
"""
ANALYSE = "whole analysis beside reading"
MB = 1e6
ANALYSIS_BAR_MS, QUANTILES_BAR_MS = 10.0, 500.0
"""One pilot's whole analysis beside reading it; p50, p95 and p99 with their intervals of ten million requests."""
REQUESTS = 10_000_000


def run(args: argparse.Namespace) -> int:
    """Print a line for each figure."""
    _comparison()
    latencies = requests(REQUESTS)
    figure = _timed(lambda: quantiles_with_bounds(latencies, (0.50, 0.95, 0.99), CONFIDENCE))
    _print(f"p50, p95, p99 with intervals of {REQUESTS:,} requests", figure, "ms", QUANTILES_BAR_MS)
    seconds, _ = timeline.measure(*timeline.SIZE)
    workloads, contracts, months, draws = timeline.SIZE
    name = f"timeline, {workloads} workloads, {contracts} contracts, {months} months, {draws:,} draws"
    _print(name, seconds, "s", timeline.BAR_S)
    if args.against:
        _against()
    if args.large:
        for size in (25, 300):
            _large(size)
    return 0


def pilot_csv() -> str:
    """Ten runs an arm with five quality metrics."""
    rng = random.Random(1)  # noqa: S311 - data for a benchmark
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["arm", "instance_type", "run", "seed", "duration_s", "price_usd_per_hour", *METRICS])
    for arm, kind, base, price in (("gpu", "p5.48xlarge", 1700, 55.04), ("trn2", "trn2.48xlarge", 2100, 35.76)):
        for number in range(10):
            quality = (7.4, 2.1, 0.92, 0.91, 33.0)
            values = [round(q * rng.gauss(1, 0.003), 5) for q in quality]
            rows.writerow([arm, kind, number, number, round(base * rng.gauss(1, 0.03), 3), price, *values])
    return out.getvalue()


def posted_pilot() -> Evidence:
    """That pilot with settings and two contracts."""
    return Evidence(
        postings=(PostedFile.from_bytes("pilot.csv", pilot_csv().encode()),),
        settings=PostedFile.from_bytes("steelyard.yml", SETTINGS.encode()),
        contracts=PostedFile.from_bytes("contracts.yml", CONTRACTS.encode()),
    )


def requests(count: int) -> NDArray[np.float64]:
    """Request latencies in seconds, log-normal about a quarter of a second."""
    return np.random.default_rng(3).lognormal(-1.4, 0.5, count)


def _timed(call: Callable[[], object]) -> float:
    """Median milliseconds of several calls after one to warm up."""
    call()
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        call()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def _print(name: str, value: float, unit: str, bar: float | None = None) -> None:
    print(f"{name:<56}{value:>10.1f} {unit}" + ("" if bar is None else f"  (bar {bar:g})"))


def _comparison() -> None:
    evidence = posted_pilot()
    read = read_evidence(evidence)
    decision = analyse_read(read, TODAY)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder)

        def write() -> None:
            (target / "comment.md").write_text(comment, encoding="utf-8")
            (target / "decision.json").write_text(record, encoding="utf-8")
            (target / "memo.xlsx").write_bytes(memo)

        comment, record, memo = render_comment(decision), render_record(decision), render_workbook(decision)
        steps: dict[str, Callable[[], object]] = {
            "read": lambda: read_evidence(evidence),
            ANALYSE: lambda: analyse_read(read, TODAY),
            "render comment and record": lambda: (render_comment(decision), render_record(decision)),
            "render workbook": lambda: render_workbook(decision),
            "write": write,
        }
        total = 0.0
        for name, step in steps.items():
            median = _timed(step)
            total += median
            _print(f"one compare, {name}", median, "ms", ANALYSIS_BAR_MS if name == ANALYSE else None)
        _print("one compare, whole, warm in process", total, "ms")
    _print("peak memory of this process", _peak(), "MB")


def _peak() -> float:
    unit = 1024 if sys.platform != "darwin" else 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MB


def _against() -> None:
    """The same question asked by pandas and scipy.stats.bootstrap, as a straight script would."""
    import pandas as pd
    from scipy import stats

    text = pilot_csv()

    def script() -> None:
        table = pd.read_csv(io.StringIO(text))
        table["cost"] = table.duration_s / 3600 * table.price_usd_per_hour
        arms = [table[table.arm == arm].cost.to_numpy() for arm in ("gpu", "trn2")]
        stats.bootstrap(arms, lambda a, b, axis: np.mean(b, axis=axis) / np.mean(a, axis=axis), rng=1)
        for metric in METRICS:
            stats.ttest_ind(table[table.arm == "gpu"][metric], table[table.arm == "trn2"][metric], equal_var=False)

    evidence = Evidence(postings=(PostedFile.from_bytes("pilot.csv", text.encode()),))
    ours = _timed(lambda: analyse_read(read_evidence(evidence), TODAY))
    theirs = _timed(script)
    _print("read and analyse", ours, "ms")
    _print("pandas and scipy.stats.bootstrap, the same", theirs, "ms")
    _print("ratio, script over ours", theirs / ours, "x")


def _large(size_mb: int) -> None:
    """Reading request-level latencies: seconds, and memory above what the process had before."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "requests.csv"
        rows = write_requests(path, size_mb)
        before = _peak()
        begun = time.perf_counter()
        pilot, _ = read_pilot([PostedFile.from_path(path)], Settings())
        seconds = time.perf_counter() - begun
        name = f"read {size_mb} MB of request latencies ({rows / 1e6:.1f} M rows)"
        _print(name, seconds, "s")
        _print(f"{name}, memory above", max(0.0, _peak() - before), "MB")
        print(f"{'':<4}runs read: {len(pilot.runs)}")


def write_requests(path: Path, size_mb: int) -> int:
    """Request latencies of two arms, of that size; the number of rows."""
    rng = random.Random(2)  # noqa: S311 - data for a benchmark
    block = "".join(
        f"{arm},{repetition},req-{rng.getrandbits(32):08x},us-east-1,{rng.gammavariate(4, 60):.3f}\n"
        for _ in range(5000)
        for arm in ("gpu", "trn2")
        for repetition in (1, 2, 3)
    )
    rows = 0
    with path.open("w", encoding="utf-8") as out:
        out.write("arm,run,request_id,region,latency_ms\n")
        while out.tell() < size_mb * MB:
            out.write(block)
            rows += 30_000
    return rows
