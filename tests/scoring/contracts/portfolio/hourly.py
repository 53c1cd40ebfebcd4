"""A second engine for the tests: real hours in plain Python loops, sharing no code with the first.

All hours of a day are alike, since terms change by the day and work is spread evenly: a day is one hour, 24 times.
"""

import calendar
from collections import defaultdict
from datetime import date, timedelta
from typing import Any

UNITS = {"large": 4, "xlarge": 8, "2xlarge": 16, "48xlarge": 384}
ZONE, CAPACITY, HOURS, POOL, PLAN_OF_FAMILY, PLAN, SPENDING, NOTHING = range(1, 9)
DISCOUNTS = ("reserved_standard", "reserved_convertible", "committed_use", "azure_reservation")
World = dict[str, Any]
Rank = tuple[Any, ...]


def layer(c: World) -> int:
    if c["kind"] == "capacity_reservation":
        return CAPACITY
    if c["promise"] == "instances":
        return ZONE if c["zones"] else HOURS
    if c["promise"] == "currency an hour":
        return PLAN_OF_FAMILY if c["kind"] == "savings_plan_instance" else PLAN
    return {"nothing": NOTHING, "instance-hours a month": POOL}.get(c["promise"], SPENDING)


def flexible(c: World) -> bool:
    return bool(
        c["size_flexible"] and c["types"] and not c["zones"] and all(not t.startswith("p5") for t in c["types"])
    )


def fits(c: World, u: World) -> bool:
    cloud = c["cloud"] or (c["provider"] if layer(c) == SPENDING else None)
    if cloud and u["cloud"] and cloud != u["cloud"]:
        return False
    families = set(c["families"]) | ({t.split(".")[0] for t in c["types"]} if flexible(c) else set())
    if (c["types"] or families) and u["type"] not in c["types"] and u["type"].split(".")[0] not in families:
        return False
    if c["regions"] and u["region"] not in c["regions"]:
        return False
    if c["zones"] and u["zone"] not in c["zones"]:
        return False
    return bool(c["shared"] or owns(c, u))


def owns(c: World, u: World) -> bool:
    return c["owner"] is None or u["owner"] is None or c["owner"] == u["owner"]


def plan_rate(c: World, u: World) -> float | None:
    if u["type"] in c["covered_rates"]:
        return float(c["covered_rates"][u["type"]])
    found = u["plan_rates"].get(c["kind"])
    return found or c["terms"][0][2] or None


def served(c: World, usages: list[World]) -> list[tuple[Rank, int, float]]:
    """Rank, usage and units of an hour, for each usage that the contract serves."""
    found: list[tuple[Rank, int, float]] = []
    for i, u in enumerate(usages):
        if not fits(c, u):
            continue
        if layer(c) in (PLAN, PLAN_OF_FAMILY):
            rate = plan_rate(c, u)
            if rate is not None:
                saving = round((u["price"] - rate) / u["price"], 9) if u["price"] else -float("inf")
                found.append(((u["idle"], not owns(c, u), -saving, rate), i, rate))
            continue
        if u["capacity"] is not None and (c["zones"] or c["kind"] not in DISCOUNTS):
            continue
        units = UNITS[u["type"].split(".")[1]] / UNITS[c["types"][0].split(".")[1]] if flexible(c) else 1.0
        found.append(((u["idle"], not owns(c, u), units), i, units))
    return sorted(found)


def term_on(c: World, day: date) -> tuple[float, float, date] | None:
    """Amount, rate and last day of the term that runs."""
    for first, last, rate in c["terms"]:
        if first <= day <= last:
            amount = c["amount"]
            for begins, new_amount, new_rate in c["ramp"]:
                if begins <= day:
                    amount = amount if new_amount is None else new_amount
                    rate = new_rate if new_rate is not None and begins >= first else rate
            return amount, rate, last
    return None


