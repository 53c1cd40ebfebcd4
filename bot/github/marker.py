"""The hidden first line of a reply, by which it is found again, and the line that says it was superseded."""

import re
from dataclasses import dataclass

from bot.dossier import Outcome
from bot.github.place import MARKER, PLACE, place_of

__all__ = ["RESULTS", "Marked", "marked", "parse", "place_of"]
RESULTS = frozenset({Outcome.SWITCH, Outcome.STAY, Outcome.SPLIT, Outcome.EXTEND, Outcome.BLOCKED, Outcome.NO_VERDICT})
"""Outcomes that answer the issue's question: a later one supersedes an earlier one."""
_BEGIN, _END = "<!-- steelyard:superseded -->\n", "<!-- /steelyard:superseded -->\n"
_HEADER = re.compile(re.escape(_BEGIN) + r"(.*?)" + re.escape(_END), re.DOTALL)


@dataclass(frozen=True)
class Marked:
    """A reply's text apart: which command it answers, how it ended, the superseded line, and what it says."""

    place: str
    outcome: str
    header: str
    body: str

    @property
    def order(self) -> int:
        """Commands in the order in which they were given: the issue's own text first, then comments by id."""
        return int(self.place[1:]) if self.place.startswith("c") else 0

    @property
    def is_result(self) -> bool:
        """Whether it answers the issue's question, other than help or a refusal."""
        return self.outcome in RESULTS


def marked(place: str, outcome: Outcome, body: str, header: str = "") -> str:
    """The text to store. Raises ValueError for a place that would not be found again."""
    if not PLACE.match(place):
        raise ValueError(f"no place: {place[:40]!r}")
    line = f"<!-- steelyard:reply v1 place={place} outcome={outcome.value} -->\n"
    return line + (f"{_BEGIN}{header}\n\n{_END}" if header else "") + body


def parse(text: str) -> Marked | None:
    """What a stored text says, or None where it is no reply of ours. Only the very first line is a marker."""
    text = text.replace("\r\n", "\n")
    found = MARKER.match(text)
    if not found:
        return None
    rest = text[found.end() :]
    above = _HEADER.match(rest)
    body = rest[above.end() :] if above else rest
    return Marked(found[1], found[2], above[1].strip() if above else "", body)
