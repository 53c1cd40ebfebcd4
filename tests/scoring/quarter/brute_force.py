"""The cheapest plan by trying all of them; flows by repeated cheapest paths. It shares nothing with the program."""

from functools import cache
from itertools import product

Month = tuple[float, ...]
Bought = tuple[list[float], list[float]]
"""Hours and cost by month of one way to take up an offer."""


def cheapest(
    needs: list[list[list[float]]],
    prices: list[float],
    moving: list[list[float]],
    contracts: list[tuple[frozenset[int], list[float], list[float]]],
    renewals: list[tuple[frozenset[int], list[float], list[float]]],
    caps: list[tuple[frozenset[int], list[float]]],
    offers: list[tuple[frozenset[int], list[Bought]]],
    last: dict[int, int] | None = None,
) -> float | None:
    """`needs[w][o][t]` hours; `moving[w][o]`; option 0 is today's. Contracts: options served, hours, cost by month.

    Each renewal may be had or not; of each offer one of its ways or none. `caps`: hours that some options have
    together. `last`: of an option the last month in which a move to it may begin.
    """
    last = last or {}
    months = len(needs[0][0])
    plans = [
        [(0, 0), *((o, s) for o in range(1, len(work)) for s in range(last.get(o, months - 1) + 1))] for work in needs
    ]
    best = None
    for plan in product(*plans):
        hours = [[0.0] * len(prices) for _ in range(months)]
        for work, (o, s) in zip(needs, plan, strict=True):
            for t in range(months):
                on = o if t >= s else 0
                hours[t][on] += work[on][t]
        if any(sum(hours[t][o] for o in some) > cap[t] + 1e-9 for some, cap in caps for t in range(months)):
            continue
        once = sum(moving[w][o] for w, (o, _) in enumerate(plan) if o)
        for had in product((0, 1), repeat=len(renewals)):
            for bought in product(*([None, *ways] for _, ways in offers)):
                held = [*contracts, *(r for r, yes in zip(renewals, had, strict=True) if yes)]
                held += [(served, *way) for (served, _), way in zip(offers, bought, strict=True) if way]
                cost = once + sum(sum(paid) for _, _, paid in held)
                for t in range(months):
                    supplies = tuple((served, amount[t]) for served, amount, _ in held if amount[t])
                    cost += flow(tuple(hours[t]), tuple(prices), supplies)
                best = cost if best is None or cost < best else best
    return best


@cache
def flow(need: Month, prices: Month, supplies: tuple[tuple[frozenset[int], float], ...]) -> float:
    """What is left to pay on demand in one month: the dearest hours are served first, moving others aside if needed."""
    left = [amount for _, amount in supplies]
    given = [[0.0] * len(need) for _ in supplies]
    open_hours = list(need)
    for pool in sorted(range(len(need)), key=lambda p: -prices[p]):
        while open_hours[pool] > 1e-9 and (path := _path(pool, supplies, left, given)):
            amount = min([open_hours[pool], left[path[-1][1]], *(given[k][p] for k, p in _taken(path))])
            if amount <= 1e-12:
                break
            at = pool
            for here, k in path:
                given[k][here] += amount
                at = here
            for k, p in _taken(path):
                given[k][p] -= amount
            left[path[-1][1]] -= amount
            open_hours[pool] -= amount
            assert at >= 0
    return sum(hours * price for hours, price in zip(open_hours, prices, strict=True))


def _taken(path: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Supply and pool of each hour that is moved aside: the supply of one step had served the pool of the next."""
    return [(path[i][1], path[i + 1][0]) for i in range(len(path) - 1)]


def _path(
    pool: int, supplies: tuple[tuple[frozenset[int], float], ...], left: list[float], given: list[list[float]]
) -> list[tuple[int, int]]:
    """Steps (pool, supply) from an unserved hour to a supply with room, through hours that others can serve."""
    seen, queue = {pool}, [[(pool, -1)]]
    while queue:
        path = queue.pop(0)
        here = path[-1][0]
        for k, (served, _) in enumerate(supplies):
            if here not in served:
                continue
            step = [*path[:-1], (here, k)]
            if left[k] > 1e-9:
                return step
            for other in range(len(given[k])):
                if other not in seen and given[k][other] > 1e-9:
                    seen.add(other)
                    queue.append([*step, (other, -1)])
    return []
