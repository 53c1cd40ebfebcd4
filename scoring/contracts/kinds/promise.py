"""What stands in a stretch of one month: promised hours by the calendar (UTC), ramp and minimum included."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from scoring.model.contract import COMMITMENTS, Contract
from scoring.model.paying import PaymentKind

HOURS_PER_DAY = 24
HOURS = frozenset({"instances", "instance_hours_per_month"})
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Promise:
    """What a contract promises in a stretch of one month.

    `hours`: instance-hours at hand; `cost`: what is paid whatever is used, for `paid_hours` of them. Each of the
    others costs `rate` where it is used.
    """

    hours: float
    paid_hours: float
    cost: float
    rate: float


NOTHING = Promise(0.0, 0.0, 0.0, 0.0)


def committed(contract: Contract) -> tuple[str, Decimal]:
    """The commitment's field and its amount before any step of the ramp."""
    name = next(name for name in COMMITMENTS if getattr(contract.commitment, name) is not None)
    return name, getattr(contract.commitment, name)


def stretches(contract: Contract, first: date, last: date, rate: float) -> Iterator[tuple[date, date, float, float]]:
    """The days between two, cut at the ramp's steps, each with the amount and the rate that hold on them.

    A step before the term, as of one that has renewed since, leaves its amount and not its rate.
    """
    _, amount = committed(contract)
    level, cursor = float(amount), first
    for step in sorted(contract.ramp, key=lambda s: s.starts_on):
        if step.starts_on > last:
            break
        if step.starts_on > cursor:
            yield cursor, step.starts_on - DAY, level, rate
            cursor = step.starts_on
        level = next((float(a) for a in step.amounts.values()), level)
        if step.rate is not None and contract.starts_on <= step.starts_on <= contract.ends_on:
            rate = float(step.rate) if not _renewed(contract, first) else rate
    if cursor <= last:
        yield cursor, last, level, rate


def _renewed(contract: Contract, first: date) -> bool:
    """In a term after a renewal its own rate holds, not that of a step of the term before."""
    return first > contract.ends_on


def promised_hours(contract: Contract, first: date, last: date, rate: float, instance_type: str | None) -> Promise:
    """Instances around the clock by calendar hours; hours a month pro rata by day. The term's end is the caller's."""
    name, _ = committed(contract)
    minimum = float(contract.minimum_utilisation)
    hours = cost = 0.0
    for start, end, amount, level in stretches(contract, first, last, rate):
        days = (end - start).days + 1
        per_day = HOURS_PER_DAY if name == "instances" else 1 / monthrange(start.year, start.month)[1]
        hours += amount * days * per_day
        cost += amount * days * per_day * minimum * level
        rate = level
    return Promise(hours, hours * minimum, cost, rate)


def plan_rate(contract: Contract, rate: float, instance_type: str | None) -> float | None:
    """What an hour of a type costs under a savings plan; None where neither its rate nor one for all is known."""
    rates = {name.casefold(): float(value) for name, value in contract.covered_rates.items()}
    if instance_type is None and len(set(rates.values())) == 1:
        return next(iter(rates.values()))
    return rates.get((instance_type or "").casefold(), rate or None)


def plan_hours(contract: Contract, first: date, last: date, rate: float, instance_type: str | None) -> Promise:
    """An amount an hour buys amount / rate instance-hours each hour; unused, it is lost with the hour.

    What was paid at the start is a part of that amount: only the rest falls due by the hour.
    """
    per_hour = plan_rate(contract, rate, instance_type)
    due = still_due(contract)
    spent = hours = 0.0
    for start, end, amount, _ in stretches(contract, first, last, rate):
        stretch = amount * ((end - start).days + 1) * HOURS_PER_DAY
        spent += stretch
        hours += stretch / per_hour if per_hour else 0.0
    return Promise(hours, hours, spent * due, per_hour or 0.0)


def still_due(contract: Contract) -> float:
    """The share of a savings plan's amount that falls due by the hour."""
    if contract.payment.kind is PaymentKind.ALL_UPFRONT:
        return 0.0
    days = (contract.ends_on - contract.starts_on).days + 1
    total = float(contract.commitment.currency_per_hour or 0) * days * HOURS_PER_DAY
    return max(0.0, 1 - float(contract.payment.upfront) / total) if total else 1.0


def no_hours(contract: Contract, first: date, last: date, rate: float, instance_type: str | None) -> Promise:
    """None are promised, and nothing stands to be paid before it is used."""
    return NOTHING


def own_overage_rate(contract: Contract, rate: float) -> float | None:
    """The contract's own, where it names one."""
    return None if contract.overage_rate is None else float(contract.overage_rate)


def agreed_rate(contract: Contract, rate: float) -> float | None:
    """Every hour is one above the promise: it costs the agreed rate, or the overage rate where that is lower."""
    return rate if contract.overage_rate is None else min(rate, float(contract.overage_rate))
