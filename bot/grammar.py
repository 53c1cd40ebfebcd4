"""Which commands a comment gives: at the start of a line, outside code, quotes and HTML, by a real Markdown parser."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.token import Token

_UNSEEN = "\ufeff\u200b\u200c\u200d\u200e\u200f\u2060"
"""What copying out of a chat or a page leaves around words."""
_COMMAND = re.compile(r"[/\uff0f]([A-Za-z][A-Za-z-]*)(?:[.,:;!?]+(?=\s|\Z))?(?:\s+(.*))?\Z")
_MAYBE = re.compile(rf"(?:^|[\s{_UNSEEN}])[/\uff0f][A-Za-z]")
_PAIR = re.compile(r"[ *`]*[A-Za-z][\w .$/()%-]{0,60}?[ \t]*[:=][ \t]+\S")
"""A line that says something of what is posted below it, as the engine reads it."""
_MARK = re.compile(r"`+|<!--|-->")
_FILE_LINK = re.compile(r"https?://[^\s<>()\[\]\"'`]+/(?:files|assets|blob|raw|tree)/[^\s<>()\[\]\"'`]+")
_RAW_LINK = re.compile(r"https?://raw\.[^\s<>()\[\]\"'`]+")
LIMIT = 65_536


@dataclass(frozen=True)
class Command:
    """A command as written: its name, its arguments, and the line of the comment from 1."""

    name: str
    arguments: tuple[str, ...]
    line: int


def commands_in(comment: str) -> tuple[Command, ...]:
    """All commands of a comment in order. Code, quotes, HTML, lists and tables give none."""
    if not _MAYBE.search(comment):
        return ()
    tokens = _blocks(comment)
    found: list[Command] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type != "inline" or before is None or before.level > 0 or not _is_prose(before):
            continue
        first = (token.map or [0])[0] + 1
        for offset, line in enumerate(_visible(token.content).split("\n")):
            match = _COMMAND.match(line.strip(_UNSEEN + " \t").rstrip())
            if match:
                words = (word.strip(_UNSEEN) for word in (match[2] or "").split())
                found.append(Command(match[1].lower(), tuple(word for word in words if word), first + offset))
    return tuple(found)


def _is_prose(opening: Token) -> bool:
    """A paragraph, or what a line of dashes below, as above a signature, makes a heading of."""
    return opening.type == "paragraph_open" or (opening.type == "heading_open" and opening.markup in ("-", "="))


def evidence_in(comment: str) -> tuple[str, ...]:
    """What a comment gives to compare: its code blocks, its tables, what it says of them, and links to files."""
    lines = comment[:LIMIT].splitlines()
    tokens = _blocks(comment)
    blocks = [t.map for t in tokens if t.type in ("fence", "code_block", "table") and t.map]
    shown = ["\n".join(line.rstrip() for line in lines[first:end]) for first, end in blocks]
    links = (*_FILE_LINK.findall(comment[:LIMIT]), *_RAW_LINK.findall(comment[:LIMIT]))
    return (*shown, *_said(tokens), *links)


def _said(tokens: Sequence[Token]) -> Iterator[str]:
    """The `key: value` lines, and what answers an issue form's headings."""
    heading = ""
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type == "heading_open":
            heading = token.content.strip()
        elif token.type == "inline":
            lines = [" ".join(line.split()) for line in token.content.split("\n")]
            pairs = [line for line in lines if _PAIR.match(line)]
            yield from pairs
            if heading and not pairs and len(lines) == 1:
                yield f"{heading}: {lines[0]}"
            heading = ""


def edit_runs_again(before: str, after: str) -> bool:
    """An edited comment runs again only when its commands or its evidence changed, wherever they stand."""
    old = [(c.name, c.arguments) for c in commands_in(before)]
    new = [(c.name, c.arguments) for c in commands_in(after)]
    return bool(new) and (old != new or evidence_in(before) != evidence_in(after))


def _blocks(comment: str) -> list[Token]:
    """The blocks of a comment. Neither lines nor rows are parsed within: hostile text makes that take seconds."""
    return _parser().parse(comment[:LIMIT])


@cache
def _parser() -> MarkdownIt:
    """Making one takes as long as a usual comment; it keeps nothing of what it parses."""
    parser = MarkdownIt("commonmark").disable("inline")
    parser.block.ruler.at("table", _whole_table, {"alt": ["paragraph", "reference"]})
    return parser.enable("table")


def _whole_table(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """A table as one token over its lines: it begins and ends where markdown-it's own does."""
    if not table(state, first, end, True):
        return False
    if silent:
        return True
    ends = state.md.block.ruler.getRules("blockquote")
    parent, state.parentType, line = state.parentType, "table", first + 2
    while line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        if state.is_code_block(line) or any(rule(state, line, end, True) for rule in ends):
            break
        line += 1
    state.push("table", "table", 0).map = [first, line]
    state.parentType, state.line = parent, line
    return True


def _visible(text: str) -> str:
    """Inline code and HTML comments over several lines are blanked, line ends kept; in one pass, whatever comes."""
    marks = list(_MARK.finditer(text))
    closed_by: list[int | None] = [None] * len(marks)
    latest: dict[str, int] = {}
    for position in range(len(marks) - 1, -1, -1):
        mark = marks[position][0]
        closed_by[position] = latest.get("-->" if mark == "<!--" else mark)
        latest[mark] = position
    parts, shown_to, position = [], 0, 0
    while position < len(marks):
        closing = None if marks[position][0] == "-->" else closed_by[position]
        if closing is not None:
            start, end = marks[position].start(), marks[closing].end()
            parts += [text[shown_to:start], re.sub(r"[^\n]", "·", text[start:end])]
            shown_to, position = end, closing
        position += 1
    return "".join((*parts, text[shown_to:]))