class Month:
    """What is left of each usage in each day's hour, and what each contract used and costs by day."""

    def __init__(self, world: World, index: int, usages: list[World]) -> None:
        year, month = divmod(world["first"].year * 12 + world["first"].month - 1 + index, 12)
        count = calendar.monthrange(year, month + 1)[1]
        self.days = [date(year, month + 1, 1) + timedelta(days=i) for i in range(count)]
        self.usages, self.contracts = usages, world["contracts"]
        self.left = [[w["hours"][index] / (24 * count) if "hours" in w else 0.0 for w in usages] for _ in self.days]
        self.used = [0.0] * len(self.contracts)
        self.promised = [0.0] * len(self.contracts)
        self.cost = [[0.0] * count for _ in self.contracts]
        self.served = [served(c, usages) for c in self.contracts]

    def take(self, c: int, days: list[int], capacity: float, worth: float | None = None) -> float:
        """Serve the usages on these days from an amount, rank by rank, in proportion within a rank."""
        ranks = defaultdict(list)
        for rank, u, units in self.served[c]:
            for d in days:
                if worth is None or self.price(d, u) > worth * units:
                    ranks[rank].append((d, u, units))
        used = 0.0
        for rank in sorted(ranks):
            total = sum(self.left[d][u] * units * 24 for d, u, units in ranks[rank])
            room = max(0.0, capacity - used)
            share = 1.0 if total <= room else room / total
            for d, u, _ in ranks[rank]:
                self.left[d][u] *= 1 - share
            used += total * share
        self.used[c] += used
        return used

    def price(self, d: int, u: int) -> float:
        """Of an hour that nothing serves."""
        usage = self.usages[u]
        if usage["capacity"] is not None:
            term = term_on(self.contracts[usage["capacity"]], self.days[d])
            return term[1] if term else 0.0
        prices = [usage["price"]]
        for c, mine in zip(self.contracts, self.served, strict=True):
            term = term_on(c, self.days[d])
            if term and layer(c) != CAPACITY and any(i == u for _, i, _ in mine):
                prices += [c["overage"]] if c["overage"] is not None else []
                prices += [term[1]] if layer(c) == NOTHING and c["kind"] != "spot" else []
        return float(min(prices))

    def parts(self) -> list[tuple[Any, ...]]:
        """What stands to be used: order, contract, days, amount, rate."""
        found: list[tuple[Any, ...]] = []
        for i, c in enumerate(self.contracts):
            width = (flexible(c), not c["types"], sum(self.usages[u]["capacity"] is None for _, u, _ in self.served[i]))
            pools: dict[tuple[date, float], list[tuple[int, float]]] = defaultdict(list)
            for d, day in enumerate(self.days):
                term = term_on(c, day)
                if term is None or layer(c) in (SPENDING, NOTHING):
                    continue
                key = (layer(c), (0, 0, 0) if layer(c) in (PLAN, PLAN_OF_FAMILY) else width, term[2], c["id"])
                if layer(c) == POOL:
                    pools[term[2], term[1]].append((d, term[0] / len(self.days)))
                else:
                    found.append(((*key, d), i, [d], term[0] * 24, term[1]))
            for (last, rate), days in pools.items():
                found.append(
                    ((POOL, width, last, c["id"], rate), i, [d for d, _ in days], sum(a for _, a in days), rate)
                )
        return sorted(found, key=lambda part: part[0])

    def run(self) -> None:
        parts = self.parts()
        for key, i, days, amount, rate in parts:
            c = self.contracts[i]
            self.promised[i] += amount
            minimum = c["minimum"] if key[0] in (ZONE, HOURS, POOL) else 1.0
            used = self.take(i, days, amount * minimum)
            if key[0] == CAPACITY:
                inside = next(n for n, u in enumerate(self.usages) if u["capacity"] == i)
                self.left[days[0]][inside] = used / 24
                self.left[days[0]][inside + 1] = (amount - used) / 24
                continue
            for d in days:
                self.cost[i][d] += amount * minimum * (1.0 if key[0] in (PLAN, PLAN_OF_FAMILY) else rate) / len(days)
        for key, i, days, amount, rate in sorted(parts, key=lambda p: (p[4], p[0])):
            c = self.contracts[i]
            if key[0] in (ZONE, HOURS, POOL) and c["minimum"] < 1:
                used = self.take(i, days, amount * (1 - c["minimum"]), worth=rate)
                for d in days:
                    self.cost[i][d] += used * rate / len(days)
        for u, usage in enumerate(self.usages):
            for d in range(len(self.days)):
                if usage["capacity"] is not None:
                    self.cost[usage["capacity"]][d] += self.left[d][u] * 24 * self.price(d, u)


