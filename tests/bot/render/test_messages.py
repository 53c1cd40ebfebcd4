"""Every code has a sentence, every sentence its fields, and no sentence is left over."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.render.comment.problems import fix, sentence
from bot.render.messages import catalogue
from scoring.model.estimates import NOT_BY_RUNS
from scoring.model.odds import Ask
from scoring.model.problem import Problem, Severity
from tests.shared import ROOT

CONSTRUCTORS = {"error", "question", "warning", "info"}
SOURCES = sorted([*(ROOT / "scoring").rglob("*.py"), *(ROOT / "bot").rglob("*.py")])
CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+\Z")


def _texts(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _problem_codes() -> set[str]:
    """First arguments of the problem constructors, wherever they stand in the engine and the bot."""
    codes: set[str] = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CONSTRUCTORS:
                codes |= (
                    {c.value for c in ast.walk(node.args[0]) if isinstance(c, ast.Constant)} if node.args else set()
                )
    return {code for code in codes if isinstance(code, str)}


def _reasons() -> set[str]:
    """Texts after `reason=` and in `_refused("…"` of the statistics and the economics."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    return set(re.findall(r'(?:_refused\(|reason=)"([a-z-]+)"', source))


def test_every_problem_has_a_sentence_and_a_fix() -> None:
    sentences = catalogue("en", "problems")
    codes = _problem_codes()
    assert len(codes) > 60
    assert {c for c in codes if f"{c}.text" not in sentences or f"{c}.fix" not in sentences} == set()


def test_no_problem_sentence_is_left_over() -> None:
    known = {text for path in SOURCES for text in _texts(path)}
    told = {code.rsplit(".", 1)[0] for code in catalogue("en", "problems").codes}
    assert told - known == set()


@pytest.mark.parametrize("code", sorted({c.rsplit(".", 1)[0] for c in catalogue("en", "problems").codes}))
def test_a_sentence_can_be_told_whatever_is_missing(code: str) -> None:
    bare = Problem(code=code, severity=Severity.WARNING)
    assert sentence(bare, "en").endswith((".", "?"))
    assert fix(bare, "en") == "" or fix(bare, "en").endswith((".", "?"))
    assert "{" not in sentence(bare, "en")


def test_every_reason_for_a_missing_interval_has_words() -> None:
    comment, reasons = catalogue("en", "comment"), catalogue("en", "reasons")
    of_leaving = {"refund-cap"}
    assert {c for c in of_leaving if f"leaving.why-{c}" not in comment} == set()
    codes = _reasons() - {"question", "no-demand", "no-hours", "no-need"} - of_leaving
    assert len(codes) > 8
    assert {c for c in codes if f"reason.{c}" not in comment} == set()
    of_theta = codes - {"not-positive", "no-items", "refused"}
    assert {c for c in of_theta if f"refused-{c}" not in reasons} == set()


def test_every_sentence_of_the_reply_is_used() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "bot" / "render").rglob("*.py"))
    unused = {
        code
        for code in catalogue("en", "comment").codes
        if code not in source
        and code not in {f"next.{reason}" for reason in NOT_BY_RUNS}
        and code.split(".")[0]
        not in ("reason", "method", "flips", "because", "measured", "deadline", "ask", "timing", "leaving")
        and code.rsplit(".", 1)[-1] not in source
    }
    assert unused == set()


@pytest.mark.parametrize(("name", "prefix"), [("comment", "ask."), ("workbook", "negotiation.ask-")])
def test_every_lever_of_a_negotiation_has_its_sentence_and_no_other_has(name: str, prefix: str) -> None:
    told = {code.removeprefix(prefix) for code in catalogue("en", name).codes if code.startswith(prefix)}
    assert told - {"provider-of"} == {*(ask.value for ask in Ask), f"{Ask.NOTICE_LATER}-missed"}
