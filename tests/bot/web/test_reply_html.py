"""A reply on the page is what it is on GitHub, and nothing that anybody wrote into it runs, loads or leads astray."""

import re

import pytest

from bot.web.reply_html import reply_html


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("### STAY: wait", "<h3>STAY: wait</h3>\n"),
        ("read `a_b` now", "<p>read <code>a_b</code> now</p>\n"),
        ("<code>a&#124;b</code>", "<p><code>a|b</code></p>\n"),
        (
            "> [!WARNING]\n> **Mind**",
            '<blockquote class="alert warning">\n<p>\n<strong>Mind</strong></p>\n</blockquote>\n',
        ),
        (
            "| | a |\n|---|---:|\n| b | 1 |",
            '<div class="scroll" role="group" tabindex="0" aria-label="Table"><table>\n<thead>\n<tr>\n<td></td>\n'
            '<th scope="col" class="number">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n'
            '<td class="number">1</td>\n</tr>\n</tbody>\n</table></div>\n',
        ),
        (
            "<details><summary>Method</summary>\n\n- one\n\n</details>",
            "<details><summary>Method</summary>\n<ul>\n<li>one</li>\n</ul>\n</details>\n",
        ),
        ("[memo](memo.xlsx)", '<p><a href="/files/memo.xlsx">memo</a></p>\n'),
        ("[x](https://e.org/?a=1&b)", '<p><a href="https://e.org/?a=1&amp;b" rel="noreferrer nofollow">x</a></p>\n'),
        ("<!-- hidden -->shown", "<p>shown</p>\n"),
        ("<details><summary>left open</summary>", "<details><summary>left open</summary>\n</details>"),
        ("</details>\n\ntext", "<p>text</p>\n"),
        ("<code>left open", "<p>&lt;code&gt;left open</p>\n"),
    ],
)  # fmt: skip
def test_what_becomes_of_it(markdown: str, html: str) -> None:
    shown = reply_html(markdown, {"memo.xlsx": "/files/memo.xlsx"}.get, "Table")
    assert str(shown) == html


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "text <img src=x onerror=alert(1)> text",
        "![x](https://evil.example/x.png)",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x](//evil.example/)",
        "[x](vbscript:x)",
        "<details><summary><b onclick=x>a</b></summary>",
        "<details open ontoggle=alert(1)><summary>x</summary>",
        '<a href="https://evil.example">x</a>',
        "<style>body{display:none}</style>",
        "<iframe src=https://evil.example></iframe>",
        "<form action=https://evil.example><input name=password></form>",
        "<svg><script>1</script></svg>",
        "<code onclick=alert(1)>x</code>",
        "<co<!-- -->de><scr<!-- -->ipt>alert(1)</scr<!-- -->ipt>",
        '| a"onclick=x |\n|:--:|\n| <script>1</script> |',
        "`` <script> ``",
        "```<script>\n<script>\n```",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
    ],
)
def test_nothing_hostile_becomes_a_tag_or_an_attribute(hostile: str) -> None:
    shown = str(reply_html(hostile))
    tags = re.findall(r"<(/?[a-z0-9]+)([^>]*)>", shown)
    allowed = {"p", "h3", "code", "pre", "a", "details", "summary", "div", "table", "thead", "tbody", "tr", "th", "td"}
    assert {name.lstrip("/") for name, _ in tags} <= allowed, shown
    attributes = {name for _, inside in tags for name in re.findall(r"([a-z-]+)=", inside)}
    assert attributes <= {"class", "role", "tabindex", "aria-label", "scope", "href", "rel"}, shown
    assert not re.search(r'href="(?!https://)', shown)


def test_endless_folding_and_endless_text_are_bounded() -> None:
    shown = str(reply_html("<details><summary>x</summary>\n\n" * 5_000))
    assert shown.count("<details>") == shown.count("</details>") == 20
    assert len(str(reply_html("a" * 1_000_000))) < 210_000
