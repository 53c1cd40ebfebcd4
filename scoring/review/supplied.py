"""Capacity and offers as the plan takes them: those of the work's own book, and those of the settings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from scoring.contracts.demand import in_steps
from scoring.contracts.exchange import exchange_rate
from scoring.contracts.months import Months
from scoring.contracts.places import region_named
from scoring.model.contract import Coverage
from scoring.model.settings import CommitmentOption
from scoring.quarter.values import CapacityPool, CommitmentOffer
from scoring.review.given import ReviewedWorkload, ReviewInput, WorkOption
from scoring.review.given_supply import OF_SETTINGS, ReviewedOffer, ReviewedPool


@dataclass(frozen=True)
class Supplied:
    """Pools and offers of a review. Offers are in the settings' currency; those without a rate are left out."""

    given: ReviewInput
    today: date

    def pools(self, months: Months) -> tuple[CapacityPool, ...]:
        """The book's pools, and the settings' `capacity` as one of its own where an option is in it."""
        own = [_pool(pool, months) for pool in self.given.pools]
        in_settings = any(self.pool_of(w, o) == OF_SETTINGS for w in self.given.workloads for o in w.options)
        return (*own, *([self._of_settings(months)] if in_settings else []))

    def pool_of(self, work: ReviewedWorkload, option: WorkOption) -> str | None:
        """Whose hours an option takes: of the pool that it names, else of the settings' `capacity`.

        That is what of a candidate can be had: it is of work that moves, to its region where it names one, and to the
        settings' `candidate` where they name one. An option that names no region may be in it.
        """
        capacity, candidate = self.given.settings.capacity, self.given.settings.candidate
        said = capacity.hours_per_month or capacity.region or capacity.confirmed_by or capacity.confirmed_until
        if option.pool is not None or option.id == work.runs_on or not said:
            return option.pool
        elsewhere = capacity.region and option.region and region_named(option.region) != region_named(capacity.region)
        other = candidate is not None and not _is_called(option, candidate)
        return None if elsewhere or other else OF_SETTINGS

    def offers(self) -> tuple[CommitmentOffer, ...]:
        """Those of the work's book, then the settings' `commitment_options`, which are of their `candidate`."""
        own = [offer for one in self.given.offers if (offer := self._offer(one)) is not None]
        found = [*own, *(CommitmentOffer(option=o, covers=covered) for o, covered in self._of_candidate())]
        return tuple(offer for offer in found if offer.option.id not in self.held)

    @cached_property
    def held(self) -> frozenset[str]:
        """Ids of contracts: an offer of such an id is in no plan, since moves are told by ids."""
        return frozenset(contract.id for contract in self.given.contracts)

    def unheld(self) -> tuple[CommitmentOption, ...]:
        """`commitment_options` that are in no plan, since nothing says what they cover."""
        own, held = {one.terms.id for one in self.given.offers}, {o.id for o, _ in self._of_candidate()}
        return tuple(o for o in self.given.settings.commitment_options if o.id not in own | held)

    def _of_candidate(self) -> Iterator[tuple[CommitmentOption, Coverage]]:
        settings, own = self.given.settings, {one.terms.id for one in self.given.offers}
        named = [o for w in self.given.workloads for o in w.options if _is_called(o, settings.candidate)]
        for option in settings.commitment_options if named else ():
            if option.id not in own:
                regions = () if any(o.region is None for o in named) else _once([o.region for o in named if o.region])
                yield option, Coverage(instance_types=_once([o.instance_type for o in named]), regions=regions)

    def _offer(self, one: ReviewedOffer) -> CommitmentOffer | None:
        terms, settings = one.terms, self.given.settings
        rate = exchange_rate(terms.currency or settings.currency, settings, self.today)
        if rate is None:
            return None
        option = terms.model_dump(include=set(CommitmentOption.model_fields))
        option |= {"rate": terms.rate * rate, "upfront": terms.upfront * rate}
        priced = CommitmentOption.model_construct(**option)
        return CommitmentOffer(
            option=priced, covers=terms.covers, provider=terms.provider, most_instances=terms.most_instances
        )

    def _of_settings(self, months: Months) -> CapacityPool:
        capacity = self.given.settings.capacity
        hours = capacity.hours_per_month
        return CapacityPool(
            id=OF_SETTINGS,
            hours_per_month=None if hours is None else (hours,) * len(months),
            confirmed_until=capacity.confirmed_until,
            unconfirmed=bool(capacity.unsaid),
        )


def _pool(pool: ReviewedPool, months: Months) -> CapacityPool:
    steps = [(change.starts_on, change.hours_per_month) for change in pool.changes]
    hours = pool.hours_per_month
    return CapacityPool(
        id=pool.id,
        hours_per_month=None if hours is None else tuple(in_steps(hours, steps, months)),
        confirmed_until=pool.confirmed_until,
        unconfirmed=bool(pool.unsaid),
    )


def _is_called(option: WorkOption, name: str | None) -> bool:
    names = {text.casefold() for text in (option.id, option.instance_type, option.accelerator) if text}
    return name is not None and name.casefold() in names


def _once(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
