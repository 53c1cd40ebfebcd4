"""What leaving a contract on a day brings by its own terms; the vendors' rules only bound it."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from decimal import Decimal

from scoring.contracts.kinds.promise import DAY, plan_hours, promised_hours
from scoring.contracts.notices import add_months
from scoring.model.contract import Contract
from scoring.model.leaving import Recovery, TerminationKind, Way


def month_stretches(first: date, last: date) -> Iterator[tuple[date, date]]:
    """The days between two, month by month."""
    while first <= last:
        end = min(last, add_months(first.replace(day=1), 1) - DAY)
        yield first, end
        first = end + DAY


def obligation(contract: Contract, day: date) -> Decimal:
    """What its hours would still charge from that day to the last of its term, used or not."""
    if contract.commitment.currency_total is not None:
        return Decimal(0)
    promise = plan_hours if contract.commitment.currency_per_hour is not None else promised_hours
    months = month_stretches(max(day, contract.starts_on), contract.ends_on)
    rate = float(contract.rate)
    return Decimal(str(sum(promise(contract, *month, rate, None).cost for month in months)))


def unused_upfront(contract: Contract, day: date) -> Decimal:
    """The part of what was paid at the start that belongs to the days from that day on, by days."""
    term = (contract.ends_on - contract.starts_on).days + 1
    left = min(term, max(0, (contract.ends_on - day).days + 1))
    return contract.payment.upfront * left / term


def cancelled(contract: Contract, day: date) -> Decimal:
    """What a refund on that day counts against the cap of a year: what remains to be paid and the payment unused."""
    return obligation(contract, day) + unused_upfront(contract, day)


def recoveries_of(contract: Contract, day: date) -> tuple[Recovery, ...]:
    """The ways that the contract's own terms name. Raises nothing; none on a day outside its term."""
    named = (contract.resale, contract.early_termination, contract.exchange, contract.transfer)
    if all(term is None for term in named) or not contract.starts_on <= day <= contract.ends_on:
        return ()
    owed = obligation(contract, day)
    ways: tuple[Callable[[Contract, date, Decimal], Recovery | None], ...] = (
        resale,
        termination,
        exchange,
        transfer,
    )
    return tuple(found for way in ways if (found := way(contract, day, owed)) is not None)


def resale(contract: Contract, day: date, owed: Decimal) -> Recovery | None:
    """A buyer pays the remaining value less the discount, the marketplace keeps its fee, the rest stays owed.

    Reference case `resale`: proceeds = remaining × (1 − discount) × (1 − fee). None without both figures.
    """
    terms = contract.resale
    if terms is None or not terms.allowed or terms.discount is None or terms.fee is None:
        return None
    proceeds = (owed + unused_upfront(contract, day)) * (1 - terms.discount) * (1 - terms.fee)
    early = day < add_months(contract.starts_on, terms.from_months)
    return Recovery(
        contract_id=contract.id,
        way=Way.RESALE,
        on=day,
        cash=proceeds - owed,
        obligation=owed,
        subject_to=("buyer",),
        barred_by="not-held-long-enough" if early else None,
    )


def termination(contract: Contract, day: date, owed: Decimal) -> Recovery | None:
    """A fee, a share of what remains to be paid or fixed, ends it; what was paid at the start stays paid."""
    terms = contract.early_termination
    if terms is None or terms.kind is TerminationKind.NONE:
        return None
    fee = owed * terms.share if terms.share is not None else terms.amount or Decimal(0)
    return Recovery(
        contract_id=contract.id,
        way=Way.TERMINATION,
        on=day,
        cash=-fee,
        obligation=owed,
        subject_to=("notice",) if terms.notice_days else (),
        notice_by=day - timedelta(days=terms.notice_days),
    )


def exchange(contract: Contract, day: date, owed: Decimal) -> Recovery | None:
    """The obligation stays and buys hours elsewhere: no cash comes of it, and all that is owed is still paid."""
    terms = contract.exchange
    if terms is None or not terms.allowed:
        return None
    return Recovery(
        contract_id=contract.id,
        way=Way.EXCHANGE,
        on=day,
        cash=-owed,
        obligation=owed,
        subject_to=("equal-or-greater-value",),
        families=terms.families,
    )


def transfer(contract: Contract, day: date, owed: Decimal) -> Recovery | None:
    """The hours go to others and the bill stays: what they are worth there is the user's other work to say."""
    terms = contract.transfer
    if terms is None or not terms.allowed:
        return None
    consent = ("consent",) if terms.consent else ()
    return Recovery(contract_id=contract.id, way=Way.TRANSFER, on=day, cash=-owed, obligation=owed, subject_to=consent)
