"""Number texts: decimal comma or point decided by the column, ± and units kept, ambiguity left to a question."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from scoring.reading.catalogue import CODES, TIME_UNITS

LONGEST_NUMBER = 60
"""Longer texts are no numbers; it also keeps the patterns below from working on a megabyte."""
MISSING = frozenset({"", "-", "–", "—", "n/a", "na", "n.a.", "null", "none", "#n/a", "?"})
CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "us$": "USD", "¥": "JPY"} | {code: code.upper() for code in CODES}
FACTORS = {
    "k": 1e3, "m": 1e6, "mio": 1e6, "b": 1e9, "g": 1e9, "t": 1e12, "mn": 1e6, "bn": 1e9, "million": 1e6,
    "millions": 1e6, "millones": 1e6, "billion": 1e9, "thousand": 1e3, "miles": 1e3, "mil": 1e3,
}  # fmt: skip
_SPACES = "\u00a0\u202f\u2009 '’"
_DIGITS = rf"[-+−]?(?:\d[\d.,{_SPACES}]*|[.,]\d+)(?:[eE][-+]?\d+)?"
_MONEY = rf"us\$|[$€£¥]|{'|'.join(CODES)}"
_BEHIND_MONEY = re.compile(rf"(?P<money>{_MONEY})(?![^\W\d_])\s*(?P<rest>.*)\Z", re.IGNORECASE)
_MAGNITUDE = re.compile(
    rf"(?P<magnitude>[kKMBGT]|mio\.?|mn|bn|million|millions|millones|billion|thousand|miles|mil)"
    rf"(?=\s|\Z|(?:{_MONEY})(?![^\W\d_]))\s*(?P<rest>.*)\Z"
)
_CELL = re.compile(
    rf"(?P<before>{_MONEY})?\s*(?P<number>{_DIGITS})\s*"
    rf"(?:(?P<first>%|[^\W\d_]{{1,9}})?\s*(?:±|\+/-|\+-)\s*(?:{_MONEY})?\s*(?P<spread>{_DIGITS})"
    rf"|\(\s*±?\s*(?P<paren>{_DIGITS})\s*\))?\s*"
    r"(?P<after>%|[^\d\s±][^\d±]*)?\Z",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?:(\d{1,4})\s*d(?:ays?|[ií]as?)?,?\s+)?(\d{1,4}):([0-5]\d):([0-5]\d)(?:[.,](\d+))?\Z", re.IGNORECASE
)
_SHORT_CLOCK = re.compile(r"\d{1,4}:\d{2}\Z")
_PARTS = re.compile(
    r"(?:(\d+(?:[.,]\d+)?)\s*(?:h|hr|hrs|hours?|horas?))?\s*"
    r"(?:(\d+(?:[.,]\d+)?)\s*(?:m|min|mins|minutes?|minutos?))?\s*"
    r"(?:(\d+(?:[.,]\d+)?)\s*(?:s|sec|secs|seconds?|seg|segundos?))?\Z",
    re.IGNORECASE,
)
_ONE_UNIT = re.compile(rf"(?P<number>{_DIGITS})\s*(?P<unit>[^\W\d_]+)\.?\Z")
_CELL_UNITS = {**TIME_UNITS, "m": 60.0}
_SURE_GROUPS = re.compile(r"\d{1,3}([.,])\d{3}(\1\d{3})+\Z")


@dataclass(frozen=True)
class Convention:
    """How a column writes numbers: its decimal mark; `ambiguous` when both readings fit every value."""

    decimal: str
    ambiguous: bool = False
    mixed: bool = False


@dataclass(frozen=True)
class Number:
    """A parsed cell: `digits` in plain notation, an optional ± part, and what stood around it."""

    digits: str
    factor: float = 1.0
    spread: str | None = None
    percent: bool = False
    currency: str | None = None
    unit: str | None = None

    @property
    def value(self) -> float:
        """The number, with its k or M."""
        return float(self.digits) * self.factor

    @property
    def spread_value(self) -> float | None:
        """The ± part on the same scale."""
        return None if self.spread is None else abs(float(self.spread)) * self.factor

    @property
    def exact(self) -> Decimal:
        """The number as posted, to the last digit."""
        return Decimal(self.digits) * Decimal(repr(self.factor))


def is_missing(text: str) -> bool:
    """Whether a cell says that there is no value."""
    return text.strip().casefold() in MISSING


def evidence(text: str) -> str | None:
    """What a number text shows of its decimal mark: "." or ",", "?." or "?," for either, None for neither."""
    match = _match(text)
    if match is None:
        return None
    spread = match["spread"] or match["paren"] or ""
    return _mark_of(match["number"]) or _mark_of(spread)


def _match(text: str) -> re.Match[str] | None:
    text = text.strip()
    return _CELL.match(text) if len(text) <= LONGEST_NUMBER else None


def _mark_of(number: str) -> str | None:
    core = re.split("[eE]", number.strip(_SPACES).lstrip("-+−"))[0]
    points, commas = core.count("."), core.count(",")
    if points and commas:
        return "." if core.rfind(".") > core.rfind(",") else ","
    if not points and not commas:
        return None
    mark = "." if points else ","
    other = "," if points else "."
    if points + commas > 1:
        return other if _SURE_GROUPS.match(core) else None
    before, _, after = core.partition(mark)
    if len(after) == 3 and 1 <= len(before) <= 3 and not before.startswith("0"):
        return f"?{mark}"
    return mark


def convention_of(texts: Iterable[str], hint: str | None = None) -> Convention:
    """The decimal mark of a column; `hint` is what the table's other columns show.

    A point with three digits behind it is a decimal point unless something shows a decimal comma; a comma with three
    digits behind it everywhere is ambiguous unless something shows either.
    """
    found = {e for text in texts if (e := evidence(text)) is not None}
    sure = found & {".", ","}
    if len(sure) == 2:
        return Convention(".", mixed=True)
    if sure:
        return Convention(sure.pop())
    if hint is not None:
        return Convention(hint)
    if "?," in found:
        return Convention(",", ambiguous=True)
    return Convention(".")


def plain(text: str, decimal: str) -> str | None:
    """Digits in plain notation, or None when the text does not fit the convention."""
    group = "," if decimal == "." else "."
    cleaned = text.replace("−", "-")
    for space in _SPACES:
        cleaned = cleaned.replace(space, "")
    head, mark, tail = cleaned.partition(decimal)
    if group in tail or decimal in tail:
        return None
    if group in head and not re.match(rf"[-+]?\d{{1,3}}(\{group}\d{{3}})+\Z", head):
        return None
    digits = head.replace(group, "") + ("." + tail if mark else "")
    try:
        number = Decimal(digits)
    except InvalidOperation:
        return None
    return digits if number.is_finite() and abs(number.adjusted()) < 300 else None


def parse_number(text: str, convention: Convention) -> Number | None:
    """The number of a cell, or None for a text that is none (NaN and infinity are none)."""
    match = _match(text)
    if match is None:
        return None
    digits = plain(match["number"], convention.decimal)
    spread = match["spread"] or match["paren"]
    spread_digits = plain(spread, convention.decimal) if spread else None
    if digits is None or (spread and spread_digits is None):
        return None
    after, first = (match["after"] or "").strip(), match["first"]
    if first and after and first != after:
        return None
    after = after or first or ""
    currency = CURRENCIES.get((match["before"] or "").casefold())
    factor, behind, unit = _behind(after)
    return Number(digits, factor, spread_digits, unit == "%", behind or currency, None if unit in ("", "%") else unit)


def _behind(text: str) -> tuple[float, str | None, str]:
    """Magnitude, currency and unit of what stands behind a number: `k$/h` → 1000, USD, `/h`."""
    factor, currency = 1.0, None
    large = _MAGNITUDE.match(text)
    if large:
        factor, text = FACTORS[large["magnitude"].casefold().rstrip(".")], large["rest"]
    money = _BEHIND_MONEY.match(text)
    if money:
        currency, text = CURRENCIES[money["money"].casefold()], money["rest"]
    return factor, currency, text.strip()


def parse_duration(text: str, convention: Convention) -> float | None:
    """Seconds of `1h 23m`, `01:23:45`, `83 min`, `500 ms`; None where the text names no unit."""
    text = text.strip()
    if len(text) > LONGEST_NUMBER:
        return None
    clock = _CLOCK.match(text)
    if clock:
        days, hours, minutes, seconds, fraction = clock.groups()
        whole = int(days or 0) * 86_400 + int(hours) * 3_600 + int(minutes) * 60 + int(seconds)
        return whole + float(f"0.{fraction or 0}")
    one = _ONE_UNIT.match(text)
    if one:
        unit, digits = _CELL_UNITS.get(one["unit"].casefold()), plain(one["number"], convention.decimal)
        return None if unit is None or digits is None else float(digits) * unit
    parts = _PARTS.match(text)
    if not parts or not any(parts.groups()):
        return None
    hours, minutes, seconds = (float((p or "0").replace(",", ".")) for p in parts.groups())
    return hours * 3600 + minutes * 60 + seconds


def parse_short_clock(text: str, form: str) -> float | None:
    """Seconds of `91:31` where the header says that it is `mm:ss`, or `hh:mm`."""
    if not is_short_clock(text):
        return None
    large, small = (int(part) for part in text.strip().split(":"))
    return float(large * 60 + small) if form.startswith("m") else float(large * 3600 + small * 60)


def is_short_clock(text: str) -> bool:
    """`12:34` may be minutes and seconds or hours and minutes."""
    return bool(_SHORT_CLOCK.match(text.strip()))
