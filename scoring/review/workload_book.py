"""`workloads.yml`: work with its demand and the ways to run it, and what it may draw on: pools and offers."""

from collections.abc import Callable, Iterator
from typing import Any

from scoring.contracts.places import region_named
from scoring.model.base import Value
from scoring.model.problem import Problem
from scoring.problems import warning
from scoring.reading.charset import decode
from scoring.reading.limits import MAX_YAML_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.yaml_document import load_yaml
from scoring.review.book_entries import SHOWN, Entry, Read, shown, unknown
from scoring.review.given import ReviewedWorkload
from scoring.review.given_supply import OfferTerms, ReviewedOffer, ReviewedPool

ROOT, POOLS, OFFERS = "workloads", "pools", "offers"
MOST = {ROOT: 1_000, POOLS: 200, OFFERS: 100}
MOST_PROBLEMS = 50
MOST_HOURS = 1e9
"""Instance-hours a month: as many as a contract may promise."""
WIDEST = 1_000
"""Times `units_per_month`, and parts of it, that a range of the demand may reach."""
LISTS = ("regions", "zones", "instance_types", "families")


class WorkBook(Value):
    """All that a file of work says."""

    workloads: tuple[ReviewedWorkload, ...] = ()
    pools: tuple[ReviewedPool, ...] = ()
    offers: tuple[ReviewedOffer, ...] = ()


def read_workloads(posted: PostedFile) -> tuple[WorkBook, list[Problem]]:
    """All that stands, and each mistake with its line; `workloads:` is a list, `pools:` and `offers:` may be."""
    text, _, _ = decode(posted.read(MAX_YAML_BYTES + 1))
    document, problems = load_yaml(text, posted.name)
    if problems:
        return WorkBook(), problems
    book = Entry(posted.name, document, (), document.value)
    listed = {root: _listed(book, root, problems) for root in MOST}
    if isinstance(book.value, dict):
        problems += [book.below(key).wrong(key, unknown(key, MOST)) for key in book.value if key not in MOST]
    works = _each(listed[ROOT], _workload, "name", problems)
    pools = _each(listed[POOLS], lambda entry: entry.read(ReviewedPool), "id", problems)
    terms = _each(listed[OFFERS], _offer, "id", problems)
    problems += _of_pools(works, pools)
    offers = tuple(ReviewedOffer(terms=one, file=posted.name, row=entry.line) for entry, one in terms)
    found = WorkBook(workloads=tuple(w for _, w in works), pools=tuple(p for _, p in pools), offers=offers)
    return found, problems[:MOST_PROBLEMS]


def _listed(book: Entry, root: str, problems: list[Problem]) -> list[Entry]:
    """The entries below a key; only `workloads` has to be there."""
    value = book.value.get(root) if isinstance(book.value, dict) else None
    if value is None and root != ROOT and isinstance(book.value, dict):
        return []
    if not isinstance(value, list) or len(value) > MOST[root]:
        found = book.value if root == ROOT else value
        problems.append(book.below(root).wrong(shown(found), f"{root}: a list of at most {MOST[root]:,}"))
        return []
    return [book.below(root, number) for number in range(len(value))]


def _each(
    entries: list[Entry], read: Callable[[Entry], tuple[Read | None, list[Problem]]], key: str, problems: list[Problem]
) -> list[tuple[Entry, Read]]:
    """What stands of the entries; a second one with the same name does not."""
    found: dict[str, tuple[Entry, Read]] = {}
    for entry in entries:
        one, wrong = read(entry)
        problems += wrong
        name = None if one is None else str(getattr(one, key))
        if name in found:
            problems.append(entry.below(key).wrong(name, f"{'a name' if key == 'name' else 'an id'} of its own"))
        elif one is not None and name is not None:
            found[name] = entry, one
    return list(found.values())


def _workload(entry: Entry) -> tuple[ReviewedWorkload | None, list[Problem]]:
    work, problems = entry.read(ReviewedWorkload)
    if work is None:
        return None, problems
    names = [option.id for option in work.options]
    if work.runs_on not in names:
        return None, [entry.below("runs_on").wrong(work.runs_on, ", ".join(names)[:SHOWN])]
    if len(set(names)) < len(names):
        return None, [entry.below("options").wrong(", ".join(names)[:SHOWN], "each id once")]
    beyond = list(_beyond(entry, work))
    return (None, beyond) if beyond else (work, [])


def _beyond(entry: Entry, work: ReviewedWorkload) -> Iterator[Problem]:
    """Work that no book means and no solver holds: its hours, and a range whose draws would not end."""
    demand, usual = work.demand, work.demand.units_per_month
    most = max(usual, *(change.units_per_month for change in demand.changes), 0.0)
    for number, option in enumerate(work.options):
        if most * option.hours_per_unit > MOST_HOURS:
            expected = f"at most {MOST_HOURS:,.0f} instance-hours a month, not {most * option.hours_per_unit:.3g}"
            yield entry.below("options", number, "hours_per_unit").wrong(str(option.hours_per_unit), expected)
    for name, value in (("low", demand.low), ("high", demand.high)):
        if value is not None and not usual / WIDEST <= value <= usual * WIDEST:
            expected = f"from {usual / WIDEST:g} to {usual * WIDEST:g}, a thousandfold either way"
            yield entry.below("demand", name).wrong(str(value), expected)


def _offer(entry: Entry) -> tuple[OfferTerms | None, list[Problem]]:
    """One name stands for a list of one."""
    covers: Any = entry.value.get("covers") if isinstance(entry.value, dict) else None
    if isinstance(covers, dict):
        listed = {key: [v] if key in LISTS and isinstance(v, str) else v for key, v in covers.items()}
        entry = entry.holding({**entry.value, "covers": listed})
    return entry.read(OfferTerms)


def _of_pools(
    works: list[tuple[Entry, ReviewedWorkload]], pools: list[tuple[Entry, ReviewedPool]]
) -> Iterator[Problem]:
    """Pools that options name and nobody has given, or that lie elsewhere; and those that no option names."""
    known, used = {pool.id: pool for _, pool in pools}, set[str]()
    for entry, work in works:
        for number, option in enumerate(work.options):
            if option.pool is None:
                continue
            used.add(option.pool)
            place, pool = entry.below("options", number, "pool"), known.get(option.pool)
            if pool is None:
                yield place.wrong(option.pool, unknown(option.pool, known) if known else "pools: a list with its id")
            elif pool.region and option.region and region_named(pool.region) != region_named(option.region):
                yield place.wrong(f"{option.pool} ({pool.region})", f"a pool in {option.region}")
    for entry, pool in pools:
        if pool.id not in used:
            yield warning("pool-without-use", file=entry.file, row=entry.line, column="id", found=pool.id)
