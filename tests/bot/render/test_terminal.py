"""Markdown of ours as text for a terminal: aligned, wrapped, without marks, and nothing that steers the terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.comment import render_comment
from bot.render.safe_text import literal
from bot.render.terminal import to_terminal
from tests.samples import NAMES, decision

CASES = {
    "heading": ("### SWITCH: move to `trn2`", "SWITCH: move to trn2\n====================\n"),
    "emphasis and code": ("**Next:** give `demand` now", "Next: give demand now\n"),
    "entities in code": ("read <code>&#42;&#95;ms</code> as", "read *_ms as\n"),
    "alert": ("> [!WARNING]\n> **Mind**\n> - one\n> - two", "| Mind\n| - one\n| - two\n"),
    "list": ("- one\n- two", "- one\n- two\n"),
    "table": ("| | cost |\n|---|---:|\n| **a** | $1 |\n| bb | $200 |", "    cost\n--  ----\na     $1\nbb  $200\n"),
    "fence": ("```csv\narm,run\n```", "arm,run\n"),
    "link": ("[memo](memo.xlsx) beside", "memo beside\n"),
    "rule": ("a\n\n---\n\nb", f"a\n\n{'-' * 60}\n\nb\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_blocks(name: str) -> None:
    markdown, wanted = CASES[name]
    assert to_terminal(markdown, 60) == wanted


def test_what_is_folded_is_named_and_left_out() -> None:
    text = to_terminal("a\n\n<details><summary>Method</summary>\n\n- hidden\n\n</details>\n\nb", 60)
    assert text == "a\n\nb\n\nLeft out here: Method. All of it: --format markdown.\n"


def test_long_lines_are_wrapped_and_hang_below_their_bullet() -> None:
    text = to_terminal("- " + "word " * 20, 40)
    first, *rest = text.splitlines()
    assert first.startswith("- word")
    assert all(line.startswith("  word") for line in rest)


def test_a_wide_table_is_folded_inside_its_cells() -> None:
    text = to_terminal(f"| a | b |\n|---|---|\n| {'word ' * 10}| {'other ' * 10}|", 50)
    assert max(map(len, text.splitlines())) <= 50
    assert text.count("word") == text.count("other") == 10


@pytest.mark.parametrize("name", NAMES)
def test_a_reply_fits_and_has_no_marks(name: str) -> None:
    reply = render_comment(decision(name), files_written=False)
    for width in (40, 60, 80, 120):
        text = to_terminal(reply, width)
        assert max(map(len, text.splitlines())) <= width
        assert not any(mark in text for mark in ("**", "<code>", "</", "|--", "[!", "&#"))
        assert "memo.xlsx" not in text


def test_a_table_that_cannot_fit_stands_row_by_row() -> None:
    cells = [f"{letter * 12}" for letter in "abcde"]
    text = to_terminal(f"| {' | '.join(cells)} |\n{'|---' * 5}|\n| 1 | 2 | 3 | 4 | 5 |", 40)
    assert text.splitlines() == [f"{cells[0]}: 1", *(f"  {cell}: {n}" for n, cell in enumerate(cells[1:], start=2))]


@given(st.text(max_size=80))
def test_nothing_posted_steers_the_terminal(text: str) -> None:
    shown = to_terminal(
        f"### {literal(text)}\n\n- {literal(text)}\n\n| {literal(text)} |\n|---|\n| {literal(text)} |", 60
    )
    assert not {
        c for c in shown if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u2066\u200f\u2028")
    }


def test_wide_letters_take_two_columns() -> None:
    lines = to_terminal("| a | b |\n|---|---|\n| 加速 | x |\n| gpu | y |", 60).splitlines()
    assert lines[2:] == ["加速  x", "gpu   y"]
