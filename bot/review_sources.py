"""From a ledger and its books to what a review rests on, wherever they lie; nothing here knows a folder or GitHub."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from typing import Any

from bot.github.index import BrokenIndex, Entry, Index
from bot.github.outcomes import Outcomes
from bot.github.outcomes import path_of as outcomes_path
from bot.github.sign_offs import SignOffs, path_of
from bot.ledger_entries import newest
from bot.record_file import read_record as read_decision
from bot.render.review.record import read_record
from scoring.contracts.book import read_contracts
from scoring.model.contract import Contract
from scoring.model.problem import Problem, Severity
from scoring.model.settings import Settings
from scoring.model.signing import Signature, Signing
from scoring.problems import error, warning
from scoring.reading.posted import PostedFile
from scoring.review.assemble import review
from scoring.review.facts import facts_of
from scoring.review.given import DecisionFact, Outcome, ReviewedWorkload, ReviewInput
from scoring.review.given_supply import ReviewedOffer, ReviewedPool
from scoring.review.outcomes_file import read_outcomes
from scoring.review.quarter import Quarter
from scoring.review.repositories import merged
from scoring.review.values import Review
from scoring.review.workload_book import WorkBook, read_workloads
from scoring.settings_file import read_settings

INDEX = "index.json"
RECORD = "decision.json"
REVIEW = "review.json"
MOST_RECORDS = 1_000
MOST_BEFORE = 8
"""Quarters that are gone back for the last review."""
Read = Callable[[str], bytes | None]
"""A file of the ledger by its path; None where there is none."""


@dataclass(frozen=True)
class Books:
    """The files beside a ledger: settings, contracts, work, pools, offers, outcomes, who signs; and what is wrong."""

    settings: Settings = field(default_factory=Settings)
    signing: Signing = field(default_factory=Signing)
    contracts: tuple[Contract, ...] = ()
    workloads: tuple[ReviewedWorkload, ...] = ()
    pools: tuple[ReviewedPool, ...] = ()
    offers: tuple[ReviewedOffer, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_books(
    settings: PostedFile | None,
    contracts: PostedFile | None,
    workloads: PostedFile | None,
    outcomes: PostedFile | None,
    signing: Signing,
) -> Books:
    """What each file says; None where there is none. Raises OSError for one that cannot be opened."""
    told, problems = read_settings(settings) if settings else (Settings(), [])
    held, wrong = read_contracts(contracts) if contracts else ((), [])
    work, more = read_workloads(workloads) if workloads else (WorkBook(), [])
    happened, odd = read_outcomes(outcomes) if outcomes else ((), [])
    beside = (*problems, *wrong, *more, *odd)
    return Books(told, signing, held, work.workloads, work.pools, work.offers, happened, beside)


@dataclass
class Told:
    """What the ledger tells a review, and what is wrong with it."""

    decisions: list[DecisionFact] = field(default_factory=list)
    signatures: list[Signature] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def reviewed(
    books: Books,
    told: Told,
    quarter: Quarter,
    today: date,
    previous: Review | None,
    doubts: Sequence[Problem] = (),
    with_plan: bool = True,
) -> Review:
    """The review of one repository, with what is wrong or doubtful of its sources among its problems."""
    given, _ = merged(given_of(books, told), (), today)
    return with_doubts(review(given, quarter, today, previous, with_plan), told, doubts, books)


def given_of(books: Books, told: Told) -> ReviewInput:
    """What one repository's review rests on."""
    return ReviewInput(**held(books, told), settings=books.settings)


def held(books: Books, told: Told) -> dict[str, Any]:
    """What a repository's books and ledger hold together, by the names that a review has for it."""
    return {
        "decisions": tuple(told.decisions),
        "signatures": tuple(told.signatures),
        "signing": books.signing,
        "outcomes": (*books.outcomes, *told.outcomes),
        "contracts": books.contracts,
        "workloads": books.workloads,
        "pools": books.pools,
        "offers": books.offers,
    }


