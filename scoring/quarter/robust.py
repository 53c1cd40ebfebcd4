"""The plan in scenarios of demand and of hours a unit: how often each move pays, and what the plan may cost more.

Everything that is decided stays as planned, and the flows follow the scenario. What a scenario costs is convex in the
hours, so that the prices of its flows bound from below what a plan without one move would cost more: most moves are
settled by that, and only the others are solved for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.quarter.answer import Robustness
from scoring.quarter.moves import Step, cost_of
from scoring.quarter.network import Flows
from scoring.quarter.program import Decided, Program, Scale

Floats = NDArray[np.float64]
LEVEL = 0.9
MOST_SCENARIOS = 200
MOST_SOLVES = 1_000
SLACK, SEED = 1e-9, 20_240_229


@dataclass(frozen=True)
class Scenarios:
    """Draws with common random numbers: entry i of both belongs to scenario i.

    `demand`: factors on the units of each month, [scenarios, workloads, months]; None: as planned. `hours`: factors on
    the hours a unit of an option, [scenarios, usages]; `usages` names the workload and the option of each column, all
    others are as planned. `workloads` names the rows of the demand.
    """

    workloads: tuple[str, ...] = ()
    demand: Floats | None = None
    usages: tuple[tuple[str, str], ...] = ()
    hours: Floats | None = None

    @property
    def count(self) -> int:
        """How many; the two must agree, else ValueError."""
        counts = {len(draws) for draws in (self.demand, self.hours) if draws is not None}
        if len(counts) != 1:
            raise ValueError("scenarios need draws, as many of the demand as of the hours")
        return counts.pop()


def robustness_of(
    program: Program, plan: Decided, steps: Sequence[Step], scenarios: Scenarios
) -> tuple[Robustness, list[float]]:
    """The plan over the scenarios, and for each move the share of them in which it saves.

    At most `MOST_SCENARIOS` are taken, the first ones, and at most `MOST_SOLVES` pairs of a move and a scenario that
    the prices leave open are solved, chosen at random by a fixed seed: the rest of them is taken to be like those.
    """
    count = min(scenarios.count, MOST_SCENARIOS)
    scales = [_scale(program, scenarios, i) for i in range(count)]
    savings, sure = np.empty(count), np.zeros((count, len(steps)), dtype=bool)
    over = np.zeros((count, len(program.caps)), dtype=bool)
    limits = np.array(list(program.caps.values()))
    costs = np.empty(count)
    for i, scale in enumerate(scales):
        flows = cost_of(program, plan, scale)
        costs[i] = flows.cost
        savings[i] = cost_of(program, program.today, scale).cost - flows.cost
        over[i] = program.drawn(plan.choices, scale) > limits * (1 + SLACK)
        least = SLACK * abs(flows.cost)
        sure[i] = [saves_at_least(program, plan, step, flows, scale) > least for step in steps]
    open_pairs = np.argwhere(~sure)
    chosen = np.random.default_rng(SEED).permutation(len(open_pairs))[:MOST_SOLVES]
    solved, paid = np.zeros((2, len(steps)))
    for i, m in open_pairs[chosen]:
        without = cost_of(program, steps[m].undone(plan, program.today), scales[i])
        solved[m] += 1
        paid[m] += without.cost - costs[i] > SLACK * abs(costs[i])
    shares = sure.mean(axis=0) + (1 - sure.mean(axis=0)) * paid / np.maximum(solved, 1)
    return _told(program, savings, over, 2 * count + len(chosen)), [float(share) for share in shares]


def saves_at_least(program: Program, plan: Decided, step: Step, flows: Flows, scale: Scale) -> float:
    """A lower bound of what a move saves: the change that undoes it at the prices of the plan's flows, discounted."""
    without, net = step.undone(plan, program.today), program.network
    more = (program.hours(without.choices, scale) - program.hours(plan.choices, scale)) if step.choice else None
    bound = float((flows.price * more).sum()) if more is not None else 0.0
    pulled = np.array(without.levers, dtype=float) - np.array(plan.levers)
    if step.choice is None:
        rows = net.levers_equal.T @ flows.equal_rows + net.levers_upper.T @ flows.upper_rows
        return bound + float(pulled @ (net.lever_cost @ net.factor - rows))
    return bound - float(program.moving(step.choice) * net.factor[step.choice.month])


def _scale(program: Program, scenarios: Scenarios, number: int) -> Scale:
    works = {name: row for row, name in enumerate(scenarios.workloads)}
    usages = {usage: column for column, usage in enumerate(scenarios.usages)}

    def scale(w: int, o: int) -> Floats | float:
        work = program.scene.workloads[w]
        factor: Floats | float = 1.0
        if scenarios.demand is not None and work.id in works:
            factor = scenarios.demand[number, works[work.id]]
        if scenarios.hours is not None and (work.id, work.options[o].id) in usages:
            factor = factor * float(scenarios.hours[number, usages[work.id, work.options[o].id]])
        return factor

    return scale


def _told(program: Program, savings: Floats, over: NDArray[np.bool_], solves: int) -> Robustness:
    lo, hi = np.quantile(savings, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    places = [name for name, _ in program.caps]
    breaches = {name: float(over[:, [p == name for p in places]].any(axis=1).mean()) for name in dict.fromkeys(places)}
    return Robustness(
        scenarios=len(savings),
        saves_in=float(np.mean(savings > 0)),
        saving_mean=float(savings.mean()),
        saving_lo=float(lo),
        saving_hi=float(hi),
        level=LEVEL,
        regret=float(np.maximum(-savings, 0).mean()),
        regret_of_today=float(np.maximum(savings, 0).mean()),
        breaches={name: share for name, share in breaches.items() if share > 0},
        solves=solves,
    )
