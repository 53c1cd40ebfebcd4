"""What runs cost, what is at stake, and whether dear runs should be fewer than cheap ones."""

import math

from scoring.contracts.demand import units_by_month
from scoring.contracts.months import first_month, months_from
from scoring.model.decision import Decision
from scoring.plan.values import Allocation, Stake

WORTH_A_HINT = 0.05
"""Of the pilot's cost: less is not worth leaving equal blocks."""


def costs_of(
    decision: Decision, arms: tuple[str, str], given: tuple[float, float] | None
) -> tuple[float | None, float | None]:
    """What one run of either arm costs: as given, else the mean of the runs so far."""
    if given is not None:
        return given
    return _mean_cost(decision, arms[0]), _mean_cost(decision, arms[1])


def _mean_cost(decision: Decision, arm: str) -> float | None:
    costs = [c.cost for c in decision.runs if c.run.arm == arm and c.cost is not None]
    return math.fsum(costs) / len(costs) if costs else None


def stake_of(
    decision: Decision, incumbent: str, cost_per_run: float | None, smallest_saving: float | None, pilot: float | None
) -> Stake | None:
    """What staying costs over the horizon: from the contracts' timeline, else demand times the incumbent's cost."""
    spend = decision.economics.stay_npv or _spend(decision, incumbent, cost_per_run)
    if not spend or spend <= 0:
        return None
    return Stake(
        spend=spend,
        months=decision.settings.horizon_months,
        seen=None if smallest_saving is None else smallest_saving * spend,
        pays_from=None if pilot is None else pilot / spend,
    )


def _spend(decision: Decision, incumbent: str, cost_per_run: float | None) -> float | None:
    demand, unit_cost = decision.settings.demand, None
    if demand is None or decision.economics.reason == "question":
        return None
    if decision.cost is not None and incumbent in decision.cost.arms:
        unit_cost = decision.cost.arms[incumbent].cost_per_unit
    elif demand.unit is None or demand.unit.casefold().removesuffix("s") == "run":
        unit_cost = cost_per_run
    months = months_from(first_month(decision.decided_on), decision.settings.horizon_months)
    return None if unit_cost is None else sum(units_by_month(demand, months)) * unit_cost


def allocation_of(arms: tuple[str, str], costs: tuple[float | None, float | None]) -> Allocation | None:
    """Optimal numbers go as 1/√cost where both arms spread alike; None where equal numbers cost hardly more.

    The arms' own spreads are left out: of a few runs they say too little to leave equal numbers for.
    """
    cost_a, cost_b = costs
    if not cost_a or not cost_b:
        return None
    saved = 1 - (math.sqrt(cost_a) + math.sqrt(cost_b)) ** 2 / (2 * (cost_a + cost_b))
    if saved < WORTH_A_HINT:
        return None
    cheap, dear = arms if cost_a < cost_b else arms[::-1]
    return Allocation(cheap=cheap, dear=dear, ratio=math.sqrt(max(cost_a, cost_b) / min(cost_a, cost_b)), saved=saved)
