"""The figures of a statement: per cents, multiples, words such as half or twice, and amounts before and after."""

import re
from dataclasses import dataclass

NUMBER = r"\d+(?:[.,]\d+)?"
THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}[.,]\d{3}(?!\d)")
"""1,700 is a thousand to some and a decimal to others."""
_PERCENT = r"(?:%|percent\b|per cent\b|pct\b|por ciento\b)"
_TO = r"(?:-|to\b|and\b|a\b|y\b(?: el\b)?)"
_RANGE = re.compile(rf"({NUMBER})\s*(?:{_PERCENT})?\s*{_TO}\s*(?:un |el )?({NUMBER})\s*{_PERCENT}")
_RANGE_TIMES = re.compile(rf"({NUMBER})\s*x?\s*{_TO}\s*({NUMBER})\s*(?:x\b|times\b|veces\b)")
_SINGLE = re.compile(rf"({NUMBER})\s*{_PERCENT}")
_TIMES = re.compile(
    rf"({NUMBER})\s*-?\s*(?:x(?![a-z0-9])|times\b|veces\b|fold\b)|\b(?:x|multipl\w+ (?:por|by))\s*({NUMBER})(?![\w%])"
)
_MACHINE = re.compile(r"\b(?!x)[a-z]+\d+x\b")
"""MI300X, whose end is no multiple."""
_MONEY = r"(?:[$€£]|usd|eur)?\s*"
_FROM_TO = re.compile(
    rf"\b(?:from|de)\s+{_MONEY}({NUMBER})\s*[$€£]?\s*(?:to|a)\s+{_MONEY}({NUMBER})(?!\s*{_PERCENT})(?![\w.,]*\w)"
)
_WORDS = (
    (0.5, r"half|halves|halved|halving|mitad"),
    (1 / 3, r"(?:a |one[- ])third|tercio|tercera parte"),
    (0.25, r"(?:a |one[- ])quarter|cuarta parte"),
    (2.0, r"twice|double|doubles|doubled|doubling|two times|twofold|doble|duplica\w*|dos veces|multiplica\w* por dos"),
    (3.0, r"triple|triples|tripled|thrice|three times|threefold|triplica\w*|tres veces|multiplica\w* por tres"),
    (4.0, r"quadruple|quadruples|four times|fourfold|cuadruple|cuadruplica\w*|cuatro veces|multiplica\w* por cuatro"),
    (5.0, r"five times|fivefold|cinco veces|multiplica\w* por cinco"),
    (10.0, r"ten times|tenfold|diez veces|multiplica\w* por diez"),
)


_SAID = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)"
_CUT_BEFORE = re.compile(
    rf"(?:[\w.,/'’]|(?<![\w.,])(?:{NUMBER}|{_SAID})\s*(?:x|times|veces|{_PERCENT})?\s*(?:\b(?:or|o|u|to|and|a|y)\b|[-/±]|\+/?-)"
    r"\s*(?:an? |un |el )?[-+~]?\s*)\Z"
)
_CUT_AFTER = re.compile(
    r"\s*(?:(?:and a|y) (?:half|medi[ao])\b|(?:times|again)\b|(?:\b(?:or|o|u|to|and|y)\b|[-/±]|\+/?-)\s*\d)"
)


@dataclass(frozen=True)
class Figure:
    """A number as written, where it stands, and what kind it is: a share (percent / 100) or a multiple.

    `upto` is the other end of a range. A `word` (half, twice) needs no "of" to be a multiple.
    """

    value: float
    is_percent: bool
    start: int
    end: int
    upto: float | None = None
    is_word: bool = False


def figures_in(text: str) -> list[Figure]:
    """All figures of a normalised text in order; what one has taken no other takes."""
    text = _MACHINE.sub(lambda match: "#" * len(match[0]), text)
    found: list[Figure] = []
    for match in _RANGE.finditer(text):
        found.append(Figure(_of(match[1]) / 100, True, *match.span(), upto=_of(match[2]) / 100))
    for match in _RANGE_TIMES.finditer(text):
        _add(found, Figure(_of(match[1]), False, *match.span(), upto=_of(match[2])))
    for match in _FROM_TO.finditer(text):
        before, after = _of(match[1]), _of(match[2])
        if before > 0:
            _add(found, Figure(after / before, False, *match.span(), is_word=True))
    for match in _SINGLE.finditer(text):
        _add(found, Figure(_of(match[1]) / 100, True, *match.span()))
    for match in _TIMES.finditer(text):
        _add(found, Figure(_of(match[1] or match[2]), False, *match.span()))
    for value, words in _WORDS:
        for match in re.finditer(rf"\b(?:{words})\b", text):
            _add(found, Figure(value, False, *match.span(), is_word=True))
    return sorted(found, key=lambda figure: figure.start)


def is_cut_off(text: str, figure: Figure) -> bool:
    """Whether a number goes on beyond what was read of it: `.5x`, `1e3x`, `2 or 3 times`, `one and a half times`."""
    before, after = text[: figure.start], text[figure.end :]
    whole_range = figure.upto is not None
    return bool(_CUT_BEFORE.search(before)) or (not whole_range and bool(_CUT_AFTER.match(after)))


def _add(found: list[Figure], figure: Figure) -> None:
    if all(figure.end <= other.start or figure.start >= other.end for other in found):
        found.append(figure)


def _of(number: str) -> float:
    return float(number.replace(",", "."))
