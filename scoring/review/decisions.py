"""The decisions of the ledger as they stand: which is the last of its question, which are new, who has signed."""

from collections.abc import Iterable, Sequence
from datetime import date

from scoring.contracts.exchange import exchange_rate
from scoring.model.decision import Word
from scoring.model.settings import Settings
from scoring.review.given import DecisionFact, ReviewInput
from scoring.review.values import DecisionRow, OpenPilot, OpenWhy, WorthOf
from scoring.sign_off import State, of_document, standing

ANSWERS = (Word.SWITCH, Word.SPLIT, Word.STAY)
"""Verdicts that wait for a signature; of the others only a given one is told."""
Question = tuple[str, int, str | None, int]


def question_of(fact: DecisionFact) -> Question:
    """What a later decision replaces: the same issue's on the same workload, or on the same place in the posting."""
    return fact.repository or "", fact.issue, fact.workload, 0 if fact.workload else fact.part


def rows_of(given: ReviewInput, since: date) -> tuple[DecisionRow, ...]:
    """In the order of their days."""
    latest = {question_of(fact): fact.key for fact in sorted(given.decisions, key=lambda f: f.key)}
    ordered = sorted(given.decisions, key=lambda f: (f.decided_on, f.key))
    return tuple(_row(fact, latest[question_of(fact)] == fact.key, given, since) for fact in ordered)


def _row(fact: DecisionFact, is_latest: bool, given: ReviewInput, since: date) -> DecisionRow:
    told = DecisionRow(fact=fact, is_latest=is_latest, is_new=fact.decided_on >= since)
    signed = given.signed_in(fact.repository)
    if not signed.signing.signers:
        return told
    stands = standing(signed.signing, of_document(signed.signatures, fact.document, fact.memo_sha256))
    if stands.state is State.OPEN and fact.verdict not in ANSWERS:
        return told
    missing = stands.missing if stands.state is State.OPEN else ()
    return told.model_copy(update={"state": stands.state, "missing": missing})


def open_pilots(rows: Iterable[DecisionRow], settings: Settings, today: date) -> tuple[OpenPilot, ...]:
    """The last decisions that wait for runs, a fact or a signature, those that are worth most first."""
    found = [(row, why) for row in rows if row.is_latest and (why := _why(row)) is not None]
    told = [_pilot(row, why, settings, today) for row, why in found]
    ordered = sorted(told, key=lambda p: (p.worth is None, -(p.worth or 0.0), p.since, *p.place))
    return tuple(pilot.model_copy(update={"rank": rank}) for rank, pilot in enumerate(ordered, start=1))


def _why(row: DecisionRow) -> OpenWhy | None:
    by_word = {Word.EXTEND: OpenWhy.MORE_RUNS, Word.BLOCKED: OpenWhy.BLOCKED, None: OpenWhy.MORE_RUNS}
    if row.fact.verdict in by_word:
        return by_word[row.fact.verdict]
    if row.state is State.REJECTED:
        return OpenWhy.REJECTED
    return OpenWhy.UNSIGNED if row.state is State.OPEN else None


def _pilot(row: DecisionRow, why: OpenWhy, settings: Settings, today: date) -> OpenPilot:
    fact = row.fact
    rate = exchange_rate(fact.currency, settings, today)
    amounts: Sequence[float | None] = (None, None, None)
    worth_of = None
    if why is OpenWhy.MORE_RUNS:
        amounts, worth_of = (fact.runs_worth, None, None), WorthOf.RUNS
    elif fact.saving is not None:
        amounts, worth_of = (fact.saving.point, fact.saving.lo, fact.saving.hi), WorthOf.SAVING
    worth, lo, hi = (None if a is None or rate is None else a * float(rate) for a in amounts)
    return OpenPilot(
        rank=0,
        repository=fact.repository,
        issue=fact.issue,
        seq=fact.seq,
        part=fact.part,
        workload=fact.workload,
        verdict=fact.verdict.value if fact.verdict else "NONE",
        why=why,
        since=fact.decided_on,
        worth=worth,
        worth_of=None if worth is None else worth_of,
        lo=lo,
        hi=hi,
        further_runs=fact.further_runs if why is OpenWhy.MORE_RUNS else None,
        missing=row.missing if why is OpenWhy.UNSIGNED else (),
    )
