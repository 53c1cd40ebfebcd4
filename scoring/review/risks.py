"""What may go wrong in the quarters ahead, or has: days, prices that end, decisions not carried out."""

from collections.abc import Iterator, Sequence
from datetime import date

from scoring.model.deadline import DueKind
from scoring.model.economics import DeadlineStatus
from scoring.model.settings import Settings
from scoring.review.given import ReviewInput
from scoring.review.outcomes import COST
from scoring.review.values import ContractPosition, DecisionRow, OutcomeRow, QuarterDate, Risk, RiskCode
from scoring.sign_off import State

UNDER_USED = 0.5
OF_KIND = {
    DueKind.QUOTE: RiskCode.QUOTE_EXPIRES,
    DueKind.OPTION: RiskCode.OPTION_EXPIRES,
    DueKind.CAPACITY: RiskCode.CAPACITY_EXPIRES,
}
ORDER = tuple(RiskCode)


def risks_of(
    given: ReviewInput,
    dates: Sequence[QuarterDate],
    rows: Sequence[DecisionRow],
    outcomes: Sequence[OutcomeRow],
    contracts: Sequence[ContractPosition],
    today: date,
) -> tuple[Risk, ...]:
    """In the order of their kinds, then by day and subject."""
    found = [
        *_of_dates(dates),
        *_expired(given.settings, today),
        *_of_decisions(rows, outcomes, today),
        *_of_outcomes(outcomes),
        *_of_contracts(contracts, given),
    ]
    return tuple(sorted(found, key=_order))


def _order(risk: Risk) -> tuple[int, date, str, str, int]:
    return ORDER.index(risk.code), risk.day or date.max, risk.subject, risk.repository or "", risk.issue or 0


def _of_dates(dates: Sequence[QuarterDate]) -> Iterator[Risk]:
    for due in (one.due for one in dates):
        if due.kind is DueKind.NOTICE and due.status is DeadlineStatus.MISSED:
            code, money = RiskCode.NOTICE_MISSED, {"amount": due.obligation, "currency": due.currency}
            yield Risk.model_validate({"code": code, "subject": due.subject, "day": due.day, **money})
        elif due.kind in OF_KIND:
            yield Risk(code=OF_KIND[due.kind], subject=due.subject, day=due.day)


def _expired(settings: Settings, today: date) -> Iterator[Risk]:
    for name, price in settings.prices.items():
        if price.expires_on is not None and price.expires_on < today:
            yield Risk(code=RiskCode.QUOTE_EXPIRED, subject=name, day=price.expires_on)
    until = settings.capacity.confirmed_until
    if until is not None and until < today:
        yield Risk(code=RiskCode.CAPACITY_EXPIRED, subject=settings.capacity.region or "", day=until)


def _of_decisions(rows: Sequence[DecisionRow], outcomes: Sequence[OutcomeRow], today: date) -> Iterator[Risk]:
    """A move whose day has passed: approved without a word of what came of it, or not signed at all."""
    heard = {row.key for row in outcomes}
    for row in rows:
        fact = row.fact
        if not (row.is_latest and fact.moves and fact.on is not None and fact.on <= today and fact.key not in heard):
            continue
        waits = row.state in (State.OPEN, State.REJECTED)
        if row.state is State.REJECTED:
            continue
        yield Risk(
            code=RiskCode.NOT_SIGNED_IN_TIME if waits else RiskCode.NOT_CARRIED_OUT,
            subject=fact.workload or "",
            day=fact.on,
            amount=fact.saving.point if fact.saving else None,
            currency=fact.currency,
            repository=fact.repository,
            issue=fact.issue,
        )


def _of_outcomes(outcomes: Sequence[OutcomeRow]) -> Iterator[Risk]:
    """Of each decision's last period: a cost above what the interval allows for, a quality below its margin."""
    last = {row.key: row for row in outcomes}
    for row in last.values():
        place = {"repository": row.repository, "issue": row.issue}
        common = {"subject": row.workload or "", "day": row.outcome.ends_on, **place}
        for check in row.checks:
            if check.what == COST and check.inside is False and check.hi is not None and check.actual > check.hi:
                yield Risk.model_validate({"code": RiskCode.OUTCOME_OUTSIDE, "what": check.what, **common})
            if check.keeps_margin is False:
                yield Risk.model_validate({"code": RiskCode.QUALITY_LOST, "what": check.what, **common})


def _of_contracts(contracts: Sequence[ContractPosition], given: ReviewInput) -> Iterator[Risk]:
    """Less than half of a quarter's promise used, where work is known at all."""
    for contract in contracts if given.workloads else ():
        now = contract.quarters[0]
        if now.utilisation is not None and now.utilisation < UNDER_USED and now.wasted_cost > 0:
            yield Risk(
                code=RiskCode.UNDER_USED,
                subject=contract.contract_id,
                amount=now.wasted_cost,
                currency=given.settings.currency,
                share=now.utilisation,
            )
