"""The command: what it prints and writes, by the seed alone, and what its exit status says."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bot.calibrate import command
from bot.calibrate.judgement import Bar
from bot.calibrate.measures import share
from bot.calibrate.row import Array, Cell, Measure, Row
from bot.cli import main
from bot.render.messages import catalogue
from tests.shared import ROOT

Run = Callable[..., tuple[int, str, str]]
ROWS = ("--only", "confounded", "--only", "quality-runs")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*args: str | Path) -> tuple[int, str, str]:
        status = main(["calibrate", "--replicates", "300", *map(str, args)])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return ran


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_the_table_is_the_same_on_any_number_of_processes(run: Run, tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        status, out, err = run(*ROWS, "--jobs", jobs, "--csv", tmp_path / f"{jobs}.csv")
        assert (status, err) == (0, "")
        assert out.splitlines()[1].startswith("confounded")
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()
    rows = table(tmp_path / "1.csv")
    assert {row["row"] for row in rows} == {"confounded", "quality-runs"}
    assert {row["replicates"] for row in rows} == {"300"}
    refused = [row for row in rows if row["measure"] == "refused"]
    assert [(row["value"], row["bar_low"], row["bar_high"], row["result"]) for row in refused] == [
        ("1.0", "1.0", "", "met")
    ] * 4


def test_another_seed_draws_others_and_other_rows_change_nothing(run: Run, tmp_path: Path) -> None:
    run(*ROWS, "--jobs", "1", "--csv", tmp_path / "both.csv")
    run("--only", "quality-runs", "--jobs", "1", "--csv", tmp_path / "one.csv")
    run("--only", "quality-runs", "--jobs", "1", "--csv", tmp_path / "other.csv", "--seed", "8")
    both = [row for row in table(tmp_path / "both.csv") if row["row"] == "quality-runs"]
    assert both == table(tmp_path / "one.csv")
    assert both != table(tmp_path / "other.csv")


def test_the_document_is_written_whole(run: Run, tmp_path: Path) -> None:
    run(*ROWS, "--markdown", tmp_path / "calibration.md", "--seed", "8")
    text = (tmp_path / "calibration.md").read_text(encoding="utf-8")
    assert text.startswith("# Calibration\n")
    assert "with seed 8, 300 replicates a cell" in text
    assert f"numpy {np.__version__}" in text
    assert "| `confounded` Each arm on a day of its own: refused | 4 × 300 | 1.000 |" in text


def test_an_unknown_row_is_named_with_those_that_there_are(run: Run) -> None:
    status, _, err = run("--only", "unparied")
    assert status == 2
    assert "no row unparied; there are unpaired, unequal, paired" in err


def never(rng: np.random.Generator, size: int) -> Array:
    return np.zeros((size, 1))


@pytest.mark.parametrize(
    ("status", "bar", "known"),
    [(1, Bar(low=0.93), {}), (0, Bar(low=0.93), {"coverage": "two-days"}), (0, Bar(low=0.01), {}), (0, None, {})],
)
def test_the_status_is_1_for_a_row_that_falls_short_and_nobody_says_why(
    status: int, bar: Bar | None, known: dict[str, str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Row("paired", (Cell("never", never, known=known),), (Measure("coverage", share(0), bar),))
    monkeypatch.setattr(command, "ROWS", (row,))
    assert run("--jobs", "1")[0] == status


def test_a_terminal_sees_the_progress_on_standard_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    _, out, err = run("--only", "confounded", "--jobs", "1")
    assert "[###" in err and "100% confounded" in err
    assert "###" not in out


def test_the_document_in_the_repository_is_of_all_rows_and_ten_thousand_replicates() -> None:
    text = (ROOT / "docs" / "calibration.md").read_text(encoding="utf-8")
    assert "10,000 replicates a cell" in text
    assert [row.key for row in command.ROWS if catalogue("en", "calibrate")(f"rows.{row.key}") not in text] == []


def test_help_names_every_row_that_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    from bot.calibrate.options import ROWS as NAMED
    from bot.calibrate.rows.registry import ROWS as ALL

    with pytest.raises(SystemExit):
        main(["calibrate", "--help"])
    shown = capsys.readouterr().out
    assert list(NAMED) == [row.key for row in ALL]
    assert all(f"  {name} " in shown for name in NAMED)
