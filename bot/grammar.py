"""Which commands a comment gives: at the start of a line, outside code, quotes and HTML, by a real Markdown parser."""

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt

_COMMAND = re.compile(r"/([a-z][a-z-]*)(?:[ \t]+(.*))?\Z")
LIMIT = 65_536


@dataclass(frozen=True)
class Command:
    """A command as written: its name, its arguments, and the line of the comment from 1."""

    name: str
    arguments: tuple[str, ...]
    line: int


def commands_in(comment: str) -> tuple[Command, ...]:
    """All commands of a comment in order. Code, quotes, HTML, lists and tables give none."""
    tokens = MarkdownIt("commonmark").enable("table").parse(comment[:LIMIT])
    found: list[Command] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type != "inline" or before is None or before.type != "paragraph_open" or before.level > 0:
            continue
        first = (token.map or [0])[0] + 1
        for offset, line in enumerate(_visible(token.content).split("\n")):
            match = _COMMAND.match(line.rstrip())
            if match:
                found.append(Command(match[1], tuple((match[2] or "").split()), first + offset))
    return tuple(found)


def _visible(text: str) -> str:
    """Inline code and HTML comments over several lines are blanked, line ends kept."""
    pattern = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|<!--.*?-->", re.DOTALL)
    return pattern.sub(lambda m: re.sub(r"[^\n]", "·", m[0]), text)


def edit_runs_again(before: str, after: str) -> bool:
    """An edited comment runs again only when its commands changed, wherever they stand."""
    old = [(c.name, c.arguments) for c in commands_in(before)]
    new = [(c.name, c.arguments) for c in commands_in(after)]
    return bool(new) and old != new
