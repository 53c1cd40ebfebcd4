"""Months that contracts cut: hours before a term begins, after it ends or before a step are not there for later work.

Work is spread evenly over the hours of a month, so that half a month of a contract serves half of the month's work at
most. Hours promised a month count by days in a month that is cut.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise

import numpy as np

from scoring.contracts.coverage import Column, Term
from scoring.contracts.months import Months

DAY = timedelta(days=1)


def cut_months(months: Months, terms: Sequence[Term]) -> tuple[Months, ...]:
    """The first stretch of days of each month, the second, and so on, empty where a month has no more.

    None where nothing begins, ends or changes within a month.
    """
    days = sorted({day for term in terms for day in cuts_of(term)})
    cut = [[first, *(day for day in days if first < day <= last), last + DAY] for first, last in months]
    stretches = [[(a, b - DAY) for a, b in pairwise(edges)] for edges in cut]
    most = max(len(of) for of in stretches)
    if most == 1:
        return ()
    return tuple(
        tuple(
            of[number] if number < len(of) else (last + DAY, last)
            for of, (_, last) in zip(stretches, months, strict=True)
        )
        for number in range(most)
    )


def cuts_of(term: Term) -> Iterator[date]:
    """Days from which the term promises something else; none of a total, which promises no hours."""
    if term.contract.commitment.currency_total is not None:
        return
    yield term.starts_on
    yield term.ends_on + DAY
    yield from (step.starts_on for step in term.contract.ramp if term.starts_on <= step.starts_on <= term.ends_on)


def cut_by(months: Months, terms: Sequence[Term]) -> tuple[str, ...]:
    """Ids of the contracts that cut a month."""
    starts = {first for first, _ in months}
    inside = (
        t.contract.id for t in terms if any(months[0][0] < d <= months[-1][1] and d not in starts for d in cuts_of(t))
    )
    return tuple(dict.fromkeys(inside))


def shares_of_months(part: Months, months: Months) -> Column:
    """The share of each month's days that lies in a stretch."""
    whole = [(last - first).days + 1 for first, last in months]
    shares: Column = np.array([(last - first).days + 1 for first, last in part]) / np.array(whole)
    return shares
