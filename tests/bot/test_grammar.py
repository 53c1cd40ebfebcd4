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


@pytest.mark.parametrize(
    ("again", "before", "after"),
    [
        (False, "/compare baseline=gpu", "/compare baseline=gpu\n\ntypo mended"),
        (True, "/compare baseline=gpu", "/compare baseline=trn2"),
        (True, "see above", "/compare"),
        (False, "/compare", "withdrawn"),
    ],
)
def test_an_edited_comment_runs_again_only_when_its_commands_changed(again: bool, before: str, after: str) -> None:
    assert edit_runs_again(before, after) is again
