"""`steelyard contracts show`: what is promised by month and what leaving brings; JSON with the same figures."""

import json
from pathlib import Path

import pytest

from bot.cli import main

BOOK = """
contracts:
  - {id: p5, kind: reserved_standard, starts_on: 2027-01-01, ends_on: 2027-12-31, instances: 2, rate: 10,
     resale: {discount: 30 %, fee: 12 %}, notice: 90 days}
  - {id: plan, kind: savings_plan_compute, starts_on: 2026-06-01, ends_on: 2027-05-31, commitment_per_hour: 5,
     covered_rates: {p5: 10}}
"""


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "contracts.yml"
    path.write_text(BOOK, encoding="utf-8")
    return str(path)


def test_a_table_of_months_and_of_what_leaving_brings(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    """January: 2 × 744 h at 10; 5 an hour of the plan. December 2 is day 336: 30 days × 24 × 2 × 10 are still owed."""
    assert main(["contracts", "show", book, "--on", "2027-12-02", "--months", "2"]) == 0
    out = capsys.readouterr().out
    assert "| `p5` | 1,488 h, $14,880 | 0 h, $0 |" in out
    assert "| `p5` | resale | −$5,530 | buyer |" in out
    assert main(["contracts", "show", book, "--on", "2027-01-04", "--months", "1"]) == 0
    out = capsys.readouterr().out
    assert "2 instances around the clock" in out and "5 USD an hour" in out
    assert "| `plan` | $3,720 |" in out


def test_json_holds_the_same(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contracts", "show", book, "--on", "2027-12-02", "--months", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    plan, p5 = told["contracts"]
    assert (plan["id"], plan["months"][0]["hours"]) == ("plan", None)
    assert p5["months"][0] == {"starts_on": "2027-12-01", "hours": 1488, "cost": 14880}
    (sold,) = p5["recoveries"]
    assert float(sold["cash"]) == pytest.approx(30 * 24 * 2 * 10 * (0.7 * 0.88 - 1))


def test_a_book_with_mistakes_shows_the_rest_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "contracts.yml"
    path.write_text(BOOK.replace("instances: 2", "instances: -2"), encoding="utf-8")
    assert main(["contracts", "show", str(path), "--on", "2027-01-04"]) == 2
    told = capsys.readouterr()
    assert "`plan`" in told.out and "contracts.yml" in told.err


@pytest.mark.parametrize(
    ("settings", "deadline"), [("holidays: DE-BY\n", "2026-12-24"), ("currency: USD\n", "2026-12-25")]
)
def test_a_notice_keeps_to_the_holidays_of_the_settings(
    settings: str, deadline: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Friday 25 December 2026 is a holiday in Bavaria, as is the 26th; 90 days before 25 March 2027."""
    (tmp_path / "steelyard.yml").write_text(settings, encoding="utf-8")
    (tmp_path / "contracts.yml").write_text(
        "contracts:\n  - {id: c, kind: take_or_pay, starts_on: 2026-04-01, ends_on: 2027-03-25, instances: 1,\n"
        "     rate: 10, notice_days: 90, notice_business_day: previous}\n",
        encoding="utf-8",
    )
    for paths in ([str(tmp_path)], [str(tmp_path / "steelyard.yml"), str(tmp_path / "contracts.yml")]):
        assert main(["contracts", "show", *paths, "--on", "2026-12-02", "--json"]) == 0
        (row,) = json.loads(capsys.readouterr().out)["contracts"]
        assert row["notice_deadline"] == deadline
