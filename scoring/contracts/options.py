"""Commitments of the candidate that could be taken up: which, of what size and from which month."""

from collections.abc import Iterator
from math import ceil, floor

import numpy as np

from scoring.contracts.coverage import Column
from scoring.contracts.kinds.promise import HOURS_PER_DAY
from scoring.contracts.months import Grid, Months
from scoring.model.settings import CommitmentOption
from scoring.model.switching import OptionTaken, OptionWeighed

MOST_SIZES = 64
"""Sizes that are all weighed where other contracts' rates may bend the cost at any of them."""


def hours_of(taken: OptionTaken, months: Months) -> tuple[Column, Column]:
    """Instance-hours that an option promises in each month and what they cost, its upfront payment in its first.

    Hours are the calendar's, used or not.
    """
    hours = np.zeros(len(months))
    for i in range(taken.month, taken.month + taken.term_months):
        first, last = months[i]
        hours[i] = taken.instances * ((last - first).days + 1) * HOURS_PER_DAY
    cost = hours * taken.rate
    cost[taken.month] += taken.instances * taken.upfront_per_instance
    return hours, cost


def takes_of(option: CommitmentOption, grid: Grid, months: Months) -> Iterator[OptionTaken]:
    """The option in every month and size that can be weighed: its term ends within the months, its offer still holds.

    A cost is convex in the number of instances and bends where a month's need is met: without a given size the whole
    numbers on either side of each month's need, all of it or the overflow, hold the cheapest one.
    """
    for month in range(len(months) - option.term_months + 1):
        on = months[month][0]
        if option.expires_on is not None and on > option.expires_on:
            return
        span = slice(month, month + option.term_months)
        sizes = [option.instances] if option.instances else _sizes(grid, months, span)
        for instances in sizes:
            yield OptionTaken(
                option=option.id,
                kind=option.kind,
                term_months=option.term_months,
                rate=float(option.rate),
                upfront_per_instance=float(option.upfront),
                instances=instances,
                month=month,
                on=on,
            )


def _sizes(grid: Grid, months: Months, span: slice) -> list[int]:
    calendar = np.array([((last - first).days + 1) * HOURS_PER_DAY for first, last in months[span]])
    sizes: set[int] = set()
    if grid.further is not None or grid.parts:
        most = ceil(float((grid.need_b[span] / calendar).max(initial=0.0)))
        sizes |= set(range(1, min(most, MOST_SIZES) + 1))
    for share in (part * level for part in grid.migration.ramp for level in (grid.full_share, grid.partial_share)):
        needed = np.maximum(0.0, grid.need_b[span] * share[span] - grid.committed_b[span]) / calendar
        sizes |= {size for need in needed for size in (floor(need), ceil(need))}
    return sorted(size for size in sizes if size > 0)


def why_not(option: CommitmentOption, months: Months) -> OptionWeighed | None:
    """Why an option cannot be weighed in any month, with the horizon that would do; None where it can be."""
    if option.expires_on is not None and option.expires_on < months[0][0]:
        return unweighed(option).model_copy(update={"reason": "expired"})
    if option.term_months > len(months):
        return unweighed(option).model_copy(update={"reason": "beyond-horizon", "horizon_months": option.term_months})
    return None


def unweighed(option: CommitmentOption) -> OptionWeighed:
    """The option before it is weighed."""
    return OptionWeighed(
        option=option.id, kind=option.kind, term_months=option.term_months, rate=float(option.rate), reason="no-need"
    )
