"""Which command a reply belongs to, as its hidden first line says; light, so that whoever only receives can look."""

import re

MARKER = re.compile(r"\A<!-- steelyard:reply v1 place=([ci][0-9]{1,20}) outcome=([a-z-]{1,20}) -->\n?")
PLACE = re.compile(r"[ci][0-9]{1,20}\Z")


def place_of(issue: int, comment_id: int | None) -> str:
    """The place of a command: `c<comment id>`, or `i<issue>` for the issue's own text."""
    return f"i{issue}" if comment_id is None else f"c{comment_id}"


def place_in(text: str) -> str | None:
    """The place that a stored text answers, None where it is no reply; who wrote it is not looked at."""
    found = MARKER.match(text.replace("\r\n", "\n"))
    return found[1] if found else None


def order_of(place: str) -> tuple[int, int]:
    """The issue's own text first, then comments by number; the second answer of a comment (`#2`) after its first."""
    comment, _, number = place[1:].partition("#")
    return int(comment) if place.startswith("c") else 0, int(number or 1)
