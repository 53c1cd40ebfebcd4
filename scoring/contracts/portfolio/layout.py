"""The workloads and contracts laid out as rows, steps and prices, month by month; the same for every draw."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from scoring.contracts.portfolio.agreement import Agreement
from scoring.contracts.portfolio.fill import Floats, Step
from scoring.contracts.portfolio.matching import Served, Usage, is_flexible_in_size
from scoring.contracts.portfolio.promises import HOURS, PLANS, Held, Layer, changes, promises
from scoring.contracts.portfolio.rows import Placed, step_over
from scoring.contracts.portfolio.stretches import Stretch, stretches

SERVING = HOURS | PLANS | {Layer.OPEN_CAPACITY}


@dataclass(frozen=True)
class Facts:
    """What holds in every month. `served`: the usages that each contract serves.

    Usages are the workloads first, then two for each open capacity reservation: what runs in it, and what does not.
    """

    contracts: tuple[Agreement, ...]
    usages: tuple[Usage, ...]
    workloads: int
    served: tuple[tuple[Served, ...], ...]
    inside: dict[int, int]
    """The usage of what runs in an open capacity reservation, by its contract; the next is what it holds unused."""


@dataclass(frozen=True)
class Layout:
    """One month. Rows are the usages of each stretch, one stretch after the other: row = stretch × usages + usage.

    `share`: each stretch's part of the month's hours. `prices`: what an hour of a row costs that nothing serves.
    `promised` and `paid`: units of each contract; `cost`: of the paid ones, by contract and stretch.
    """

    first: date
    cut: tuple[Stretch, ...]
    hours: int
    share: Floats
    steps: tuple[Step, ...]
    prices: Floats
    promised: Floats
    paid: Floats
    cost: Floats


def layout(facts: Facts, first: date, last: date) -> Layout:
    """One calendar month, from its first day to its last."""
    cut = tuple(stretches((first, last), changes(facts.contracts)))
    promised = tuple(promises(facts.contracts, cut, last.day))
    units = np.zeros((2, len(facts.contracts)))
    cost = np.zeros((len(facts.contracts), len(cut)))
    for promise in promised:
        units[:, promise.contract] += promise.amount, promise.paid
        cost[promise.contract, promise.stretch] += promise.cost
    hours = sum(stretch.hours for stretch in cut)
    prices = _prices(facts, promised, len(cut))
    return Layout(
        first=first,
        cut=cut,
        hours=hours,
        share=np.array([stretch.hours / hours for stretch in cut]),
        steps=tuple(_steps(facts, promised, prices)),
        prices=prices,
        promised=units[0],
        paid=units[1],
        cost=cost,
    )


def _prices(facts: Facts, promised: Sequence[Held], stretches: int) -> Floats:
    """The on-demand price, or what a contract that is in its term names for hours above it where that is lower."""
    prices = np.tile(np.array([usage.work.on_demand_price for usage in facts.usages], dtype=float), (stretches, 1))
    for promise in promised:
        if promise.layer is Layer.OPEN_CAPACITY:
            inside = facts.inside[promise.contract]
            prices[promise.stretch, inside : inside + 2] = promise.rate
        if promise.above is not None:
            mine = [s.usage for s in facts.served[promise.contract] if facts.usages[s.usage].capacity is None]
            prices[promise.stretch, mine] = np.minimum(prices[promise.stretch, mine], promise.above)
    return prices.reshape(-1)


def _steps(facts: Facts, promised: Sequence[Held], prices: Floats) -> Iterator[Step]:
    """First everything that is paid already, in its layers; then what costs its rate only where it is used."""
    together: dict[tuple[Any, ...], list[Held]] = defaultdict(list)
    for promise in promised:
        if promise.layer in SERVING:
            together[(*_order(facts, promise), *_scope(promise))].append(promise)
    for _, parts in sorted(together.items()):
        if paid := sum(promise.paid for promise in parts):
            yield _step(facts, parts, _placed(facts, parts), paid)
    for _, parts in sorted(together.items(), key=lambda item: (item[1][0].rate, item[0])):
        optional = sum(promise.amount - promise.paid for promise in parts)
        if optional > 0:
            rate = parts[0].rate
            worth = [(row, served) for row, served in _placed(facts, parts) if prices[row] > rate * served.units]
            yield _step(facts, parts, worth, optional, rate)


def _scope(promise: Held) -> tuple[float, ...]:
    """Hours of a month are one amount for all its stretches, each hour of another promise is its own."""
    return (promise.rate,) if promise.layer is Layer.HOURS_OF_MONTH else (promise.rate, promise.stretch)


def _order(facts: Facts, promise: Held) -> tuple[Any, ...]:
    """Layer by layer; the narrower before the wider; then the one that ends first, then by name."""
    contract = facts.contracts[promise.contract]
    width: tuple[int, ...] = ()
    if promise.layer not in PLANS:
        served = sum(facts.usages[s.usage].capacity is None for s in facts.served[promise.contract])
        width = (is_flexible_in_size(contract), not contract.instance_types, served)
    return promise.layer, width, promise.ends_on, contract.id


def _placed(facts: Facts, parts: Sequence[Held]) -> list[Placed]:
    count = len(facts.usages)
    return [(part.stretch * count + served.usage, served) for part in parts for served in facts.served[part.contract]]


def _step(facts: Facts, parts: Sequence[Held], placed: list[Placed], capacity: float, price: float = 0.0) -> Step:
    contract, stretch = parts[0].contract, parts[0].stretch
    whole = sum(part.amount for part in parts)
    spread = tuple((part.stretch, part.amount / whole) for part in parts)
    inside = None
    if parts[0].layer is Layer.OPEN_CAPACITY:
        row = stretch * len(facts.usages) + facts.inside[contract]
        inside = (row, row + 1)
    return step_over(placed, contract, spread, capacity, price, inside)
