"""What a posted file is, by its content and not by its name; and by which character a table is divided."""

import csv
import io
import json
import re
from collections import Counter
from enum import StrEnum

DELIMITERS = (";", "\t", "|", ",")
LINES = 25
SAMPLE = 100_000
CONSISTENT = 0.6
YAML_SHARE = 0.8
MAGIC = (
    (b"%PDF", "pdf"),
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF8", "gif"),
    (b"\xd0\xcf\x11\xe0", "xls"),
    (b"7z\xbc\xaf", "7z"),
    (b"Rar!", "rar"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"PAR1", "parquet"),
    (b"SQLite format 3", "sqlite"),
)
_CONTROL = bytes([*range(9), *range(14, 27), *range(28, 32)])
_OFFICE_FIRST = (b"[Content_Types].xml", b"xl/", b"_rels/", b"docProps/")
_MARKDOWN = re.compile(r"^ {0,3}(```|~~~|\|?[ \t]*:?-{3,}:?[ \t]*\|)", re.MULTILINE)
_YAML_LINE = re.compile(
    r"\s*(#.*|---|-|(- +)*(\"[^\"]{1,80}\"|'[^']{1,80}'|[\w.$/%()-][\w .$/%()-]{0,80}):(\s.*)?|- .*)\Z"
)
_YAML_START = re.compile(r"(- +)?[\w\"'][\w .\"'-]{0,80}:(\s|\Z)|-\s*\Z")


class Content(StrEnum):
    """Kinds of content; an unknown text may still hold a delimited table."""

    EMPTY = "empty"
    ZIP = "zip"
    GZIP = "gzip"
    TAR = "tar"
    WORKBOOK = "workbook"
    OLD_WORKBOOK = "old_workbook"
    BINARY = "binary"
    JSON = "json"
    JSON_LINES = "json_lines"
    YAML = "yaml"
    MARKDOWN = "markdown"
    TEXT = "text"


def content_of(head: bytes) -> Content:
    """The kind of content of a file by its first bytes. A zip of Office parts is a WORKBOOK until it is opened."""
    if not head.strip(b"\x00 \r\n\t\xef\xbb\xbf\xff\xfe"):
        return Content.EMPTY
    if head.startswith(b"PK\x03\x04"):
        return Content.WORKBOOK if head[30:].startswith(_OFFICE_FIRST) else Content.ZIP
    if head.startswith(b"PK\x05\x06"):
        return Content.ZIP
    if head.startswith(b"\x1f\x8b"):
        return Content.GZIP
    if head[257:262] == b"ustar":
        return Content.TAR
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return Content.OLD_WORKBOOK
    return Content.BINARY if magic_of(head) or _is_binary(head) else Content.TEXT


def magic_of(head: bytes) -> str | None:
    """The common name of a binary format by its first bytes, as people call it."""
    return next((name for mark, name in MAGIC if head.startswith(mark)), None)


def _is_binary(head: bytes) -> bool:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[:4] == b"\x00\x00\xfe\xff":
        return False
    zeros = head.count(0)
    if zeros and abs(head[0::2].count(0) - head[1::2].count(0)) > 0.8 * zeros and zeros > 0.3 * len(head):
        return False
    return len(head) - len(head.translate(None, _CONTROL)) > 0.01 * len(head)


def text_kind(text: str, name: str = "") -> Content:
    """JSON, JSON lines, YAML, Markdown or other text. A Markdown file may begin with a link, which is no JSON."""
    lowered = name.lower()
    if is_markdown(lowered):
        return Content.MARKDOWN
    start = text[: SAMPLE * 10].lstrip("\ufeff \t\r\n")
    if start[:1] in ("{", "["):
        first = start.split("\n", 1)[0].strip()
        return Content.JSON_LINES if start[:1] == "{" and "\n" in start and _is_object(first) else Content.JSON
    if lowered.endswith((".yaml", ".yml")):
        return Content.YAML
    if _MARKDOWN.search(text[:SAMPLE]):
        return Content.MARKDOWN
    return Content.YAML if _looks_like_yaml(start) else Content.TEXT


def is_markdown(name: str) -> bool:
    """Whether a file is called Markdown: it may quote anything, so that only its name tells."""
    return name.lower().endswith((".md", ".markdown"))


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _looks_like_yaml(start: str) -> bool:
    """Nearly all of the first lines are keys, items or comments, and the first that is no comment begins a block."""
    lines = [line for line in start[:SAMPLE].splitlines()[:50] if line.strip()]
    first = next((line for line in lines if not line.startswith(("#", "---", "%"))), "")
    if len(lines) < 2 or not _YAML_START.match(first):
        return False
    return sum(bool(_YAML_LINE.match(line[:200])) for line in lines) >= YAML_SHARE * len(lines)


def without_sep_line(text: str) -> tuple[str, str | None]:
    """The text below an Excel line `sep=;`, and the delimiter that it names."""
    if text[:4].lower() != "sep=" or len(text) < 6 or text[4] in '\r\n"' or text[5] not in "\r\n":
        return text, None
    return text[7:] if text[5:7] == "\r\n" else text[6:], text[4]


def delimiter_of(text: str) -> str | None:
    """The delimiter whose rows have the most consistent width over the first lines; None for a single column.

    An Excel line `sep=;` is obeyed.
    """
    body, named = without_sep_line(text)
    if named is not None:
        return named
    head = "\n".join(body[:SAMPLE].splitlines()[: LINES * 2])
    best: tuple[float, str | None] = (0.0, None)
    for order, delimiter in enumerate(DELIMITERS):
        score = _consistency(head, delimiter) - order * 1e-4
        if score > best[0]:
            best = (score, delimiter)
    return best[1]


def _consistency(text: str, delimiter: str) -> float:
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text), delimiter=delimiter):
            if any(cell.strip() for cell in row):
                rows.append(row)
            if len(rows) >= LINES:
                break
    except csv.Error:
        return 0.0
    wide = [row for row in rows if len(row) > 1]
    if not wide or (delimiter == "," and len(rows[0]) == 1 and all(_is_decimal_comma(row) for row in wide)):
        return 0.0
    width, count = Counter(len(row) for row in wide).most_common(1)[0]
    share = count / len(rows)
    below = len(rows) - rows.index(wide[0])
    as_header = count >= 2 and width == len(wide[0]) and len(wide) >= CONSISTENT * below
    return share * (1 + min(width, 20) / 100) if share >= CONSISTENT or count >= 3 or as_header else 0.0


def _is_decimal_comma(row: list[str]) -> bool:
    """`12,5` under a header of one cell is one number, not two columns."""
    return len(row) == 2 and row[1].strip().isdigit() and row[0].strip().lstrip("-+").isdigit()
