"""`steelyard bench plan`: the optimal plan of all workloads on all contracts; seconds, gap, growth over sizes."""

import argparse
import random
import time
from datetime import date, timedelta
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from scoring.model.contract import Commitment, Contract, Coverage, Notice, Renewal, RenewalKind
from scoring.model.settings import CommitmentOption
from scoring.quarter.answer import Contradiction, QuarterPlan
from scoring.quarter.plan import plan_of
from scoring.quarter.robust import Scenarios
from scoring.quarter.values import (
    CapacityPool,
    CommitmentOffer,
    PlannedWorkload,
    QuarterInput,
    Search,
    WorkloadOption,
)

FIRST = date(2027, 1, 1)
Size = tuple[int, int, int, int]
"""Workloads, options, months, contracts."""
EVEN, UNEVEN = 0.5, 0.8
"""Spread of the workloads' sizes, as the standard deviation of their logarithms: few large ones are hard to place."""
SIZES: tuple[tuple[Size, float, float | None], ...] = (
    ((50, 6, 12, 10), EVEN, None),
    ((100, 12, 12, 20), EVEN, None),
    ((200, 12, 12, 20), EVEN, 10.0),
    ((200, 12, 12, 20), UNEVEN, None),
    ((200, 12, 24, 20), EVEN, 40.0),
)
"""Each with the spread and its bar in seconds, if it has one."""
WANTED_GAP = 1e-3
SCENARIOS, SCENARIOS_AT = 50, 10.0
REGIONS = ("eu-central-1", "eu-west-1", "eu-north-1", "us-east-1")
PLENTY = 1e9
OFFERS = 4


def run(args: argparse.Namespace) -> int:
    """A line for each size, the largest last; exit status 1 where a bar is not met."""
    met = True
    for size, spread, bar in SIZES:
        given = quarter(*size, spread)
        begun, worked = time.perf_counter(), time.process_time()
        plan = plan_of(given)
        seconds, worked = time.perf_counter() - begun, time.process_time() - worked
        if isinstance(plan, Contradiction):
            raise RuntimeError("the bench has caps that contradict its demand")
        met &= bar is None or (seconds <= bar and plan.gap <= WANTED_GAP)
        print(_line(size, spread, plan, (seconds, worked), bar), flush=True)
        if bar == SCENARIOS_AT:
            _scenarios(given)
    return 0 if met else 1


def _line(size: Size, spread: float, plan: QuarterPlan, seconds: tuple[float, float], bar: float | None) -> str:
    workloads, options, months, contracts = size
    name = f"{workloads} workloads × {options} options × {months} months × {contracts} contracts"
    name += " (uneven)" if spread == UNEVEN else ""
    told = f"{len(plan.moves)} moves save {plan.saving / plan.today.cost:.1%}, gap {plan.gap:.3%}"
    limit = f"(bar {bar:g})" if bar else ""
    return f"{name:<66}{seconds[0]:>7.2f} s {limit:<9} of a processor {seconds[1]:>6.2f} s  {told}"


def _scenarios(given: QuarterInput) -> None:
    works = tuple(w.id for w in given.workloads)
    draws = np.random.default_rng(11).lognormal(0, 0.15, (SCENARIOS, len(works), 1)) * np.ones(given.months)
    begun = time.perf_counter()
    plan = plan_of(given, Scenarios(workloads=works, demand=draws))
    seconds = time.perf_counter() - begun
    solves = plan.robustness.solves if isinstance(plan, QuarterPlan) and plan.robustness else 0
    print(f"{f'  the same with {SCENARIOS} scenarios, {solves} solves':<62}{seconds:>7.2f} s", flush=True)


