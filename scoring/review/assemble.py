"""The review put together."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from scoring.contracts.current_term import current_term
from scoring.contracts.due_dates import due_dates
from scoring.contracts.exchange import contracts_without_rate, currencies_taken, old_rates_of
from scoring.contracts.weighed import cost_not_told
from scoring.model.deadline import DueKind
from scoring.model.economics import DeadlineStatus
from scoring.model.problem import Problem
from scoring.problems import warning
from scoring.review.changes import changes_since
from scoring.review.commitments import committed
from scoring.review.decisions import open_pilots, rows_of
from scoring.review.given import ReviewInput, issue_name
from scoring.review.outcomes import (
    by_issue,
    calibrations,
    decision_of,
    odd_qualities,
    outcome_rows,
    with_counted,
    with_saved_months,
)
from scoring.review.planned import planned
from scoring.review.quarter import Quarter, quarter_of
from scoring.review.risks import risks_of
from scoring.review.supply_told import currencies_of_offers, supply_dates, supply_problems
from scoring.review.values import QuarterDate, Review

AHEAD = 2
"""Quarters that are looked ahead."""


def review(
    given: ReviewInput, quarter: Quarter, today: date, previous: Review | None = None, with_plan: bool = True
) -> Review:
    """The quarter as it looks on `today`; `previous` is the review before it, as it was made then.

    The plan takes most of the time. Decisions of later days than today are left out. Nothing raises for what was
    posted: what cannot be counted is among the problems.
    """
    given = given.model_copy(update={"decisions": tuple(f for f in given.decisions if f.decided_on <= today)})
    quarters = quarter.with_next(AHEAD)
    since = previous.on + timedelta(days=1) if previous else quarter.after(-1).first
    position = committed(given, quarters, today)
    dates = tuple(_dates(given, quarters, today))
    rows = rows_of(given, since)
    happened = tuple(outcome_rows(given.outcomes, given.decisions, today))
    outcomes = with_saved_months(with_counted(happened), given.decisions, today)
    plan = planned(given, quarter, today) if with_plan else None
    found = Review(
        quarter=quarter.name,
        quarters=tuple(q.name for q in quarters),
        on=today,
        currency=given.settings.currency,
        language=given.settings.language,
        previous=previous.quarter if previous else None,
        since=since,
        months=position.months,
        totals=position.totals,
        contracts=position.contracts,
        work=position.work,
        unassigned=position.unassigned,
        dates=dates,
        decisions=rows,
        outcomes=outcomes,
        calibration=calibrations(outcomes),
        pilots=open_pilots(rows, given.settings, today),
        risks=risks_of(given, dates, rows, outcomes, position.contracts, today),
        plan=plan,
        questions=position.questions,
        problems=(*_problems(given, quarter, today), *supply_problems(given, plan, today)),
    )
    return found.model_copy(update={"changes": changes_since(previous, found)}) if previous else found


def _dates(given: ReviewInput, quarters: Sequence[Quarter], today: date) -> Iterator[QuarterDate]:
    """Days of the quarters from today on, and notices that were missed while their term still runs."""
    running = [current_term(contract, today)[0] for contract in given.contracts]
    ends = [*due_dates(running, given.settings, today), *supply_dates(given, today)]
    for due in sorted(ends, key=lambda due: (due.day, due.kind.value, due.subject, due.number)):
        is_missed = due.kind is DueKind.NOTICE and due.status is DeadlineStatus.MISSED
        if is_missed or quarters[0].first <= due.day <= quarters[-1].last:
            yield QuarterDate(quarter=quarter_of(due.day).name, due=due)


def _problems(given: ReviewInput, quarter: Quarter, today: date) -> Iterator[Problem]:
    yield from contracts_without_rate(given.contracts, given.settings, today)
    yield from currencies_taken(given.contracts, given.settings)
    for contract in given.contracts:
        place = {"file": contract.source.file, "row": contract.source.row, "id": contract.id}
        for term in cost_not_told(contract, quarter.first):
            yield warning("review-cost-not-told", **place, column=term)
    currencies = {contract.currency for contract in given.contracts} | currencies_of_offers(given)
    yield from old_rates_of(currencies, given.settings, today)
    of_issue = by_issue(given.decisions)
    for outcome in given.outcomes:
        fact = decision_of(outcome, of_issue[outcome.repository, outcome.issue])
        place = {"file": outcome.source, "row": outcome.row}
        for metric, expected in odd_qualities(outcome, fact) if fact else ():
            yield warning("outcome-quality-not-compared", **place, column="quality", found=metric, expected=expected)
        if outcome.starts_on > today:
            yield warning("outcome-not-begun", **place, found=outcome.starts_on.isoformat(), expected=today.isoformat())
        if fact is None:
            found = issue_name(outcome.repository, outcome.issue)
            found += f" {outcome.workload}" if outcome.workload else ""
            yield warning("outcome-without-decision", **place, found=found)
    if not given.workloads:
        yield warning("review-without-workloads", expected="workloads.yml")
