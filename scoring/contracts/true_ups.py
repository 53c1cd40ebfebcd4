"""Spend commitments in a plan: what counts towards each period, and the shortfall that its end charges.

What counts, and to which part of a period, is the shared timeline's (`portfolio.spending`). Of a period that ends after
the last month its part by days is charged in that month, where the shared timeline leaves it open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from scoring.contracts.coverage import Column, Promised
from scoring.contracts.portfolio.agreement import agreements
from scoring.contracts.portfolio.spending import Period, periods
from scoring.model.contract import Contract

Months = Sequence[tuple[date, date]]


@dataclass(frozen=True)
class SpendPeriod:
    """One period of one commitment in the months of the horizon, amounts in the decision's currency.

    `committed` is the part of it that falls into the horizon, `month` the one that is charged. `within` is the share of
    each month's days in the period, `fixed` what counts of each month whatever moves, `other` of it from elsewhere.
    `of_a`, `of_b`: 1 where the arm's hours on demand count, else 0. `before`, `after`: it reaches beyond the horizon's
    first day, its last.
    """

    contract_id: str
    first: date
    last: date
    committed: float
    true_up: float
    month: int
    within: Column
    fixed: Column
    other: float
    of_a: float
    of_b: float
    before: bool
    after: bool

    def counted(self, on_demand: tuple[Column, Column]) -> Column:
        """What counts of each month, from what either arm pays there by the hour above its contracts."""
        found: Column = self.within * (self.of_a * on_demand[0] + self.of_b * on_demand[1] + self.fixed)
        return found

    def charge(self, spent: Column) -> Column:
        """What the end of the period charges for what was spent in all of it."""
        missing: Column = self.true_up * np.maximum(0.0, self.committed - spent)
        return missing


def is_spending(contract: Contract) -> bool:
    """Whether a total in currency is promised."""
    return contract.commitment.currency_total is not None


def spend_periods(
    held: Sequence[Contract], arms: tuple[frozenset[str], frozenset[str]], promised: Sequence[Promised],
    today: date, months: Months,
) -> tuple[SpendPeriod, ...]:  # fmt: skip
    """The periods of the commitments among the contracts that the arms draw on; `arms`: ids that cover each of them."""
    spending = [c for c in held if is_spending(c)]
    found = []
    for contract in spending:
        for period in periods(agreements([contract], today), months):
            found.append(_period(contract, period, arms, promised, months))
    return tuple(found)


def _period(
    contract: Contract, period: Period, arms: tuple[frozenset[str], frozenset[str]], promised: Sequence[Promised],
    months: Months,
) -> SpendPeriod:  # fmt: skip
    within = np.array([_share(first, last, period) for first, last in months])
    fixed = np.full(len(months), float(contract.other_spend_per_month))
    for arm in promised:
        for row, term in enumerate(arm.terms):
            if not is_spending(term.contract) and _same_vendor(contract, term.contract):
                fixed = fixed + arm.cost[row]
    return SpendPeriod(
        contract_id=contract.id,
        first=period.first,
        last=period.last,
        committed=_committed(period, months),
        true_up=period.true_up,
        month=len(months) - 1 if period.closes is None else period.closes,
        within=within,
        fixed=fixed,
        other=float(contract.other_spend_per_month),
        of_a=float(contract.id in arms[0]),
        of_b=float(contract.id in arms[1]),
        before=period.before,
        after=period.closes is None,
    )


def _committed(period: Period, months: Months) -> float:
    """Of what is promised from the first month on, the part by days until the last one."""
    first = max(period.first, months[0][0])
    days = (period.last - first).days + 1
    inside = (min(period.last, months[-1][1]) - first).days + 1
    return period.committed * (inside / days)


def _share(first: date, last: date, period: Period) -> float:
    days = (min(last, period.last) - max(first, period.first)).days + 1
    return max(0, days) / ((last - first).days + 1)


def _same_vendor(commitment: Contract, other: Contract) -> bool:
    ours, theirs = (c.covers.cloud or c.provider for c in (commitment, other))
    return ours is None or theirs is None or ours.casefold() == theirs.casefold()
