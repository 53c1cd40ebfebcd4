"""Numbers for people: at most three significant digits in sentences, whole amounts in tables, always with a unit."""

from datetime import date
from decimal import ROUND_FLOOR, Decimal
from math import floor, isfinite, log10

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}
CENT = 0.01
MONTHS = "January February March April May June July August September October November December".split()


def significant(value: float, digits: int = 3) -> str:
    """Rounded to significant digits, thousands separated, no exponent: 0.6131 → 0.613, 85075.6 → 85,100."""
    if value == 0 or not isfinite(value):
        return "0" if value == 0 else "–"
    places = digits - 1 - floor(log10(abs(value)))
    rounded = round(value, places)
    return f"{rounded:,.{max(places, 0)}f}"


def money(amount: float, currency: str, digits: int | None = None) -> str:
    """An amount with its currency: whole from 1,000 on, else cents; `digits` rounds to significant digits from one on.

    Nobody pays a part of a cent: an amount below one is told as less than that.
    """
    size = abs(amount)
    if 0 < size < CENT:
        return f"less than {_of(f'{CENT}', currency)}" if amount > 0 else f"more than −{_of(f'{CENT}', currency)}"
    if digits is not None and size >= 1:
        text = significant(size, digits)
    else:
        text = f"{size:,.0f}" if size >= 1000 else f"{size:,.2f}"
    return f"{'−' if amount < 0 else ''}{_of(text, currency)}"


def rate(amount: float, currency: str) -> str:
    """Money for each unit of something: below one three significant digits, so that a token's does not read as zero."""
    if not 0 < abs(amount) < 1:
        return money(amount, currency)
    return f"{'−' if amount < 0 else ''}{_of(significant(abs(amount)), currency)}"


def _of(text: str, currency: str) -> str:
    symbol = SYMBOLS.get(currency)
    return f"{symbol}{text}" if symbol else f"{currency} {text}"


def beyond(price: float, upward: bool, digits: int = 3) -> str | None:
    """The nearest price of so many digits strictly beyond this one, as a command takes it; None if none is above 0."""
    if price <= 0 or not isfinite(price):
        return None
    places = digits - 1 - floor(log10(price))
    exact, step = Decimal(repr(price)), Decimal(1).scaleb(-places)
    below = (exact / step).to_integral_value(ROUND_FLOOR) * step
    told = below + step if upward else below if below < exact else below - step
    return f"{told:.{max(places, 0)}f}" if told > 0 else None


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
