"""Numbers for people: at most three significant digits in sentences, whole amounts in tables, always with a unit."""

from datetime import date
from math import floor, isfinite, log10

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}
MONTHS = "January February March April May June July August September October November December".split()


def significant(value: float, digits: int = 3) -> str:
    """Rounded to significant digits, thousands separated, no exponent: 0.6131 → 0.613, 85075.6 → 85,100."""
    if value == 0 or not isfinite(value):
        return "0" if value == 0 else "–"
    places = digits - 1 - floor(log10(abs(value)))
    rounded = round(value, places)
    return f"{rounded:,.{max(places, 0)}f}"


def money(amount: float, currency: str, digits: int | None = None) -> str:
    """An amount with its currency: whole from 1,000 on, else cents; `digits` rounds to significant digits.

    Below one it keeps three significant digits, so that a cost per token does not read as zero.
    """
    size = abs(amount)
    if digits is not None or 0 < size < 1:
        text = significant(size, digits or 3)
    else:
        text = f"{size:,.0f}" if size >= 1000 else f"{size:,.2f}"
    sign = "−" if amount < 0 else ""
    symbol = SYMBOLS.get(currency)
    return f"{sign}{symbol}{text}" if symbol else f"{sign}{currency} {text}"


def ratio(value: float) -> str:
    """A multiple: × 0.613."""
    return f"× {significant(value)}"


def interval(lo: float | None, hi: float | None) -> str:
    """The two ends, or nothing where an end is not known."""
    return "" if lo is None or hi is None else f"[{significant(lo)}, {significant(hi)}]"


def percent(share: float, digits: int = 2) -> str:
    """A share as per cent: 0.39 → 39 %."""
    return f"{significant(share * 100, digits)} %"


def change(before: float, after: float) -> tuple[float, float]:
    """The change in per cent and the ratio: from 100 to 230 is +130 %, a ratio of 2.3; never "230 % worse"."""
    return (after / before - 1) * 100, after / before


def duration(seconds: float) -> str:
    """Seconds in the unit that a person would say."""
    for limit, size, unit in ((0.001, 1e-6, "µs"), (1.0, 1e-3, "ms"), (120.0, 1.0, "s"), (7200.0, 60.0, "min")):
        if abs(seconds) < limit:
            return f"{significant(seconds / size)} {unit}"
    return f"{significant(seconds / 3600)} h"


def day(value: date) -> str:
    """1 July 2027."""
    return f"{value.day} {MONTHS[value.month - 1]} {value.year}"


def plural(count: int, one: str, many: str) -> str:
    """1 run, 2 runs."""
    return f"{count:,} {one if count == 1 else many}"
