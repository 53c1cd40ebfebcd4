"""`steelyard review`: a folder in, four files out; what cannot be read is named with its place."""

import json
import shutil
from pathlib import Path

import icalendar
import jsonschema
import pytest

from bot.cli import main
from bot.render.record import document_of
from bot.render.review.comment import render_comment
from bot.render.review.record import read_record, render_record, review_schema
from bot.render.review.workbook import render_workbook
from scoring.model.problem import Problem
from tests.quarter_sample import FOLDER, reviewed_sample


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "quarter"))


def test_the_sample_gives_comment_workbook_calendar_and_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(FOLDER), "2027Q1", "--out", str(tmp_path)]) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["review.ics", "review.json", "review.md", "review.xlsx"]
    assert capsys.readouterr().out == (tmp_path / "review.md").read_text()
    record = json.loads((tmp_path / "review.json").read_text())
    jsonschema.validate(record, review_schema())
    events = icalendar.Calendar.from_ical((tmp_path / "review.ics").read_bytes()).walk("VEVENT")
    assert len(events) == len(record["dates"])


def test_a_record_is_read_back_and_an_altered_one_is_not() -> None:
    review = reviewed_sample()
    data = render_record(review)
    assert read_record(data.encode(), "review.json") == review
    altered = read_record(data.replace("2027Q1", "2027Q2", 1).encode(), "review.json")
    assert isinstance(altered, Problem) and altered.code == "record-altered"
    for broken in (b"", b"{}", b"[1]", b'{"schema": "steelyard/review/2"}'):
        assert isinstance(read_record(broken, "review.json"), Problem)


def test_a_record_of_before_offers_and_pools_is_read() -> None:
    record = json.loads(render_record(reviewed_sample()))
    plan = record["plan"]
    del plan["offers"]
    for one in plan["moves"]:
        del one["until"]
    for one in plan["binding"]:
        del one["hours"]
    record["document"] = document_of(record)
    found = read_record(json.dumps(record).encode(), "review.json")
    assert not isinstance(found, Problem)
    assert "has no room for it" in render_comment(found)
    assert render_workbook(found)


@pytest.mark.parametrize("quarter", ["2027Q5", "Q1", "2027-01"])
def test_a_wrong_quarter_is_named_with_the_form(quarter: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(FOLDER), quarter]) == 2
    out = capsys.readouterr().out
    assert quarter in out and "2027Q1" in out


@pytest.mark.parametrize(
    ("file", "old", "new", "line"),
    [
        ("workloads.yml", "runs_on: trn2", "runs_on: trn9", "runs_on"),
        ("outcomes.csv", "36417.46", "36.417,46", "line 2"),
        ("outcomes.csv", "2026-11", "November", "line 2"),
        ("contracts.yml", "kind: take_or_pay", "kind: take_or_leave", "line"),
        ("steelyard.yml", "currency: USD", "curency: USD", "currency"),
    ],
)
def test_a_mistake_in_a_book_is_named_and_gives_no_review(
    folder: Path, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str, line: str
) -> None:
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    assert main(["review", str(folder), "2027Q1", "--no-plan"]) == 2
    out = capsys.readouterr().out
    assert line in out and file in out


def test_an_altered_decision_is_left_out_and_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = folder / "decisions" / "2026Q4" / "issue-11" / "1" / "decision.json"
    record.write_text(record.read_text().replace("code-assist", "code-insist"))
    assert main(["review", str(folder), "2027Q1", "--no-plan", "--json"]) == 0
    review = json.loads(capsys.readouterr().out)
    assert [p["code"] for p in review["problems"]] == ["record-altered"]
    assert 11 not in [d["fact"]["issue"] for d in review["decisions"]]


def test_the_next_review_tells_what_has_changed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "reviews" / "2027Q1"
    assert main(["review", str(folder), "2027Q1", "--out", str(out), "--no-plan"]) == 0
    assert main(["review", str(folder), "2027Q2", "--today", "2027-04-05", "--no-plan", "--json"]) == 0
    review = json.loads(capsys.readouterr().out.partition("\n{")[2].join(("{", "")))
    changes = {(c["code"], c["subject"]) for c in review["changes"]}
    assert review["previous"] == "2027Q1"
    assert ("contract-gone", "march-block") in changes
    assert ("risk-new", "h200-minimum") in changes
    assert [d for d in review["decisions"] if d["is_new"]] == []


def test_a_folder_without_a_ledger_has_commitments_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("decisions", "sign-offs"):
        shutil.rmtree(folder / name)
    (folder / "index.json").unlink()
    (folder / "outcomes.csv").unlink()
    assert main(["review", str(folder), "2027Q1", "--no-plan"]) == 0
    assert "h200-minimum" in capsys.readouterr().out


def test_no_folder_is_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "no/such/folder", "2027Q1", "--no-plan"]) == 2
    assert "no such folder" in capsys.readouterr().err
