"""Sentences without a decision: each is used, and each call gives the fields that its sentence needs."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.commands.registry import REGISTRY
from bot.render.comment.links import Links, with_links, without_links
from bot.render.messages import catalogue
from bot.render.notices import Markup, code, say
from tests.shared import ROOT

SOURCES = sorted((ROOT / "bot").rglob("*.py"))
BUILT = ("summary.", "plan.spread-", "plan.one-", "plan.several-", "contract-show.", "whatif.", "failed.", "sign.",
         "claim.unclear.", "claim.example-", "claim.word.", "claim.read.", "claim.note.",
         "claim.more-", "claim.why-not.", "claim.said.", "claim.reading-", "pilot-kit.")  # fmt: skip
"""Codes that are put together from a name."""


def _calls() -> Iterator[tuple[Path, str, set[str]]]:
    """Calls of `say(language, code, …)` and of a plan's own with a code and every field in sight."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or any(word.arg is None for word in node.keywords):
                continue
            texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            for text in texts:
                if text in catalogue("en", "bot") and text.split(".")[0] != "failed":
                    yield path, text, {word.arg for word in node.keywords if word.arg}


def test_every_call_gives_the_fields_of_its_sentence() -> None:
    calls = [c for c in _calls() if c[1] != "broken-configuration.title"]
    assert len(calls) > 25
    wrong = [(p.name, text, given) for p, text, given in calls if given != catalogue("en", "bot").fields(text)]
    assert wrong == []


def test_every_sentence_is_used() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    plain = [c for c in catalogue("en", "bot").codes if not c.startswith(BUILT)]
    assert [c for c in plain if f'"{c}"' not in source and f"'{c}'" not in source] == []
    summaries = {c.removeprefix("summary.") for c in catalogue("en", "bot").codes if c.startswith("summary.")}
    assert summaries == REGISTRY.keys()


def test_texts_are_literal_unless_they_are_ours() -> None:
    assert "<code>&#64;octocat</code>" in say("en", "stranger", login="@octocat", role="triage")
    assert say("en", "whatif.changed", before=Markup("**A**"), after=code("B")).endswith("from **A** to `B`.")


LINKED = "a [x](y) Memo: [memo.xlsx](memo.xlsx), [memo-2.xlsx](memo-2.xlsx) · [decision.json](decision.json)"


@pytest.mark.parametrize(
    ("base", "shown"),
    [
        ("https://github.com/o/r/blob/steelyard/d/1", "https://github.com/o/r/blob/steelyard/d/1"),
        ("https://ghe.example:8443/o/r/d/1/", "https://ghe.example:8443/o/r/d/1"),
        ("https://github.com/o/r/blob/a b)(/1", "https://github.com/o/r/blob/a%20b%29%28/1"),
        ("https://github.com/o/r/blob/décision/1", "https://github.com/o/r/blob/d%C3%A9cision/1"),
        ("https://github.com/o/r/blob/a%20b/1", "https://github.com/o/r/blob/a%20b/1"),
    ],
)
def test_relative_links_become_absolute(base: str, shown: str) -> None:
    linked = with_links(LINKED, base)
    assert re.findall(r"\]\(([^)]*)\)", linked) == [
        "y", f"{shown}/memo.xlsx", f"{shown}/memo-2.xlsx", f"{shown}/decision.json",
    ]  # fmt: skip


def test_files_that_were_not_kept_are_not_named() -> None:
    assert without_links(f"kept [x](y)\n\n{LINKED}\n") == "kept [x](y)\n"


def test_each_comparison_has_its_memo() -> None:
    assert Links.of(1).memos == ("memo.xlsx",)
    assert Links.of(3).memos == ("memo.xlsx", "memo-2.xlsx", "memo-3.xlsx")
