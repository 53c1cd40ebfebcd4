"""What goes into the plan of a quarter: workloads with their options, contracts, pools of capacity, offers."""

from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from scoring.model.base import Value
from scoring.model.contract import Contract, Coverage
from scoring.model.money import Currency
from scoring.model.settings import CommitmentOption

MOST_MONTHS = 60


class WorkloadOption(Value):
    """One way to run a workload: an accelerator in a region. Prices are per instance-hour in the plan's currency.

    `on_demand_price` is what an hour costs that no contract serves. `migration_cost` is paid once, in the month in
    which the workload moves here. `pool`: whose capacity it draws on. `hours_cap`: instance-hours a month that this
    option can take. `proven`: a pilot has shown `hours_per_unit`. `earliest_on`: no move before that day.
    `savings_plan_rates` as in the shared timeline: by a plan's id or kind.
    """

    id: str = Field(min_length=1)
    instance_type: str = Field(min_length=1)
    on_demand_price: float = Field(gt=0, le=1e7)
    hours_per_unit: float = Field(gt=0, le=1e12)
    accelerator: str | None = None
    cloud: str | None = None
    region: str | None = None
    zone: str | None = None
    migration_cost: float = Field(default=0.0, ge=0, le=1e12)
    pool: str | None = None
    hours_cap: float | None = Field(default=None, ge=0)
    proven: bool = True
    earliest_on: date | None = None
    savings_plan_rates: dict[str, float] = Field(default_factory=dict)


class PlannedWorkload(Value):
    """Work of each month in its own unit, and the ways to run it; `today` is the id of the option that it runs on."""

    id: str = Field(min_length=1)
    units_per_month: tuple[float, ...]
    options: tuple[WorkloadOption, ...] = Field(min_length=1)
    today: str
    owner: str | None = None

    @model_validator(mode="after")
    def _sound(self) -> Self:
        _once(f"options of workload {self.id}", (option.id for option in self.options))
        if self.today not in {option.id for option in self.options}:
            raise ValueError(f"workload {self.id}: no option is {self.today}")
        if any(not 0 <= units <= 1e15 for units in self.units_per_month):
            raise ValueError(f"workload {self.id}: units_per_month is below zero or too large")
        return self


class CapacityPool(Value):
    """Instance-hours that can be had in each month, shared by all options that name the pool; None: no limit is known.

    `confirmed_until`: no work may begin to move onto it after that day; what runs on it by then stays. `unconfirmed`:
    it is claimed, and nobody has confirmed it: no work may move onto it.
    """

    id: str = Field(min_length=1)
    hours_per_month: tuple[float, ...] | None
    confirmed_until: date | None = None
    unconfirmed: bool = False

    @model_validator(mode="after")
    def _no_negative_hours(self) -> Self:
        if any(hours < 0 for hours in self.hours_per_month or ()):
            raise ValueError(f"pool {self.id}: hours_per_month is below zero")
        return self


class CommitmentOffer(Value):
    """A commitment that could be bought, for the usage that `covers` names; at most `most_instances` of it in all.

    `most_instances` None: as many as the work could ever use.
    """

    option: CommitmentOption
    covers: Coverage
    provider: str | None = None
    most_instances: int | None = Field(default=None, ge=1, le=1_000_000)


class Unproven(StrEnum):
    """What to do with an option that no pilot has proven."""

    EXCLUDE = "exclude"
    FLAG = "flag"


class Search(Value):
    """How far to search: the relative gap on the plan's whole cost, and the longest time of one solve in seconds.

    A search that its time ends is the one case in which the same input may give another plan: the answer says so.
    """

    gap: float = Field(default=1e-3, ge=0, le=0.5)
    seconds: float = Field(default=20.0, gt=0, le=3600)


class QuarterInput(Value):
    """All that the plan rests on. Amounts are in `currency`; `first_month` is the first day of the first month.

    `approved_regions` empty: every region is. Contracts are held to be in `currency` already. Units and pools have one
    figure for each of `months`.
    """

    today: date
    first_month: date
    months: int = Field(ge=1, le=MOST_MONTHS)
    currency: Currency
    annual_discount_rate: float = Field(default=0.0, ge=0, lt=1)
    workloads: tuple[PlannedWorkload, ...]
    contracts: tuple[Contract, ...] = ()
    approved_regions: tuple[str, ...] = ()
    pools: tuple[CapacityPool, ...] = ()
    offers: tuple[CommitmentOffer, ...] = ()
    unproven: Unproven = Unproven.EXCLUDE
    search: Search = Search()

    @model_validator(mode="after")
    def _sound(self) -> Self:
        _once("workloads", (w.id for w in self.workloads))
        _once("contracts and offers", [*(c.id for c in self.contracts), *(o.option.id for o in self.offers)])
        _once("pools", (p.id for p in self.pools))
        if self.first_month.day != 1 or self.first_month < self.today.replace(day=1):
            raise ValueError("first_month is the first day of this month or of a later one")
        rows: Sequence[tuple[str, Sequence[float]]] = [
            *((w.id, w.units_per_month) for w in self.workloads),
            *((p.id, p.hours_per_month) for p in self.pools if p.hours_per_month is not None),
        ]
        if wrong := [name for name, figures in rows if len(figures) != self.months]:
            raise ValueError(f"not one figure for each of {self.months} months: {', '.join(wrong)}")
        if foreign := [c.id for c in self.contracts if c.currency != self.currency]:
            raise ValueError(f"not in {self.currency}: {', '.join(foreign)}")
        known = {p.id for p in self.pools}
        named = {o.pool for w in self.workloads for o in w.options if o.pool is not None}
        if unknown := named - known:
            raise ValueError(f"no capacity is given for the pool {', '.join(sorted(unknown))}")
        return self


def _once(what: str, names: Iterable[str]) -> None:
    listed = list(names)
    if len(set(listed)) < len(listed):
        raise ValueError(f"two of the {what} have one id")
