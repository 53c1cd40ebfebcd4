"""The repository's `.github/steelyard.yml`: every assumption that a decision rests on, with defaults that are shown."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from scoring.model.base import Value
from scoring.model.contract import HOLIDAY_REGION
from scoring.model.estimates import Direction
from scoring.model.money import Currency, Rate
from scoring.model.pilot import Phase
from scoring.model.portability import PortabilitySetting
from scoring.model.records import RecordsSetting


class PriceBasis(StrEnum):
    """How firm a configured price is."""

    LIST = "list"
    QUOTE = "quote"
    ASSUMPTION = "assumption"


class PriceSetting(Value):
    """An hourly price of an arm or an instance type that wins over what was posted."""

    per_hour: Decimal = Field(gt=0)
    currency: Currency | None = None
    basis: PriceBasis = PriceBasis.LIST
    source: str | None = None
    expires_on: date | None = None


class Margin(Value):
    """How much worse the candidate's quality may be: absolute in the metric's own unit, or relative (0.01 = 1 %)."""

    absolute: float | None = Field(default=None, gt=0)
    relative: float | None = Field(default=None, gt=0, lt=1)
    direction: Direction | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.absolute is None) == (self.relative is None):
            raise ValueError("give either absolute or relative")
        return self


class DemandChange(Value):
    """From a day on the work of a month is another."""

    model_config = ConfigDict(populate_by_name=True)

    starts_on: date = Field(alias="from")
    units_per_month: float = Field(ge=0, le=1e15)


class Demand(Value):
    """How much work a month brings, in the pilot's own unit of work.

    `low` and `high` are where it lies in 90 of 100 cases, `units_per_month` being as likely exceeded as not.
    `changes` are the dated steps after it: from each day on a month brings that many units.
    """

    units_per_month: float = Field(gt=0)
    low: float | None = Field(default=None, gt=0)
    high: float | None = Field(default=None, gt=0)
    changes: tuple[DemandChange, ...] = Field(default=(), max_length=120)
    unit: str | None = None
    source: str | None = None

    @field_validator("changes")
    @classmethod
    def _each_day_once(cls, changes: tuple[DemandChange, ...]) -> tuple[DemandChange, ...]:
        if len({change.starts_on for change in changes}) < len(changes):
            raise ValueError("each day once")
        return changes

    @model_validator(mode="after")
    def _range_holds_the_median(self) -> Self:
        if (self.low is None) != (self.high is None):
            raise ValueError("give both low and high")
        if self.low is not None and self.high is not None and not self.low <= self.units_per_month <= self.high:
            raise ValueError("low <= units_per_month <= high")
        return self


def unsaid(confirmed_by: str | None, confirmed_until: date | None) -> tuple[str, ...]:
    """What a claim of confirmed capacity leaves open: who confirmed it, until when."""
    said = {"confirmed_by": (confirmed_by or "").strip(), "confirmed_until": confirmed_until}
    return tuple(name for name, value in said.items() if not value)


class Capacity(Value):
    """What of the candidate can be had: hours a month, and who confirmed it until when."""

    hours_per_month: float | None = Field(default=None, gt=0)
    region: str | None = None
    confirmed_by: str | None = None
    confirmed_until: date | None = None

    @property
    def unsaid(self) -> tuple[str, ...]:
        """What a claim of capacity leaves open. A cap on hours alone claims none."""
        claims = self.region or (self.confirmed_by or "").strip() or self.confirmed_until
        return unsaid(self.confirmed_by, self.confirmed_until) if claims else ()


class CommitmentOption(Value):
    """A commitment of the candidate that could be taken up when work moves, for a term and by the instance.

    `rate` is per instance-hour, `upfront` an amount per instance at the start; both in the decision's currency.
    `instances` None: sized to the need. It may start in a month that begins on or before `expires_on`.
    """

    id: str = Field(min_length=1, max_length=100)
    kind: str = Field(default="quote", min_length=1, max_length=100)
    term_months: int = Field(ge=1, le=120)
    rate: Decimal = Field(ge=0, le=10**7)
    instances: int | None = Field(default=None, ge=1, le=1_000_000)
    upfront: Decimal = Field(default=Decimal(0), ge=0, le=10**12)
    source: str | None = None
    expires_on: date | None = None


Language = Literal["en", "es"]
"""The languages of what people read, each a folder of `templates/messages`."""


class OtherWorkload(Value):
    """Other work that may use committed hours which a move frees, and what an hour costs it otherwise."""

    name: str = Field(min_length=1, max_length=100)
    instance_type: str = Field(min_length=1, max_length=100)
    region: str | None = None
    hours_per_month: float = Field(gt=0, le=1e12)
    on_demand_price: Decimal = Field(gt=0, le=10**7)


class Settings(Value):
    """All settings in force. Amounts are in `currency`, rates are per year, margins as in `Margin`.

    `holidays`: whose holidays are no business days, of every notice that names none of its own.
    """

    language: Language = "en"
    currency: Currency = "USD"
    rates: tuple[Rate, ...] = ()
    decision_date: date | None = Field(default=None, ge=date(2000, 1, 1), le=date(2199, 12, 31))
    horizon_months: int = Field(default=12, ge=1, le=120)
    annual_discount_rate: float = Field(default=0.0, ge=0, lt=1)
    confidence: float = Field(default=0.95, ge=0.5, lt=1)
    baseline: str | None = None
    candidate: str | None = None
    workload: str | None = None
    phase: Phase | None = None
    margins: dict[str, Margin] = {}
    default_margin: float = Field(default=0.01, gt=0, lt=1)
    latency_limits_s: dict[str, float] = {}
    latency_margin: float = Field(default=0.10, gt=0)
    error_rate_limit: float = Field(default=0.01, ge=0, le=1)
    holidays: str | None = Field(default=None, pattern=HOLIDAY_REGION)
    approved_regions: tuple[str, ...] = ()
    capacity: Capacity = Capacity()
    records: RecordsSetting | None = None
    prices: dict[str, PriceSetting] = {}
    demand: Demand | None = None
    migration_cost: Decimal = Field(default=Decimal(0), ge=0)
    migration_ramp: tuple[Annotated[float, Field(gt=0, le=1)], ...] = Field(default=(1.0,), min_length=1, max_length=24)
    parallel_months: int = Field(default=0, ge=0, le=24)
    portability: PortabilitySetting | None = None
    reuse_share: float = Field(default=0.0, ge=0, le=1)
    reuse_value_per_hour: Decimal | None = Field(default=None, ge=0)
    commitment_options: tuple[CommitmentOption, ...] = Field(default=(), max_length=20)
    other_workloads: tuple[OtherWorkload, ...] = Field(default=(), max_length=50)
    split_minimum_gain: float = Field(default=0.01, ge=0, lt=1)
    planned_runs_per_arm: int = Field(default=30, ge=2, le=1000)
    drift_sd: float = Field(default=0.0, ge=0, le=1)
    delay_cost_per_run: Decimal | None = Field(default=None, ge=0)
    earlier_looks: tuple[Annotated[int, Field(ge=1, le=100_000)], ...] = Field(default=(), max_length=200)
    count_initialisation: bool = False
    mixed_pricing: Literal["refuse", "accept"] = "refuse"
    cost_source: Literal["ask", "stated", "computed"] = "ask"
    map: dict[str, str] = {}

    @field_validator("commitment_options", "other_workloads")
    @classmethod
    def _each_named_once(cls, listed: tuple[Any, ...]) -> tuple[Any, ...]:
        if len({getattr(one, "id", None) or one.name for one in listed}) < len(listed):
            raise ValueError("each name once")
        return listed

    @field_validator("migration_ramp")
    @classmethod
    def _ramp_rises_to_all(cls, ramp: tuple[float, ...]) -> tuple[float, ...]:
        if ramp[-1] != 1 or list(ramp) != sorted(ramp):
            raise ValueError("shares that never fall, the last 1")
        return ramp

    @model_validator(mode="after")
    def _freed_hours_once(self) -> Self:
        if self.other_workloads and self.reuse_share:
            raise ValueError("either reuse_share or other_workloads")
        return self
