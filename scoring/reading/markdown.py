"""A comment or Markdown file as what it holds, in order: fenced blocks, tables, form answers, key: value lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from scoring.model.problem import Problem
from scoring.problems import error
from scoring.reading.limits import MAX_TEXT_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.rows_to_table import tables_from
from scoring.reading.table import Table

LANGUAGES = {
    "csv": "csv",
    "tsv": "tsv",
    "json": "json",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "yaml": "yaml",
    "yml": "yaml",
}
UNMARKED = ("", "text", "txt", "log", "plain")
_PAIR = re.compile(r"([A-Za-z][\w .$/()%-]{0,60}?)\s*[:=]\s+(\S.*)\Z")
NO_ANSWER = "_No response_"

Pair = tuple[int, str, str]
"""The line of the text from 0, key and value."""


@dataclass
class Pieces:
    """What a Markdown text holds. `blocks` are texts to be read as files of their own."""

    tables: list[Table] = field(default_factory=list)
    blocks: list[PostedFile] = field(default_factory=list)
    preamble: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read_markdown(text: str, file: str, first_line: int = 1) -> Pieces:
    """Fences in quotes, HTML and lists count like others; HTML comments hold nothing."""
    pieces = Pieces()
    if len(text) > MAX_TEXT_BYTES:
        pieces.problems.append(
            error("file-too-large", file=file, found=f"{len(text):,}", expected=f"{MAX_TEXT_BYTES:,}")
        )
        return pieces
    tokens = _parsed(text)
    pairs = list(_pairs(tokens))
    pieces.preamble = {key: value for _, key, value in pairs}
    number = 0
    for i, token in enumerate(tokens):
        at = token.map[0] if token.map else 0
        line = first_line + at
        if token.type == "fence" and (ending := _ending(token.info)) is not None:
            number += 1
            name = f"{file}#block-{number}{ending}"
            context = tuple(_applying(pairs, at).items())
            pieces.blocks.append(PostedFile.from_bytes(name, token.content.encode(), line + 1, context))
        elif token.type == "table_open":
            tables, problems = tables_from(_table_rows(tokens, i, first_line), file, [], part=f"line {line}")
            pieces.tables += [replace(t, preamble={**_applying(pairs, at), **t.preamble}) for t in tables]
            pieces.problems += problems
    return pieces


def pairs_of(text: str, line: int) -> tuple[tuple[str, str], ...]:
    """The `key: value` lines that apply to what is posted on a line of a comment, counted from 1."""
    return tuple(_applying(_pairs_in(text[:MAX_TEXT_BYTES]), line - 1).items())


@lru_cache(maxsize=4)
def _pairs_in(text: str) -> list[Pair]:
    """Kept for the next link of the same comment: marks within lines may take seconds to parse."""
    return list(_pairs(_parsed(text)))


def evidence_in(text: str) -> int:
    """How many tables and blocks of data a text holds; cheap, since none of them is read."""
    tokens = _blocks(text[:MAX_TEXT_BYTES])
    fences = sum(token.type == "fence" and _ending(token.info) is not None for token in tokens)
    return fences + sum(token.type == "table_open" for token in tokens)


def without_quotes(text: str) -> str:
    """The text with its quoted lines emptied, so that what is left keeps its line numbers."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for token in _blocks("\n".join(lines)):
        if token.type == "blockquote_open" and token.map:
            first, end = token.map
            lines[first:end] = [""] * (min(end, len(lines)) - first)
    return "\n".join(lines)


def _blocks(text: str) -> list[Token]:
    """The blocks alone. Marks within lines are left unread: 64 KB of brackets would take ten seconds."""
    return MarkdownIt("commonmark", {"maxNesting": 20}).enable("table").disable("inline").parse(text)


def _parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark", {"maxNesting": 20}).enable("table").parse(text)


def _ending(info: str) -> str | None:
    language = info.split()[0].lower() if info.split() else ""
    if language in LANGUAGES:
        return f".{LANGUAGES[language]}"
    return "" if language in UNMARKED else None


def _table_rows(tokens: list[Token], start: int, first_line: int) -> list[tuple[int, list[str]]]:
    rows: list[tuple[int, list[str]]] = []
    for token in tokens[start:]:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append((first_line + (token.map[0] if token.map else 0), []))
        elif token.type == "inline" and rows:
            rows[-1][1].append(_plain(token))
    return rows


def _plain(token: Token) -> str:
    texts = [
        c.content if c.content else " " for c in token.children or [] if c.type in ("text", "code_inline", "softbreak")
    ]
    return " ".join("".join(texts).split())


def _applying(pairs: list[Pair], at: int) -> dict[str, str]:
    """The pairs that apply to what stands on a line: all of them, or those above it where a key has two values."""
    values: dict[str, set[str]] = {}
    for _, key, value in pairs:
        values.setdefault(key, set()).add(value)
    in_sections = any(len(several) > 1 for several in values.values())
    return {key: value for where, key, value in pairs if where < at or not in_sections}


def _pairs(tokens: list[Token]) -> Iterator[Pair]:
    """`key: value` lines of paragraphs and lists, and the answers under an issue form's headings."""
    heading: str | None = None
    quoted = 0
    for i, token in enumerate(tokens):
        quoted += {"blockquote_open": 1, "blockquote_close": -1}.get(token.type, 0)
        if token.type != "inline" or quoted:
            continue
        before, line = tokens[i - 1].type, token.map[0] if token.map else 0
        if before == "heading_open":
            heading = _plain(token) if tokens[i - 1].tag == "h3" else None
        elif before == "paragraph_open":
            texts = enumerate(token.content.split("\n"), start=line)
            found = [(at, m) for at, text in texts if (m := _PAIR.match(text.strip(" *`")))]
            yield from ((at, m[1].strip(), m[2].strip(" *`")) for at, m in found)
            if heading and not found and "\n" not in token.content and token.content != NO_ANSWER:
                yield line, heading, _plain(token)
            heading = None
