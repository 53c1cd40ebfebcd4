"""By which day notice must be given, what happens when it is not, and which quarter it falls in."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from scoring.model.contract import BusinessDayRule, Contract, Notice, RenewalKind
from scoring.model.economics import DeadlineStatus
from scoring.public_holidays import holidays_of

SATURDAY = 5
STEPS = {BusinessDayRule.PREVIOUS: timedelta(days=-1), BusinessDayRule.NEXT: timedelta(days=1)}


def add_months(day: date, months: int) -> date:
    """The same day of another month, clamped to that month's end."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def notice_deadline(last_day_of_term: date, notice: Notice) -> date:
    """Last day on which notice is in time: the last day of term less the notice, by the business-day rule."""
    if notice.days is not None:
        day = last_day_of_term - timedelta(days=notice.days)
    else:
        day = add_months(last_day_of_term, -(notice.months or 0))
    step = STEPS.get(notice.business_day)
    while step is not None and not is_business_day(day, notice.holidays):
        day += step
    return day


def is_business_day(day: date, region: str | None) -> bool:
    """Monday to Friday, and no public holiday of the region where one is named."""
    return day.weekday() < SATURDAY and (region is None or day not in holidays_of(region, day.year))


def with_holidays(contract: Contract, region: str | None) -> Contract:
    """The contract with that region's holidays, where its notice keeps to business days and names none of its own."""
    notice = contract.notice
    if region is None or notice is None or notice.holidays or notice.business_day is BusinessDayRule.NONE:
        return contract
    return contract.model_copy(update={"notice": notice.model_copy(update={"holidays": region})})


def deadline_of(contract: Contract) -> date | None:
    """The contract's notice deadline; None where it knows no notice."""
    return notice_deadline(contract.ends_on, contract.notice) if contract.notice else None


def renews_automatically(contract: Contract) -> bool:
    """Whether the term goes on unless notice is given."""
    return contract.renewal.kind is RenewalKind.AUTOMATIC and contract.renewal.months > 0


def renewed_until(contract: Contract) -> date:
    """Last day of the term after one renewal."""
    return add_months(contract.ends_on + timedelta(days=1), contract.renewal.months) - timedelta(days=1)


def status_on(contract: Contract, today: date) -> DeadlineStatus:
    """Due while notice can be given, missed after it; none where there is no notice or all is over.

    A book does not say whether notice was given: a term that ended with its deadline is taken to have renewed.
    """
    deadline = deadline_of(contract)
    over_on = renewed_until(contract) if renews_automatically(contract) else contract.ends_on
    if deadline is None or over_on < today:
        return DeadlineStatus.NONE
    return DeadlineStatus.MISSED if today > deadline else DeadlineStatus.DUE


@dataclass(frozen=True)
class QuarterWindow:
    """Contract ids by what a quarter brings them."""

    expires: tuple[str, ...]
    notice_due: tuple[str, ...]
    missed_notice: tuple[str, ...]


def quarter_window(contracts: tuple[Contract, ...], first: date, last: date) -> QuarterWindow:
    """Which contracts end in the quarter, have their deadline in it, or end in it with the deadline before it."""
    deadlines = {c.id: deadline_of(c) for c in contracts}
    expires = [c.id for c in contracts if first <= c.ends_on <= last]
    due = [c.id for c in contracts if (d := deadlines[c.id]) is not None and first <= d <= last]
    missed = [i for i in expires if (d := deadlines[i]) is not None and d < first]
    return QuarterWindow(tuple(expires), tuple(due), tuple(missed))
