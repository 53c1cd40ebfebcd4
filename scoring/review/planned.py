"""The optimal plan of the quarter from a review's own input: today's plan against it, move by move."""

import math
from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from scoring.contracts.demand import units_by_month
from scoring.contracts.exchange import in_currency
from scoring.contracts.months import first_month, months_from
from scoring.model.decision import Word
from scoring.quarter.answer import Contradiction, QuarterPlan
from scoring.quarter.plan import plan_of
from scoring.quarter.robust import Scenarios
from scoring.quarter.values import PlannedWorkload, QuarterInput, Search, Unproven, WorkloadOption
from scoring.review.given import DecisionFact, ReviewedWorkload, ReviewInput, WorkOption
from scoring.review.quarter import Quarter
from scoring.review.supplied import Supplied

Floats = NDArray[np.float64]
DRAWS, SEED = 100, 20_270_101
MOST_MONTHS = 24
RANGE_OF_DEMAND = 0.9
"""Of a demand's `low` and `high`, as the settings have it."""
UNPROVEN = (Word.EXTEND, None)
Pair = tuple[str, str]


def planned(
    given: ReviewInput, quarter: Quarter, today: date, search: Search | None = None
) -> QuarterPlan | Contradiction | None:
    """None without work, and for a quarter that is over. Months are those of the horizon, at most 24.

    It begins with the quarter, or with the first whole month from today on where that is later: of a month that has
    begun nothing can be decided any more. An option whose last decision asks for more
    runs is no proven one: its moves are marked. Contracts and offers in a currency without a rate are left out.
    """
    first = max(quarter.first, first_month(today))
    if not given.workloads or today > quarter.last:
        return None
    settings = given.settings
    count = min(settings.horizon_months, MOST_MONTHS)
    months = months_from(first, count)
    latest = latest_by_option(given.decisions)
    supplied = Supplied(given, today)
    contracts = (in_currency(contract, settings, today) for contract in given.contracts)
    asked = QuarterInput(
        today=today,
        first_month=first,
        months=count,
        currency=settings.currency,
        annual_discount_rate=settings.annual_discount_rate,
        workloads=tuple(_workload(work, months, latest, supplied) for work in given.workloads),
        contracts=tuple(c for c in contracts if c is not None),
        pools=supplied.pools(months),
        offers=supplied.offers(),
        approved_regions=settings.approved_regions,
        unproven=Unproven.FLAG,
        search=search or Search(),
    )
    return plan_of(asked, _scenarios(given.workloads, latest, count))


def latest_by_option(decisions: Sequence[DecisionFact]) -> Mapping[Pair, DecisionFact]:
    """The last decision on each workload's candidate."""
    ordered = sorted(decisions, key=lambda f: (f.decided_on, f.key))
    return {(f.workload, f.candidate): f for f in ordered if f.workload and f.candidate}


def _workload(
    work: ReviewedWorkload,
    months: Sequence[tuple[date, date]],
    latest: Mapping[Pair, DecisionFact],
    supplied: Supplied,
) -> PlannedWorkload:
    return PlannedWorkload(
        id=work.name,
        units_per_month=tuple(units_by_month(work.demand, months)),
        options=tuple(_option(work, option, latest, supplied) for option in work.options),
        today=work.runs_on,
        owner=work.owner,
    )


def _option(
    work: ReviewedWorkload, option: WorkOption, latest: Mapping[Pair, DecisionFact], supplied: Supplied
) -> WorkloadOption:
    decided = latest.get((work.name, option.id))
    is_open = decided is not None and decided.verdict in UNPROVEN
    told = {"proven": option.proven and not is_open, "pool": supplied.pool_of(work, option)}
    return WorkloadOption.model_validate({**option.model_dump(), **told})


def _scenarios(works: Sequence[ReviewedWorkload], latest: Mapping[Pair, DecisionFact], months: int) -> Scenarios | None:
    """Demand within its range, the same in all months, and each pilot's ratio within its interval, both lognormal.

    None where neither has any spread.
    """
    demand_sd = np.array([_demand_sd(work) for work in works])
    usages = [(pair, sd) for work in works for pair, sd in _usages(work, latest)]
    if not demand_sd.any() and not usages:
        return None
    drawn = np.random.default_rng(SEED)
    demand: Floats = np.exp(drawn.standard_normal((DRAWS, len(works))) * demand_sd)
    hours: Floats = np.exp(drawn.standard_normal((DRAWS, len(usages))) * np.array([sd for _, sd in usages]))
    return Scenarios(
        workloads=tuple(work.name for work in works),
        demand=np.repeat(demand[:, :, None], months, axis=2),
        usages=tuple(pair for pair, _ in usages),
        hours=hours if usages else None,
    )


def _demand_sd(work: ReviewedWorkload) -> float:
    if work.demand.low is None or work.demand.high is None:
        return 0.0
    return math.log(work.demand.high / work.demand.low) / (2 * float(ndtri((1 + RANGE_OF_DEMAND) / 2)))


def _usages(work: ReviewedWorkload, latest: Mapping[Pair, DecisionFact]) -> Sequence[tuple[Pair, float]]:
    """The option that a pilot compares with the one that runs today, and the standard deviation of its log ratio."""
    found: dict[Pair, float] = {}
    names = {option.id for option in work.options}
    for (name, candidate), fact in latest.items():
        other = candidate if candidate != work.runs_on else fact.incumbent
        theta = fact.theta
        if name != work.name or other not in names or other == work.runs_on or theta is None:
            continue
        if theta.lo is not None and theta.hi is not None and 0 < theta.lo < theta.hi:
            width = 2 * float(ndtri((1 + fact.level) / 2))
            found[name, str(other)] = math.log(theta.hi / theta.lo) / width
    return tuple(found.items())
