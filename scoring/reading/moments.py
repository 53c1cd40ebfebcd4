"""When a run began, as people and tools write it: what can be read in one way only is read, all else is left to ask."""

import datetime as dt
import re
from collections.abc import Iterable

LONGEST = 60
"""A longer text is no time."""
MONTHS = (
    ("january", "jan", "enero", "ene"), ("february", "feb", "febrero"), ("march", "mar", "marzo"),
    ("april", "apr", "abril", "abr"), ("may", "mayo"), ("june", "jun", "junio"), ("july", "jul", "julio"),
    ("august", "aug", "agosto", "ago"), ("september", "sept", "sep", "septiembre", "setiembre", "set"),
    ("october", "oct", "octubre"), ("november", "nov", "noviembre"), ("december", "dec", "diciembre", "dic"),
)  # fmt: skip
_MONTH_OF = {name: number for number, names in enumerate(MONTHS, start=1) for name in names}
_MONTH = rf"(?P<name>{'|'.join(sorted(_MONTH_OF, key=len, reverse=True))})\.?"
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+)?"
_DAY, _YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
_TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?"
_CLOCK = rf"(?:(?:\s*[t,]\s*|\s+|_){_TIME}(?:\s*(?P<half>[ap])\.?m\.?)?)?"
_DENSE = r"(?P<hour>\d\d):?(?P<minute>\d\d)(?::?(?P<second>\d\d))?"
_ZONE = r"\s*(?P<zone>z|utc|gmt|(?:utc|gmt)?[+-]\d{1,2}(?::?\d{2})?)?\s*"
_FORMS = [
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_YEAR}(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}}){_CLOCK}{_ZONE}\Z",
        rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d)(?:[t_ -]?{_DENSE})?{_ZONE}\Z",
        rf"(?P<first>\d{{1,2}})(?P<mark>[-/.])(?P<other>\d{{1,2}})(?P=mark){_YEAR}{_CLOCK}{_ZONE}\Z",
        rf"{_WEEKDAY}{_DAY}(?:\s*-\s*|\s+(?:de\s+)?){_MONTH}(?:\s*-\s*|,?\s+(?:de\s+)?){_YEAR}{_CLOCK}{_ZONE}\Z",
        rf"{_WEEKDAY}{_MONTH}\s+{_DAY},?\s+{_YEAR}{_CLOCK}{_ZONE}\Z",
        rf"{_WEEKDAY}{_MONTH}\s+{_DAY}\s+{_TIME}{_ZONE}\s{_YEAR}\Z",
        rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)[-_t ](?P<hour>\d\d)-(?P<minute>\d\d)-(?P<second>\d\d){_ZONE}\Z",
    )
]
_NUMERIC_DAY = _FORMS[2]
_EPOCH = re.compile(r"\d{10}(?:\.\d{1,9})?\Z|\d{13}\Z")
"""Seconds or milliseconds since 1970 of the years 2001 to 2286."""


def day_first(texts: Iterable[str]) -> bool | None:
    """Whether days stand before months in a column of `03/11/2026`, where one of its cells has a number above 12.

    None where none has, or where cells contradict each other.
    """
    found = set()
    for text in texts:
        match = _NUMERIC_DAY.match(text.strip()) if len(text) <= LONGEST else None
        if match and match["mark"] != ".":
            found |= {True} if int(match["first"]) > 12 else {False} if int(match["other"]) > 12 else set()
    return found.pop() if len(found) == 1 else None


def read_moment(text: str, days_first: bool | None = None) -> tuple[dt.datetime | None, bool]:
    """A point in time, and whether its clock named no zone and was taken as UTC; None for what two readings fit."""
    text = text.strip()
    if len(text) > LONGEST:
        return None, False
    if _EPOCH.match(text):
        return in_our_time(dt.datetime.fromtimestamp(float(text) / (1000 if len(text) == 13 else 1), dt.UTC)), False
    match = next((found for form in _FORMS if (found := form.match(text))), None)
    parts = match.groupdict() if match else {}
    day = _day_of(parts, days_first)
    if day is None:
        return None, False
    try:
        moment = dt.datetime.combine(day, _clock_of(parts), _zone_of(parts["zone"])).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None, False
    return in_our_time(moment), bool(parts.get("hour") and not parts["zone"])


def _day_of(parts: dict[str, str | None], days_first: bool | None) -> dt.date | None:
    """The day; numbers alone in front of the year are told apart by size, by a dot between them, or by their column."""
    year, day = int(parts.get("year") or 0), int(parts.get("day") or 0)
    month = int(parts.get("month") or 0) or _MONTH_OF.get((parts.get("name") or "").casefold(), 0)
    if parts.get("first"):
        first, other = int(parts["first"] or 0), int(parts["other"] or 0)
        known = True if parts["mark"] == "." or first > 12 else False if other > 12 else days_first
        if known is None and first != other:
            return None
        day, month = (first, other) if known else (other, first)
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _clock_of(parts: dict[str, str | None]) -> dt.time:
    """The time of day, midnight where none is told. Raises ValueError for one that no clock shows."""
    hour, half = int(parts.get("hour") or 0), (parts.get("half") or "").casefold()
    if half and not 1 <= hour <= 12:
        raise ValueError(hour)
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour
    fraction = (parts.get("fraction") or "").ljust(6, "0")[:6]
    return dt.time(hour, int(parts.get("minute") or 0), int(parts.get("second") or 0), int(fraction))


def _zone_of(text: str | None) -> dt.tzinfo:
    """UTC unless an offset is named. Raises ValueError for one of a day or more."""
    digits = re.sub(r"[^\d+-]", "", text or "")
    if not digits:
        return dt.UTC
    hours, minutes = (digits[1:3], digits[3:]) if len(digits) != 4 else (digits[1:2], digits[2:])
    offset = dt.timedelta(hours=int(hours), minutes=int(minutes or 0))
    return dt.timezone(-offset if digits[0] == "-" else offset)


def in_our_time(moment: dt.datetime) -> dt.datetime | None:
    """The moment, if a run can have begun then: sums with years near the calendar's ends would fail."""
    return moment if 1970 <= moment.year < 2200 else None
