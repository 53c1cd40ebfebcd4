"""The recommended plan against staying in draws of the cost ratio and of demand: how sure the saving is.

Every plan is weighed in the same draws (common random numbers), so that their differences are not noise. The draws
are a Latin hypercube (McKay, Beckman and Conover 1979): one in each of n strata of equal probability of the ratio and
of demand, paired by chance. The ratio stands at its stratum's mean, so that losses, which are linear nearly everywhere,
come out as the posterior's integral gives them, tails included; of what hangs on both only the part that is no sum of
either is noise (Stein 1987). Sobol's points would want a power of two and a random shift to be as even.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from scoring.contracts.months import Grid
from scoring.contracts.plan_costs import costs_of
from scoring.contracts.plans import Found, npv_matrix
from scoring.contracts.walk_away import NEAR, UNBOUNDED_RATIO, Question
from scoring.model.economics import Plan
from scoring.model.odds import Odds
from scoring.model.settings import Demand
from scoring.statistics.posterior import Posterior

Column = NDArray[np.float64]
Months = NDArray[np.int64]
DRAWS, SEED = 2_000, 20_240_229
LEVEL = 0.9
"""Of the range of demand that is given, and of that of the saving that is told."""
BLOCK = 16_384
"""Numbers in a column of a block of draws: what the fast memory holds."""
SLOW_BLOCK, MOST = 2**19, 2**25
"""Months of plans in a block of draws, and in all draws, where moves take months."""
ENDS = float(ndtri((1 + LEVEL) / 2))


@dataclass(frozen=True)
class Spread:
    """What is not known: the cost ratio's posterior and `centre`, the measured ratio that it is about."""

    posterior: Posterior
    centre: float


@dataclass(frozen=True)
class Draws:
    """Factors on the measured hours ratio and on the demand of every month, one a draw."""

    ratio: Column
    demand: Column | None
    seed: int

    def part(self, of: slice) -> "Draws":
        """Some of the draws."""
        return Draws(self.ratio[of], None if self.demand is None else self.demand[of], self.seed)


def draws_of(spread: Spread, demand: Demand | None, count: int = DRAWS, seed: int = SEED) -> Draws:
    """The same draws for the same seed. One factor of demand holds for all months, which go wrong together."""
    random = np.random.default_rng(seed)
    ratio = spread.posterior.stratum_means(count) / spread.centre
    if demand is None or demand.low is None or demand.high is None:
        return Draws(ratio, None, seed)
    paired = (random.permutation(count) + random.random(count)) / count
    return Draws(ratio, demand_factors(demand, paired), seed)


def count_of(grid: Grid) -> int:
    """How many draws to make: fewer where a long horizon and slow moves make each of them dear."""
    return DRAWS if grid.migration.at_once else max(1, min(DRAWS, MOST // plan_months(grid)))


def plan_months(grid: Grid) -> int:
    """Months that weighing every plan once looks at."""
    months = len(grid.factor)
    return months if grid.migration.at_once else months * months * (1 + 2 * min(grid.migration.settles_after, months))


def demand_factors(demand: Demand, probabilities: Column) -> Column:
    """Quantiles of demand over its median: lognormal on either side of it, through `low` at 5 % and `high` at 95 %."""
    assert demand.low is not None and demand.high is not None  # noqa: S101 - the caller's condition
    z = ndtri(probabilities)
    below, above = (np.log(end / demand.units_per_month) / ENDS for end in (demand.low, demand.high))
    factors: Column = np.exp(np.where(z < 0, -z * below, z * above))
    return factors


def drawn(grid: Grid, draws: Draws) -> Grid:
    """The months in every draw: columns that hang on the ratio or on demand have shape (draws, months)."""
    need = grid.need_a if draws.demand is None else draws.demand[:, None] * grid.need_a
    parts = tuple(drawn(part, draws) for part in grid.parts)
    return replace(grid, need_a=need, ratio=grid.ratio * draws.ratio[:, None], parts=parts)  # type: ignore[arg-type]


def first_to_pay(question: Question, break_even: float) -> tuple[int, int] | None:
    """Months of the plan that pays first were the ratio lower; None where no ratio breaks even."""
    if not 0 < break_even < UNBOUNDED_RATIO:
        return None
    npv = npv_matrix(question.grid.at(ratio=break_even * (1 - NEAR)), question.migration_cost)[:-1]
    s, u = np.unravel_index(int(npv.argmin()), npv.shape)
    return int(s), int(u)


def odds_of(
    question: Question, found: Found, break_even: float, gain: float, draws: Draws, demand: Demand | None
) -> Odds:
    """The recommended plan, or where that is to stay the one that pays first, against the cheapest stay.

    The same contracts are let renew in every draw, since that is decided before the demand is known. `break_even` is
    an hours ratio, `gain` what a split must gain at least.
    """
    months = len(question.grid.factor)
    recommended = found.best.starts_at < months
    plan = found.best if recommended else found.best_full
    if not recommended and (first := first_to_pay(question, break_even)):
        plan = plan.model_copy(update={"starts_at": first[0], "full_at": first[1]})
    saving, starts = weighed(question, plan, gain, draws)
    same, never = float(np.mean(starts == plan.starts_at)), float(np.mean(starts == months))
    lo, hi = np.quantile(saving, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    ranged = demand if draws.demand is not None else None
    return Odds(
        draws=len(draws.ratio),
        seed=draws.seed,
        level=LEVEL,
        demand_low=ranged.low if ranged else None,
        demand_high=ranged.high if ranged else None,
        recommended=recommended,
        starts_at=plan.starts_at,
        full_at=plan.full_at,
        p_saves=float(np.mean(saving > 0)),
        regret_move=float(np.maximum(-saving, 0).mean()),
        regret_stay=float(np.maximum(saving, 0).mean()),
        saving_mean=float(saving.mean()),
        saving_lo=float(lo),
        saving_hi=float(hi),
        share_same_month=same,
        share_other_month=max(0.0, 1 - same - never),
        share_never=never,
    )


def weighed(question: Question, plan: Plan, split_minimum_gain: float, draws: Draws) -> tuple[Column, Months]:
    """What the plan saves in every draw, and the month in which the best plan begins there."""
    stay = min(question.stays, key=lambda grid: grid.stay_npv)
    count, size = len(draws.ratio), max(1, (BLOCK if stay.migration.at_once else SLOW_BLOCK) // plan_months(stay))
    saving, starts = np.empty(count), np.empty(count, dtype=np.int64)
    for first in range(0, count, size):
        part = draws.part(slice(first, first + size))
        costs = costs_of(drawn(question.grid, part), question.migration_cost, len(part.ratio))
        staying = drawn(stay, part)
        stay_npv = np.broadcast_to(staying.stay_cost, (len(part.ratio), len(stay.factor))) @ stay.factor
        stay_npv = stay_npv + staying.true_ups(np.zeros_like(staying.need_a))
        saving[first : first + size] = stay_npv - costs.npv(plan.starts_at, plan.full_at)
        starts[first : first + size] = costs.best_starts(stay_npv, split_minimum_gain)
    return saving, starts
