"""A contract is a promise with dates; prices, coverage and rules are dated data with a source."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from scoring.model.base import Value
from scoring.model.leaving import EarlyTermination, Exchange, RefundCap, Resale, Transfer
from scoring.model.money import Currency
from scoring.model.paying import CurrencyAmount, Payment, PositiveRate, RampStep, Share


class Source(Value):
    """Where a figure came from."""

    file: str | None = None
    row: int | None = None
    origin: str | None = None
    on: date | None = None


class BusinessDayRule(StrEnum):
    """What happens when a deadline falls on a weekend or a holiday: it stays, or another working day counts."""

    NONE = "none"
    PREVIOUS = "previous"
    NEXT = "next"


HOLIDAY_REGION = r"^[A-Z]{2}(-[A-Z0-9]{1,3})?$"
"""A country, or one of its regions: ES, DE-BY."""


class Notice(Value):
    """How long before the last day of term notice must be given: days, or months clamped to the month's end.

    `holidays`: whose holidays are no business days, a country or one of its regions such as ES or DE-BY.
    """

    days: int | None = Field(default=None, ge=0)
    months: int | None = Field(default=None, ge=0)
    business_day: BusinessDayRule = BusinessDayRule.NONE
    holidays: str | None = Field(default=None, pattern=HOLIDAY_REGION)

    @model_validator(mode="after")
    def _one_length(self) -> Self:
        if (self.days is None) == (self.months is None):
            raise ValueError("give either days or months")
        return self


class RenewalKind(StrEnum):
    """Whether the term goes on by itself."""

    NONE = "none"
    AUTOMATIC = "automatic"
    ON_REQUEST = "on_request"


class Renewal(Value):
    """What follows the term; `rate` is the hourly rate after renewal, the old one where None."""

    kind: RenewalKind = RenewalKind.NONE
    months: int = Field(default=0, ge=0)
    rate: Decimal | None = Field(default=None, ge=0)


class Coverage(Value):
    """What a contract's hours may be used for; an empty field covers everything of its kind."""

    cloud: str | None = None
    regions: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    instance_types: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    size_flexible: bool = False


COMMITMENTS = ("instances", "instance_hours_per_month", "currency_per_hour", "currency_total")


class Commitment(Value):
    """What was promised; exactly one of instances around the clock, instance-hours a month, currency.

    `currency_total` is for the whole term, or for each year of it where `per_year`.
    """

    instances: Decimal | None = Field(default=None, gt=0)
    instance_hours_per_month: Decimal | None = Field(default=None, gt=0)
    currency_per_hour: Decimal | None = Field(default=None, gt=0)
    currency_total: Decimal | None = Field(default=None, gt=0)
    per_year: bool = False

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if sum(getattr(self, name) is not None for name in COMMITMENTS) != 1:
            raise ValueError("give exactly one of " + ", ".join(COMMITMENTS))
        return self


class Contract(Value):
    """One commitment. `rate` and `overage_rate` are per instance-hour in `currency`; `ends_on` is the last day.

    `rate` is what falls due by the hour: an upfront payment is beside it. `overage_rate` None: hours above the
    commitment cost the on-demand price. `minimum_utilisation`: share of the committed hours that is paid whatever is
    used. `true_up`: share of a spend commitment's shortfall that is paid at the end of its period. `covered_rates`:
    price of an instance-hour under a savings plan by instance type. `other_spend_per_month`: what other usage counts
    towards a spend commitment. `synthetic` marks a made-up contract.
    """

    id: str = Field(min_length=1)
    provider: str | None = None
    kind: str
    starts_on: date
    ends_on: date
    covers: Coverage = Coverage()
    commitment: Commitment
    rate: Decimal = Field(ge=0)
    overage_rate: Decimal | None = Field(default=None, ge=0)
    currency: Currency = "USD"
    payment: Payment = Payment()
    ramp: tuple[RampStep, ...] = Field(default=(), max_length=120)
    minimum_utilisation: Share = Decimal(1)
    true_up: Share = Decimal(1)
    covered_rates: dict[str, PositiveRate] = {}
    other_spend_per_month: CurrencyAmount = Decimal(0)
    transfer: Transfer | None = None
    exchange: Exchange | None = None
    resale: Resale | None = None
    early_termination: EarlyTermination | None = None
    refund_cap: RefundCap | None = None
    notice: Notice | None = None
    renewal: Renewal = Renewal()
    owner: str | None = None
    synthetic: bool = False
    source: Source = Source()
    other: dict[str, str] = {}

    @model_validator(mode="after")
    def _ends_after_start(self) -> Self:
        if self.ends_on < self.starts_on:
            raise ValueError("ends_on is before starts_on")
        return self


class PriceRow(Value):
    """One instance type in one region; a price that is not public is None, never zero."""

    cloud: str | None = None
    region: str | None = None
    instance_type: str
    accelerator: str | None = None
    accelerator_count: int | None = None
    on_demand_price: Decimal | None = Field(default=None, gt=0)
    spot_price_min: Decimal | None = Field(default=None, gt=0)
    currency: Currency = "USD"
    note: str | None = None
    source: Source = Source()


class PriceBook(Value):
    """Prices by instance type and region, each with its source."""

    rows: tuple[PriceRow, ...] = ()

    def find(self, instance_type: str, region: str | None) -> tuple[PriceRow, ...]:
        """Rows of that type; of that region alone when one is given."""
        same = tuple(r for r in self.rows if r.instance_type.lower() == instance_type.lower())
        return tuple(r for r in same if r.region == region) if region else same
