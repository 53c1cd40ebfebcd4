"""Several repositories in one review: their decisions side by side, contracts once, names of work told apart."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import date
from typing import TypeVar

from scoring.contracts.exchange import exchange_rate
from scoring.model.contract import Contract
from scoring.model.money import Currency
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.problems import warning
from scoring.review.given import DecisionFact, Outcome, ReviewedWorkload, ReviewInput, Signed, WorkOption
from scoring.review.given_supply import ReviewedOffer, ReviewedPool
from scoring.review.shared_books import Book, contracts_of, offers_of, pools_of

Named = TypeVar("Named", DecisionFact, Outcome)


class RepositoryInput(Signed):
    """What one repository gives to the review of another. Its work is priced in its own `currency`, and its own
    `holidays` count for notices that name none.
    """

    repository: str
    decisions: tuple[DecisionFact, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    contracts: tuple[Contract, ...] = ()
    workloads: tuple[ReviewedWorkload, ...] = ()
    pools: tuple[ReviewedPool, ...] = ()
    offers: tuple[ReviewedOffer, ...] = ()
    currency: Currency
    holidays: str | None = None


def rate_of(other: RepositoryInput, settings: Settings, today: date) -> float | None:
    """What one unit of the prices of its work is worth in the home's currency; None where that is not configured."""
    rate = exchange_rate(other.currency, settings, today)
    return 1.0 if not other.workloads else None if rate is None else float(rate)


def merged(
    home: ReviewInput, others: Sequence[RepositoryInput], today: date, home_name: str = ""
) -> tuple[ReviewInput, list[Problem]]:
    """The home's input with that of the others, whatever their order; `books-contradict` where books do.

    Settings are the home's. A contract, pool or offer of several books in the same words is in it once. Work of a
    name that another repository has too is told apart by its repository; the home keeps its names. Raises ValueError
    for work whose prices have no rate: `rate_of` tells it before.
    """
    ordered = sorted(others, key=lambda other: other.repository.casefold())
    renamed = _renamed(home, ordered)
    told = home.settings
    books = [Book(home_name, home.contracts, home.pools, home.offers, told.holidays, told.currency)]
    for one in ordered:
        holidays = one.holidays or told.holidays
        books.append(Book(one.repository, one.contracts, one.pools, one.offers, holidays, one.currency))
    contracts, problems = contracts_of(books)
    pools, of_pools = pools_of(books)
    offers, of_offers = offers_of(books, told)
    given = home.model_copy(
        update={
            "decisions": (*_of(None, home.decisions, {}), *_each(ordered, renamed, "decisions")),
            "outcomes": (*_of(None, home.outcomes, {}), *_each(ordered, renamed, "outcomes")),
            "contracts": contracts,
            "pools": pools,
            "offers": offers,
            "workloads": (*home.workloads, *_work(ordered, renamed, home.settings, today)),
            "elsewhere": {o.repository: Signed(signing=o.signing, signatures=o.signatures) for o in ordered},
        }
    )
    return given, [*problems, *of_pools, *of_offers, *_work_in_two_books(home, ordered, home_name)]


def _work_in_two_books(home: ReviewInput, others: Sequence[RepositoryInput], home_name: str) -> Iterator[Problem]:
    """`work-in-two-books`: of the same words, so that it may be the same work, which is counted twice."""
    seen = {work.name: (home_name, work) for work in home.workloads}
    for other in others:
        for work in other.workloads:
            first, same = seen.setdefault(work.name, (other.repository, work))
            if first != other.repository and same == work:
                yield warning("work-in-two-books", found=work.name, first=first, second=other.repository)


def _each(others: Sequence[RepositoryInput], renamed: Mapping[str, Mapping[str, str]], what: str) -> Iterator[Named]:
    for other in others:
        yield from _of(other.repository, getattr(other, what), renamed[other.repository])


def _of(repository: str | None, values: Sequence[Named], names: Mapping[str, str]) -> Iterator[Named]:
    """Whatever a file says of itself: what a repository holds is of that repository."""
    for value in values:
        workload = names.get(value.workload or "", value.workload)
        yield value.model_copy(update={"repository": repository, "workload": workload})


def _work(
    others: Sequence[RepositoryInput], renamed: Mapping[str, Mapping[str, str]], settings: Settings, today: date
) -> Iterator[ReviewedWorkload]:
    for other in others:
        names, rate = renamed[other.repository], rate_of(other, settings, today)
        if rate is None:
            raise ValueError(f"no rate of {other.currency}")
        for work in other.workloads:
            options = tuple(_priced(option, rate) for option in work.options)
            yield work.model_copy(update={"name": names.get(work.name, work.name), "options": options})


def _priced(option: WorkOption, rate: float) -> WorkOption:
    plans = {name: price * rate for name, price in option.savings_plan_rates.items()}
    price, moving = option.on_demand_price * rate, option.migration_cost * rate
    return option.model_copy(update={"on_demand_price": price, "migration_cost": moving, "savings_plan_rates": plans})


def _renamed(home: ReviewInput, others: Sequence[RepositoryInput]) -> Mapping[str, Mapping[str, str]]:
    """The new names of each other repository's work, where another repository has the name too."""
    used = {other.repository: _names(other) for other in others}
    kept = _names(home)
    owners: dict[str, int] = defaultdict(int)
    for names in (kept, *used.values()):
        for name in names:
            owners[name] += 1
    return {
        repository: {name: _apart(name, repository, owners.keys()) for name in names if owners[name] > 1}
        for repository, names in used.items()
    }


def _names(given: ReviewInput | RepositoryInput) -> Set[str]:
    decided = {fact.workload for fact in given.decisions} | {outcome.workload for outcome in given.outcomes}
    return {work.name for work in given.workloads} | {name for name in decided if name}


def _apart(name: str, repository: str, taken: Set[str]) -> str:
    """With the repository behind it; somebody may have given that very name already."""
    short, number = repository.rpartition("/")[2], 1
    told = f"{name} ({short})"
    while told in taken:
        number += 1
        told = f"{name} ({short} {number})"
    return told
