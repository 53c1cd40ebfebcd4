"""The work of each month: steady, or in dated steps."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from scoring.model.settings import Demand


def units_by_month(demand: Demand | None, months: Sequence[tuple[date, date]]) -> list[float]:
    """Units of work in each month, given by its first and last day; 0 without a demand.

    A month in which the demand changes counts by its days: each day has its part of the month's work that then holds.
    """
    if demand is None:
        return [0.0] * len(months)
    steps = [(change.starts_on, change.units_per_month) for change in demand.changes]
    return in_steps(demand.units_per_month, steps, months)


def in_steps(begin: float, steps: Sequence[tuple[date, float]], months: Sequence[tuple[date, date]]) -> list[float]:
    """What a month has of something that is `begin` a month and from each step's day on another amount."""
    ordered = sorted(steps)
    return [_in_month(begin, ordered, first, last) for first, last in months]


def _in_month(begin: float, steps: Sequence[tuple[date, float]], first: date, last: date) -> float:
    level = next((amount for day, amount in reversed(steps) if day <= first), begin)
    inside = [(day, amount) for day, amount in steps if first < day <= last]
    if not inside:
        return level
    begins = [first, *(day for day, _ in inside), last + timedelta(days=1)]
    levels = [level, *(amount for _, amount in inside)]
    days = [(end - begin).days for begin, end in pairwise(begins)]
    return sum(level * count for level, count in zip(levels, days, strict=True)) / sum(days)
