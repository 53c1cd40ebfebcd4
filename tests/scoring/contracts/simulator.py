"""A second engine for the tests: day by day in plain Python, sharing no code with the first."""

import calendar
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache


@dataclass(frozen=True)
class Held:
    """A contract in plain figures; `deadline` None: nothing renews.

    `steps`: from a day on another amount or rate. `per_hour`: a savings plan's currency, `plan_rate` what an hour takes
    of it. `upfront` is paid on the first day, of a plan as a part of what it comes to.
    """

    id: str
    arm: str
    starts_on: date
    ends_on: date
    rate: float
    instances: float = 0.0
    monthly_hours: float = 0.0
    overage: float | None = None
    promises: bool = True
    deadline: date | None = None
    renewed_until: date | None = None
    renewal_rate: float = 0.0
    steps: tuple[tuple[date, float | None, float | None], ...] = ()
    per_hour: float = 0.0
    plan_rate: float = 1.0
    upfront: float = 0.0

    def can_renew(self) -> bool:
        return self.deadline is not None and self.renewed_until is not None

    def missed(self, today: date) -> bool:
        return self.can_renew() and self.deadline is not None and self.deadline < today

    def rate_on(self, day: date, renews: bool) -> float | None:
        """The rate of the term that runs on a day; None outside."""
        if self.starts_on <= day <= self.ends_on:
            return next((r for d, _, r in reversed(self.steps) if d <= day and r is not None), self.rate)
        if renews and self.renewed_until is not None and self.ends_on < day <= self.renewed_until:
            return self.renewal_rate
        return None

    def on(self, day: date, rate: float, month: int) -> tuple[float, float]:
        """Hours of a day within a term, and what they cost; `month` is its days."""
        if self.per_hour:
            days = (self.ends_on - self.starts_on).days + 1
            return self.per_hour / self.plan_rate * 24, self.per_hour * 24 - self.upfront / days
        amount = next((a for d, a, _ in reversed(self.steps) if d <= day and a is not None), None)
        whole, monthly = self.instances, self.monthly_hours
        if amount is not None:
            whole, monthly = (amount, 0.0) if whole else (0.0, amount)
        hours = whole * 24 + monthly / month
        return hours, hours * rate


@dataclass(frozen=True)
class World:
    """All facts of a workload."""

    contracts: tuple[Held, ...]
    today: date
    horizon: int
    discount: float
    demand: float
    hours_a: float
    ratio: float
    price_a: float
    price_b: float
    migration: float
    capacity: float | None = None
    reuse_share: float = 0.0
    reuse_value: float | None = None
    ramp: tuple[float, ...] = (1.0,)
    parallel: int = 0


@lru_cache(maxsize=4096)
def month_days(today: date, index: int) -> list[date]:
    first = today
    while first.day != 1:
        first += timedelta(days=1)
    for _ in range(index):
        first += timedelta(days=calendar.monthrange(first.year, first.month)[1])
    return [first + timedelta(days=i) for i in range(calendar.monthrange(first.year, first.month)[1])]


@dataclass(frozen=True)
class Days:
    """Days of a month that are alike: how many, the committed hours of one for A and B, and the prices above them."""

    count: int
    hours_a: float
    hours_b: float
    above_a: float
    above_b: float


@lru_cache(maxsize=4096)
def days_of(world: World, index: int, renewed: frozenset[str]) -> tuple[tuple[Days, ...], float]:
    """The month's days by what is promised on them, and what all promises cost in it."""
    days = month_days(world.today, index)
    alike: Counter[tuple[float, float, float, float]] = Counter()
    cost = 0.0
    for day in days:
        hours, price = {"a": 0.0, "b": 0.0}, {"a": world.price_a, "b": world.price_b}
        for c in world.contracts:
            rate = c.rate_on(day, c.missed(world.today) or (c.can_renew() and c.id in renewed))
            if rate is None or c.arm not in hours:
                continue
            of_day, paid = c.on(day, rate, len(days)) if c.promises else (0.0, 0.0)
            hours[c.arm] += of_day
            cost += paid + (c.upfront if day == c.starts_on else 0.0)
            above = min(x for x in (c.overage, None if c.promises else rate, 1e99) if x is not None)
            price[c.arm] = min(price[c.arm], above)
        alike[hours["a"], hours["b"], price["a"], price["b"]] += 1
    return tuple(Days(count, *promise) for promise, count in alike.items()), cost


