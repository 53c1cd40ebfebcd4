"""The terms by which a contract may be left before its last day, and what leaving on a day would bring."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from scoring.model.base import Value

_Share = Annotated[Decimal, Field(ge=0, le=1)]
_Amount = Annotated[Decimal, Field(ge=0)]


class Transfer(Value):
    """To which accounts, teams or regions the hours may go; with the provider's consent or without."""

    allowed: bool = True
    accounts: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    consent: bool = False


class Exchange(Value):
    """Whether it may be exchanged, to which families, and on what terms in the contract's own words."""

    allowed: bool
    families: tuple[str, ...] = ()
    terms: str | None = None


class Resale(Value):
    """Whether the rest may be sold: at which discount, less which fee (both shares), after how many months held."""

    allowed: bool
    discount: _Share | None = None
    fee: _Share | None = None
    from_months: int = Field(default=0, ge=0)


class TerminationKind(StrEnum):
    """What the fee of an early termination is."""

    NONE = "none"
    FEE_SHARE = "fee_share"
    FIXED = "fixed"


class EarlyTermination(Value):
    """`none`: it cannot be ended early. `share` is of what remains to be paid; `amount` is in the currency."""

    kind: TerminationKind
    share: _Share | None = None
    amount: _Amount | None = None
    notice_days: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _fee_of_its_kind(self) -> Self:
        wanted = {TerminationKind.FEE_SHARE: (True, False), TerminationKind.FIXED: (False, True)}
        if (self.share is not None, self.amount is not None) != wanted.get(self.kind, (False, False)):
            raise ValueError("fee_share with its share, fixed with its amount, none with neither")
        return self


class RefundCap(Value):
    """What may be refunded in a year, and how much of it was used already; both in the contract's currency."""

    amount: _Amount
    used: _Amount = Decimal(0)


class Way(StrEnum):
    """How a contract is left."""

    RESALE = "resale"
    TERMINATION = "termination"
    EXCHANGE = "exchange"
    TRANSFER = "transfer"


class Recovery(Value):
    """What leaving a contract on `on` brings: `cash` in its currency, positive received, negative paid.

    From that day the contract promises nothing and costs nothing more: what of its `obligation` (all that it would
    still have charged) stays owed is in `cash`. `subject_to` are codes of what must be true as well: buyer, consent,
    notice, equal-or-greater-value. `notice_by`: last day on which it may be said. `barred_by` is why it cannot be
    done on that day after all: refund-cap, refund-cap-unknown,
    not-held-long-enough, rule. `families` are those that an exchange leads to.
    """

    contract_id: str
    way: Way
    on: date
    cash: Decimal
    obligation: Decimal
    subject_to: tuple[str, ...] = ()
    notice_by: date | None = None
    barred_by: str | None = None
    families: tuple[str, ...] = ()
