"""What a posted file is, by its content and not by its name; and by which character a table is divided."""

import csv
import io
import json
import re
from collections import Counter
from enum import StrEnum

DELIMITERS = (";", "\t", "|", ",")
LINES = 25
CONSISTENT = 0.6
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class Content(StrEnum):
    """Kinds of content; an unknown text may still hold a delimited table."""

    EMPTY = "empty"
    ZIP = "zip"
    GZIP = "gzip"
    WORKBOOK = "workbook"
    OLD_WORKBOOK = "old_workbook"
    BINARY = "binary"
    JSON = "json"
    JSON_LINES = "json_lines"
    MARKDOWN = "markdown"
    TEXT = "text"


def content_of(head: bytes) -> Content:
    """The kind of content of a file by its first bytes."""
    if not head.strip(b"\x00 \r\n\t\xef\xbb\xbf\xff\xfe"):
        return Content.EMPTY
    if head.startswith(b"PK\x03\x04") or head.startswith(b"PK\x05\x06"):
        return Content.WORKBOOK if b"xl/" in head or b"[Content_Types].xml" in head[:100] else Content.ZIP
    if head.startswith(b"\x1f\x8b"):
        return Content.GZIP
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return Content.OLD_WORKBOOK
    if _is_binary(head):
        return Content.BINARY
    return Content.TEXT


def _is_binary(head: bytes) -> bool:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return False
    zeros = head.count(0)
    if zeros and abs(head[0::2].count(0) - head[1::2].count(0)) > 0.8 * zeros and zeros > 0.3 * len(head):
        return False
    return len(_BINARY.findall(head)) > 0.01 * len(head)


def text_kind(text: str, name: str = "") -> Content:
    """JSON, JSON lines, Markdown or other text."""
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] in ("{", "["):
        first = start.split("\n", 1)[0].strip()
        if start[:1] == "{" and "\n" in start and _parses(first):
            return Content.JSON_LINES
        return Content.JSON
    if name.lower().endswith((".md", ".markdown")) or _looks_like_markdown(text):
        return Content.MARKDOWN
    return Content.TEXT


def _parses(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _looks_like_markdown(text: str) -> bool:
    return bool(re.search(r"^ {0,3}(```|~~~|\|?[ \t]*:?-{3,}:?[ \t]*\|)", text[:20_000], re.MULTILINE))


def delimiter_of(text: str) -> str | None:
    """The delimiter whose rows have the most consistent width over the first lines; None for a single column.

    An Excel line `sep=;` is obeyed.
    """
    if text[:4].lower() == "sep=" and len(text) > 5 and text[5] in "\r\n":
        return text[4]
    head = "\n".join(text[:100_000].splitlines()[: LINES * 2])
    best: tuple[float, str | None] = (0.0, None)
    for order, delimiter in enumerate(DELIMITERS):
        score = _consistency(head, delimiter) - order * 1e-4
        if score > best[0]:
            best = (score, delimiter)
    return best[1]


def _consistency(text: str, delimiter: str) -> float:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    widths: list[int] = []
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                widths.append(len(row))
            if len(widths) >= LINES:
                break
    except csv.Error:
        return 0.0
    wide = [w for w in widths if w > 1]
    if not wide:
        return 0.0
    width, count = Counter(wide).most_common(1)[0]
    share = count / len(widths)
    return share * (1 + min(width, 20) / 100) if share >= CONSISTENT or count >= 3 else 0.0
