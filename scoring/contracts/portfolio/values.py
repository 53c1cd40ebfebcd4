"""What goes into the timeline shared by all workloads, and the record that comes out of it."""

from datetime import date
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from scoring.model.base import Value


class Workload(Value):
    """Work that runs on one instance type. Hours are instance-hours, prices per instance-hour in one currency.

    `hours_per_month` has one entry for each month of the timeline, spread evenly over that month's hours. `family`
    None: the type's name up to its dot. `savings_plan_rates` are what an hour costs under a savings plan, by the
    plan's id or by its kind; a plan's own rate for the type comes after its id and before its kind.
    """

    name: str = Field(min_length=1)
    instance_type: str = Field(min_length=1)
    hours_per_month: tuple[float, ...]
    on_demand_price: float = Field(ge=0)
    family: str | None = None
    cloud: str | None = None
    region: str | None = None
    zone: str | None = None
    owner: str | None = None
    savings_plan_rates: dict[str, float] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _no_negative_hours(self) -> Self:
        if any(hours < 0 for hours in self.hours_per_month):
            raise ValueError("hours_per_month is below zero")
        if any(rate <= 0 for rate in self.savings_plan_rates.values()):
            raise ValueError("a savings-plan rate is not above zero")
        return self

    @property
    def family_name(self) -> str:
        """The instance family, in lower case."""
        return (self.family or self.instance_type.partition(".")[0]).casefold()


class Gap(StrEnum):
    """A fact whose lack keeps a contract from a workload, or that was taken to fit."""

    PLAN_RATE = "plan-rate"
    SIZE_FACTOR = "size-factor"
    ZONE = "zone"
    REGION = "region"
    SPENT_BEFORE = "spent-before"
    PERIOD_OPEN = "period-open"
    SPOT = "spot"


class Question(Value):
    """A fact that the answer hangs on and nobody gave; `workload` None: it is about the contract alone.

    `PLAN_RATE`, `SIZE_FACTOR`: the contract is not used for that workload. `ZONE`, `REGION`: the workload does not
    say where it runs and is taken to run where the contract applies. `SPENT_BEFORE`: a period of a spend commitment
    began before the first month, and what was spent until then is taken to be in proportion. `PERIOD_OPEN`: it ends
    after the last month, and its shortfall is in no cost. `SPOT`: a spot price is a range with interruptions and
    lowers no workload's price.
    """

    gap: Gap
    contract_id: str
    workload: str | None = None


class Unit(StrEnum):
    """What a contract promises."""

    INSTANCE_HOURS = "instance-hours"
    CURRENCY = "currency"


class ContractUse(Value):
    """One contract, month by month. `promised`, `used` and `wasted` are in `unit`; used + wasted = promised.

    `cost` is what the contract costs, used or not: the commitment, what hours above a minimum cost, an open capacity
    reservation's hours after the discounts of others, and a spend commitment's true-up in the month that closes its
    period. `covered_hours` are the workloads' instance-hours that it serves; those that it serves by lowering the
    rate of an open capacity reservation are `through_capacity_hours`. `utilisation`: used of what was promised over
    all months, None where nothing was.
    """

    contract_id: str
    kind: str
    unit: Unit
    promised: tuple[float, ...]
    used: tuple[float, ...]
    wasted: tuple[float, ...]
    cost: tuple[float, ...]
    covered_hours: tuple[float, ...]
    through_capacity_hours: tuple[float, ...]
    utilisation: float | None


class WorkloadUse(Value):
    """One workload, month by month: covered + overage = hours. `overage_cost` is what the uncovered hours cost.

    `contract_cost` is its part of the contracts' cost: what it used of what was promised, at the cost of the promise.
    """

    workload: str
    hours: tuple[float, ...]
    covered_hours: tuple[float, ...]
    overage_hours: tuple[float, ...]
    overage_cost: tuple[float, ...]
    contract_cost: tuple[float, ...]
    coverage: float | None


class Use(Value):
    """Instance-hours of one workload under one contract, month by month."""

    contract_id: str
    workload: str
    hours: tuple[float, ...]


class SharedTimeline(Value):
    """All workloads on all contracts. Each tuple of a row has one entry for each of `months`, its first day.

    Costs are undiscounted and in the one currency of the input. `cost` = Σ contracts' cost + Σ workloads' overage.
    """

    months: tuple[date, ...]
    calendar_hours: tuple[int, ...]
    contracts: tuple[ContractUse, ...]
    workloads: tuple[WorkloadUse, ...]
    uses: tuple[Use, ...]
    cost: tuple[float, ...]
    utilisation: float | None
    coverage: float | None
    questions: tuple[Question, ...] = ()
