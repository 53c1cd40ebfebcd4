"""Spend commitments: what counts towards each of their periods, and the shortfall at its end."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from scoring.contracts.portfolio.agreement import Agreement
from scoring.contracts.portfolio.fill import Floats
from scoring.contracts.portfolio.layout import Facts, Layout
from scoring.contracts.portfolio.promises import Layer, layer_of, period_starts


@dataclass(frozen=True)
class Period:
    """One period of one spend commitment. `committed` is the part of it that falls into the timeline.

    `closes`: the month in which it ends, None where that is after the last one. `before`: it began before the first.
    """

    contract: int
    first: date
    last: date
    committed: float
    true_up: float
    closes: int | None
    before: bool


@dataclass(frozen=True)
class Counted:
    """What counts towards a period in one month: weights of rows, which contracts in which stretch, other spending."""

    period: int
    rows: Floats
    contracts: Floats
    other: float


def periods(contracts: Sequence[Agreement], months: Sequence[tuple[date, date]]) -> tuple[Period, ...]:
    """All periods that have a day in the months."""
    found = []
    for number, contract in enumerate(contracts):
        for term in contract.terms:
            starts = list(period_starts(contract, term))
            ends = [*(day - timedelta(days=1) for day in starts[1:]), term.ends_on]
            for first, last in zip(starts, ends, strict=False):
                if last >= months[0][0] and first <= months[-1][1]:
                    found.append(_period(number, contract, first, last, months))
    return tuple(found)


def _period(number: int, contract: Agreement, first: date, last: date, months: Sequence[tuple[date, date]]) -> Period:
    inside = (last - max(first, months[0][0])).days + 1
    return Period(
        contract=number,
        first=first,
        last=last,
        committed=contract.amount * inside / ((last - first).days + 1),
        true_up=contract.true_up,
        closes=next((i for i, (begins, ends) in enumerate(months) if begins <= last <= ends), None),
        before=first < months[0][0],
    )


def counted(facts: Facts, month: Layout, found: Sequence[Period]) -> tuple[Counted, ...]:
    """What of a month counts towards each of the periods."""
    return tuple(_counted(facts, month, i, period) for i, period in enumerate(found) if _touches(month, period))


def _touches(month: Layout, period: Period) -> bool:
    return any(period.first <= stretch.first <= period.last for stretch in month.cut)


def _counted(facts: Facts, month: Layout, number: int, period: Period) -> Counted:
    contract = facts.contracts[period.contract]
    within = np.array([period.first <= stretch.first <= period.last for stretch in month.cut], dtype=float)
    served = np.zeros(len(facts.usages))
    served[[s.usage for s in facts.served[period.contract]]] = 1.0
    same = np.array([counts_towards(contract, other) for other in facts.contracts], dtype=float)
    for other, inside in facts.inside.items():
        served[inside : inside + 2] = same[other]
    days = sum(stretch.days for stretch, inside in zip(month.cut, within, strict=True) if inside)
    return Counted(
        period=number,
        rows=np.outer(within, served).reshape(-1) * month.prices,
        contracts=np.outer(same, within),
        other=contract.other_spend_per_month * days / sum(stretch.days for stretch in month.cut),
    )


def counts_towards(commitment: Agreement, other: Agreement) -> bool:
    """Whether what another contract costs is spending with the same vendor."""
    if layer_of(other) is Layer.SPENDING:
        return False
    ours, theirs = (c.cloud or c.provider for c in (commitment, other))
    return ours is None or theirs is None or ours.casefold() == theirs.casefold()


def shortfalls(found: Sequence[Period], spent: Floats, contracts: int) -> tuple[Floats, Floats, Floats]:
    """Used, wasted and cost of the spend commitments, each [contracts, months, draws].

    `spent`: what counts towards each period, [periods, months, draws]. Spending above the commitment uses nothing.
    """
    shape = (contracts, *spent.shape[1:])
    used, wasted, cost = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for period, by_month in zip(found, spent, strict=True):
        met = np.minimum(np.cumsum(by_month, axis=0), period.committed)
        used[period.contract] += np.diff(met, axis=0, prepend=0.0)
        if period.closes is not None:
            missing = period.committed - met[period.closes]
            wasted[period.contract, period.closes] += missing
            cost[period.contract, period.closes] += missing * period.true_up
    return used, wasted, cost
