"""A bad book is told with file, line and fix, by `steelyard contracts check` and in a reply alike."""

from pathlib import Path

import pytest

from bot.cli import main
from bot.render.comment import render_comment
from tests.scoring.helpers import decide

PILOT = "arm,run,duration_s,instance_type,price_usd_per_hour\n" + "".join(
    f"{arm},{run},{seconds + run},{kind},{price}\n"
    for arm, seconds, kind, price in (("gpu", 3600, "p5", 55), ("trn2", 3700, "trn2", 30))
    for run in (1, 2, 3)
)
SETTINGS = "currency: USD\ndemand: 100\nbaseline: gpu\n"
GOOD = """\
contracts:
  - id: one
    kind: reserved
    starts_on: 2026-07-01
    ends_on: 2027-06-30
    instance_type: p5
    instances: 1
    rate: 38
"""
SECOND = GOOD.removeprefix("contracts:\n").replace("id: one", "id: two")
ROWS = [
    ("overlapping ids", 9, "Two contracts are called one.", "an id of its own", GOOD + SECOND.replace("two", "one")),
    ("end before start", 5, "is 2025-06-30", "a day on or after 2026-07-01", GOOD.replace("2027-06", "2025-06")),
    ("negative quantity", 7, "is -1", "Write a number above 0", GOOD.replace("instances: 1", "instances: -1")),
    ("unknown kind", 3, "lease is no known kind", "Write take_or_pay", GOOD.replace("reserved", "lease")),
    ("missing currency rate", 2, "is in EUR", "{source: EUR, target: USD", GOOD + "    currency: EUR\n"),
    ("two that claim the same hours", 9, "two and one (contracts.yml, line 2) promise", "Remove one", GOOD + SECOND),
    ("a day that does not exist", 5, "is 2027-06-31", "a day such as", GOOD.replace("06-30", "06-31")),
]


def plain(told: str) -> str:
    """Without what marks a literal text."""
    return told.replace("\\", "").replace("`", "")


@pytest.mark.parametrize(("line", "found", "fix", "book"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_file_line_and_fix(
    line: int, found: str, fix: str, book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "contracts.yml").write_text(book, encoding="utf-8")
    (tmp_path / "steelyard.yml").write_text(SETTINGS, encoding="utf-8")
    assert main(["contracts", "check", str(tmp_path)]) == 1
    checked = capsys.readouterr().out
    reply = render_comment(decide(("pilot.csv", PILOT), settings=SETTINGS, contracts=book))
    for told in (checked, reply):
        (shown,) = [text for text in plain(told).splitlines() if text.startswith("> - ") and found in text]
        assert fix in shown
        assert f"contracts.yml, line {line}" in shown


def test_the_good_book_is_sound_and_decided_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "contracts.yml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "steelyard.yml").write_text(SETTINGS, encoding="utf-8")
    assert main(["contracts", "check", str(tmp_path)]) == 0
    assert "Contracts read: 1." in capsys.readouterr().out
    assert decide(("pilot.csv", PILOT), settings=SETTINGS, contracts=GOOD).economics.months


def test_books_are_held_against_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("a/contracts.yml", GOOD), ("b/contracts.yml", "contracts:\n" + SECOND), ("c.yml", GOOD)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = [tmp_path / name for name in ("a/contracts.yml", "b/contracts.yml", "c.yml")]
    assert main(["contracts", "check", *map(str, paths)]) == 1
    told = plain(capsys.readouterr().out)
    assert f"two and one ({paths[0]}, line 2) promise the same hours" in told
    assert f"{paths[1]}, line 2" in told
    assert "Two contracts are called one." in told and "c.yml, line 2" in told


def test_settings_of_their_own_hold_for_every_book_and_no_mistake_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book, settings = tmp_path / "book.yml", tmp_path / "steelyard.yml"
    settings.write_text(SETTINGS, encoding="utf-8")
    book.write_text(GOOD + "    currency: EUR\n", encoding="utf-8")
    assert main(["contracts", "check", str(book)]) == 0
    assert main(["contracts", "check", str(book), str(settings)]) == 1
    assert "is in EUR" in plain(capsys.readouterr().out)
    book.write_text(GOOD + "".join(SECOND.replace("two", f"c{i}").replace("38", "x") for i in range(9)), "utf-8")
    assert main(["contracts", "check", str(book)]) == 1
    assert plain(capsys.readouterr().out).count("rate of a contract is x") == 9
