"""By which day notice must be given, what happens when it is not, and which quarter it falls in."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from scoring.model.contract import BusinessDayRule, Contract, Notice, RenewalKind
from scoring.model.economics import DeadlineStatus

SATURDAY = 5


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
    if notice.business_day is BusinessDayRule.PREVIOUS:
        while day.weekday() >= SATURDAY:
            day -= timedelta(days=1)
    return day


def deadline_of(contract: Contract) -> date | None:
    """The notice deadline of the contract's own term; None where it knows no notice."""
    return notice_deadline(contract.ends_on, contract.notice) if contract.notice else None


def renews_automatically(contract: Contract) -> bool:
    """Whether the term goes on unless notice is given."""
    return contract.renewal.kind is RenewalKind.AUTOMATIC and contract.renewal.months > 0 and bool(contract.notice)


def renewal_end(contract: Contract, number: int) -> date:
    """Last day of the term after so many renewals; 0 is the contract's own term."""
    return add_months(contract.ends_on + timedelta(days=1), contract.renewal.months * number) - timedelta(days=1)


def renewals_so_far(contract: Contract, today: date) -> int:
    """How often the contract has renewed by itself before today: a book may hold the first term only.

    A term that is over, and in whose time no other contract was written down, went on by its own rule.
    """
    number = 0
    while renews_automatically(contract) and renewal_end(contract, number) < today:
        number += 1
    return number


def running_until(contract: Contract, today: date) -> date:
    """Last day of the term that runs today, or of the last one that ran."""
    return renewal_end(contract, renewals_so_far(contract, today))


def running_deadline(contract: Contract, today: date) -> date | None:
    """Notice deadline of the term that runs today; None where the contract knows no notice."""
    return notice_deadline(running_until(contract, today), contract.notice) if contract.notice else None


def renewed_until(contract: Contract, today: date) -> date:
    """Last day of the term that follows the one that runs today, if no notice is given."""
    return renewal_end(contract, renewals_so_far(contract, today) + 1)


def status_on(contract: Contract, today: date) -> DeadlineStatus:
    """Due while notice can be given; missed after; none where there is no notice or the last term is over."""
    deadline = running_deadline(contract, today)
    if deadline is None or running_until(contract, today) < today:
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