def quarter(
    workloads: int, options: int, months: int, contracts: int, spread: float = EVEN, seed: int = 11
) -> QuarterInput:
    """Accelerators in four regions; contracts for a type, a region or all, of which some renew; pools of capacity."""
    rng = random.Random(seed)  # noqa: S311 - data for a benchmark
    places = [(f"acc{i // 2}.48xlarge", REGIONS[i % 3]) for i in range(options)]
    prices = [rng.uniform(8, 60) for _ in places]
    works = tuple(_workload(rng, number, places, prices, months, spread) for number in range(workloads))
    use = _hours_today(works, options, months)
    held = tuple(_contract(rng, number, places, prices, use) for number in range(contracts))
    offers = tuple(
        CommitmentOffer(
            option=CommitmentOption(
                id=f"offer-{o}", term_months=min(12, months), rate=Decimal(f"{prices[o] * 0.6:.2f}")
            ),
            covers=Coverage(instance_types=(places[o][0],), regions=(places[o][1],)),
            most_instances=20,
        )
        for o in range(min(OFFERS, options))
    )
    pools = tuple(
        CapacityPool(
            id=f"pool-{o}", hours_per_month=tuple(float(h) * 1.3 + 5_000 if o % 3 == 0 else PLENTY for h in use[o])
        )
        for o in range(options)
    )
    return QuarterInput(
        today=FIRST - timedelta(days=20),
        first_month=FIRST,
        months=months,
        currency="USD",
        annual_discount_rate=0.08,
        workloads=works,
        contracts=held,
        pools=pools,
        offers=offers,
        approved_regions=REGIONS[:3],
        search=Search(gap=WANTED_GAP),
    )


def _workload(
    rng: random.Random, number: int, places: list[tuple[str, str]], prices: list[float], months: int, spread: float
) -> PlannedWorkload:
    units, growth = rng.lognormvariate(6.5, spread), rng.uniform(0.98, 1.05)
    options = tuple(
        WorkloadOption(
            id=f"o-{o}",
            instance_type=kind,
            region=region,
            on_demand_price=price,
            hours_per_unit=30 / price * rng.lognormvariate(0, 0.25),
            migration_cost=round(rng.lognormvariate(10, 0.7), 2),
            pool=f"pool-{o}",
            proven=rng.random() < 0.9,
        )
        for o, ((kind, region), price) in enumerate(zip(places, prices, strict=True))
    )
    return PlannedWorkload(
        id=f"w-{number:03}",
        units_per_month=tuple(units * growth**t for t in range(months)),
        options=options,
        today=f"o-{rng.randrange(len(options))}",
    )


def _hours_today(
    works: tuple[PlannedWorkload, ...], options: int, months: int
) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    use = np.zeros((options, months))
    for work in works:
        o = int(work.today.removeprefix("o-"))
        use[o] += np.array(work.units_per_month) * work.options[o].hours_per_unit
    return use


def _contract(
    rng: random.Random,
    number: int,
    places: list[tuple[str, str]],
    prices: list[float],
    use: NDArray[np.float64],
) -> Contract:
    o, wide = rng.randrange(len(places)), number % 5 == 0
    kind, region = places[o]
    starts = FIRST - timedelta(days=rng.randint(30, 700))
    renews, plan = number % 3 == 1, number % 7 == 3
    rates = {place[0]: Decimal(f"{price * 0.65:.2f}") for place, price in zip(places, prices, strict=True)}
    hourly = max(1.0, float(use[o].mean()) / 730 * rng.uniform(0.2, 0.7))
    return Contract(
        id=f"c-{number:02}",
        kind="savings_plan_compute" if plan else "take_or_pay",
        starts_on=starts,
        ends_on=FIRST + timedelta(days=rng.randint(40, 600)),
        covers=Coverage() if plan else Coverage(instance_types=(kind,), regions=() if wide else (region,)),
        commitment=Commitment(currency_per_hour=Decimal(f"{hourly * prices[o] * 0.5:.2f}"))
        if plan
        else Commitment(instances=Decimal(round(hourly) or 1)),
        rate=Decimal(0) if plan else Decimal(f"{prices[o] * rng.uniform(0.5, 0.8):.2f}"),
        covered_rates=rates if plan else {},
        minimum_utilisation=Decimal(1) if plan or number % 4 else Decimal("0.8"),
        notice=Notice(days=60) if renews else None,
        renewal=Renewal(kind=RenewalKind.AUTOMATIC, months=12) if renews else Renewal(),
    )
