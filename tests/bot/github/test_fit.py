"""What is cut ends whole: no fence, table row or fold is left open, and the notice is always there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.dossier import Outcome
from bot.github.fit import LIMIT, fitted
from bot.github.marker import marked, parse, place_of

NOTICE = "*cut here*"


@pytest.mark.parametrize(
    ("wanted", "text", "limit"),
    [
        ("all of it", "all of it", 9),
        ("one\n\n*cut here*", "one\ntwo two two two two\n", 20),
        ("```\na\n```\n\n*cut here*", "```\na\nbbbbbbbbbbbbbbbbbbb\n```\n", 24),
        ("~~~~x\na\n~~~~\n\n*cut here*", "~~~~x\na\nbbbbbbbbbbbbbbbbbbbb\n~~~~\n", 28),
        ("<details>\na\n\n</details>\n\n*cut here*", "<details>\na\nbbbbbbbbbbbbbbbbbbbbbbbbbb\n</details>\n", 40),
        ("aaaaa\n\n*cut here*", "a" * 40, 20),
        ("<!-- x\n-->\n\n*cut here*", "<!-- x\nyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy -->\n", 26),
    ],
)
def test_cuts(wanted: str, text: str, limit: int) -> None:
    assert fitted(text, NOTICE, limit) == wanted


PIECES = st.sampled_from(
    [
        "line\n",
        "```\n",
        "~~~python\n",
        "````\n",
        "<details>\n",
        "<summary>x</summary>\n",
        "</details>\n",
        "| a | b |\n",
        "\n",
    ]
)


@given(st.lists(PIECES, min_size=30, max_size=80), st.integers(80, 200))
def test_whatever_is_open_is_closed(pieces: list[str], limit: int) -> None:
    text = "".join(pieces)
    shown = fitted(text, NOTICE, limit)
    assert len(shown) <= limit
    if shown != text:
        tokens = MarkdownIt("commonmark").parse(shown)
        assert tokens[-2].content == NOTICE and tokens[-2].type == "inline"


@pytest.mark.parametrize("body", ["", "plain", "<!-- steelyard:reply v1 place=c1 outcome=stay -->\nx", "a\r\nb"])
@pytest.mark.parametrize("header", ["", "> **Superseded** by [a later answer](https://github.com/x)."])
@pytest.mark.parametrize("comment", [None, 7])
def test_a_marked_text_reads_back(body: str, header: str, comment: int | None) -> None:
    place = place_of(12, comment)
    found = parse(marked(place, Outcome.SWITCH, body, header))
    assert found is not None
    assert (found.place, found.outcome, found.header) == (place, "switch", header)
    assert found.body == body.replace("\r\n", "\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "\n<!-- steelyard:reply v1 place=c1 outcome=stay -->",
        "<!-- steelyard:reply v2 place=c1 outcome=stay -->",
    ],
)
def test_no_marker_no_reply(text: str) -> None:
    assert parse(text) is None


def test_a_place_that_would_not_be_found_again_is_a_bug() -> None:
    with pytest.raises(ValueError, match="no place"):
        marked("c1 outcome=x -->", Outcome.SAID, "x")
    assert LIMIT == 65_536
