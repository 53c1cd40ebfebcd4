"""Several repositories in one review: their decisions side by side, contracts once, names of work told apart."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import date
from typing import TypeVar

from scoring.contracts.doubles import claimed_twice
from scoring.contracts.exchange import exchange_rate
from scoring.contracts.notices import deadline_of, with_holidays
from scoring.model.contract import Contract
from scoring.model.money import Currency
from scoring.model.problem import Problem, Severity
from scoring.model.settings import Settings
from scoring.problems import error
from scoring.review.given import DecisionFact, Outcome, ReviewedWorkload, ReviewInput, Signed, WorkOption

SHOWN = 100
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
    currency: Currency
    holidays: str | None = None


def rate_of(other: RepositoryInput, settings: Settings, today: date) -> float | None:
    """What one unit of the prices of its work is worth in the home's currency; None where that is not configured."""
    rate = exchange_rate(other.currency, settings, today)
    return 1.0 if not other.workloads else None if rate is None else float(rate)


def merged(
    home: ReviewInput, others: Sequence[RepositoryInput], today: date, home_name: str = ""
) -> tuple[ReviewInput, list[Problem]]:
    """The home's input with that of the others, whatever their order; `contract-contradicts` where books contradict.

    Settings are the home's. A contract that stands in several books in the same words is in the review once. Work of a
    name that another repository has too is told apart by its repository; the home keeps its names. Raises ValueError
    for work whose prices have no rate: `rate_of` tells it before.
    """
    ordered = sorted(others, key=lambda other: other.repository.casefold())
    renamed = _renamed(home, ordered)
    books = [(home_name, home.settings.holidays, home.contracts)]
    books += [(o.repository, o.holidays or home.settings.holidays, o.contracts) for o in ordered]
    contracts, problems = _contracts(books)
    given = home.model_copy(
        update={
            "decisions": (*_of(None, home.decisions, {}), *_each(ordered, renamed, "decisions")),
            "outcomes": (*_of(None, home.outcomes, {}), *_each(ordered, renamed, "outcomes")),
            "contracts": contracts,
            "workloads": (*home.workloads, *_work(ordered, renamed, home.settings, today)),
            "elsewhere": {o.repository: Signed(signing=o.signing, signatures=o.signatures) for o in ordered},
        }
    )
    return given, problems


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


Book = tuple[str, str | None, Sequence[Contract]]
"""Whose it is, whose holidays count in it, and what stands in it."""


def _contracts(books: Sequence[Book]) -> tuple[tuple[Contract, ...], list[Problem]]:
    held: dict[str, list[tuple[str, str | None, Contract]]] = {}
    for repository, holidays, contracts in books:
        for contract in contracts:
            held.setdefault(contract.id, []).append((repository, holidays, contract))
    problems = [problem for same in held.values() for problem in _contradictions(same)]
    chosen = tuple(_earliest([with_holidays(contract, days) for _, days, contract in same]) for same in held.values())
    owners = {name: {repository for repository, _, _ in same} for name, same in held.items()}
    return chosen, [*problems, *_perhaps_one(chosen, owners)]


def _contradictions(same: Sequence[tuple[str, str | None, Contract]]) -> Iterator[Problem]:
    first_of, _, first = same[0]
    for repository, _, contract in same[1:]:
        odd = [name for name in Contract.model_fields if name != "source" and _differ(name, first, contract)]
        if odd:
            place = {"file": contract.source.file, "row": contract.source.row, "column": "id"}
            told = {"first": first_of, "second": repository, "expected": ", ".join(odd)[:SHOWN]}
            yield error("contract-contradicts", **place, found=contract.id[:SHOWN], **told)


def _differ(name: str, one: Contract, other: Contract) -> bool:
    return bool(getattr(one, name) != getattr(other, name))


def _earliest(same: Sequence[Contract]) -> Contract:
    """Of the same words with the holidays of several repositories the one whose notice is due first."""
    return min(same, key=lambda contract: deadline_of(contract) or date.max)


def _perhaps_one(contracts: Sequence[Contract], owners: Mapping[str, Set[str]]) -> Iterator[Problem]:
    """Promises that books of different repositories make under different ids: two teams may well have bought alike."""
    for problem in claimed_twice(contracts):
        if not owners[str(problem.found)] & owners[str(problem.arguments["id"])]:
            yield problem.model_copy(update={"code": "contract-hours-overlap", "severity": Severity.WARNING})
