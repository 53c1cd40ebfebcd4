"""What is to be said of pools and offers: days by which something ends, and what is wrong with them."""

from collections.abc import Iterator, Mapping
from datetime import date

from scoring.contracts.exchange import exchange_rate
from scoring.model.deadline import DueDate, DueKind
from scoring.model.problem import Problem
from scoring.model.settings import CommitmentOption
from scoring.problems import question, warning
from scoring.quarter.answer import Contradiction, OfferFate, QuarterPlan
from scoring.review.given import ReviewInput
from scoring.review.given_supply import OfferTerms
from scoring.review.supplied import Supplied

TERMS = ("term_months", "rate", "instances", "upfront", "expires_on")


def supply_dates(given: ReviewInput, today: date) -> Iterator[DueDate]:
    """Days from today on on which an offer or the confirmation of a pool ends; of `settings` nothing."""
    known = {option.id for option in given.settings.commitment_options if option.expires_on is not None}
    for offer in (one.terms for one in given.offers):
        if offer.expires_on is not None and offer.expires_on >= today and offer.id not in known:
            yield _due(DueKind.OPTION, offer.id, offer.expires_on, today, offer.source, offer.provider)
    for pool in given.pools:
        if pool.confirmed_until is not None and pool.confirmed_until >= today:
            number = 2 if pool.id == given.settings.capacity.region else 1
            told = (pool.confirmed_by, pool.provider)
            yield _due(DueKind.CAPACITY, pool.id, pool.confirmed_until, today, *told, number=number)


def _due(
    kind: DueKind, subject: str, day: date, today: date, owner: str | None, provider: str | None, number: int = 1
) -> DueDate:
    left = (day - today).days
    return DueDate(kind=kind, subject=subject, number=number, day=day, days_left=left, owner=owner, provider=provider)


def currencies_of_offers(given: ReviewInput) -> frozenset[str]:
    """Of the offers that name one."""
    return frozenset(one.terms.currency for one in given.offers if one.terms.currency is not None)


def supply_problems(given: ReviewInput, plan: QuarterPlan | Contradiction | None, today: date) -> Iterator[Problem]:
    """Offers without a rate of exchange, with other terms than the settings have, or that the plan could not weigh."""
    settings = given.settings
    in_settings = {option.id: option for option in settings.commitment_options}
    for one in given.offers:
        terms, place = one.terms, {"file": one.file, "row": one.row}
        if terms.currency is not None and exchange_rate(terms.currency, settings, today) is None:
            told = {"column": "currency", "found": terms.currency, "expected": settings.currency}
            yield question("currency-rate-missing", **place, **told)
        if terms.id in Supplied(given, today).held:
            yield warning("offer-id-of-contract", **place, column="id", found=terms.id)
        if terms.id in in_settings:
            yield from _differing(terms, in_settings[terms.id], place)
    if plan is not None:
        for option in Supplied(given, today).unheld():
            yield warning("option-without-coverage", id=option.id, column="commitment_options")
    if isinstance(plan, QuarterPlan):
        yield from _unweighed(given, plan, today)


def _differing(terms: OfferTerms, option: CommitmentOption, place: Mapping[str, object]) -> Iterator[Problem]:
    """The same offer told twice, and not alike."""
    for name in TERMS:
        found, expected = getattr(terms, name), getattr(option, name)
        if found != expected:
            yield warning("offer-differs", **place, id=terms.id, column=name, found=str(found), expected=str(expected))


def _unweighed(given: ReviewInput, plan: QuarterPlan, today: date) -> Iterator[Problem]:
    places = {one.terms.id: (one.file, one.row) for one in given.offers}
    terms = {one.terms.id: one.terms for one in given.offers}
    options: dict[str, CommitmentOption] = {o.id: o for o in given.settings.commitment_options} | dict(terms)
    for one in plan.offers:
        file, row = places.get(one.offer, (None, None))
        option, place = options[one.offer], {"file": file, "row": row, "id": one.offer}
        if one.fate is OfferFate.NO_USE:
            found = terms[one.offer].covers if one.offer in terms else None
            named = (*found.instance_types, *found.families, *found.regions, *found.zones) if found else ()
            yield warning("offer-without-use", **place, column="covers", found=", ".join(named)[:100])
        elif one.fate is OfferFate.EXPIRED and option.expires_on is not None:
            days = {"found": option.expires_on.isoformat(), "expected": today.isoformat()}
            yield warning("offer-expired", **place, column="expires_on", **days)
        elif one.fate is OfferFate.BEYOND_HORIZON:
            months = {"found": str(option.term_months), "expected": str(len(plan.months))}
            yield warning("offer-beyond-horizon", **place, column="term_months", **months)
