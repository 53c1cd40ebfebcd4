"""The review of a home with its other repositories: what each gives, and which are in no figure and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from bot.review_sources import MOST_RECORDS, Books, Read, Told, given_of, held, ledgers_of, with_doubts
from scoring.model.problem import Problem, Severity
from scoring.model.settings import Settings
from scoring.problems import error
from scoring.review.assemble import review
from scoring.review.quarter import Quarter
from scoring.review.repositories import RepositoryInput, merged, rate_of
from scoring.review.values import Review

WRONG = (Severity.ERROR, Severity.QUESTION)


@dataclass(frozen=True)
class Other:
    """Another repository that agrees to be read: `read` gives files of its ledger."""

    name: str
    books: Books
    read: Read


@dataclass(frozen=True)
class Beside:
    """What stands beside the home called `home`: `lacking` are others that could not be read; why is said already."""

    home: str = ""
    others: Sequence[Other] = ()
    lacking: Sequence[str] = ()


def reviewed_with(
    beside: Beside,
    books: Books,
    read: Read,
    quarter: Quarter,
    today: date,
    previous: Review | None,
    doubts: Sequence[Problem] = (),
    *,
    most: int = MOST_RECORDS,
    with_plan: bool = True,
) -> Review | list[Problem]:
    """The review of the home with the others; problems alone where their books contradict each other.

    Of all ledgers together the last `most` decisions are read. One whose books are broken is in no figure, and said.
    """
    readable, left_out = _sound(beside.others, books.settings, today)
    told, *tolds = ledgers_of([read, *(other.read for other in readable)], most)
    given = given_of(books, told)
    others = [_input(other, of_it) for other, of_it in zip(readable, tolds, strict=True)]
    given, contradictions = merged(given, others, today, beside.home)
    if any(problem.severity in WRONG for problem in contradictions):
        return [problem for problem in contradictions if problem.severity in WRONG]
    found = review(given, quarter, today, previous, with_plan)
    more = [*left_out, *contradictions]
    for other, of_it in zip(readable, tolds, strict=True):
        more += [_placed(problem, other.name) for problem in of_it.problems]
        more += [problem for problem in other.books.problems if problem.severity is Severity.WARNING]
    names = {other.name for other in readable}
    lacking = {*beside.lacking, *(other.name for other in beside.others)} - names
    update = {"repositories": _ordered(names), "lacking": _ordered(lacking)}
    return with_doubts(found.model_copy(update=update), told, (*doubts, *more), books)


def _ordered(names: set[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: (name.casefold(), name)))


def _sound(others: Sequence[Other], settings: Settings, today: date) -> tuple[list[Other], list[Problem]]:
    readable, problems = list[Other](), list[Problem]()
    for other in sorted(others, key=lambda one: one.name.casefold()):
        wrong = list(_wrong(other, settings, today))
        problems += wrong
        readable += [] if wrong else [other]
    return readable, problems


def _wrong(other: Other, settings: Settings, today: date) -> Iterator[Problem]:
    """Why none of its figures can be used: half of a repository's books would give wrong ones."""
    broken = [problem for problem in other.books.problems if problem.severity in WRONG]
    if broken:
        yield error("review-repository-broken", found=other.name)
        yield from broken
    elif rate_of(_input(other, Told()), settings, today) is None:
        currencies = f"{other.books.settings.currency} → {settings.currency}"
        yield error("review-repository-rate", found=other.name, expected=currencies)


def _input(other: Other, told: Told) -> RepositoryInput:
    settings = other.books.settings
    own: dict[str, Any] = {"repository": other.name, "currency": settings.currency, "holidays": settings.holidays}
    return RepositoryInput(**held(other.books, told), **own)


def _placed(problem: Problem, repository: str) -> Problem:
    """A problem of another ledger names it."""
    return problem.model_copy(update={"file": f"{repository}:{problem.file}"}) if problem.file else problem
