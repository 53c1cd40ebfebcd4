"""A reply within GitHub's limit: cut at a line's end, with what was open closed again, and saying so."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

LIMIT = 65_536
"""Characters, as GitHub counts a comment."""
_ROOM = 160
_PROBE = "where-does-this-stand"
_RAW = re.compile(r"\s*<(pre|script|style|textarea)\b", re.IGNORECASE)


def fitted(text: str, notice: str, limit: int = LIMIT) -> str:
    """The text itself where it fits, else as many whole lines as fit beside the notice at its end."""
    if len(text) <= limit:
        return text
    room = limit - len(notice) - min(_ROOM, limit // 4)
    while True:
        kept = _whole_lines(text[: max(room, 0)])
        shown = f"{_closed(kept)}{notice}"
        if len(shown) <= limit or not kept:
            return shown[:limit]
        room = min(room, len(kept)) - max(len(shown) - limit, 1)


def _whole_lines(text: str) -> str:
    """Without its broken last line; one line that is longer than everything is cut where it must be."""
    return text[: text.rfind("\n") + 1] or text


def _closed(text: str) -> str:
    """The text with an empty line after it that stands outside of every fence, HTML block and fold."""
    text = text.rstrip("\n") + "\n"
    tokens = _parsed(text)
    holder = next((t for t in reversed(tokens) if _PROBE in t.content), None)
    if holder is not None and holder.type == "fence":
        text += f"{holder.markup}\n"
    elif holder is not None and holder.type == "html_block":
        raw = _RAW.match(holder.content)
        text += f"</{raw[1]}>\n" if raw else "-->\n"
    return text + "\n" + "</details>\n\n" * max(_folds(tokens), 0)


def _folds(tokens: list[Token]) -> int:
    """How many `<details>` are open, as HTML and not as text of a fence."""
    parts = [part for token in tokens for part in (token, *(token.children or ()))]
    html = "".join(part.content for part in parts if part.type in ("html_block", "html_inline")).lower()
    return html.count("<details") - html.count("</details>")


def _parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark").parse(f"{text}\n{_PROBE}")
