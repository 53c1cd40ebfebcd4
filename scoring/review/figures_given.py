"""What people write of an outcome: plain figures, qualities with or without a per-cent sign, periods."""

import re
from calendar import monthrange
from datetime import date

from scoring.model.problem import Problem
from scoring.review.quarter import quarter_named

PERIOD = "2027-01, 2027Q1 or 2027-01-05..2027-02-04"
FIGURE = "a plain number such as 18300 or 0.61"
_FIGURE = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?\Z")
_MONTH = re.compile(r"([0-9]{4})-([0-9]{2})\Z")


def figure_of(text: str) -> float | None:
    """A number without separators of thousands; None for anything else, which might be read in two ways."""
    return float(text.strip()) if _FIGURE.match(text.strip()) else None


def quality_of(text: str) -> tuple[float, bool] | None:
    """The value, a share as its fraction, and whether it was written in per cent."""
    plain = text.strip()
    if not plain.endswith("%"):
        found = figure_of(plain.removeprefix("-"))
        return None if found is None else (-found if plain.startswith("-") else found, False)
    found = figure_of(plain[:-1])
    return None if found is None else (found / 100, True)


def period_of(text: str) -> tuple[date, date] | None:
    """First and last day of a month, a quarter, or days with `..` between them."""
    plain = text.strip()
    if month := _MONTH.match(plain):
        return _month(int(month[1]), int(month[2]))
    if not isinstance(quarter := quarter_named(plain), Problem):
        return quarter.first, quarter.last
    first, separator, last = plain.partition("..")
    try:
        days = (date.fromisoformat(first.strip()), date.fromisoformat(last.strip()))
    except ValueError:
        return None
    return days if separator and days[0] <= days[1] else None


def _month(year: int, month: int) -> tuple[date, date] | None:
    if not (1 <= month <= 12 and 2000 <= year <= 2199):
        return None
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])
