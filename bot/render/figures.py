"""Numbers for people: at most three significant digits in sentences, whole amounts in tables, always with a unit.

Each is written as in the language that is rendered in (`bot.render.locales`).
"""

from datetime import date
from decimal import ROUND_FLOOR, Decimal
from math import floor, isfinite, log10

from bot.render.locales import locale, spoken
from bot.render.messages import catalogue

CENT = 0.01


def significant(value: float, digits: int = 3) -> str:
    """Rounded to significant digits, thousands separated, no exponent: 0.6131 → 0.613, 85075.6 → 85,100."""
    return locale().written(_significant(value, digits))


def _significant(value: float, digits: int = 3) -> str:
    if value == 0 or not isfinite(value):
        return "0" if value == 0 else "–"
    places = digits - 1 - floor(log10(abs(value)))
    rounded = round(value, places)
    return f"{rounded:,.{max(places, 0)}f}"


def number(value: float, form: str = ",") -> str:
    """A number in one of Python's forms: 12,000 or 0.25."""
    return locale().written(format(value, form))


def money(amount: float, currency: str, digits: int | None = None) -> str:
    """An amount with its currency: whole from 1,000 on, else cents; `digits` rounds to significant digits from one on.

    Nobody pays a part of a cent: an amount below one is told as less than that.
    """
    size = abs(amount)
    if 0 < size < CENT:
        least = locale().money(f"{CENT}", currency)
        return catalogue(spoken(), "figures")("gain-below" if amount > 0 else "loss-below", amount=least)
    if digits is not None and size >= 1:
        text = _significant(size, digits)
    else:
        text = f"{size:,.0f}" if size >= 1000 or size == 0 else f"{size:,.2f}"
    return _signed_money(amount, text, currency)


def rate(amount: float, currency: str) -> str:
    """Money for each unit of something: below one three significant digits, so that a token's does not read as zero."""
    if not 0 < abs(amount) < 1:
        return money(amount, currency)
    return _signed_money(amount, _significant(abs(amount)), currency)


def _signed_money(amount: float, text: str, currency: str) -> str:
    return f"{'−' if amount < 0 else ''}{locale().money(text, currency)}"


def price(per_hour: float, currency: str) -> str:
    """An hourly price, to the cent; below one to three significant digits."""
    return locale().money(f"{per_hour:,.2f}" if per_hour >= 1 else _significant(per_hour), currency)


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
    return "" if lo is None or hi is None else f"[{joined(significant(lo), significant(hi))}]"


def joined(*numbers: str) -> str:
    """Written numbers beside each other; a comma that is a decimal mark separates none."""
    return locale().separator.join(numbers)


def percent(share: float, digits: int = 2) -> str:
    """A share as per cent: 0.39 → 39 %."""
    return f"{significant(share * 100, digits)} %"


def level(confidence: float) -> str:
    """A level of confidence as per cent, with every digit that was given."""
    return f"{number(confidence * 100, '.10g')} %"


def points(share: float) -> str:
    """A difference between two figures in per cent: 0.5 points."""
    return of_points(significant(share * 100))


def of_points(size: str) -> str:
    """A written figure as a difference in per cent."""
    return catalogue(spoken(), "figures")("points", size=size)


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
    return locale().day(value)


def plural(count: int, one: str, many: str) -> str:
    """1 run, 2 runs."""
    return f"{number(count)} {one if count == 1 else many}"
