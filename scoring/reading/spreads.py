"""What a ± or a column of spreads is by its header: a standard deviation, a standard error or a 95 % interval.

Taken for a standard deviation, a standard error makes the interval too narrow by the root of the number of runs.
"""

import math
import re
import unicodedata
from typing import Literal

from scoring.reading.catalogue import TIME_UNITS

Kind = Literal["", "sd", "se", "ci95", "unclear"]
"""Empty: the header does not say."""
NORMAL_95 = 1.959963984540054
"""Half a 95 % interval over its standard error; by Student's t it would be more: this never tells too little spread."""

_ERROR = r"(?:standard|std\.?)[\s_]*err(?:or)?\.?|stderr|error[\s_]*(?:estandar|tipico)|s\.?\s?e\.?(?:\s?m\.?)?"
_NINETY_FIVE = r"95[\s_]*%?[\s_]*(?:ci|ic|confidence(?:[\s_]+interval)?)|(?:ci|ic)[\s_]*95[\s_]*%?"
_DEVIATION = (
    r"(?:standard|std\.?)[\s_]*dev(?:iation)?\.?|desv\w*\.?(?:[\s_]*(?:estandar|tipica|est\.?))?|"
    r"stddev|stdev|std\.?|s\.?\s?d\.?|sigma|σ"
)
_KINDS: tuple[tuple[Kind, str], ...] = (("se", _ERROR), ("ci95", _NINETY_FIVE), ("sd", _DEVIATION))
_MEAN = r"(?:\b(?:mean|avg|average|media|promedio)\b)?"
_SIGN = re.compile(rf"(?P<before>.*?)[\s,;]*{_MEAN}\s*(?:±|\+/-|\+-)\s*(?P<said>[^()\[\]]*)(?P<after>.*)\Z")
_IN_BRACKETS = re.compile(
    r"(?P<before>.*?)\b(?:mean|avg|average|media|promedio)\s*[\[(](?P<said>[^()\[\]]*)[\])](?P<after>.*)\Z"
)
_UNIT = r"(?:_(ms|us|ns|s|sec|min|h|hr|usd|eur))?"
_COLUMNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("se", re.compile(rf"(?:se|sem|stderr|std_err(?:or)?|standard_error|error_estandar)_(?:of_|de_)?(.+)|"
                      rf"(.+)_(?:se|sem|stderr|std_err(?:or)?|standard_error|error_estandar){_UNIT}\Z")),
    ("ci95", re.compile(rf"(?:ci_?95|95%?_ci|ic_?95)_(?:of_|de_)?(.+)|(.+)_(?:ci_?95|95_?%?_ci|ic_?95){_UNIT}\Z")),
)  # fmt: skip


def without_spread(header: str) -> tuple[str, Kind]:
    """A header without its words on the ±, and what they say it is: `duration_s (mean ± SE)` is `duration_s`, `se`."""
    text = _plain(header)
    match = _SIGN.match(text)
    if match is None:
        match = _IN_BRACKETS.match(text)
        if match is None or _kind(match["said"])[0] == "unclear":
            return header, ""
    kind, rest = _kind(match["said"].strip())
    before, after = match["before"].rstrip(" ([,;"), match["after"].lstrip(" )],;")
    unit = "" if kind == "unclear" else rest.strip(" ,;")
    opened = before.count("(") - before.count(")") + before.count("[") - before.count("]")
    named = " ".join(part for part in (before + ")" * max(opened, 0), after) if part)
    if not unit:
        return named, kind
    return (f"{named} ({unit})" if named and "(" not in named else f"{named} {unit}".strip()), kind


def _plain(header: str) -> str:
    """Without accents, so that `estándar` is `estandar`; case as it was but for the words that are looked for."""
    decomposed = unicodedata.normalize("NFD", header)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


def _kind(said: str) -> tuple[Kind, str]:
    """What the words after a ± are, and what stands behind them; a unit alone says nothing."""
    for kind, pattern in _KINDS:
        match = re.match(rf"(?:1\s*)?(?:{pattern})(?:\s+(?:of the mean|de la media))?(?![^\W_])", said)
        if match:
            return kind, said[match.end() :]
    unit = said.strip(" ,;.")
    return ("" if unit in ("", "%", *TIME_UNITS) else "unclear"), said


def spread_column(name: str) -> tuple[Kind, str] | None:
    """The kind and the column that it is of: `duration_sem_s` is a standard error of `duration_s`."""
    for kind, pattern in _COLUMNS:
        match = pattern.match(name)
        if match:
            return kind, match[1] or "_".join(part for part in match.group(2, 3) if part)
    return None


def as_deviation(spread: float, kind: Kind, n: int | None) -> float | None:
    """The standard deviation between runs; None where that cannot be told, or not without the number of runs."""
    if kind in ("", "sd"):
        return spread
    if kind == "unclear" or n is None:
        return None
    return spread * math.sqrt(n) / (NORMAL_95 if kind == "ci95" else 1.0)
