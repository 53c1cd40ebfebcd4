"""Counts of successes as people write them into a quality column: `812/1000`, `812 of 1,000`, `81.2 % (812/1000)`."""

import re

from scoring.reading.numbers import LONGEST_NUMBER, Convention, parse_number

_INTEGER = r"\d{1,3}(?:[,.' \u00a0\u202f]\d{3})+|\d{1,15}"
_COUNTED = rf"(?P<correct>{_INTEGER})\s*(?:/|\bof\b|\bout\s+of\b|\bde\b)\s*(?P<items>{_INTEGER})"
_SHARE = r"(?P<share>[\d.,]+\s*%)"
_FORMS = (
    re.compile(rf"\s*{_COUNTED}\s*(?:[(=,;]?\s*{_SHARE}\s*\)?)?\s*\Z", re.IGNORECASE),
    re.compile(rf"\s*{_SHARE}\s*[(=,;]\s*{_COUNTED}\s*\)?\s*\Z", re.IGNORECASE),
)
ALIKE = 0.006
"""Most that a share told beside its count may differ from it by rounding: half a point and a little."""


def read_counted(text: str) -> tuple[int, int] | None:
    """Successes and items; None for a text that is no count, or whose per cent says something else."""
    if len(text) > LONGEST_NUMBER:
        return None
    match = next((found for form in _FORMS if (found := form.match(text))), None)
    if match is None:
        return None
    correct, items = (int(re.sub(r"\D", "", match[name])) for name in ("correct", "items"))
    if not 0 <= correct <= items or items < 1:
        return None
    if not match["share"]:
        return correct, items
    told = parse_number(match["share"], Convention("," if "," in match["share"] else "."))
    return (correct, items) if told is not None and abs(told.value / 100 - correct / items) < ALIKE else None
