"""Up to which number further runs are worth what they cost, in money alone."""

import math

import numpy as np

from scoring.model.decision import Decision
from scoring.plan.spread import Spread
from scoring.plan.values import Worth
from scoring.statistics.evsi import value_of_runs
from scoring.statistics.posterior import PRIOR_SD, lognormal_put


def worth_of(
    decision: Decision, spread: Spread, per_run: float | None, given: bool, spend: float | None, left: int
) -> Worth | None:
    """With a pilot the decision's own answer, or the same at a cost that was `given`; before one, from the prior.

    `per_run` is what a run of each arm costs, `left` how many more the declared number allows. None without money.
    """
    regret = decision.regret
    if regret is not None and regret.best is not None and not given:
        best = regret.best
        runs, cost = best.runs if regret.pays else 0, best.run_cost + best.delay_cost
        return Worth(runs=runs, value=best.value, cost=cost, delay=best.delay_cost)
    if per_run is None or left < 1:
        return None
    further = np.arange(1, left + 1, dtype=np.float64)
    theta = decision.cost.theta if decision.cost is not None else None
    one_run = spread.incumbent**2 + spread.candidate**2 if spread.pairs is None else spread.pairs**2
    if regret is not None and regret.value_per_theta and theta and theta.point and theta.se_log and theta.nu:
        k = regret.break_even_theta
        told = value_of_runs(theta.point, theta.se_log, theta.nu, k, one_run, further) * regret.value_per_theta
    elif spend and decision.regret is None and not decision.runs:
        told = _before_a_pilot(1 - float(decision.settings.migration_cost) / spend, one_run, further) * spend
    else:
        return None
    best_index = int(np.argmax(told - further * per_run))
    value, cost = float(told[best_index]), float(further[best_index]) * per_run
    return Worth(runs=best_index + 1 if value > cost else 0, value=value, cost=cost)


def _before_a_pilot(
    k: float, one_run: float, runs: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """EVSI from the prior alone, the spread taken as known: put(k, E, τ) − (k − E)⁺, τ² = s0²·s0²/(s0² + v/n).

    Raiffa & Schlaifer 1961, ch. 5; E = e^(s0²/2) is the prior's mean ratio.
    """
    if k <= 0:
        return np.zeros_like(runs)
    prior = PRIOR_SD**2
    told = np.sqrt(prior * prior / (prior + one_run / runs))
    mean = math.exp(prior / 2)
    return np.asarray(lognormal_put(k, np.full_like(runs, mean), told)) - max(k - mean, 0.0)
