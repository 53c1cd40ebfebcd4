"""A reply laid out for a terminal: our own Markdown as aligned, wrapped text without marks; what is folded is named."""

import re
import unicodedata
from collections.abc import Sequence
from html import unescape

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from bot.render.messages import catalogue

NARROWEST_COLUMN = 6
GAP = "  "
LEAST_WIDTH, MOST_WIDTH = 40, 120
_SUMMARY = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)
_ALERT = re.compile(r"\[![A-Z]+\]\s*")
_UNSHOWABLE = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of characters that steer a terminal or the direction of its text."""


def to_terminal(markdown: str, width: int, language: str = "en") -> str:
    """Text of at most `width` columns, where no single word is longer; of folded sections the titles alone."""
    width = min(max(width, LEAST_WIDTH), MOST_WIDTH)
    root = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(markdown))
    blocks, folded = list[list[str]](), list[str]()
    depth = 0
    for node in root.children:
        if node.type == "html_block":
            folded += [_plain(unescape(title)) for title in _SUMMARY.findall(node.content)]
            depth += node.content.count("<details>") - node.content.count("</details>")
        elif depth <= 0:
            blocks.append(_block(node, width))
    if folded:
        titles = ", ".join(dict.fromkeys(folded))
        blocks.append(_wrap(catalogue(language, "bot")("terminal.folded", titles=titles), width))
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def _block(node: SyntaxTreeNode, width: int) -> list[str]:
    """One block as lines without their line ends."""
    match node.type:
        case "heading":
            lines = _wrap(_inline(node), width)
            return [*lines, "=" * max(_columns(line) for line in lines)]
        case "table":
            return _table(node, width)
        case "fence" | "code_block":
            return [_plain(line) for line in node.content.splitlines()]
        case "hr":
            return ["-" * width]
        case "blockquote":
            return [f"| {line}" for child in node.children for line in _block(child, width - 2)]
        case "bullet_list" | "ordered_list":
            return [line for item in node.children for line in _item(item, width)]
        case _:
            return _wrap(_ALERT.sub("", _inline(node)), width)


def _item(item: SyntaxTreeNode, width: int) -> list[str]:
    lines = [line for child in item.children for line in _block(child, width - 2)]
    return [f"{'  ' if number else '- '}{line}" for number, line in enumerate(lines)]


def _inline(node: SyntaxTreeNode) -> str:
    """The text of a paragraph, heading or cell without its marks; a hard break is a line end."""
    if node.type in ("text", "code_inline"):
        return _plain(node.content)
    if node.type == "softbreak":
        return " "
    if node.type == "hardbreak":
        return "\n"
    return "".join(_inline(child) for child in node.children)


def _plain(text: str) -> str:
    return "".join("\ufffd" if unicodedata.category(c) in _UNSHOWABLE else c for c in text)


def _columns(text: str) -> int:
    """Columns that a terminal gives a text: two for a wide letter, none for a combining mark."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(bool(unicodedata.combining(c)) for c in text)


def _wrap(text: str, width: int) -> list[str]:
    """Lines of whole words; a word that is longer than a line stands on one of its own."""
    lines = list[str]()
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            joined = f"{line} {word}" if line else word
            if line and _columns(joined) > width:
                lines.append(line)
                line = word
            else:
                line = joined
        lines.append(line)
    return lines


def _table(node: SyntaxTreeNode, width: int) -> list[str]:
    rows = [[_inline(cell) for cell in row.children] for part in node.children for row in part.children]
    right = ["right" in str(cell.attrs.get("style", "")) for cell in node.children[0].children[0].children]
    widths = _fitted(rows, width)
    if _total(widths) > width:
        return [line for row in rows[1:] for line in _stacked(rows[0], row, width)]
    lines = list[str]()
    for number, row in enumerate(rows):
        lines += _row(row, widths, right)
        if number == 0:
            lines.append(GAP.join("-" * column for column in widths))
    return lines


def _fitted(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Natural widths, the widest columns made narrower until the row fits, none below its longest word if possible."""
    widths = [max(_columns(cell) for cell in column) for column in zip(*rows, strict=True)]
    words = [
        max([NARROWEST_COLUMN, *(_columns(word) for cell in column for word in cell.split())])
        for column in zip(*rows, strict=True)
    ]
    while _total(widths) > width:
        loose = [i for i, least in enumerate(words) if widths[i] > least]
        if not loose:
            break
        widths[max(loose, key=lambda i: widths[i])] -= 1
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _stacked(head: Sequence[str], row: Sequence[str], width: int) -> list[str]:
    """A row of a table that is too wide for its columns: its first cell, and below it a line a cell."""
    cells = [f"{name}: {cell}" if name else cell for name, cell in zip(head, row, strict=True) if cell]
    first, *rest = [_wrap(cell, width - 2) for cell in cells] or [[""]]
    return [*first, *(f"  {line}" for lines in rest for line in lines)]


def _row(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    cells = [_wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
    lines = list[str]()
    for number in range(max(len(cell) for cell in cells)):
        texts = [cell[number] if number < len(cell) else "" for cell in cells]
        placed = [_placed(text, width, end) for text, width, end in zip(texts, widths, right, strict=True)]
        lines.append(GAP.join(placed).rstrip())
    return lines


def _placed(text: str, width: int, right: bool) -> str:
    padding = " " * max(width - _columns(text), 0)
    return padding + text if right else text + padding
