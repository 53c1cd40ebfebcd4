"""Money is an exact amount with its currency; two currencies never meet without a dated rate."""

from datetime import date
from decimal import Decimal
from typing import Annotated

from pydantic import Field, StringConstraints

from scoring.model.base import Value

Currency = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]


class Money(Value):
    """An amount in one currency. Arithmetic between currencies raises ValueError."""

    amount: Decimal
    currency: Currency

    def __add__(self, other: "Money") -> "Money":
        if self.currency != other.currency:
            raise ValueError(f"{self.currency} and {other.currency} need a rate")
        return Money(amount=self.amount + other.amount, currency=self.currency)

    def __mul__(self, factor: Decimal | int) -> "Money":
        return Money(amount=self.amount * factor, currency=self.currency)


class Rate(Value):
    """One unit of `source` currency is worth `rate` units of `target`, as of a day, from a named place."""

    source: Currency
    target: Currency
    rate: Decimal = Field(gt=0)
    on: date
    origin: str | None = None
