"""A reply as GitHub would show it: what a stranger's text must never become in it."""

import re
from itertools import groupby

from markdown_it import MarkdownIt
from markdown_it.token import Token

HOSTILE = (
    "@octocat", "@all", "@org/team", "#1", "GH-1", "org/repo#12", "closes #3", "fixes org/repo#4",
    "0123456789abcdef0123456789abcdef01234567", "org/repo@0123456789abcdef0123456789abcdef01234567",
    "<img src=x onerror=alert(1)>", "</details>", "</code>@all", "<!-- x -->", "--> @all", "<!-- steelyard",
    "&lt;b&gt;", "[a](https://e.example)", "![a](https://e.example/x.png)", "[a](memo.xlsx)", "[x]: https://e.example",
    "<https://e.example>", "http://e.example", "https://github.com/org/repo/issues/1", "www.e.example",
    "octocat@e.example", "javascript:x", "a|b", "|---|---|", "`code`", "``", "`", "a``b```c", "$x$", "$$x$$",
    "**bold**", "~~a~~", "\\", "\\`@all\\`", "~~~", "```", "# heading", "> quote", "- item", "1. item", "/compare",
    "=HYPERLINK(1)", "+1", "a\u202eb", "a\u2066b\u2069", "\ufeffa", ":smile:", "{0}", "{word}", "%s", "x" * 5000,
    "line\n\n# heading\n@all", "line\r@all", "line\u2028@all", "\t@all", "é@all",
)  # fmt: skip
OURS = re.compile(r"</?(?:details|summary|code)>")
ACTS = re.compile(
    r"@\w|https?:|www\.|(?<!\w)#\d|GH-\d|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b|[\w.]+@[\w.]+|javascript:|"
    r"\u202e|\u2066|\x00",
    re.IGNORECASE,
)
PARSER = MarkdownIt("gfm-like", {"linkify": False})
LINKED = re.compile(r"memo(?:-\d+)?\.xlsx|decision\.json")


def parsed(body: str) -> list[Token]:
    """Blocks with their inline children, tables included."""
    return PARSER.parse(body)


def assert_inert(body: str, name: str) -> None:
    """No mention, reference, link but to our files, image, foreign HTML or broken table, whatever `name` is."""
    for token in parsed(body):
        if token.type == "html_block":
            assert not OURS.sub("", token.content).count("<"), name
        _assert_inert_line(token, name)
    outside = re.sub(r"^(`{3,}).*?^\1$", "", body, flags=re.MULTILINE | re.DOTALL)
    for is_table, rows in groupby(outside.splitlines(), key=lambda line: line.startswith("|")):
        assert not is_table or len({row.count("|") for row in rows}) == 1, name


def _assert_inert_line(token: Token, name: str) -> None:
    in_code = 0
    for child in token.children or []:
        assert child.type != "image", name
        if child.type == "link_open":
            assert LINKED.fullmatch(str(child.attrs["href"])), name
        if child.type == "html_inline":
            assert OURS.fullmatch(child.content), (name, child.content)
            in_code += {"<code>": 1, "</code>": -1}.get(child.content, 0)
        if child.type == "text" and not in_code:
            found = ACTS.search(child.content)
            assert found is None, (name, found and found[0], child.content)
    assert in_code == 0, name


def skeleton(body: str) -> list[str]:
    """The reply's blocks without their words: a text from outside must not change it."""
    return [f"{token.type}{token.tag}" for token in parsed(body)]
