"""A month is cut where a contract's terms change: within a stretch of days every hour is like every other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

HOURS_A_DAY = 24


@dataclass(frozen=True)
class Stretch:
    """Days of one month, both included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """Calendar days."""
        return (self.last - self.first).days + 1

    @property
    def hours(self) -> int:
        """Calendar hours, UTC."""
        return self.days * HOURS_A_DAY


def stretches(month: tuple[date, date], changes: Iterable[date]) -> Sequence[Stretch]:
    """The month, given by its first and last day, cut before each of the days on which something changes."""
    first, last = month
    after = last + timedelta(days=1)
    cuts = sorted({first, after, *(day for day in changes if first < day <= last)})
    return tuple(Stretch(a, b - timedelta(days=1)) for a, b in pairwise(cuts))
