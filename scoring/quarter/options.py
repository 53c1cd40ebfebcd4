"""Which options each workload may take and from which month, and why the others are barred."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.contracts.months import months_from
from scoring.quarter.answer import Barred, BarredReason
from scoring.quarter.values import CapacityPool, PlannedWorkload, QuarterInput, Unproven, WorkloadOption

Floats = NDArray[np.float64]
STAY = 0


@dataclass(frozen=True)
class Choice:
    """A workload's choice: `option` from `month` on, today's option before. Staying is today's option from month 0."""

    workload: int
    option: int
    month: int


@dataclass(frozen=True)
class Scene:
    """The input in a fixed order, so that the order in which it was given changes nothing."""

    given: QuarterInput

    @cached_property
    def workloads(self) -> tuple[PlannedWorkload, ...]:
        """By id, each with its options by id and today's option first."""
        return tuple(_ordered(w) for w in sorted(self.given.workloads, key=lambda w: w.id))

    @cached_property
    def months(self) -> tuple[tuple[date, date], ...]:
        """First and last day of each month."""
        return months_from(self.given.first_month, self.given.months)

    @cached_property
    def factor(self) -> Floats:
        """(1 + r)^(−t/12): cash at the start of the month."""
        factor: Floats = (1 + self.given.annual_discount_rate) ** (-np.arange(self.given.months) / 12)
        return factor

    @cached_property
    def units(self) -> Floats:
        """Units of work, [workloads, months]."""
        return np.array([w.units_per_month for w in self.workloads]).reshape(len(self.workloads), self.given.months)

    def need(self, workload: int, option: int) -> Floats:
        """Instance-hours of each month were all the work on that option."""
        need: Floats = self.units[workload] * self.workloads[workload].options[option].hours_per_unit
        return need

    @cached_property
    def barred(self) -> tuple[Barred, ...]:
        """Options that no plan may take."""
        found = ((w, o, self._why(w, o)) for w, work in enumerate(self.workloads) for o in range(len(work.options)))
        return tuple(
            Barred(workload=self.workloads[w].id, option=self.workloads[w].options[o].id, reason=why)
            for w, o, why in found
            if why is not None
        )

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """All that a plan may choose from, workload after workload; one may have none."""
        return tuple(choice for w in range(len(self.workloads)) for choice in self._choices(w))

    def stays(self) -> tuple[Choice, ...]:
        """Every workload where it runs today."""
        return tuple(Choice(w, STAY, 0) for w in range(len(self.workloads)))

    def _choices(self, w: int) -> list[Choice]:
        found = [Choice(w, STAY, 0)] if self._fits(w, STAY)[0] else []
        before = np.append(True, np.logical_and.accumulate(~self._over(w, STAY)))
        for o in range(1, len(self.workloads[w].options)):
            if self._why(w, o) is None:
                fits = self._fits(w, o)
                months = range(self.earliest(w, o), self.last_begin(w, o) + 1)
                found += [Choice(w, o, s) for s in months if fits[s] and before[s]]
        return found

    def _over(self, w: int, o: int) -> NDArray[np.bool_]:
        cap = self.workloads[w].options[o].hours_cap
        over: NDArray[np.bool_] = self.need(w, o) > (np.inf if cap is None else cap)
        return over

    def _fits(self, w: int, o: int) -> NDArray[np.bool_]:
        """Whether the option's own cap holds from each month to the last."""
        fits: NDArray[np.bool_] = np.logical_and.accumulate(~self._over(w, o)[::-1])[::-1]
        return fits

    def earliest(self, w: int, o: int) -> int:
        """The first month in which a move to the option may begin; one after the last where it may in none."""
        day = self.workloads[w].options[o].earliest_on
        return next((i for i, (first, _) in enumerate(self.months) if day is None or first >= day), self.given.months)

    def last_begin(self, w: int, o: int) -> int:
        """The last month in which a move to the option may begin, by what is confirmed of its pool; -1: in none."""
        pool = self._pools.get(self.workloads[w].options[o].pool)
        if pool is not None and pool.unconfirmed:
            return -1
        until = date.max if pool is None or pool.confirmed_until is None else pool.confirmed_until
        return sum(max(first, self.given.today) <= until for first, _ in self.months) - 1

    @cached_property
    def _pools(self) -> dict[str | None, CapacityPool]:
        return {pool.id: pool for pool in self.given.pools}

    def _why(self, w: int, o: int) -> BarredReason | None:
        option = self.workloads[w].options[o]
        if o == STAY:
            return BarredReason.OVER_CAP if not self._fits(w, o)[0] else None
        if (region := self.region_reason(option)) is not None:
            return region
        if not option.proven and self.given.unproven is Unproven.EXCLUDE:
            return BarredReason.NOT_PROVEN
        if self.last_begin(w, o) < 0:
            return BarredReason.CAPACITY_NOT_CONFIRMED
        if self.earliest(w, o) == self.given.months:
            return BarredReason.TOO_LATE
        if self.earliest(w, o) > self.last_begin(w, o):
            return BarredReason.CAPACITY_NOT_CONFIRMED
        return BarredReason.OVER_CAP if not self._fits(w, o).any() else None

    def region_reason(self, option: WorkloadOption) -> BarredReason | None:
        """Why its region bars an option; policy comes before price."""
        approved = {region.casefold() for region in self.given.approved_regions}
        if not approved:
            return None
        if option.region is None:
            return BarredReason.REGION_UNKNOWN
        return None if option.region.casefold() in approved else BarredReason.REGION_NOT_APPROVED


def _ordered(work: PlannedWorkload) -> PlannedWorkload:
    options = tuple(sorted(work.options, key=lambda o: (o.id != work.today, o.id)))
    return work.model_copy(update={"options": options})
