"""The repository's `.github/steelyard.yml`: every assumption that a decision rests on, with defaults that are shown."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Literal, Self

from pydantic import Field, model_validator

from scoring.model.base import Value
from scoring.model.estimates import Direction
from scoring.model.money import Currency, Rate
from scoring.model.pilot import Phase


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


class Demand(Value):
    """How much work a month brings, in the pilot's own unit of work."""

    units_per_month: float = Field(gt=0)
    unit: str | None = None
    source: str | None = None


class Capacity(Value):
    """What of the candidate can be had: hours a month, and who confirmed it until when."""

    hours_per_month: float | None = Field(default=None, gt=0)
    region: str | None = None
    confirmed_by: str | None = None
    confirmed_until: date | None = None


class Settings(Value):
    """All settings in force. Amounts are in `currency`, rates are per year, margins as in `Margin`."""

    language: Literal["en"] = "en"
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
    approved_regions: tuple[str, ...] = ()
    capacity: Capacity = Capacity()
    prices: dict[str, PriceSetting] = {}
    demand: Demand | None = None
    migration_cost: Decimal = Field(default=Decimal(0), ge=0)
    reuse_share: float = Field(default=0.0, ge=0, le=1)
    reuse_value_per_hour: Decimal | None = Field(default=None, ge=0)
    split_minimum_gain: float = Field(default=0.01, ge=0, lt=1)
    planned_runs_per_arm: int = Field(default=30, ge=2, le=1000)
    count_initialisation: bool = False
    mixed_pricing: Literal["refuse", "accept"] = "refuse"
    cost_source: Literal["ask", "stated", "computed"] = "ask"
    map: dict[str, str] = {}