def promised(world: World, index: int, renewed: frozenset[str]) -> tuple[float, float, float, float, float]:
    """Committed hours of A and of B, their cost, and the lowest price of an hour above for A and for B."""
    days, cost = days_of(world, index, renewed)
    hours_a, hours_b = sum(d.count * d.hours_a for d in days), sum(d.count * d.hours_b for d in days)
    return hours_a, hours_b, cost, min(d.above_a for d in days), min(d.above_b for d in days)


def used_of_a(world: World, index: int, hours: float, renewed: frozenset[str]) -> float:
    """Committed hours of A that serve a month's work of that many hours, spread evenly over its days."""
    days, _ = days_of(world, index, renewed)
    a_day = hours / sum(d.count for d in days)
    return sum(d.count * min(d.hours_a, a_day) for d in days)


def level_of(world: World, index: int, level: str, renewed: frozenset[str] = frozenset()) -> float:
    """The share that is to be on the candidate."""
    need = world.demand * world.hours_a
    cap = 1.0 if world.capacity is None else min(1.0, world.capacity / (need * world.ratio))
    above = max(0.0, 1 - used_of_a(world, index, need, renewed) / need)
    return {"stay": 0.0, "full": cap, "partial": min(cap, above)}[level]


@lru_cache(maxsize=65536)
def month_cost(world: World, index: int, level: str, renewed: frozenset[str] = frozenset()) -> float:
    x = level_of(world, index, level, renewed)
    return cost_of_shares(world, index, x, 1 - x, renewed)


def cost_of_shares(world: World, index: int, on_b: float, on_a: float, renewed: frozenset[str]) -> float:
    """A month with a share of the work on the candidate and a share on the incumbent, some of it perhaps on both."""
    days, cost = days_of(world, index, renewed)
    month = sum(d.count for d in days)
    need = world.demand * world.hours_a
    hours_a, hours_b = need * on_a, need * world.ratio * on_b
    for d in days:
        cost += d.count * d.above_a * max(0.0, hours_a / month - d.hours_a)
        cost += d.count * d.above_b * max(0.0, hours_b / month - d.hours_b)
    freed = used_of_a(world, index, need, renewed) - used_of_a(world, index, hours_a, renewed)
    value = world.price_a if world.reuse_value is None else world.reuse_value
    return cost - freed * world.reuse_share * value


def shares(world: World, s: int, u: int, renewed: frozenset[str]) -> list[tuple[float, float]]:
    """Shares on the candidate and on the incumbent in each month, pieces of work moved one after the other."""
    found: list[tuple[float, float]] = []
    moves: list[tuple[int, float]] = []
    pieces: list[tuple[int, float]] = []
    for t in range(world.horizon):
        wanted = level_of(world, t, "stay" if t < s else "partial" if t < u else "full", renewed)
        more = wanted - sum(size for _, size in moves)
        if more > 0:
            moves.append((t, more))
        for begun, size in moves:
            if t - begun < len(world.ramp):
                before = world.ramp[t - begun - 1] if t > begun else 0.0
                pieces.append((t, size * (world.ramp[t - begun] - before)))
        room = wanted
        on_b = on_both = 0.0
        for arrived, size in sorted(pieces):
            used = min(size, room)
            room, on_b = room - used, on_b + used
            on_both += used if t - arrived < world.parallel else 0.0
        found.append((on_b, 1 - on_b + on_both))
    return found


def is_plan(world: World, s: int, u: int) -> bool:
    """Whether the second move waits until the first is complete."""
    return s == u or u == world.horizon or u >= s + len(world.ramp)


def plan_npv(world: World, s: int, u: int, renewed: frozenset[str] = frozenset()) -> float:
    total = 0.0
    for t, (on_b, on_a) in enumerate(shares(world, s, u, renewed)):
        cost = cost_of_shares(world, t, on_b, on_a, renewed) + (world.migration if t == s else 0.0)
        total += cost / (1 + world.discount) ** (t / 12)
    return total


def cheapest(world: World, renewed: frozenset[str] = frozenset()) -> float:
    """The lowest NPV of all plans, staying among them."""
    h = world.horizon
    plans = ((s, u) for s in range(h + 1) for u in range(s, h + 1) if is_plan(world, s, u))
    return min(plan_npv(world, s, u, renewed) for s, u in plans)
