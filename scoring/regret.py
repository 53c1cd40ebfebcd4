"""From the ratio and the contracts to money: what being wrong would cost, and which further runs pay for themselves."""

import math
from collections.abc import Sequence

import numpy as np

from scoring.arms import ArmData, Arms
from scoring.comparison import time_of
from scoring.model.decision import Comparison
from scoring.model.economics import Economics
from scoring.model.estimates import RatioEstimate
from scoring.model.odds import Odds
from scoring.model.regret import Regret, RunOption, SavingChance
from scoring.model.settings import Settings
from scoring.statistics.evsi import value_of_runs
from scoring.statistics.posterior import PRIOR_SD, Posterior, posterior_of_estimate

LEVEL = 0.9
"""Of the credible interval."""
SHARES = (0.02, 0.05, 0.10, 0.20)
"""Savings whose chance is told, as shares of what a unit of theta is worth."""
BENT, NOISE = 0.03, 1e-4
"""How far the linear loss may be off, as a share of the timeline's; and what of S the draws do not resolve."""
HOURS_PER_MONTH, SECONDS_PER_HOUR = 730.0, 3600.0
EVERY, SHOWN = 30, (1, 2, 3, 5, 10, 20, 30)
"""Numbers of runs up to which each is weighed, and those that are told beside the best."""


def regret_of(arms: Arms, cost: Comparison | None, economics: Economics, settings: Settings) -> Regret | None:
    """The posterior in money; None where there is no interval, or the ratio is beyond what the prior holds possible."""
    posterior = posterior_of_estimate(cost.theta, settings.drift_sd) if cost else None
    if cost is None or posterior is None:
        return None
    drift = settings.drift_sd
    k, lo_hi = economics.break_even_theta, posterior.interval(LEVEL)
    known = Regret(
        currency=economics.currency,
        break_even_theta=k,
        migration_cost=economics.migration_cost,
        prior_sd=PRIOR_SD,
        drift_sd=drift,
        posterior_mean=posterior.mean,
        credible_level=LEVEL,
        credible_lo=lo_hi[0],
        credible_hi=lo_hi[1],
        p_saves=posterior.below(k),
    )
    worth = economics.value_per_theta
    if worth is None:
        return known
    money = known.model_copy(update=_amounts(posterior, k, worth, economics.odds))
    return money.model_copy(update=_runs(arms, cost, cost.theta, money, economics, settings))


def _losses(posterior: Posterior, k: float, worth: float, odds: Odds | None) -> tuple[float, float]:
    """Expected losses of moving and of staying: S·(k − theta), or the timeline's own where that is off.

    A cap on capacity bends what a plan saves: where the ratio is high the cap leaves little to lose. Demand as a range
    is no part of these losses.
    """
    switch, stay = worth * posterior.loss(k), worth * posterior.gain(k)
    if odds is None or odds.demand_low is not None:
        return switch, stay
    pairs = ((switch, odds.regret_move), (stay, odds.regret_stay))
    bent = any(abs(linear - own) > BENT * own + NOISE * worth for linear, own in pairs)
    return (odds.regret_move, odds.regret_stay) if bent else (switch, stay)


def _amounts(posterior: Posterior, k: float, worth: float, odds: Odds | None) -> dict[str, object]:
    switch, stay = _losses(posterior, k, worth, odds)
    return {
        "value_per_theta": worth,
        "regret_switch": switch,
        "regret_stay": stay,
        "evpi": min(switch, stay),
        "p_saves_at_least": tuple(
            SavingChance(share=share, amount=share * worth, probability=posterior.below(k - share)) for share in SHARES
        ),
    }


