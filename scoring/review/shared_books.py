"""What books of several repositories hold: the same words under an id once, different words as a contradiction."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from scoring.contracts.doubles import claimed_twice
from scoring.contracts.notices import deadline_of, with_holidays
from scoring.model.base import Value
from scoring.model.contract import Contract
from scoring.model.money import Currency
from scoring.model.problem import Problem, Severity
from scoring.model.settings import Settings
from scoring.problems import error
from scoring.review.given_supply import ReviewedOffer, ReviewedPool

SHOWN = 100
CODE = "books-contradict"
Held = TypeVar("Held")


@dataclass(frozen=True)
class Book:
    """What one repository's books hold, whose holidays count in it, and its own currency."""

    repository: str
    contracts: Sequence[Contract]
    pools: Sequence[ReviewedPool]
    offers: Sequence[ReviewedOffer]
    holidays: str | None
    currency: Currency


@dataclass(frozen=True)
class _Entry(Generic[Held]):
    """`words` are what has to be the same wherever the id stands."""

    repository: str
    id: str
    held: Held
    words: Value
    file: str | None = None
    row: int | None = None


def contracts_of(books: Sequence[Book]) -> tuple[tuple[Contract, ...], list[Problem]]:
    """All contracts once. Of the same words with the holidays of several repositories the earliest notice counts.

    Promises that books of different repositories make under different ids are doubted: two teams may have bought alike.
    """
    found = _by_id(
        _Entry(book.repository, one.id, with_holidays(one, book.holidays), one, one.source.file, one.source.row)
        for book in books
        for one in book.contracts
    )
    chosen = tuple(min((e.held for e in same), key=lambda c: deadline_of(c) or date.max) for same in found.values())
    owners = {name: {entry.repository for entry in same} for name, same in found.items()}
    return chosen, [*_contradictions(found), *_perhaps_one(chosen, owners)]


def pools_of(books: Sequence[Book]) -> tuple[tuple[ReviewedPool, ...], list[Problem]]:
    """All pools once: one in the same words is the same capacity."""
    found = _by_id(_Entry(book.repository, one.id, one, one) for book in books for one in book.pools)
    return tuple(same[0].held for same in found.values()), list(_contradictions(found))


def offers_of(books: Sequence[Book], settings: Settings) -> tuple[tuple[ReviewedOffer, ...], list[Problem]]:
    """All offers once, each in its own repository's currency where it names none.

    An offer of another repository is none of the home's `commitment_options`, the home's being the first book.
    """
    found = _by_id(_of_offer(book, one, is_home=book is books[0]) for book in books for one in book.offers)
    named = {option.id for option in settings.commitment_options} - {offer.terms.id for offer in books[0].offers}
    taken = [entry for name, same in found.items() if name in named for entry in same]
    alike = [_contradiction(books[0].repository, entry, ["commitment_options"]) for entry in taken]
    return tuple(same[0].held for same in found.values()), [*_contradictions(found), *alike]


def _of_offer(book: Book, offer: ReviewedOffer, is_home: bool) -> _Entry[ReviewedOffer]:
    terms = offer.terms.model_copy(update={"currency": offer.terms.currency or book.currency})
    held = offer if is_home else offer.model_copy(update={"terms": terms})
    return _Entry(book.repository, terms.id, held, terms, offer.file, offer.row)


def _by_id(entries: Iterator[_Entry[Held]]) -> dict[str, list[_Entry[Held]]]:
    found: dict[str, list[_Entry[Held]]] = {}
    for entry in entries:
        found.setdefault(entry.id, []).append(entry)
    return found


def _contradictions(found: Mapping[str, Sequence[_Entry[Held]]]) -> Iterator[Problem]:
    for first, *more in found.values():
        for entry in more:
            odd = [name for name in type(entry.words).model_fields if _differ(name, first.words, entry.words)]
            if odd:
                yield _contradiction(first.repository, entry, odd)


def _contradiction(first: str, entry: _Entry[Held], fields: Sequence[str]) -> Problem:
    told = {"first": first, "second": entry.repository, "expected": ", ".join(fields)[:SHOWN]}
    return error(CODE, file=entry.file, row=entry.row, column="id", found=entry.id[:SHOWN], **told)


def _differ(name: str, one: Value, other: Value) -> bool:
    """Where a contract stands is no word of it."""
    is_place = name == "source" and isinstance(one, Contract)
    return not is_place and bool(getattr(one, name) != getattr(other, name))


def _perhaps_one(contracts: Sequence[Contract], owners: Mapping[str, Set[str]]) -> Iterator[Problem]:
    for problem in claimed_twice(contracts):
        if not owners[str(problem.found)] & owners[str(problem.arguments["id"])]:
            yield problem.model_copy(update={"code": "contract-hours-overlap", "severity": Severity.WARNING})