def simulate(world: World) -> World:
    """Used, cost of each contract and left hours of each workload by month, and the total."""
    usages = [w | {"capacity": None, "idle": False} for w in world["workloads"]]
    for i, c in enumerate(world["contracts"]):
        if layer(c) == CAPACITY:
            place = (c["types"][0], c["regions"][0])
            like = [w["plan_rates"] for w in world["workloads"] if (w["type"], w["region"]) == place]
            held = {
                "type": place[0],
                "region": place[1],
                "zone": c["zones"][0] if c["zones"] else None,
                "cloud": c["cloud"],
                "owner": c["owner"],
                "price": c["terms"][0][2],
                "plan_rates": min(like, key=lambda rates: sorted(rates.items()), default={}),
            }
            usages += [held | {"capacity": i, "idle": False}, held | {"capacity": i, "idle": True}]
    months = [Month(world, index, usages) for index in range(world["months"])]
    for month in months:
        month.run()
    spent_by_contract = [spending(world, months, i) for i in range(len(world["contracts"]))]
    out: World = {"used": [], "contract_cost": [], "left": [], "total": []}
    for t, month in enumerate(months):
        extra = [by_month[t] for by_month in spent_by_contract]
        out["used"].append([u + e[0] for u, e in zip(month.used, extra, strict=True)])
        out["contract_cost"].append([sum(c) + e[1] for c, e in zip(month.cost, extra, strict=True)])
        count = len(world["workloads"])
        out["left"].append([sum(day[w] for day in month.left) * 24 for w in range(count)])
        overage = sum(
            day[w] * 24 * month.price(d, w) for d, day in enumerate(month.left) for w in range(count) if day[w]
        )
        out["total"].append(overage + sum(out["contract_cost"][-1]))
    return out


def spending(world: World, months: list[Month], i: int) -> list[tuple[float, float]]:
    """What a spend commitment uses, and its shortfall's cost, by month."""
    c, out = world["contracts"][i], []
    if layer(c) != SPENDING:
        return [(0.0, 0.0)] * len(months)
    met: dict[date, float] = defaultdict(float)
    for month in months:
        used = cost = 0.0
        for d, day in enumerate(month.days):
            period = period_of(c, day)
            if period is None:
                continue
            first, last = period
            inside = (last - max(first, world["first"])).days + 1
            committed = c["amount"] * inside / ((last - first).days + 1)
            more = min(counts(c, month, d, i), committed - met[first])
            met[first] += more
            used += more
            cost += c["true_up"] * (committed - met[first]) if day == last else 0.0
        out.append((used, cost))
    return out


def period_of(c: World, day: date) -> tuple[date, date] | None:
    for begins, ends, _ in c["terms"]:
        if not begins <= day <= ends:
            continue
        if c["promise"] == "currency a term":
            return begins, ends
        starts = [anniversary(begins, years) for years in range(6)]
        first = max(s for s in starts if s <= day)
        return first, min(ends, anniversary(begins, starts.index(first) + 1) - timedelta(days=1))
    return None


def anniversary(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return date(day.year + years, 2, 28)


def counts(c: World, month: Month, d: int, i: int) -> float:
    total = float(c["other"]) / len(month.days)
    mine = {u for _, u, _ in month.served[i]}
    total += sum(month.left[d][u] * 24 * month.price(d, u) for u in mine if month.usages[u]["capacity"] is None)
    for other, costs in zip(month.contracts, month.cost, strict=True):
        ours, theirs = (x["cloud"] or x["provider"] for x in (c, other))
        if layer(other) != SPENDING and (ours is None or theirs is None or ours == theirs):
            total += costs[d]
    return total
