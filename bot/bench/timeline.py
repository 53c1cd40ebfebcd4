"""`steelyard bench timeline`: all workloads on all contracts, many draws; seconds, memory, and growth over sizes."""

import argparse
import random
import resource
import sys
import time
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.portfolio.agreement import AgreedTerm, Agreement, Promise
from scoring.contracts.portfolio.timeline import Portfolio
from scoring.contracts.portfolio.values import Workload

FIRST = date(2027, 1, 1)
SIZE = (200, 50, 36, 2_000)
"""Workloads, contracts, months, draws of the figure that has a bar."""
SMALLER = ((50, 12, 12, 2_000), (100, 25, 36, 2_000), (200, 50, 12, 2_000), (200, 50, 36, 500))
BAR_S = 5.0
MB = 1e6
FAMILIES = ("p5", "p4d", "trn1", "g6", "m5", "m6i", "c6i", "r6i")
SIZES = ("xlarge", "2xlarge", "8xlarge", "24xlarge", "48xlarge")
REGIONS = ("us-east-1", "us-west-2", "eu-west-1", "eu-central-1")
OF_FIVE = ("reserved_standard", "savings_plan_instance", "reserved_convertible", "take_or_pay", "savings_plan_compute")


def run(args: argparse.Namespace) -> int:
    """A line for each size, the largest last."""
    for size in (*SMALLER, SIZE):
        seconds, memory = measure(*size)
        workloads, contracts, months, draws = size
        name = f"{workloads} workloads × {contracts} contracts × {months} months × {draws:,} draws"
        bar = f"  (bar {BAR_S:g}), {memory:,.0f} MB beside the hours drawn" if size == SIZE else ""
        print(f"{name:<60}{seconds:>8.2f} s{bar}")
    return 0


def measure(workloads: int, contracts: int, months: int, draws: int) -> tuple[float, float]:
    """Seconds from values to the means of the draws, on two threads, and peak memory above that of the hours."""
    works, held, hours = portfolio_of(workloads, contracts, months, draws)
    before = _peak()
    begun = time.perf_counter()
    Portfolio(works, held, FIRST, months).draws(hours, threads=2)
    return time.perf_counter() - begun, max(0.0, _peak() - before)


def portfolio_of(
    workloads: int, contracts: int, months: int, draws: int
) -> tuple[list[Workload], list[Agreement], NDArray[np.float64]]:
    """Types of eight families in four regions; a tenth of the contracts cover everything, terms end on any day."""
    rng = random.Random(11)  # noqa: S311 - data for a benchmark
    works = [_workload(rng, number) for number in range(workloads)]
    held = [_agreement(rng, number) for number in range(contracts)]
    level = np.random.default_rng(11).lognormal(6.5, 0.4, (workloads, draws, 1))
    growth = np.linspace(1.0, 1.5, months)
    return works, held, level * growth


def _workload(rng: random.Random, number: int) -> Workload:
    family, region, price = rng.choice(FAMILIES), rng.choice(REGIONS), rng.uniform(1, 60)
    rates = {"savings_plan_compute": price * 0.72, "savings_plan_instance": price * rng.uniform(0.55, 0.7)}
    return Workload(
        name=f"w-{number}",
        instance_type=f"{family}.{rng.choice(SIZES)}",
        hours_per_month=(),
        on_demand_price=price,
        cloud="aws",
        region=region,
        zone=f"{region}{rng.choice('abc')}",
        owner=rng.choice((None, "research", "search", "speech")),
        savings_plan_rates=rates,
    )


def _agreement(rng: random.Random, number: int) -> Agreement:
    kind = OF_FIVE[number % len(OF_FIVE)]
    starts = FIRST + timedelta(days=rng.randint(-700, 500))
    plan, family = kind.startswith("savings_plan"), rng.choice(FAMILIES)
    everything = number % 10 == 4
    named = not everything and kind in ("reserved_standard", "reserved_convertible")
    return Agreement(
        id=f"c-{number}",
        kind=kind,
        terms=(AgreedTerm(starts_on=starts, ends_on=starts + timedelta(days=1095), rate=rng.uniform(1, 30)),),
        promise=Promise.CURRENCY_PER_HOUR if plan else Promise.INSTANCES,
        amount=float(rng.randint(20, 300) if plan else rng.randint(1, 20)),
        cloud="aws",
        regions=() if everything or kind == "savings_plan_compute" else (rng.choice(REGIONS),),
        instance_types=(f"{family}.{rng.choice(SIZES)}",) if named else (),
        families=() if everything or named or kind == "savings_plan_compute" else (family,),
        size_flexible=kind.startswith("reserved"),
        owner=rng.choice((None, "research", "search")),
    )


def _peak() -> float:
    unit = 1024 if sys.platform != "darwin" else 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MB
