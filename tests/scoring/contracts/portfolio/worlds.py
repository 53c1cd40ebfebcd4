"""Random workloads and contracts, as plain figures and as the engine's values."""

import random
from datetime import date, timedelta
from typing import Any

from scoring.contracts.portfolio.agreement import AgreedTerm, Agreement, Promise, RampStep
from scoring.contracts.portfolio.timeline import Portfolio
from scoring.contracts.portfolio.values import Workload

World = dict[str, Any]
TYPES = ("m5.large", "m5.xlarge", "m5.2xlarge", "p5.48xlarge")
KINDS = {
    "take_or_pay": ("instances", "instance-hours a month"),
    "reserved_standard": ("instances",),
    "reserved_convertible": ("instances",),
    "capacity_block": ("instances",),
    "committed_use": ("instances",),
    "azure_reservation": ("instances",),
    "capacity_reservation": ("instances",),
    "savings_plan_compute": ("currency an hour",),
    "savings_plan_instance": ("currency an hour",),
    "spend_commitment": ("currency a term", "currency a year"),
    "on_demand": ("nothing",),
    "spot": ("nothing",),
}


def workload(rng: random.Random, number: int, months: int) -> World:
    price = float(rng.randint(4, 40))
    region = rng.choice(["r1", "r1", "r2"])
    return {
        "name": f"w{number}", "type": rng.choice(TYPES), "cloud": rng.choice(["aws", "aws", "other"]),
        "region": region, "zone": region + rng.choice("ab"), "owner": rng.choice([None, "x", "y"]), "price": price,
        "hours": [rng.choice([0.0, 300.0, 700.0, 744.0, 2000.0]) * rng.random() for _ in range(months)],
        "plan_rates": {k: price * rng.choice([0.5, 0.7, 0.7, 0.9])
                       for k in ("savings_plan_compute", "savings_plan_instance") if rng.random() < 0.8},
    }  # fmt: skip


def contract(rng: random.Random, number: int, first: date) -> World:
    kind = rng.choice(list(KINDS))
    promise = rng.choice(KINDS[kind])
    starts = first + timedelta(days=rng.randint(-500, 60))
    ends = max(starts, first + timedelta(days=rng.choice([rng.randint(0, 120), rng.randint(0, 700)])))
    rate = float(rng.randint(0, 25))
    terms = [(starts, ends, rate)]
    if rng.random() < 0.3:
        terms.append((ends + timedelta(days=1), ends + timedelta(days=rng.randint(1, 300)), rate + 3))
    hourly = promise in ("instances", "instance-hours a month", "currency an hour")
    amounts = {
        "instances": rng.choice([0.5, 1.0, 2.0]),
        "instance-hours a month": float(rng.randint(50, 1500)),
        "currency an hour": float(rng.randint(1, 30)),
        "nothing": 0.0,
    }
    amount = amounts.get(promise, float(rng.randint(1000, 90000)))
    money = kind.startswith("savings") or kind == "spend_commitment"
    zonal = kind in ("capacity_block", "capacity_reservation") or (kind.startswith("reserved") and rng.random() < 0.3)
    region = rng.choice(["r1", "r2"])
    types = [] if money or rng.random() < 0.2 else [rng.choice(TYPES)]
    ramp = [(first + timedelta(days=rng.randint(-60, 90)), rng.choice([None, amount * 2]), rng.choice([None, 7.0]))]
    return {
        "id": f"c{number}", "kind": kind, "promise": promise, "amount": amount, "terms": terms,
        "overage": rng.choice([None, None, 6.0, 15.0]) if kind in ("take_or_pay", "on_demand") else None,
        "minimum": rng.choice([1.0, 1.0, 0.6, 0.0]) if kind == "take_or_pay" else 1.0,
        "true_up": rng.choice([1.0, 0.5]),
        "ramp": ramp if hourly and kind != "capacity_reservation" and rng.random() < 0.3 else [],
        "provider": rng.choice([None, "aws"]), "cloud": rng.choice([None, "aws"]),
        "regions": [region] if zonal or rng.random() < 0.5 else [], "zones": [region + "a"] if zonal else [],
        "types": types or ([rng.choice(TYPES)] if kind == "capacity_reservation" else []),
        "families": ["m5"] if not types and rng.random() < 0.4 else [],
        "size_flexible": rng.random() < 0.5, "covered_rates": {"m5.large": 3.0} if rng.random() < 0.2 else {},
        "other": rng.choice([0.0, 2000.0]), "owner": rng.choice([None, "x", "y"]), "shared": rng.random() < 0.8,
    }  # fmt: skip


def world(seed: int) -> World:
    """1 to 5 workloads, 0 to 5 contracts, 1 to 4 months."""
    rng = random.Random(seed)
    first = date(2027, 1, 1).replace(month=rng.randint(1, 12), year=rng.choice([2027, 2028]))
    months = rng.randint(1, 4)
    works = [workload(rng, i, months) for i in range(rng.randint(1, 5))]
    held = [contract(rng, i, first) for i in range(rng.randint(0, 5))]
    return {"first": first, "months": months, "workloads": works, "contracts": held}


def agreement(c: World) -> Agreement:
    return Agreement(
        id=c["id"], kind=c["kind"], promise=Promise(c["promise"]), amount=c["amount"],
        terms=tuple(AgreedTerm(starts_on=a, ends_on=b, rate=r) for a, b, r in c["terms"]),
        overage_rate=c["overage"], minimum=c["minimum"], true_up=c["true_up"],
        ramp=tuple(RampStep(starts_on=d, amount=a, rate=r) for d, a, r in c["ramp"]),
        provider=c["provider"], cloud=c["cloud"], regions=tuple(c["regions"]), zones=tuple(c["zones"]),
        instance_types=tuple(c["types"]), families=tuple(c["families"]), size_flexible=c["size_flexible"],
        covered_rates=c["covered_rates"], other_spend_per_month=c["other"], owner=c["owner"], shared=c["shared"],
    )  # fmt: skip


def work(w: World) -> Workload:
    return Workload(
        name=w["name"], instance_type=w["type"], hours_per_month=tuple(w["hours"]), on_demand_price=w["price"],
        cloud=w["cloud"], region=w["region"], zone=w["zone"], owner=w["owner"], savings_plan_rates=w["plan_rates"],
    )  # fmt: skip


def portfolio(w: World) -> Portfolio:
    return Portfolio(list(map(work, w["workloads"])), list(map(agreement, w["contracts"])), w["first"], w["months"])
