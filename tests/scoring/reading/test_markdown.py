"""Comments and Markdown files: tables, fenced blocks, form answers and key: value lines, each with its line."""

import pytest

from scoring.reading.limits import MAX_TEXT_BYTES
from scoring.reading.markdown import Pieces, evidence_in, pairs_of, read_markdown, without_quotes
from tests.scoring.reading.read import codes

TABLE = "| arm | cost |\n|---|---|\n| a | 1 |\n| b | 2 |\n"


def rows(pieces: Pieces) -> list[tuple[int, tuple[str, ...]]]:
    return [(r.row, tuple(c.text for c in r.cells)) for t in pieces.tables for r in t.rows]


@pytest.mark.parametrize(
    ("above", "text"),
    [
        (0, TABLE),
        (2, f"Results:\n\n{TABLE}"),
        (0, "arm | cost\n---|---\na | 1\nb | 2\n"),
        (1, ">\n> arm | cost\n> ---|---\n> a | 1\n> b | 2\n"),
    ],
)
def test_tables_with_their_lines(above: int, text: str) -> None:
    assert rows(read_markdown(text, "c.md")) == [(3 + above, ("a", "1")), (4 + above, ("b", "2"))]


def test_lines_count_from_the_first_one() -> None:
    assert [row for row, _ in rows(read_markdown(TABLE, "c.md", first_line=11))] == [13, 14]


def test_marks_of_emphasis_and_code_are_no_text() -> None:
    text = "| arm | **cost** |\n|---|---|\n| `a` | **1** |\n| _b_ | 2 |\n"
    assert rows(read_markdown(text, "c.md")) == [(3, ("a", "1")), (4, ("b", "2"))]


def test_a_bar_within_a_cell() -> None:
    assert rows(read_markdown("| arm | cost |\n|---|---|\n| a\\|b | 1 |\n", "c.md")) == [(3, ("a|b", "1"))]


@pytest.mark.parametrize(
    ("name", "info"),
    [
        ("c.md#block-1.csv", "csv"), ("c.md#block-1.tsv", "tsv"), ("c.md#block-1.json", "json"),
        ("c.md#block-1.jsonl", "ndjson"), ("c.md#block-1.yaml", "yml"), ("c.md#block-1.csv", "CSV title=x"),
        ("c.md#block-1", ""), ("c.md#block-1", "text"),
    ],
)  # fmt: skip
def test_fenced_blocks_become_files(name: str, info: str) -> None:
    pieces = read_markdown(f"Text\n\n```{info}\narm,cost\na,1\n```\n", "c.md")
    (block,) = pieces.blocks
    assert (block.name, block.first_line, block.read(100)) == (name, 4, b"arm,cost\na,1\n")


@pytest.mark.parametrize("info", ["python", "mermaid", "diff"])
def test_other_languages_are_no_data(info: str) -> None:
    assert read_markdown(f"```{info}\narm,cost\na,1\n```\n", "c.md").blocks == []


def test_fences_in_lists_and_quotes_count() -> None:
    text = "- one\n\n  ```csv\n  arm,cost\n  a,1\n  ```\n\n> ```csv\n> arm,cost\n> b,2\n> ```\n"
    assert [(b.first_line, b.read(99)) for b in read_markdown(text, "c.md").blocks] == [
        (4, b"arm,cost\na,1\n"),
        (9, b"arm,cost\nb,2\n"),
    ]


def test_html_comments_hold_nothing() -> None:
    pieces = read_markdown(f"<!--\n{TABLE}\nprice: 3\n-->\n", "c.md")
    assert (pieces.tables, pieces.blocks, pieces.preamble) == ([], [], {})


@pytest.mark.parametrize(
    ("want", "text"),
    [
        ({"accelerator": "trn2.48xlarge"}, "accelerator: trn2.48xlarge"),
        ({"price_usd_per_hour": "35.76", "region": "us-east-2"}, "price_usd_per_hour: 35.76\nregion: us-east-2"),
        ({"region": "us-east-2"}, "- region: us-east-2"),
        ({"region": "us-east-2"}, "**region**: us-east-2".replace("**", "")),
        ({"region": "us-east-2"}, "region = us-east-2"),
        ({}, "> region: us-east-2"),
        ({}, "see http://example.com"),
        ({}, "12:30"),
    ],
)
def test_key_value_lines(want: dict[str, str], text: str) -> None:
    assert read_markdown(text, "c.md").preamble == want


def test_answers_of_an_issue_form() -> None:
    text = "### Workload\n\nwhisper fine-tuning\n\n### Region\n\n_No response_\n\n### Phase\n\ntrain\n"
    assert read_markdown(text, "c.md").preamble == {"Workload": "whisper fine-tuning", "Phase": "train"}


def test_the_preamble_goes_with_the_blocks() -> None:
    (block,) = read_markdown("region: eu-west-1\n\n```csv\narm,cost\na,1\n```\n", "c.md").blocks
    assert block.context == (("region", "eu-west-1"),)


def test_a_huge_comment_is_refused() -> None:
    assert codes(read_markdown("a" * (MAX_TEXT_BYTES + 1), "c.md").problems) == ["file-too-large"]


@pytest.mark.parametrize("text", [">" * 5000, "[" * 5000, "- " * 5000, "`" * 5001, "|" * 5000, "*" * 5000])
def test_deep_nesting_is_no_burden(text: str) -> None:
    assert read_markdown(text, "c.md").tables == []


@pytest.mark.parametrize(
    ("wanted", "line", "text"),
    [
        ({"region": "us-east-2"}, 1, "[a.csv](x)\n\nregion: us-east-2\n"),
        ({"arm": "gpu"}, 2, "arm: gpu\n[a.csv](x)\narm: trn2\n[b.csv](x)\n"),
        ({"arm": "trn2"}, 4, "arm: gpu\n[a.csv](x)\narm: trn2\n[b.csv](x)\n"),
        ({}, 2, "> arm: gpu\n\n[a.csv](x)\n"),
        ({"Workload": "bert"}, 5, "### Workload\n\nbert\n\n[a.csv](x)\n"),
    ],
)
def test_pairs_apply_to_a_line(wanted: dict[str, str], line: int, text: str) -> None:
    assert dict(pairs_of(text, line)) == wanted


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (1, TABLE),
        (2, f"{TABLE}\n```csv\na\n```\n"),
        (1, "```\na,b\n1,2\n```\n"),
        (0, "```python\nprint(1)\n```\n"),
        (0, "Only prose, and `code`.\n"),
    ],
)
def test_what_may_be_evidence_is_counted_unread(wanted: int, text: str) -> None:
    assert evidence_in(text) == wanted


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        ("a\n\n\nb", "a\n> quoted\n\nb"),
        ("\n\n\nb", "> a\r\n> > nested\r\n\r\nb"),
        ("\n\n\nb", "> a\nstill quoted\n\nb"),
        ("\n\n\n\nb", "> ```csv\n> x,y\n> ```\n\nb"),
        ("- item\n\n\n  more", "- item\n  > quoted\n\n  more"),
        ("```\n> kept\n```", "```\n> kept\n```"),
    ],
)
def test_quoted_lines_are_emptied(wanted: str, text: str) -> None:
    assert without_quotes(text) == wanted
