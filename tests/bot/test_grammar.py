"""Commands count at the start of a line of prose, and nowhere else."""

import pytest

from bot.grammar import Command, commands_in, edit_runs_again


def names(text: str) -> list[str]:
    return [c.name for c in commands_in(text)]


@pytest.mark.parametrize(
    ("wanted", "comment"),
    [
        (["compare"], "/compare"),
        (["compare"], "Please:\n/compare baseline=gpu\n"),
        (["compare", "plan"], "/compare\n/plan runs=5"),
        (["compare"], "/compare\r\n"),
        (["compare"], "/Compare"),
        (["compare"], "\ufeff/compare horizon=12m"),
        (["compare"], "\u200b/compare"),
        (["compare"], "/compare\u00a0horizon=12m"),
        (["compare"], "/compare\u3000horizon=12m"),
        (["compare"], "\uff0fcompare"),
        (["compare"], "/compare, please"),
        (["compare"], "/compare horizon=12m\n--\nOlga"),
        (["compare", "plan"], "/compare\n/plan\n==="),
        ([], "# /compare"),
        ([], "/compare.csv"),
        ([], "see /compare in the docs"),
        ([], "`/compare`"),
        ([], "`a\n/compare\nb`"),
        ([], "```\n/compare\n```"),
        ([], "    /compare"),
        ([], "> /compare"),
        ([], "> quoted\n/compare"),
        ([], "- /compare"),
        ([], "<!-- /compare -->"),
        ([], "text <!--\n/compare\n--> text"),
        ([], "<div>\n/compare\n</div>"),
        ([], "/etc/passwd"),
        ([], "//compare"),
        ([], ""),
    ],
)
def test_where_a_command_counts(wanted: list[str], comment: str) -> None:
    assert names(comment) == wanted


def test_a_command_keeps_its_arguments_and_its_line() -> None:
    assert commands_in("hello\n\n/compare baseline=gpu  horizon=12m") == (
        Command("compare", ("baseline=gpu", "horizon=12m"), 3),
    )


def test_what_copying_leaves_around_words_is_no_part_of_them() -> None:
    [command] = commands_in("/compare\u00a0margin.wer=0.3\u200b \u200b")
    assert command.arguments == ("margin.wer=0.3",)


TABLE = "/compare\n\n| arm | price |\n|---|---|\n| gpu | {} |\n"
FENCE = "/compare\n```csv\narm,price\ngpu,{}\n```\n"
LINK = "/compare\nsee https://github.com/lab/pilots/blob/main/{}.csv for more"
UPLOAD = "/compare\n[runs](https://github.com/user-attachments/files/{}/runs.csv)"


@pytest.mark.parametrize(
    ("again", "before", "after"),
    [
        (False, "/compare baseline=gpu", "/compare baseline=gpu\n\ntypo mended"),
        (True, "/compare baseline=gpu", "/compare baseline=trn2"),
        (True, "see above", "/compare"),
        (False, "/compare", "withdrawn"),
        (True, FENCE.format(1), FENCE.format(2)),
        (False, FENCE.format(1), "typo mended\n\n" + FENCE.format(1)),
        (False, FENCE.format(1), FENCE.format(1).replace("\n", "\r\n")),
        (True, "/compare", FENCE.format(1)),
        (True, FENCE.format(1), "/compare"),
        (True, TABLE.format(1), TABLE.format(2)),
        (False, TABLE.format(1), TABLE.format(1) + "\nmore prose"),
        (True, "- a list\n\n  ```\n  1\n  ```\n\n/compare", "- a list\n\n  ```\n  2\n  ```\n\n/compare"),
        (True, LINK.format("runs"), LINK.format("runs-2")),
        (False, LINK.format("runs"), LINK.format("runs") + ", as we said"),
        (True, UPLOAD.format(1), UPLOAD.format(2)),
        (True, "price: 55\n\n" + FENCE.format(1), "price: 35\n\n" + FENCE.format(1)),
        (True, "- price: 55\n\n" + FENCE.format(1), "- price: 35\n\n" + FENCE.format(1)),
        (True, "### Demand\n\n100\n\n/compare", "### Demand\n\n200\n\n/compare"),
        (True, LINK.replace("blob", "tree").format(1), LINK.replace("blob", "tree").format(2)),
        (
            True,
            "/compare\nhttps://raw.githubusercontent.com/lab/pilots/main/1.csv",
            "/compare\nhttps://raw.githubusercontent.com/lab/pilots/main/2.csv",
        ),
        (False, "/compare\nhttps://example.org/a", "/compare\nhttps://example.org/b"),
        (False, FENCE.format(1), FENCE.format(2).replace("/compare", "")),
    ],
)
def test_an_edited_comment_runs_again_only_when_its_commands_or_its_evidence_changed(
    again: bool, before: str, after: str
) -> None:
    assert edit_runs_again(before, after) is again


@pytest.mark.parametrize(
    "hostile",
    [
        " ".join("`" * length for length in range(1, 360)),
        "x <!--" * 10_000,
        "![[](" * 12_000,
        "[" * 65_000,
        "a|b\n-|-\n" + "x|y\n" * 16_000,
        "|" + "a|" * 250 + "\n|" + "-|" * 250 + "\n" + "x\n" * 30_000,
        "\n" * 65_000,
    ],
    ids=["backticks", "comments", "images", "brackets", "rows", "columns", "lines"],
)
def test_hostile_text_hides_no_command_and_takes_no_more_than_its_length(hostile: str) -> None:
    """Each took seconds to minutes when lines and rows were parsed within; far slower than this, the suite hangs."""
    assert "compare" in names("/compare\n\n" + hostile)


@pytest.mark.parametrize(
    ("wanted", "comment"),
    [
        (["compare"], "a | b\n--|--\n1 | 2\n\n/compare"),
        ([], "a | b\n--|--\n/compare"),
        (["compare"], "a | b\n--|--\n1 | 2\n> quote\n\n/compare"),
        (["compare"], "a | b\n/compare"),
        (["compare"], "`` ` ``\n/compare"),
        (["compare"], "a `` b\n/compare\nc ` d"),
        (["compare"], "--> \n/compare"),
        (["plan"], "`a`` `\n/plan"),
    ],
)
def test_tables_and_code_end_where_markdown_ends_them(wanted: list[str], comment: str) -> None:
    assert names(comment) == wanted
