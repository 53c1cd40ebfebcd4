"""How a contract is paid: what falls due at its start, and how its promise steps up or down."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from scoring.model.base import Value

Share = Annotated[Decimal, Field(ge=0, le=1)]
CurrencyAmount = Annotated[Decimal, Field(ge=0)]
PositiveRate = Annotated[Decimal, Field(gt=0)]


class PaymentKind(StrEnum):
    """When a commitment is paid; `none` is nothing at the start, as `monthly` is."""

    ALL_UPFRONT = "all_upfront"
    PARTIAL_UPFRONT = "partial_upfront"
    NONE = "none"
    MONTHLY = "monthly"


class Payment(Value):
    """`upfront`: amount of the whole contract paid on its first day, beside what its rate charges by the hour."""

    kind: PaymentKind = PaymentKind.MONTHLY
    upfront: CurrencyAmount = Decimal(0)


class RampStep(Value):
    """From that day on; None leaves what held before. The amount is of the same sort as the commitment's."""

    starts_on: date
    instances: CurrencyAmount | None = None
    instance_hours_per_month: CurrencyAmount | None = None
    currency_per_hour: CurrencyAmount | None = None
    rate: CurrencyAmount | None = None

    @property
    def amounts(self) -> dict[str, Decimal]:
        """What it sets, by the commitment's field."""
        named = {
            "instances": self.instances,
            "instance_hours_per_month": self.instance_hours_per_month,
            "currency_per_hour": self.currency_per_hour,
        }
        return {name: amount for name, amount in named.items() if amount is not None}

    @model_validator(mode="after")
    def _sets_something(self) -> Self:
        if not self.amounts and self.rate is None:
            raise ValueError("an amount or a rate")
        if len(self.amounts) > 1:
            raise ValueError("one amount")
        return self
