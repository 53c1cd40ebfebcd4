"""`steelyard review` of several folders: the sample's quarter in two repositories whose issue numbers collide."""

import io
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import openpyxl
import pytest
import yaml

from bot.cli import main
from bot.render.review.record import read_record, render_record, review_schema
from bot.render.review.workbook import render_workbook
from scoring.review.values import Review
from tests.bot.render.workbook.libreoffice import needs_libreoffice, recalculated
from tests.quarter_sample import FOLDER
from tests.two_repositories import HOME, LAST, OTHER, Two, written


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Two:
    return written(tmp_path_factory.mktemp("built"))


@pytest.fixture
def two(built: Two, tmp_path: Path) -> Two:
    folders = (Path(shutil.copytree(folder, tmp_path / folder.name)) for folder in (built.home, built.other))
    return Two(*folders)


@pytest.fixture(scope="module")
def both(built: Two, tmp_path_factory: pytest.TempPathFactory) -> Review:
    return _reviewed(built.arguments, tmp_path_factory.mktemp("both"))


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Review:
    """The sample as one repository."""
    return _reviewed(["review", str(FOLDER), "2027Q1"], tmp_path_factory.mktemp("alone"))


def _reviewed(arguments: list[str], out: Path) -> Review:
    assert main([*arguments, "--no-plan", "--out", str(out)]) == 0
    review = read_record((out / "review.json").read_bytes(), "review.json")
    assert isinstance(review, Review)
    return review


def apart(value: Any) -> Any:
    """The sample's review as two repositories have it: later issues are the other's, and begin again at 1."""
    if isinstance(value, list):
        return [apart(item) for item in value]
    if not isinstance(value, dict):
        return value
    told = {key: apart(item) for key, item in value.items()}
    issue = told.get("issue")
    if isinstance(issue, int) and issue > LAST:
        told |= {"issue": issue - LAST, "repository": OTHER}
    return told


FIGURES = ("totals", "contracts", "unassigned", "dates", "calibration", "changes", "questions", "problems")


def test_all_figures_of_two_repositories_are_those_of_one(both: Review, alone: Review) -> None:
    """The sample as one repository is an independent count: only whose an issue is differs."""
    wanted, found = apart(json.loads(render_record(alone))), json.loads(render_record(both))
    assert found["repositories"] == [OTHER] and "lacking" not in found and "repositories" not in wanted
    for part in FIGURES:
        assert found[part] == wanted[part], part

    def by_place(rows: Sequence[dict[str, Any]]) -> list[str]:
        return sorted(json.dumps({k: v for k, v in row.items() if k != "rank"}, sort_keys=True) for row in rows)

    for part in ("decisions", "work", "pilots", "risks"):
        assert by_place(found[part]) == by_place(wanted[part]), part
    told, was = ([_without_place(row) for row in record["outcomes"]] for record in (found, wanted))
    assert by_place(told) == by_place(was)
    assert [pilot["worth"] for pilot in found["pilots"]] == [pilot["worth"] for pilot in wanted["pilots"]]


def _without_place(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "outcome": {**row["outcome"], "row": None, "source": None}}


def test_the_record_fits_the_schema_and_is_read_back_and_so_is_one_without_repositories(
    both: Review, alone: Review
) -> None:
    for review in (both, alone):
        record = render_record(review)
        jsonschema.validate(json.loads(record), review_schema())
        assert read_record(record.encode(), "review.json") == review
    assert '"repository"' not in render_record(alone)


@needs_libreoffice
def test_the_workbook_names_the_others_issues_and_sums_one_currency(both: Review, tmp_path: Path) -> None:
    rows = [row.model_copy(update={"currency": "EUR"}) if row.repository else row for row in both.outcomes]
    mixed = both.model_copy(update={"outcomes": tuple(rows)})
    data = render_workbook(mixed)
    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    issues = {book["Decisions"].cell(row, 1).value for row in range(4, 4 + len(both.decisions))}
    assert issues == {1, 2, 3, 4, 5, 6, *(f"train#{n}" for n in (1, 2, 3, 4, 5, 6))}
    live = recalculated({"review": data}, tmp_path)["review"]
    line = next(r for r in range(1, 60) if book["Overview"].cell(r, 1).value == "Saved in the months reported")
    wanted = sum(row.saved or 0 for row in both.outcomes if row.repository is None)
    assert live["Overview"][f"B{line}"] == pytest.approx(wanted)
    assert book["Overview"].cell(line, 2).value == pytest.approx(wanted)


def edited(folder: Path, **section: Any) -> None:
    """The folder's settings with other keys of the section `github`; None takes one away."""
    path = folder / "steelyard.yml"
    tree = yaml.load(path.read_text(), Loader=yaml.BaseLoader)  # noqa: S506 - it makes texts alone
    kept = {**tree["github"], **section}
    path.write_text(yaml.safe_dump({**tree, "github": {k: v for k, v in kept.items() if v is not None}}))


