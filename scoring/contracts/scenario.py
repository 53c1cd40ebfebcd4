"""One workload's facts, and its months in every scenario of renewals, computed once and combined."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import combinations

import numpy as np

from scoring.contracts.coverage import Promised, covers, promised, terms_of
from scoring.contracts.months import Grid, first_month, months_from
from scoring.contracts.notices import renews_automatically, status_on
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, DeadlineStatus
from scoring.model.settings import Settings

MOST_EACH = 6
"""Contracts whose renewal is weighed in every combination: 64 of them."""


@dataclass(frozen=True)
class Frame:
    """What does not change between scenarios of renewal. All amounts are in one currency."""

    incumbent: ArmFlow
    candidate: ArmFlow
    contracts: tuple[Contract, ...]
    settings: Settings
    today: date
    ratio: float
    price_a: float
    price_b: float

    @cached_property
    def months(self) -> tuple[tuple[date, date], ...]:
        """First and last day of each month of the horizon."""
        return months_from(first_month(self.today), self.settings.horizon_months)

    @cached_property
    def of_incumbent(self) -> tuple[Contract, ...]:
        """Contracts that the incumbent's hours draw on."""
        return tuple(c for c in self.contracts if covers(c, self.incumbent))

    @cached_property
    def of_candidate(self) -> tuple[Contract, ...]:
        """Contracts that the candidate's hours draw on; one that covers both arms is the incumbent's."""
        taken = {c.id for c in self.of_incumbent}
        return tuple(c for c in self.contracts if c.id not in taken and covers(c, self.candidate))

    @cached_property
    def renewable(self) -> frozenset[str]:
        """Ids of the contracts of either arm that renew unless notice is given, and for which it still can be."""
        held = (*self.of_incumbent, *self.of_candidate)
        due = (c for c in held if status_on(c, self.today) is DeadlineStatus.DUE)
        return frozenset(c.id for c in due if renews_automatically(c))

    @cached_property
    def ways_to_renew(self) -> tuple[frozenset[str], ...]:
        """Every set of the incumbent's contracts that may be let renew, none of them first.

        Of more than `MOST_EACH` contracts only a chain: each one added that then makes staying cheapest.
        """
        ids = [c.id for c in self.of_incumbent if c.id in self.renewable]
        if len(ids) <= MOST_EACH:
            return tuple(frozenset(some) for n in range(len(ids) + 1) for some in combinations(ids, n))
        chain = [frozenset[str]()]
        while left := [i for i in ids if i not in chain[-1]]:
            chain.append(min((chain[-1] | {i} for i in left), key=lambda some: self.grid(some).stay_npv))
        return tuple(chain)

    @cached_property
    def _promised(self) -> tuple[Promised, Promised]:
        a, b = (terms_of(held, self.today, self.renewable) for held in (self.of_incumbent, self.of_candidate))
        return promised(a, self.months), promised(b, self.months)

    def promised(self, renewed: frozenset[str] = frozenset()) -> tuple[Promised, Promised]:
        """What the contracts of the incumbent and of the candidate promise, some of them renewed."""
        a, b = self._promised
        return a.where_renewed(renewed), b.where_renewed(renewed)

    def grid(self, renewed: frozenset[str] = frozenset()) -> Grid:
        """The months in one scenario of renewal."""
        settings, count = self.settings, len(self.months)
        a, b = self.promised(renewed)
        demand = settings.demand.units_per_month if settings.demand else 0.0
        reuse = settings.reuse_value_per_hour
        return Grid(
            factor=(1 + settings.annual_discount_rate) ** (-np.arange(count) / 12),
            need_a=np.full(count, demand * self.incumbent.hours_per_unit),
            committed_a=a.hours.sum(axis=0),
            committed_b=b.hours.sum(axis=0),
            commitment_cost=a.cost.sum(axis=0) + b.cost.sum(axis=0),
            overage_a=a.cheapest_overage,
            overage_b=b.cheapest_overage,
            capacity=settings.capacity.hours_per_month,
            reuse_share=settings.reuse_share,
            reuse_price=None if reuse is None else float(reuse),
            ratio=self.ratio,
            price_a=self.price_a,
            price_b=self.price_b,
        )
