"""The first page read aloud: it alone answers what, why, how sure, how much, by when, what else, and who signs."""

import datetime as dt
from dataclasses import dataclass
from functools import cache
from io import BytesIO

import openpyxl
import pytest

from bot.render.messages import Messages, catalogue
from bot.render.workbook import render_workbook
from scoring.model.decision import Decision, Word
from scoring.model.signing import Signer, Signing
from tests.samples import NAMES, STORIES, decision
from tests.scoring.helpers import decide

SENTENCE = 20
"""Letters that an answer in words has at least."""
Row = tuple[object, ...]


@dataclass(frozen=True)
class Page:
    """A first page as it is read: its rows, and the rows below each of its sections."""

    of: Decision
    words: Messages
    rows: tuple[Row, ...]

    def section(self, code: str) -> list[Row]:
        """The rows below a section up to the next empty one, without its heads."""
        name = self.words(f"memo.{code}", currency=self.of.settings.currency)
        first = next(i for i, row in enumerate(self.rows) if row and row[0] == name)
        found = []
        for row in self.rows[first + 1 :]:
            if not row:
                break
            found.append(row)
        return found

    def row(self, label: str) -> Row:
        """The row whose first or third cell says so."""
        return next(row for row in self.rows if label in row)


def page_of(of: Decision) -> Page:
    sheet = openpyxl.load_workbook(BytesIO(render_workbook(of)), data_only=True).worksheets[0]
    rows = tuple(tuple(v for v in row if v not in (None, "")) for row in sheet.iter_rows(values_only=True))
    return Page(of, catalogue(of.settings.language, "workbook"), rows)


@cache
def page(name: str, language: str) -> Page:
    return page_of(decision(name, f"language={language}"))


def said(rows: list[Row]) -> str:
    return " ".join(str(value) for row in rows for value in row)


def day(value: object) -> dt.date:
    assert isinstance(value, dt.datetime), value
    return value.date()


every = pytest.mark.parametrize("name", [*NAMES, *STORIES])
both = pytest.mark.parametrize("language", ["en", "es"])


@both
@every
def test_what(name: str, language: str) -> None:
    read = page(name, language)
    word = read.of.verdict.word
    assert word is not None
    told = catalogue(language, "comment")(f"word.{word}")
    assert read.rows[3][0] == told
    begins = read.words("memo.in-record", headline=told).removesuffix(".")
    headline = next(str(row[0]) for row in read.rows if row and str(row[0]).startswith(begins))
    if word in (Word.SWITCH, Word.SPLIT):
        assert str(read.of.candidate) in headline


@both
@every
def test_why(name: str, language: str) -> None:
    assert len(said(page(name, language).section("why"))) > SENTENCE


@both
@every
def test_how_sure(name: str, language: str) -> None:
    read = page(name, language)
    rows = {str(row[0]): row[1:] for row in read.section("evidence")}
    assert read.of.cost is not None
    arms, theta = read.of.cost.arms, read.of.cost.theta
    assert rows[read.words("memo.runs")] == tuple(arms[a or ""].n for a in (read.of.incumbent, read.of.candidate))
    cost = next(values for label, values in rows.items() if label.startswith(read.words("memo.cost-per-unit", unit="")))
    assert cost[2:] == pytest.approx([theta.point, theta.lo, theta.hi])
    assert any(read.words("memo.upper") in row for row in read.rows)


@both
@every
def test_how_much(name: str, language: str) -> None:
    read = page(name, language)
    economics = read.of.economics
    if economics.best is None:
        assert economics.reason == "no-demand"
        assert read.words("memo.no-timeline") in said(list(read.rows))
        return
    row = read.row(read.words("memo.saving", months=economics.horizon_months))
    assert row[1] == pytest.approx(economics.best.saving)
    assert economics.saving is not None
    assert read.row(read.words("memo.saving-range"))[1:] == pytest.approx((economics.saving.lo, economics.saving.hi))


@both
@every
def test_by_when(name: str, language: str) -> None:
    read = page(name, language)
    when = read.row(read.words("memo.when"))[-1]
    if read.of.verdict.on is not None:
        assert day(when) == read.of.verdict.on
    else:
        moving = read.of.verdict.word in (Word.SWITCH, Word.SPLIT)
        assert when == read.words("memo.no-month" if moving else "memo.not-now")
    days = [row for row in read.section("deadlines") if any(isinstance(v, dt.datetime) for v in row)]
    assert days or said(read.section("deadlines")) == read.words("memo.no-dates")
    last = [d.notice_deadline for d in read.of.economics.deadlines if d.cost_of_missing]
    assert {day(v) for row in days for v in row if isinstance(v, dt.datetime)} >= set(last)


@both
@every
def test_what_else_was_considered(name: str, language: str) -> None:
    read = page(name, language)
    rows = {str(row[0]): row[1:] for row in read.section("alternatives")}
    economics = read.of.economics
    if economics.best is None or economics.best_full is None:
        assert list(rows) == [read.words("memo.no-alternatives")]
        return
    told = [rows[read.words(f"memo.{plan}")][0] for plan in ("stay", "full", "recommended")]
    assert told == pytest.approx([economics.stay_npv, economics.best_full.npv, economics.best.npv])
    assert read.section("matters")


@both
@every
def test_who_signs(name: str, language: str) -> None:
    heads, *lines = page(name, language).section("sign-off")
    words = page(name, language).words
    assert heads == tuple(words(f"memo.{head}") for head in ("name", "role", "date", "decision", "signature", "remark"))
    assert not lines, "the lines to fill in are empty"
    assert words("memo.no-signers") in said(list(page(name, language).rows))


def test_who_signs_is_named_where_the_settings_name_them() -> None:
    signers = (Signer(login="ana", name="Ana Example", role="finance"), Signer(login="hubot", role="platform"))
    of = decision("speech-finetune").model_copy(
        update={"signing": Signing(roles=("finance", "platform"), signers=signers), "thread": "example/repo#1"}
    )
    read = page_of(of)
    assert read.section("sign-off")[1:3] == [("Ana Example", "finance"), ("hubot", "platform")]
    assert read.words("memo.no-signers") not in said(list(read.rows))


@pytest.mark.parametrize(
    ("header", "code"),
    [("arm,run,cost_usd", "no-hours"), ("arm,run,duration_s", "no-price")],
)
def test_what_is_missing_for_months_is_named_as_it_is(header: str, code: str) -> None:
    rows = "\n".join(f"{arm},{run},{value + run}" for arm, value in (("gpu", 90), ("trn2", 60)) for run in (1, 2, 3, 4))
    of = decide(("pilot.csv", f"{header}\n{rows}\n"), demand="200")
    assert of.economics.reason == code
    read = page_of(of)
    assert read.words(f"memo.no-timeline-{code}") in said(list(read.rows))
    assert read.words("memo.no-timeline") not in said(list(read.rows))