def replaced(path: Path, old: str, new: str) -> None:
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_who_did_not_agree_is_missing_and_it_is_said_on_top(two: Two, capsys: pytest.CaptureFixture[str]) -> None:
    edited(two.other, reviewed_in=["lab/somebody"])
    assert main([*two.arguments, "--no-plan"]) == 0
    out = capsys.readouterr().out
    lead = out.partition("###")[0]
    assert f"lacks `{OTHER}`" in lead and "With the ledgers" not in lead
    assert f"name `{HOME}` in `reviewed_in`" in out and f"{OTHER}#" not in out


def no_folder(two: Two) -> list[str]:
    return ["review", str(two.home), "2027Q1", "--home", HOME]


def no_name(two: Two) -> list[str]:
    return ["review", str(two.home), "2027Q1", "--repository", f"{OTHER}={two.other}"]


def not_listed(two: Two) -> list[str]:
    return [*two.arguments, "--repository", f"lab/serve={two.other}"]


def no_such_folder(two: Two) -> list[str]:
    return ["review", str(two.home), "2027Q1", "--home", HOME, "--repository", f"{OTHER}={two.other}/none"]


def other_owner(two: Two) -> list[str]:
    return ["review", str(two.home), "2027Q1", "--home", "elsewhere/finance", "--repository", f"{OTHER}={two.other}"]


@pytest.mark.parametrize(
    ("arguments", "status", "wanted"),
    [
        (no_folder, 0, "--repository OWNER/NAME=PATH"),
        (no_name, 2, "--home OWNER/NAME"),
        (not_listed, 2, f"lab/serve` is not among the repositories that the home lists. Give one of `{OTHER}`"),
        (no_such_folder, 2, "no such folder"),
        (other_owner, 2, "github.repositories.0"),
    ],
)
def test_options_that_do_not_fit_are_said(
    two: Two, capsys: pytest.CaptureFixture[str], arguments: Any, status: int, wanted: str
) -> None:
    assert main([*arguments(two), "--no-plan"]) == status
    told = capsys.readouterr()
    assert wanted in told.out + told.err


@pytest.mark.parametrize("text", ["lab/train", "=x", "lab/train="])
def test_a_repository_needs_a_folder(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["review", "x", "2027Q1", "--repository", text])
    assert "OWNER/NAME=PATH" in capsys.readouterr().err


def test_a_mistake_in_anothers_book_leaves_it_out_with_its_place(two: Two, capsys: pytest.CaptureFixture[str]) -> None:
    replaced(two.other / "workloads.yml", "runs_on: l40s-hosted", "runs_on: nothing")
    assert main([*two.arguments, "--no-plan"]) == 0
    out = capsys.readouterr().out
    assert f"lacks `{OTHER}`" in out and f"`{OTHER}:workloads.yml`, line" in out and f"{OTHER}#" not in out


def test_books_that_contradict_each_other_give_no_review(two: Two, capsys: pytest.CaptureFixture[str]) -> None:
    replaced(two.other / "contracts.yml", "owner: ", "owner: new-")
    assert main([*two.arguments, "--no-plan"]) == 2
    out = capsys.readouterr().out
    assert HOME in out and OTHER in out and f"`{OTHER}:contracts.yml`" in out


def test_prices_in_another_currency_need_a_rate_of_the_homes(two: Two, capsys: pytest.CaptureFixture[str]) -> None:
    replaced(two.other / "steelyard.yml", "currency: USD", "currency: EUR")
    replaced(two.other / "workloads.yml", "trn2-one-year", "an-offer-in-euros")
    assert main([*two.arguments, "--no-plan", "--json"]) == 0
    exchanged = json.loads(capsys.readouterr().out)
    replaced(two.home / "steelyard.yml", "source: EUR", "source: GBP")
    assert main([*two.arguments, "--no-plan", "--json"]) == 0
    without = json.loads(capsys.readouterr().out)
    assert (exchanged["repositories"], "lacking" in exchanged) == ([OTHER], False)
    assert without["lacking"] == [OTHER]
    assert "review-repository-rate" in [p["code"] for p in without["problems"]]


def test_a_broken_ledger_of_another_is_named_as_its_own(two: Two, capsys: pytest.CaptureFixture[str]) -> None:
    record = next((two.other / "decisions").rglob("decision.json"))
    record.write_text(record.read_text().replace("USD", "EUR", 1))
    (two.other / "sign-offs" / "issue-1.json").write_text("[]")
    assert main([*two.arguments, "--no-plan", "--json"]) == 0
    review = json.loads(capsys.readouterr().out)
    files = {p["code"]: p["file"] for p in review["problems"]}
    assert files["record-altered"] == f"{OTHER}:{record.relative_to(two.other).as_posix()}"
    assert files["review-ledger-broken"] == f"{OTHER}:sign-offs/issue-1.json"
