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
    if not demand.changes:
        return [demand.units_per_month] * len(months)
    return [_units(demand, first, last) for first, last in months]


def _units(demand: Demand, first: date, last: date) -> float:
    steps = sorted(demand.changes, key=lambda change: change.starts_on)
    level = next((c.units_per_month for c in reversed(steps) if c.starts_on <= first), demand.units_per_month)
    inside = [c for c in steps if first < c.starts_on <= last]
    if not inside:
        return level
    begins = [first, *(c.starts_on for c in inside), last + timedelta(days=1)]
    levels = [level, *(c.units_per_month for c in inside)]
    days = [(end - begin).days for begin, end in pairwise(begins)]
    return sum(level * count for level, count in zip(levels, days, strict=True)) / sum(days)