def with_doubts(found: Review, told: Told, doubts: Sequence[Problem], books: Books) -> Review:
    """The review with what is wrong or doubtful of a ledger and its books before its own problems."""
    beside = [p for p in books.problems if p.severity is Severity.WARNING]
    return found.model_copy(update={"problems": (*told.problems, *doubts, *beside, *found.problems)})


def ledger_of(read: Read, most: int = MOST_RECORDS) -> Told:
    """What one ledger tells; as `ledgers_of`."""
    return ledgers_of([read], most)[0]


def ledgers_of(reads: Sequence[Read], most: int = MOST_RECORDS) -> list[Told]:
    """All decisions and signatures of each ledger; of more than `most` decisions of all together the last ones.

    A broken part is told, not raised.
    """
    tolds = [Told() for _ in reads]
    entries = [_entries(read, told.problems) for read, told in zip(reads, tolds, strict=True)]
    count = sum(map(len, entries))
    if count > most:
        left_out = warning("review-decisions-left-out", found=f"{count:,}", expected=f"{most:,}")
        tolds[0].problems.append(left_out)
    for read, told, kept in zip(reads, tolds, newest(entries, most), strict=True):
        for entry in kept:
            found, problem = _facts(entry, read)
            told.decisions += found
            told.problems += [problem] if problem else []
        for issue in sorted({entry.issue for entry in kept}):
            told.signatures += _signatures(issue, read, told.problems)
            told.outcomes += _outcomes(issue, read, told.problems)
    return tolds


def _entries(read: Read, problems: list[Problem]) -> Sequence[Entry]:
    data = read(INDEX)
    try:
        return Index.read(data).entries if data is not None else ()
    except BrokenIndex as broken:
        problems.append(error("review-ledger-broken", file=INDEX, found=str(broken)[:200]))
        return ()


def _facts(entry: Entry, read: Read) -> tuple[Sequence[DecisionFact], Problem | None]:
    """Of a record that is as it was written; another one is told and left out."""
    if RECORD not in entry.files:
        return (), None
    path = f"{entry.folder}/{RECORD}"
    data = read(path)
    if data is None:
        return (), warning("record-missing", file=path)
    if entry.sha256.get(RECORD) not in (None, sha256(data).hexdigest()):
        return (), error("record-altered", file=path, column="sha256", found=sha256(data).hexdigest()[:16])
    decision, problems = read_decision(data, path)
    if decision is None or any(p.severity is Severity.ERROR for p in problems):
        return (), next(iter(problems), None)
    return tuple(facts_of(decision, entry.issue, entry.seq, entry.comment_url, entry.memo_sha256)), None


def _signatures(issue: int, read: Read, problems: list[Problem]) -> Sequence[Signature]:
    data = read(path_of(issue))
    try:
        return SignOffs.read(data).signatures if data is not None else ()
    except BrokenIndex as broken:
        problems.append(error("review-ledger-broken", file=path_of(issue), found=str(broken)[:200]))
        return ()


def _outcomes(issue: int, read: Read, problems: list[Problem]) -> Sequence[Outcome]:
    data = read(outcomes_path(issue))
    try:
        return Outcomes.read(data).outcomes if data is not None else ()
    except BrokenIndex as broken:
        problems.append(error("review-ledger-broken", file=outcomes_path(issue), found=str(broken)[:200]))
        return ()


def review_before(quarter: Quarter, read: Read) -> tuple[Review | None, list[Problem]]:
    """The last review of an earlier quarter; one that cannot be used is told, and none is compared with."""
    for back in range(1, MOST_BEFORE + 1):
        path = f"reviews/{quarter.after(-back).name}/{REVIEW}"
        data = read(path)
        if data is not None:
            found = read_record(data, path)
            return (None, [found]) if isinstance(found, Problem) else (found, [])
    return None, []
