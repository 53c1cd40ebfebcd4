"""Hours of all workloads through the months of all contracts, many draws at a time."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoring.contracts.portfolio.fill import Floats, Step, fill
from scoring.contracts.portfolio.layout import Facts, Layout
from scoring.contracts.portfolio.spending import Counted, Period, shortfalls

Watch = Callable[[int, Step, Floats, Floats], None]
"""Sees month, step, and what is left to serve before and after it, [rows, draws]."""


@dataclass(frozen=True)
class Compiled:
    """Everything but the hours."""

    facts: Facts
    months: tuple[Layout, ...]
    periods: tuple[Period, ...]
    counted: tuple[tuple[Counted, ...], ...]


@dataclass(frozen=True)
class Block:
    """What some draws give: by contract [contracts, months, draws], in all [months, draws].

    `left_by_workload`: hours that no contract serves, and what they cost, summed over the draws,
    [2, workloads, months].
    """

    cost: Floats
    used: Floats
    wasted: Floats
    contract_cost: Floats
    left: Floats
    left_cost: Floats
    left_by_workload: Floats


def run(compiled: Compiled, hours: Floats, watch: Watch | None = None) -> Block:
    """Draws that are worked on at once: `hours` are [months, workloads, draws]."""
    facts, months = compiled.facts, compiled.months
    shape = (len(months), hours.shape[2])
    used, cost = np.zeros((2, len(facts.contracts), *shape))
    spent = np.zeros((len(compiled.periods), *shape))
    left, left_cost = np.zeros((2, *shape))
    by_workload = np.zeros((2, facts.workloads, len(months)))
    for t, month in enumerate(months):
        need = _need(facts, month, hours[t])
        paid = _serve(month, t, need, used[:, t], watch)
        plain = need.reshape(len(month.cut), len(facts.usages), hours.shape[2])[:, : facts.workloads]
        prices = month.prices.reshape(len(month.cut), -1)[:, : facts.workloads]
        left[t] = plain.sum(axis=(0, 1))
        left_cost[t] = np.einsum("sw,swd->d", prices, plain)
        sums = plain.sum(axis=2)
        by_workload[:, :, t] = sums.sum(axis=0), (sums * prices).sum(axis=0)
        cost[:, t] = month.cost.sum(axis=1)[:, None]
        _capacity_costs(facts, month, need, cost[:, t])
        for (contract, _), amount in paid.items():
            cost[contract, t] += amount
        for item in compiled.counted[t]:
            spent[item.period, t] = _counts(month, item, need, paid)
    wasted = np.stack([month.promised for month in months], axis=1)[:, :, None] - used
    more = shortfalls(compiled.periods, spent, len(facts.contracts))
    cost += more[2]
    total = cost.sum(axis=0) + left_cost
    return Block(total, used + more[0], wasted + more[1], cost, left, left_cost, by_workload)


def _need(facts: Facts, month: Layout, hours: Floats) -> Floats:
    """Hours of each row, spread evenly over the month."""
    need = np.zeros((len(month.cut), len(facts.usages), hours.shape[1]))
    np.multiply(month.share[:, None, None], hours, out=need[:, : facts.workloads])
    return need.reshape(-1, hours.shape[1])


def _serve(month: Layout, t: int, need: Floats, used: Floats, watch: Watch | None) -> dict[tuple[int, int], Floats]:
    """Every step in its order; what units cost that are paid only where used, by contract and stretch."""
    paid: dict[tuple[int, int], Floats] = {}
    for step in month.steps:
        before = need.copy() if watch else need
        units = fill(need, step)
        used[step.contract] += units
        if step.price:
            for stretch, share in step.spread:
                key = (step.contract, stretch)
                paid[key] = paid.get(key, 0.0) + units * (step.price * share)
        if watch:
            watch(t, step, before, need)
    return paid


def _capacity_costs(facts: Facts, month: Layout, need: Floats, cost: Floats) -> None:
    """Hours of open capacity reservations, run in or not, whose rate no contract lowers."""
    for contract, inside in facts.inside.items():
        for stretch in range(len(month.cut)):
            row = stretch * len(facts.usages) + inside
            cost[contract] += (need[row] + need[row + 1]) * month.prices[row]


def _counts(month: Layout, item: Counted, need: Floats, paid: dict[tuple[int, int], Floats]) -> Floats:
    spent: Floats = item.rows @ need + (item.contracts * month.cost).sum() + item.other
    for (contract, stretch), amount in paid.items():
        spent = spent + amount * item.contracts[contract, stretch]
    return spent
