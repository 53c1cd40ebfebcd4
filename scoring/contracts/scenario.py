"""One workload's facts, and its months in every scenario of renewals, computed once and combined."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import combinations

import numpy as np

from scoring.contracts.again import cheapest_length, longest
from scoring.contracts.coverage import Column, Promised, covers, promised, terms_of
from scoring.contracts.cuts import cut_months, shares_of_months
from scoring.contracts.demand import units_by_month
from scoring.contracts.migration import Migration
from scoring.contracts.months import Grid, Months, Others, first_month, months_from
from scoring.contracts.notices import renews_automatically, status_on
from scoring.contracts.options import hours_of
from scoring.contracts.other_work import OtherWorkHeld, other_work_of
from scoring.contracts.pooling import further_of, paid_hours, plans_of_both
from scoring.contracts.recoveries import Leavings, leavings_of
from scoring.contracts.true_ups import SpendPeriod, spend_periods
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, DeadlineStatus
from scoring.model.settings import Settings
from scoring.model.switching import OptionTaken, Release

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
    def demand(self) -> list[float]:
        """Units of work in each month."""
        return units_by_month(self.settings.demand, self.months)

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
    def of_both(self) -> frozenset[str]:
        """Ids of the savings plans that either arm's hours may draw on."""
        plans = (c for c in self.of_incumbent if c.commitment.currency_per_hour is not None)
        return frozenset(c.id for c in plans if covers(c, self.candidate))

    @cached_property
    def renewable(self) -> frozenset[str]:
        """Ids of the contracts of either arm that renew unless notice is given, and for which it still can be."""
        held = (*self.of_incumbent, *self.of_candidate)
        due = (c for c in held if status_on(c, self.today) is DeadlineStatus.DUE)
        return frozenset(c.id for c in due if renews_automatically(c))

    @property
    def ways_to_renew(self) -> tuple[frozenset[str], ...]:
        """Every set of the incumbent's contracts that may be let renew, none of them first.

        Of more than `MOST_EACH` contracts only a chain: each one added that then makes staying cheapest.
        """
        return self.staying.own_ways

    @cached_property
    def own_ways(self) -> tuple[frozenset[str], ...]:
        """The sets of `ways_to_renew` where renewals are as long as they are here."""
        ids = [c.id for c in self.of_incumbent if c.id in self.renewable]
        if len(ids) <= MOST_EACH:
            return tuple(frozenset(some) for n in range(len(ids) + 1) for some in combinations(ids, n))
        chain = [frozenset[str]()]
        while left := [i for i in ids if i not in chain[-1]]:
            chain.append(min((chain[-1] | {i} for i in left), key=lambda some: self.grid(some).stay_npv))
        return tuple(chain)

    @cached_property
    def staying(self) -> "Frame":
        """The facts with the incumbent's renewals as long as makes staying cheapest; a move lets all of them end.

        What was missed renews once with other work, whose use of idle hours is measured against what is held.
        """
        held = {c.id for c in self.of_incumbent}
        found = self._with({i: self._longest[i] for i in held & self.renewable & self._longest.keys()})
        found = self._with({i: self._cheapest(found, i, frozenset({i})) for i in found._changed_from(self)})
        missed = [] if self.settings.other_workloads else sorted(held & self._longest.keys() - self.renewable)
        for i in missed:
            found = found._with({i: found._cheapest(found._with({i: self._longest[i]}), i)})
        if found.contracts == self.contracts:
            return self
        lowest = [min(frame.grid(way).stay_npv for way in found.own_ways) for frame in (found, self)]
        return found if lowest[0] < lowest[1] else self

    @cached_property
    def _longest(self) -> dict[str, Contract]:
        """The contracts that may renew more than once within the horizon, renewing beyond it."""
        pairs = ((c, longest(c, self.months[-1][1])) for c in self.contracts)
        return {c.id: longer for c, longer in pairs if longer != c and status_on(c, self.today) != DeadlineStatus.NONE}

    def _with(self, others: Mapping[str, Contract]) -> "Frame":
        return replace(self, contracts=tuple(others.get(c.id, c) for c in self.contracts)) if others else self

    def _cheapest(self, longer: "Frame", contract_id: str, renewed: frozenset[str] = frozenset()) -> Contract:
        """The contract with the number of renewals that makes staying cheapest, `longer` holding the most of them."""
        contract = next(c for c in self.contracts if c.id == contract_id)
        grids = longer.grid(renewed), self.grid(renewed)
        dearer = grids[0].factor * (grids[0].stay_cost - grids[1].stay_cost)
        return cheapest_length(contract, self.months, dearer)

    @cached_property
    def renews_again(self) -> tuple[str, ...]:
        """Ids of the contracts that staying may let renew more than once."""
        return self.staying._changed_from(self)

    def _changed_from(self, other: "Frame") -> tuple[str, ...]:
        pairs = zip(self.contracts, other.contracts, strict=True)
        return tuple(c.id for c, before in pairs if c != before)

    @property
    def _types(self) -> tuple[str, str]:
        """What the contracts know the arms by."""
        a, b = (flow.instance_type or flow.arm for flow in (self.incumbent, self.candidate))
        return a, b

    @cached_property
    def _promised(self) -> tuple[Promised, Promised]:
        sides = zip((self.of_incumbent, self.of_candidate), self._types, strict=True)
        a, b = (terms_of(held, self.today, self.renewable, named) for held, named in sides)
        return promised(a, self.months), promised(b, self.months)

    @cached_property
    def parts(self) -> tuple[Months, ...]:
        """The stretches of days into which terms and their steps cut the months; none where no month is cut."""
        return cut_months(self.months, [term for arm in self._promised for term in arm.terms])

    @cached_property
    def _promised_in_parts(self) -> tuple[tuple[Promised, Promised], ...]:
        a, b = self._promised
        return tuple((promised(a.terms, part), promised(b.terms, part)) for part in self.parts)

    def promised_in_parts(self, renewed: frozenset[str] = frozenset()) -> tuple[tuple[Promised, Promised], ...]:
        """What is promised in each of the stretches of the months, some of the contracts renewed."""
        return tuple((a.where_renewed(renewed), b.where_renewed(renewed)) for a, b in self._promised_in_parts)

    def promised(self, renewed: frozenset[str] = frozenset()) -> tuple[Promised, Promised]:
        """What the contracts of the incumbent and of the candidate promise, some of them renewed."""
        a, b = self._promised
        return a.where_renewed(renewed), b.where_renewed(renewed)

    @cached_property
    def leavings(self) -> dict[str, Leavings]:
        """How each of the incumbent's contracts may be left early, by its id; those that may not be are not in it."""
        found = {c.id: leavings_of(c, self.months, self.today) for c in self.of_incumbent}
        return {name: ways for name, ways in found.items() if ways.releases or ways.barred}

    @cached_property
    def other_work(self) -> OtherWorkHeld:
        """Other work that may use the incumbent's committed hours, in hours of the incumbent's type."""
        return other_work_of(self.settings.other_workloads, self.of_incumbent, self.incumbent)

    def _others(self, a: Promised, held: Promised, within: Column | float = 1.0) -> Others | None:
        if not self.other_work.work:
            return None
        held, names = held.where_renewed(frozenset()), self.other_work.contracts
        return Others(self.other_work.work, a.hours_of(names), held.hours.sum(axis=0), held.hours_of(names), within)

    @cached_property
    def _of_arms(self) -> tuple[frozenset[str], frozenset[str]]:
        """Ids of all contracts that either arm's hours may draw on."""
        held = (*self.of_incumbent, *self.of_candidate)
        a, b = (frozenset(c.id for c in held if covers(c, flow)) for flow in (self.incumbent, self.candidate))
        return a, b

    def _spending(self, a: Promised, b: Promised) -> tuple[SpendPeriod, ...]:
        return spend_periods((*self.of_incumbent, *self.of_candidate), self._of_arms, (a, b), self.today, self.months)

    @cached_property
    def _grids(self) -> dict[tuple[object, ...], Grid]:
        return {}

    def grid(
        self,
        renewed: frozenset[str] = frozenset(),
        left: Sequence[Release] = (),
        option: OptionTaken | None = None,
    ) -> Grid:
        """The months in one scenario of renewal, contracts of the incumbent left and one of the candidate taken."""
        key = (renewed, tuple(left), option)
        if key not in self._grids:
            self._grids[key] = self._grid(renewed, left, option)
        return self._grids[key]

    def _grid(self, renewed: frozenset[str], left: Sequence[Release], option: OptionTaken | None) -> Grid:
        more = hours_of(option, self.months) if option else (0.0, 0.0)
        held, (a, b) = self._promised[0], self.promised(renewed)
        whole = self._stretch(a.left(left) if left else a, b, held, more)
        in_parts = zip(self.parts, self.promised_in_parts(renewed), self._promised_in_parts, strict=True)
        parts = tuple(
            self._stretch(a.left(left, n > 0) if left else a, b, held, more, shares_of_months(part, self.months))
            for n, (part, (a, b), (held, _)) in enumerate(in_parts)
        )
        return replace(whole, spending=self._spending(a.left(left) if left else a, b), parts=parts)

    def _stretch(
        self, a: Promised, b: Promised, held: Promised, more: tuple[Column | float, Column | float],
        within: Column | float = 1.0,
    ) -> Grid:  # fmt: skip
        """The months, or `within` of each of them; `more` are hours and cost of what is taken of the candidate."""
        settings, count = self.settings, len(self.months)
        reuse = settings.reuse_value_per_hour
        plans = plans_of_both(a, b, self.of_both, self._types)
        return Grid(
            factor=(1 + settings.annual_discount_rate) ** (-np.arange(count) / 12),
            need_a=np.array(self.demand) * self.incumbent.hours_per_unit * within,
            committed_a=paid_hours(a, plans),
            committed_b=paid_hours(b, plans) + more[0] * within,
            commitment_cost=a.cost.sum(axis=0) + b.cost.sum(axis=0) + more[1] * within,
            overage_a=a.cheapest_overage,
            overage_b=b.cheapest_overage,
            capacity=settings.capacity.hours_per_month,
            reuse_share=settings.reuse_share,
            reuse_price=None if reuse is None else float(reuse),
            ratio=self.ratio,
            price_a=self.price_a,
            price_b=self.price_b,
            others=self._others(a, held, within),
            further=further_of(a, b, plans, self.ratio, self.price_b),
            migration=Migration(settings.migration_ramp, settings.parallel_months),
        )
