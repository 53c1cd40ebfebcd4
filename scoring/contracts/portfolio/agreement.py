"""A contract as the shared timeline needs it: its terms of use and of payment in plain figures of one currency."""

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from scoring.contracts.coverage import Term, terms_of
from scoring.contracts.kinds.promise import still_due
from scoring.model.base import Value
from scoring.model.contract import Contract
from scoring.model.paying import RampStep as Stepped


class Promise(StrEnum):
    """What `amount` counts."""

    NOTHING = "nothing"
    INSTANCES = "instances"
    HOURS_PER_MONTH = "instance-hours a month"
    CURRENCY_PER_HOUR = "currency an hour"
    CURRENCY_TOTAL = "currency a term"
    CURRENCY_PER_YEAR = "currency a year"


class AgreedTerm(Value):
    """A stretch of time with its rate: the term itself, one after a renewal. `ends_on` is its last day."""

    starts_on: date
    ends_on: date
    rate: float = Field(ge=0)


class RampStep(Value):
    """From that day on; None leaves what held before."""

    starts_on: date
    amount: float | None = Field(default=None, ge=0)
    rate: float | None = Field(default=None, ge=0)


class Agreement(Value):
    """One contract. `kind` is the kind's own name; `rate` of a term is per instance-hour.

    `minimum`: the share of promised hours that is paid whatever is used, of each hour where instances are promised
    and of the month where hours a month are. `true_up`: the share of a spend commitment's shortfall that is paid at
    the end of its period. `upfront` is paid on the first day of the first term; `due` is the share of a savings plan's
    amount that falls due by the hour in that term, since the rest was paid at its start. `shared`: work of another
    owner than `owner` may use it, after the owner's.
    """

    id: str = Field(min_length=1)
    kind: str
    terms: tuple[AgreedTerm, ...] = Field(min_length=1)
    promise: Promise
    amount: float = Field(default=0.0, ge=0)
    upfront: float = Field(default=0.0, ge=0)
    due: float = Field(default=1.0, ge=0, le=1)
    overage_rate: float | None = Field(default=None, ge=0)
    minimum: float = Field(default=1.0, ge=0, le=1)
    true_up: float = Field(default=1.0, ge=0, le=1)
    ramp: tuple[RampStep, ...] = ()
    provider: str | None = None
    cloud: str | None = None
    regions: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    instance_types: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    size_flexible: bool = False
    covered_rates: dict[str, float] = Field(default_factory=dict)
    other_spend_per_month: float = Field(default=0.0, ge=0)
    owner: str | None = None
    shared: bool = True

    @model_validator(mode="after")
    def _terms_follow_each_other(self) -> Self:
        days = [day for term in self.terms for day in (term.starts_on, term.ends_on)]
        if days != sorted(days):
            raise ValueError("terms overlap, or one ends before it starts")
        return self


def agreements(contracts: Sequence[Contract], today: date, renewed: frozenset[str] = frozenset()) -> list[Agreement]:
    """The contracts in their order, with the renewals that come: missed notices, and the ids in `renewed`."""
    terms: dict[str, list[Term]] = {contract.id: [] for contract in contracts}
    for term in terms_of(contracts, today, renewed):
        terms[term.contract.id].append(term)
    return [_agreement(contract, terms[contract.id]) for contract in contracts]


def _agreement(contract: Contract, terms: Sequence[Term]) -> Agreement:
    kind, covers, transfer = terms[0].kind, contract.covers, contract.transfer
    promise, amount = _promised(contract) if kind.promises else (Promise.NOTHING, 0.0)
    return Agreement(
        id=contract.id,
        kind=kind.name,
        terms=tuple(AgreedTerm(starts_on=t.starts_on, ends_on=t.ends_on, rate=t.rate) for t in terms),
        promise=promise,
        amount=amount,
        upfront=float(contract.payment.upfront),
        due=still_due(contract) if promise is Promise.CURRENCY_PER_HOUR else 1.0,
        overage_rate=None if contract.overage_rate is None else float(contract.overage_rate),
        minimum=float(contract.minimum_utilisation),
        true_up=float(contract.true_up),
        ramp=tuple(_step(step) for step in contract.ramp),
        provider=contract.provider,
        cloud=covers.cloud,
        regions=covers.regions,
        zones=covers.zones,
        instance_types=covers.instance_types,
        families=covers.families,
        size_flexible=covers.size_flexible,
        covered_rates={name: float(rate) for name, rate in contract.covered_rates.items()},
        other_spend_per_month=float(contract.other_spend_per_month),
        owner=contract.owner,
        shared=transfer is None or transfer.allowed,
    )


def _promised(contract: Contract) -> tuple[Promise, float]:
    commitment = contract.commitment
    total = Promise.CURRENCY_PER_YEAR if commitment.per_year else Promise.CURRENCY_TOTAL
    given = (
        (Promise.INSTANCES, commitment.instances),
        (Promise.HOURS_PER_MONTH, commitment.instance_hours_per_month),
        (Promise.CURRENCY_PER_HOUR, commitment.currency_per_hour),
        (total, commitment.currency_total),
    )
    return next((promise, float(amount)) for promise, amount in given if amount is not None)


def _step(step: Stepped) -> RampStep:
    amount = next(iter(step.amounts.values()), None)
    rate = None if step.rate is None else float(step.rate)
    return RampStep(starts_on=step.starts_on, amount=None if amount is None else float(amount), rate=rate)
