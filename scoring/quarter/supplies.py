"""What contracts and offers promise month by month, and the decisions about them that a plan may take."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.months import Months
from scoring.contracts.portfolio.agreement import Agreement
from scoring.contracts.portfolio.promises import Held, Layer, changes, layer_of, promises
from scoring.contracts.portfolio.stretches import stretches
from scoring.quarter.answer import MoveKind

Floats = NDArray[np.float64]
NONE_YET = 1e-12


@dataclass(frozen=True)
class Profile:
    """Units, units paid whatever is used, and their cost in each month, undiscounted."""

    amount: Floats
    paid: Floats
    cost: Floats


@dataclass(frozen=True)
class Lever:
    """A decision about a supply: 0 or 1, or for an offer how many of its units. `today`: what happens if nobody acts.

    `day`: when it takes effect; `deadline`: the last day to decide; `until`: the last day of what is bought.
    `group`: of the levers of one group at most `group_most` in all. `size`: instances in a unit of an offer.
    """

    kind: MoveKind
    subject: str
    month: int
    day: date
    deadline: date
    most: int
    today: int
    group: str
    group_most: int
    size: int = 1
    beyond: float = 0.0
    subject_to: tuple[str, ...] = ()
    until: date | None = None


@dataclass(frozen=True)
class Supply:
    """One term of a contract, or an offer. `always` is there whatever is decided; each lever adds its profile a unit.

    `rate`: of a unit above the paid ones, where it is used. `above`: the contract's price of an hour that it does not
    promise, infinite where it names none. `held`: the term is there unless a lever ends it.
    """

    agreement: Agreement
    rate: Floats
    above: Floats
    always: Profile
    levers: tuple[tuple[Lever, Profile], ...] = ()
    held: bool = True

    @property
    def layer(self) -> Layer:
        """What is promised: hours, currency, open capacity, nothing."""
        return layer_of(self.agreement)

    def in_force(self, lever: Lever) -> Floats:
        """What a lever adds to the term's being in force, month by month."""
        months = np.arange(len(self.rate))
        if lever.kind is MoveKind.LEAVE:
            return np.where(months >= lever.month, -1.0, 0.0)
        return np.ones(len(months))


def supply_of(
    agreement: Agreement,
    months: Months,
    always: Profile | None = None,
    levers: tuple[tuple[Lever, Profile], ...] = (),
    held: bool = True,
) -> Supply:
    """A supply with its rates; without a profile nothing of it is there unless a lever brings it."""
    rate, above = rates_of(agreement, months)
    nothing = np.zeros(len(months))
    return Supply(agreement, rate, above, always or Profile(nothing, nothing, nothing), levers, held)


def profile_of(agreement: Agreement, months: Months) -> Profile:
    """What an agreement promises in each month."""
    amount, paid, cost = np.zeros((3, len(months)))
    for t, part in _parts(agreement.model_copy(update={"upfront": 0.0}), months):
        amount[t] += part.amount
        paid[t] += part.amount if part.layer is Layer.OPEN_CAPACITY else part.paid
        cost[t] += part.cost
    starts_in = month_of(months, agreement.terms[0].starts_on)
    if 0 <= starts_in < len(months):
        cost[starts_in] += agreement.upfront
    return Profile(amount, paid, cost)


def rates_of(agreement: Agreement, months: Months) -> tuple[Floats, Floats]:
    """Price of a unit above the paid ones, and of an hour above the promise, infinite where the term has none."""
    weight, rate = np.zeros(len(months)), np.zeros(len(months))
    above = np.full(len(months), np.inf)
    for t, part in _parts(agreement, months):
        optional = max(part.amount - part.paid, NONE_YET)
        rate[t] = (rate[t] * weight[t] + part.rate * optional) / (weight[t] + optional)
        weight[t] += optional
        above[t] = above[t] if part.above is None else min(above[t], part.above)
    return rate, above


def _parts(agreement: Agreement, months: Months) -> Iterator[tuple[int, Held]]:
    for t, month in enumerate(months):
        cut = stretches(month, changes([agreement]))
        for part in promises([agreement], cut, month[1].day):
            yield t, part


def month_of(months: Months, day: date) -> int:
    """The month of a day: below 0 or too large where it lies outside."""
    first = months[0][0]
    return (day.year - first.year) * 12 + day.month - first.month
