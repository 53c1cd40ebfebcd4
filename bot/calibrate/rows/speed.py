"""How long one pilot and ten million requests take on this machine: the figures of `steelyard bench`, with bars."""

import time
from collections.abc import Callable

import numpy as np

from bot.bench.compare import (
    ANALYSIS_BAR_MS,
    CONFIDENCE,
    QUANTILES_BAR_MS,
    REQUESTS,
    TODAY,
    posted_pilot,
    requests,
)
from bot.calibrate.judgement import Bar
from bot.calibrate.measures import median
from bot.calibrate.row import Array, Cell, Measure, Row
from scoring.analysis import analyse_read, read_evidence
from scoring.statistics.latency import quantiles_with_bounds


def analyses(_: np.random.Generator, size: int) -> Array:
    """Milliseconds of one whole analysis after reading, again and again."""
    read = read_evidence(posted_pilot())
    return _timed(lambda: analyse_read(read, TODAY), size)


def quantiles(_: np.random.Generator, size: int) -> Array:
    """Milliseconds of p50, p95 and p99 with their intervals of ten million requests."""
    latencies = requests(REQUESTS)
    return _timed(lambda: quantiles_with_bounds(latencies, (0.50, 0.95, 0.99), CONFIDENCE), size)


def _timed(call: Callable[[], object], size: int) -> Array:
    call()
    times = []
    for _ in range(size):
        begun = time.process_time()
        call()
        times.append(1000 * (time.process_time() - begun))
    return np.array(times)[:, None]


ANALYSIS = Row(
    key="speed-analysis",
    cells=(Cell("ten runs an arm, five quality metrics, two contracts", analyses),),
    measures=(Measure("milliseconds", median(0), Bar(high=ANALYSIS_BAR_MS)),),
    most=100,
)
QUANTILES = Row(
    key="speed-quantiles",
    cells=(Cell(f"{REQUESTS:,} requests", quantiles),),
    measures=(Measure("milliseconds", median(0), Bar(high=QUANTILES_BAR_MS)),),
    most=9,
)
