"""`steelyard prices show`: each price with its day and its source, and what was asked for and is not there."""

import json
from pathlib import Path

import pytest

from bot.cli import main

BOOK = (
    "instance_type,region,price,currency,source\n"
    "p5.48xlarge,us-east-1,55.04,USD,list of 2026-11-09\ntrn2,us-east-2,,,by quote\n"
)


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "prices.csv"
    path.write_text(BOOK, encoding="utf-8")
    return str(path)


def test_a_table(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prices", "show", book, "--type", "P5.48xlarge"]) == 0
    told = capsys.readouterr()
    assert "55.04 USD" in told.out
    assert "2026-11-09" in told.out
    assert "trn2" not in told.out
    assert told.err == ""


def test_json(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prices", "show", book, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [(p["instance_type"], p["on_demand_price"]) for p in document["prices"]] == [
        ("p5.48xlarge", "55.04"),
        ("trn2", None),
    ]
    assert document["prices"][0]["age_days"] is not None
    assert document["prices"][1]["age_days"] is None


@pytest.mark.parametrize(
    ("wanted", "asked"),
    [("trn2 in us-east-2", ["--type", "trn2", "--region", "us-east-2"]), ("trn2 in any region", ["--type", "trn2"]),
     ("p5.48xlarge in eu-west-1", ["--type", "p5.48xlarge", "--region", "eu-west-1"])],
)  # fmt: skip
def test_what_is_missing(wanted: str, asked: list[str], book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prices", "show", book, *asked]) == 2
    assert wanted in capsys.readouterr().err


def test_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prices", "show", "nowhere.csv"]) == 2
    assert "nowhere.csv" in capsys.readouterr().err
