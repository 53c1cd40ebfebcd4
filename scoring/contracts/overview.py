"""Each contract of a book on a day: what it promises and costs month by month, and what leaving it would bring."""

from collections.abc import Iterator, Sequence
from datetime import date

from scoring.contracts.coverage import terms_of
from scoring.contracts.current_term import current_term
from scoring.contracts.kinds import kind_named
from scoring.contracts.months import months_from
from scoring.contracts.notices import deadline_of, status_on
from scoring.model.base import Value
from scoring.model.contract import COMMITMENTS, Contract
from scoring.model.economics import DeadlineStatus
from scoring.model.leaving import Recovery


class PromisedMonth(Value):
    """Instance-hours promised in a calendar month and what it costs used or not, in the contract's currency.

    `hours` None: the promise is an amount, and how many hours it buys hangs on what runs.
    """

    starts_on: date
    hours: float | None
    cost: float


class ContractOverview(Value):
    """One contract as it stands on a day; `promise` is the commitment's field and `amount` what it holds."""

    id: str
    kind: str
    provider: str | None
    starts_on: date
    ends_on: date
    currency: str
    promise: str
    amount: float
    per_year: bool = False
    months: tuple[PromisedMonth, ...]
    notice_deadline: date | None
    notice_status: DeadlineStatus
    renewal: str
    recoveries: tuple[Recovery, ...]


def overview(contracts: Sequence[Contract], on: date, count: int) -> Iterator[ContractOverview]:
    """The contracts in the order in which they end; months from the one of `on`, which is counted whole."""
    months = months_from(on.replace(day=1), count)
    for contract in sorted((current_term(c, on)[0] for c in contracts), key=lambda c: (c.ends_on, c.id)):
        kind = kind_named(contract.kind)
        assert kind is not None  # noqa: S101 - the book refuses unknown kinds
        promise = next(name for name in COMMITMENTS if getattr(contract.commitment, name) is not None)
        yield ContractOverview(
            id=contract.id,
            kind=kind.name,
            provider=contract.provider,
            starts_on=contract.starts_on,
            ends_on=contract.ends_on,
            currency=contract.currency,
            promise=promise if kind.promises else "nothing",
            per_year=contract.commitment.per_year,
            amount=float(getattr(contract.commitment, promise)) if kind.promises else 0.0,
            months=tuple(_month(contract, on, *month) for month in months),
            notice_deadline=deadline_of(contract),
            notice_status=status_on(contract, on),
            renewal=contract.renewal.kind.value,
            recoveries=kind.recoveries(contract, on),
        )


def _month(contract: Contract, on: date, first: date, last: date) -> PromisedMonth:
    cells = [term.in_month(first, last) for term in terms_of((contract,), on, frozenset())]
    counted = contract.commitment.instances is not None or contract.commitment.instance_hours_per_month is not None
    hours = sum(hours for hours, _, _ in cells) if counted else None
    return PromisedMonth(starts_on=first, hours=hours, cost=sum(cost for _, cost, _ in cells))
