"""What a review's work may draw on beside its contracts: pools of capacity and commitments that could be bought."""

from datetime import date
from typing import Self

from pydantic import ConfigDict, Field, model_validator

from scoring.model.base import Value
from scoring.model.contract import Coverage
from scoring.model.money import Currency
from scoring.model.settings import CommitmentOption, unsaid

OF_SETTINGS = "capacity"
"""The id of the pool that the settings' `capacity` is."""


class PoolChange(Value):
    """From a day on a month has so many hours."""

    model_config = ConfigDict(populate_by_name=True)

    starts_on: date = Field(alias="from")
    hours_per_month: float = Field(ge=0, le=1e12)


class ReviewedPool(Value):
    """Instance-hours of a month that all options naming the pool share, and until when somebody has confirmed them.

    `hours_per_month` None: no limit is known. `confirmed_until`: the last day on which work may begin to move onto it.
    """

    id: str = Field(min_length=1, max_length=100)
    hours_per_month: float | None = Field(default=None, ge=0, le=1e12)
    changes: tuple[PoolChange, ...] = Field(default=(), max_length=120)
    provider: str | None = None
    region: str | None = None
    confirmed_by: str | None = None
    confirmed_until: date | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.id == OF_SETTINGS:
            raise ValueError(f"another id: {OF_SETTINGS} is that of the settings")
        if len({change.starts_on for change in self.changes}) < len(self.changes):
            raise ValueError("each day once")
        if self.hours_per_month is None and (self.changes or not self._is_claimed):
            raise ValueError("hours_per_month")
        return self

    @property
    def _is_claimed(self) -> bool:
        return bool((self.confirmed_by or "").strip() or self.confirmed_until)

    @property
    def unsaid(self) -> tuple[str, ...]:
        """What a claim that it is confirmed leaves open: who, or until when. Hours alone claim none."""
        return unsaid(self.confirmed_by, self.confirmed_until) if self._is_claimed else ()


class OfferTerms(CommitmentOption):
    """A commitment that could be bought, for what it `covers`; `rate` and `upfront` are in `currency`.

    `currency` None: the settings' own. `most_instances`: of it in all, None: as many as the work could use.
    """

    covers: Coverage
    provider: str | None = None
    currency: Currency | None = None
    most_instances: int | None = Field(default=None, ge=1, le=1_000_000)

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not self.covers.instance_types and not self.covers.families:
            raise ValueError("covers with instance_types or families")
        if self.most_instances is not None and self.most_instances < (self.instances or 1):
            raise ValueError("most_instances of at least instances")
        return self


class ReviewedOffer(Value):
    """An offer, and where it stands."""

    terms: OfferTerms
    file: str | None = None
    row: int | None = None
