"""A reply's Markdown as safe HTML: our own few tags as they are, every other one as text; no image, script or style."""

import html
import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup

Link = Callable[[str], str | None]
"""Where a relative link of the reply leads on our pages; None: it stays text."""
MOST_CHARACTERS = 200_000
MOST_OPEN = 20
_OPENING = re.compile(r"<details><summary>([^<>]*)</summary>\s*\Z")
_CLOSING = re.compile(r"(?:\s*</details>)+\s*\Z")
_ALERT = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*\Z")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def reply_html(markdown: str, link: Link = lambda _: None, table: str = "") -> Markup:
    """HTML of at most MOST_CHARACTERS of Markdown by anybody. `table` is how a table is called for screen readers."""
    parser = MarkdownIt("commonmark", renderer_cls=_Safe).enable("table").disable("image")
    given: dict[str, Any] = {"link": link, "table": html.escape(table), "depth": 0}
    shown = str(parser.render(_COMMENT.sub("", markdown[:MOST_CHARACTERS]), given))
    return Markup(shown + "</details>" * given["depth"])  # noqa: S704 - each rule escapes what it did not make


class _Safe(RendererHTML):
    """Rules beside the library's own, which escape texts; styles become classes, since the policy allows no others."""

    def html_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """A folded section's beginning or end."""
        written = tokens[idx].content
        if (opening := _OPENING.match(written)) and env["depth"] < MOST_OPEN:
            env["depth"] += 1
            return f"<details><summary>{html.escape(html.unescape(opening[1]))}</summary>\n"
        if _CLOSING.match(written):
            count: int = min(written.count("</details>"), env["depth"])
            env["depth"] -= count
            return "</details>\n" * count
        return f"<p>{html.escape(written)}</p>\n"

    def html_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """`<code>`, by which posted text is shown literally, opened and closed within its line."""
        written = tokens[idx].content
        marks = [t.content for t in tokens[: idx + 1] if t.type == "html_inline" and t.content in ("<code>", "</code>")]
        is_open = len(marks) % 2 == 1
        if written == "<code>" and is_open and any(t.content == "</code>" for t in tokens[idx + 1 :]):
            return "<code>"
        if written == "</code>" and not is_open and marks[-2:] == ["<code>", "</code>"]:
            return "</code>"
        return html.escape(written)

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """To our own pages as the caller says; elsewhere without a word of where the reader came from."""
        target = str(tokens[idx].attrs.get("href", ""))
        if urlsplit(target).scheme in ("https", "http"):
            return f'<a href="{html.escape(target)}" rel="noreferrer nofollow">'
        own = None if urlsplit(target).scheme or target.startswith("//") else env["link"](target)
        return f'<a href="{html.escape(own)}">' if own else "<a>"

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """A wide table scrolls for itself, also by keyboard."""
        return f'<div class="scroll" role="group" tabindex="0" aria-label="{env["table"]}"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """The end of both."""
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """A head without text is no head."""
        return f"<{_head(tokens[idx + 1])}{_aligned(tokens[idx])}>"

    def th_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """As it was opened."""
        return f"</{_head(tokens[idx - 1]).split()[0]}>\n"

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """Numbers stand at the right."""
        return f"<td{_aligned(tokens[idx])}>"

    def blockquote_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """GitHub's alerts are quotes whose first line names a kind."""
        for token in tokens[idx + 1 : idx + 3]:
            texts = (token.children or [])[:1] if token.type == "inline" else []
            if texts and (kind := _ALERT.match(texts[0].content)):
                texts[0].content = ""
                return f'<blockquote class="alert {kind[1].lower()}">\n'
        return "<blockquote>\n"


def _head(inline: Token) -> str:
    return 'th scope="col"' if inline.content.strip() else "td"


def _aligned(token: Token) -> str:
    return ' class="number"' if "right" in str(token.attrs.get("style", "")) else ""
