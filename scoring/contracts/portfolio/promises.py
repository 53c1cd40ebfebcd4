"""What each contract promises and costs in a stretch of days, whatever of it is used."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import IntEnum

from scoring.contracts.notices import add_months
from scoring.contracts.portfolio.agreement import AgreedTerm, Agreement, Promise
from scoring.contracts.portfolio.stretches import Stretch


class Layer(IntEnum):
    """In which order contracts take usage; what is lost with the hour comes before what is lost with the month."""

    ZONE = 1
    OPEN_CAPACITY = 2
    HOURS = 3
    HOURS_OF_MONTH = 4
    PLAN_OF_FAMILY = 5
    PLAN = 6
    SPENDING = 7
    NO_PROMISE = 8


PLANS = frozenset({Layer.PLAN_OF_FAMILY, Layer.PLAN})
HOURS = frozenset({Layer.ZONE, Layer.HOURS, Layer.HOURS_OF_MONTH})
MONTHS_A_YEAR = 12


@dataclass(frozen=True)
class Held:
    """One term in one stretch. `amount` is in instance-hours or currency, for the whole stretch.

    `paid`: the part of it that is paid whatever is used; the rest costs `rate` a unit where it is used. `cost` is
    that of the paid part. `above`: the contract's price of an hour that it does not promise, if it names one.
    """

    contract: int
    layer: Layer
    stretch: int
    ends_on: date
    amount: float = 0.0
    paid: float = 0.0
    rate: float = 0.0
    cost: float = 0.0
    above: float | None = None


def layer_of(contract: Agreement) -> Layer:
    """By what is promised; the kind's name matters where the vendor's order hangs on it."""
    if contract.kind == "capacity_reservation":
        return Layer.OPEN_CAPACITY
    if contract.promise is Promise.INSTANCES:
        return Layer.ZONE if contract.zones else Layer.HOURS
    return {
        Promise.NOTHING: Layer.NO_PROMISE,
        Promise.HOURS_PER_MONTH: Layer.HOURS_OF_MONTH,
        Promise.CURRENCY_PER_HOUR: Layer.PLAN_OF_FAMILY if contract.kind == "savings_plan_instance" else Layer.PLAN,
        Promise.CURRENCY_TOTAL: Layer.SPENDING,
        Promise.CURRENCY_PER_YEAR: Layer.SPENDING,
    }[contract.promise]


def changes(contracts: Iterable[Agreement]) -> Iterator[date]:
    """Every day on which a term begins, has ended, takes a step of its ramp, or begins another period."""
    for contract in contracts:
        yield from (step.starts_on for step in contract.ramp)
        for term in contract.terms:
            yield term.starts_on
            yield term.ends_on + timedelta(days=1)
            yield from period_starts(contract, term)


def period_starts(contract: Agreement, term: AgreedTerm) -> Iterator[date]:
    """First day of each period of a spend commitment's term; of another contract none."""
    if contract.promise is Promise.CURRENCY_TOTAL:
        yield term.starts_on
    elif contract.promise is Promise.CURRENCY_PER_YEAR:
        day, years = term.starts_on, 0
        while day <= term.ends_on:
            yield day
            years += 1
            day = add_months(term.starts_on, MONTHS_A_YEAR * years)


def promises(contracts: Sequence[Agreement], cut: Sequence[Stretch], days_in_month: int) -> Iterator[Held]:
    """What the contracts promise in each stretch of a month."""
    for number, stretch in enumerate(cut):
        for index, contract in enumerate(contracts):
            for term in contract.terms:
                if term.starts_on <= stretch.first <= term.ends_on:
                    held = _held(index, contract, term, number, stretch, stretch.days / days_in_month)
                    upfront = contract.upfront if stretch.first == contract.terms[0].starts_on else 0.0
                    yield replace(held, cost=held.cost + upfront) if upfront else held


def _held(index: int, contract: Agreement, term: AgreedTerm, number: int, stretch: Stretch, month: float) -> Held:
    layer = layer_of(contract)
    amount, rate = _on(contract, term, stretch.first)
    above = contract.overage_rate
    if layer is Layer.NO_PROMISE:
        agreed = None if contract.kind == "spot" else rate
        above = agreed if above is None or agreed is None else min(above, agreed)
    if layer in (Layer.SPENDING, Layer.NO_PROMISE):
        return Held(index, layer, number, term.ends_on, above=above)
    amount *= month if layer is Layer.HOURS_OF_MONTH else stretch.hours
    if layer in PLANS:
        due = contract.due if term is contract.terms[0] else 1.0
        return Held(index, layer, number, term.ends_on, amount, amount, 1.0, amount * due, above)
    if layer is Layer.OPEN_CAPACITY:
        return Held(index, layer, number, term.ends_on, amount, amount, rate)
    paid = amount * contract.minimum
    return Held(index, layer, number, term.ends_on, amount, paid, rate, paid * rate, above)


def _on(contract: Agreement, term: AgreedTerm, day: date) -> tuple[float, float]:
    """What is promised on a day, by the hour or by the month, and its rate; a step before a term leaves its rate."""
    amount, rate = contract.amount, term.rate
    for step in sorted(contract.ramp, key=lambda s: s.starts_on):
        if step.starts_on <= day:
            amount = amount if step.amount is None else step.amount
            if step.rate is not None and step.starts_on >= term.starts_on:
                rate = step.rate
    return amount, rate
