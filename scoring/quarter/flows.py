"""The network of flows put together: balances, promises, minimums, prices above, and spend commitments."""

from collections.abc import Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.months import Months
from scoring.contracts.portfolio.promises import Layer
from scoring.contracts.portfolio.spending import Period, counts_towards, periods
from scoring.quarter.network import SERVING, Network
from scoring.quarter.options import Scene
from scoring.quarter.pools import Pools
from scoring.quarter.supplies import Lever, Supply

Floats = NDArray[np.float64]
SPARE = 4.0
"""How many times the planned hours a scenario may need at a price that hangs on a lever."""


def network_of(scene: Scene, supplies: tuple[Supply, ...], pools: Pools, most: Floats) -> Network:
    """The program of the flows; `most` is the largest need that any plan has of each pool, [pools, months]."""
    net = Network(pools, supplies, scene.factor)
    numbers = {lever: i for i, lever in enumerate(net.levers)}
    served = _pools_by_supply(pools, len(supplies))
    for t in range(net.months):
        for k, supply in enumerate(supplies):
            if supply.layer in SERVING:
                _promise(net, numbers, k, t, served[k])
        for p in range(len(pools.pools)):
            _on_demand(net, numbers, p, t, float(most[p, t]))
    for k, supply in enumerate(supplies):
        if supply.layer is Layer.SPENDING:
            for period in periods([supply.agreement], scene.months):
                if period.closes is not None and period.true_up and period.committed:
                    _shortfall(net, numbers, k, period, scene.months)
    return net


def _pools_by_supply(pools: Pools, count: int) -> list[list[tuple[int, float]]]:
    found: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    for p, pool in enumerate(pools.pools):
        for k, units in pool.served:
            found[k].append((p, units))
    return found


def _promise(net: Network, numbers: dict[Lever, int], k: int, t: int, served: Sequence[tuple[int, float]]) -> None:
    supply = net.supplies[k]
    levers = [(numbers[lever], profile) for lever, profile in supply.levers]
    if not served or not (supply.always.amount[t] or any(profile.amount[t] for _, profile in levers)):
        return
    row = _upper(net, supply.always.amount[t], [(number, -profile.amount[t]) for number, profile in levers])
    net.promise_row[k, t] = row
    for p, units in served:
        column = net.columns.add(0.0, t)
        net.flow[k, p, t] = column
        net.equal.put(p * net.months + t, column, 1.0)
        net.upper.put(row, column, units)
    if supply.agreement.minimum < 1 and supply.layer is not Layer.OPEN_CAPACITY:
        minimum = _upper(net, supply.always.paid[t], [(number, -profile.paid[t]) for number, profile in levers])
        above = net.columns.add(float(supply.rate[t]), t)
        net.optional[k, t] = above
        net.upper.put(minimum, above, -1.0)
        for p, units in served:
            net.upper.put(minimum, net.flow[k, p, t], units)


def _upper(net: Network, limit: float, levers: Sequence[tuple[int, float]]) -> int:
    """A row that is at most `limit`; `levers` are its coefficients beside the columns."""
    row = len(net.b_upper)
    net.b_upper.append(float(limit))
    for number, value in levers:
        net.lever_upper.put(row, number, float(value))
    return row


def _on_demand(net: Network, numbers: dict[Lever, int], p: int, t: int, most: float) -> None:
    """Hours that nothing serves, at the lowest price that surely holds; and at those that hang on a lever."""
    pool, row = net.pools.pools[p], p * net.months + t
    price = pool.price
    if pool.capacity is not None:
        supply = net.supplies[pool.capacity]
        price = float(supply.rate[t])
        for lever, profile in supply.levers:
            net.lever_equal.put(row, numbers[lever], -float(profile.amount[t]))
    else:
        offering = [net.supplies[k] for k, _ in pool.served if np.isfinite(net.supplies[k].above[t])]
        price = min([price, *(float(s.above[t]) for s in offering if s.held and not s.levers)])
        for supply in offering:
            if (not supply.held or supply.levers) and supply.above[t] < price:
                _above(net, numbers, supply, p, t, most)
    column = net.columns.add(price, t)
    net.on_demand[p, t] = column
    net.equal.put(row, column, 1.0)


def _above(net: Network, numbers: dict[Lever, int], supply: Supply, p: int, t: int, most: float) -> None:
    most *= SPARE
    column = net.columns.add(float(supply.above[t]), t)
    net.above.append((p, t, column))
    net.equal.put(p * net.months + t, column, 1.0)
    force = [(numbers[lever], -most * supply.in_force(lever)[t]) for lever, _ in supply.levers]
    net.upper.put(_upper(net, most if supply.held else 0.0, force), column, 1.0)


def _shortfall(net: Network, numbers: dict[Lever, int], k: int, period: Period, months: Months) -> None:
    """committed − spent ≤ short, each lever that brings the commitment adding its part."""
    supply, within = net.supplies[k], [_share(period, *month) for month in months]
    spent = supply.agreement.other_spend_per_month * sum(within)
    counted = [counts_towards(supply.agreement, other.agreement) for other in net.supplies]
    row = _upper(net, spent, ())
    for c, other in enumerate(net.supplies):
        if counted[c]:
            net.b_upper[row] += float(other.always.cost @ within)
            for lever, profile in other.levers:
                net.lever_upper.put(row, numbers[lever], -float(profile.cost @ within))
    if supply.held:
        net.b_upper[row] -= period.committed
    for lever, _ in supply.levers:
        net.lever_upper.put(row, numbers[lever], period.committed * float(supply.in_force(lever)[period.closes or 0]))
    for column, t in _spending(net, k, counted):
        net.upper.put(row, column, -within[t] * net.columns.cost[column])
    net.upper.put(row, net.columns.add(period.true_up, period.closes or 0), -1.0)


def _share(period: Period, first: date, last: date) -> float:
    """The part of a month's days that a period holds."""
    days = (min(last, period.last) - max(first, period.first)).days + 1
    return max(0, days) / ((last - first).days + 1)


def _spending(net: Network, k: int, counted: Sequence[bool]) -> list[tuple[int, int]]:
    """Columns whose cost counts towards a spend commitment, with their months."""
    pools = net.pools.pools
    counts = [
        counted[pool.capacity] if pool.capacity is not None else any(s == k for s, _ in pool.served) for pool in pools
    ]
    found = [(column, t) for (p, t), column in net.on_demand.items() if counts[p]]
    found += [(column, t) for p, t, column in net.above if counts[p]]
    return found + [(column, t) for (c, t), column in net.optional.items() if counted[c]]