def _runs(
    arms: Arms, cost: Comparison, theta: RatioEstimate, money: Regret, economics: Economics, settings: Settings
) -> dict[str, object]:
    """The options of going on, and the best of them."""
    each = [_mean_cost(arm, cost) for arm in arms.both]
    hours = [_mean_hours(arm) for arm in arms.both]
    per_run = None if each[0] is None or each[1] is None else each[0] + each[1]
    wait = None if hours[0] is None or hours[1] is None else hours[0] + hours[1]
    monthly = (money.value_per_theta or 0.0) * max(money.break_even_theta - money.posterior_mean, 0.0)
    monthly /= max(economics.horizon_months, 1)
    own = settings.delay_cost_per_run
    delay = float(own) if own is not None else monthly * (wait or 0.0) / HOURS_PER_MONTH
    left = settings.planned_runs_per_arm - min(arm.n for arm in arms.both)
    known: dict[str, object] = {"cost_per_run": per_run, "hours_per_run": wait, "delay_cost_per_run": delay}
    if per_run is None or left < 1:
        return known
    runs = _numbers(left)
    assert theta.point and theta.se_log and theta.nu  # noqa: S101 - the caller refused estimates without
    told = value_of_runs(
        theta.point, theta.se_log, theta.nu, money.break_even_theta, _one_run(theta, arms, cost), np.array(runs, float)
    )
    values = np.minimum(told * (money.value_per_theta or 0.0), money.evpi or 0.0)
    free = 0.0 if own is not None else _months_before_the_move(economics) * monthly
    waiting = np.maximum(delay * np.array(runs) - free, 0.0)
    best = int(np.argmax(values - per_run * np.array(runs) - waiting))
    shown = {n: i for i, n in enumerate(runs) if n in SHOWN or i == best}
    options = {n: _option(n, float(values[i]), per_run * n, float(waiting[i])) for n, i in shown.items()}
    return {**known, "options": tuple(options.values()), "best": options[runs[best]]}


def _option(runs: int, value: float, run_cost: float, delay_cost: float) -> RunOption:
    net = value - run_cost - delay_cost
    return RunOption(runs=runs, value=value, run_cost=run_cost, delay_cost=delay_cost, net=net)


def _numbers(left: int) -> list[int]:
    """Each number up to 30 and then about every tenth part more, up to what the plan leaves."""
    numbers = list(range(1, min(left, EVERY) + 1))
    while numbers[-1] < left:
        numbers.append(min(left, math.ceil(numbers[-1] * 1.1)))
    return numbers


def _months_before_the_move(economics: Economics) -> int:
    """Whole months that pass anyway before the recommended plan moves: runs made in them delay nothing."""
    plan = economics.best
    return plan.starts_at if plan is not None and plan.starts_at < len(economics.months) else 0


def _one_run(theta: RatioEstimate, arms: Arms, cost: Comparison) -> float:
    """Variance of the log ratio of one run of each arm (or of one run's share of a block), at the pilot's spread.

    The estimate's own variance, so that failed runs and unequal work are in it; the arms' spreads only tell how it
    falls with the runs of either.
    """
    assert theta.se_log is not None  # noqa: S101 - as above
    n = [max(arm.n, 1) for arm in arms.both]
    squares = [(cost.arms[arm.name].cv or 0.0) ** 2 for arm in arms.both]
    of_means = squares[0] / n[0] + squares[1] / n[1]
    if theta.paired or not of_means:
        return theta.se_log**2 * min(n)
    return theta.se_log**2 * (squares[0] + squares[1]) / of_means


def _mean_cost(arm: ArmData, cost: Comparison) -> float | None:
    """What a run of the arm cost on average; one that failed is paid too."""
    if arm.summary is not None:
        per_unit = cost.arms[arm.name].cost_per_unit
        return None if per_unit is None else per_unit * (arm.summary.work_units or 1.0)
    return _mean([c.cost for c in arm.runs])


def _mean_hours(arm: ArmData) -> float | None:
    """Hours on the clock of a run."""
    if arm.summary is not None:
        spread = arm.summary.duration_s
        return spread.mean / SECONDS_PER_HOUR if spread else None
    seconds = _mean([time_of(c) for c in arm.runs])
    return None if seconds is None else seconds / SECONDS_PER_HOUR


def _mean(values: Sequence[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return math.fsum(known) / len(known) if known else None
