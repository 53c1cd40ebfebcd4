"""`steelyard plan`: the sheet that it writes, filled in, is decided as a paired pilot without a question."""

import csv
import json
import random
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cli import main
from tests.shared import ROOT

Ran = tuple[int, str, str]
FIGURES = {
    "started_at": lambda row, lot: f"2026-11-{int(row['block'][1:]):02d}T08:00:00Z",
    "duration_s": lambda row, lot: f"{(4000 if row['arm'] == 'trn2' else 3600) * (1 + lot.gauss(0, 0.01)):.1f}",
    "seed": lambda row, lot: row["run"],
    "region": lambda row, lot: "eu-west-1",
    "work_units": lambda row, lot: "12",
    "price_usd_per_hour": lambda row, lot: "35" if row["arm"] == "trn2" else "55",
    "price_eur_per_hour": lambda row, lot: "35" if row["arm"] == "trn2" else "55",
    "quality_metric": lambda row, lot: "wer",
    "quality_value": lambda row, lot: f"{7.4 + lot.gauss(0, 0.02):.3f}",
    "wer": lambda row, lot: f"{7.4 + lot.gauss(0, 0.02):.3f}",
    "accuracy": lambda row, lot: f"{0.9 + lot.gauss(0, 0.001):.4f}",
    "ttft_p99_s": lambda row, lot: f"{0.3 + lot.gauss(0, 0.002):.4f}",
    "tpot_mean_s": lambda row, lot: f"{0.02 + lot.gauss(0, 0.0002):.5f}",
    "tpot_p99_s": lambda row, lot: f"{0.028 + lot.gauss(0, 0.0002):.5f}",
    "status": lambda row, lot: "ok",
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """A command in an empty folder: exit status, standard output and error."""
    monkeypatch.chdir(tmp_path)

    def ran(*args: str) -> Ran:
        status = main(list(args))
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return ran


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fill_in(path: Path, most: int | None = None) -> None:
    """What somebody would write into the blank cells, of the first rows only where so many are named."""
    rows, lot = rows_of(path), random.Random(4)
    for row in rows[:most]:
        row |= {column: FIGURES[column](row, lot) for column, cell in row.items() if cell == ""}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


ROUND_TRIPS = {
    "nothing set": "",
    "a margin": "margins: {wer: 0.3}",
    "two margins, in euros": "margins: {wer: 0.3, accuracy: 0.01}\ncurrency: EUR",
    "latency limits": "latency_limits: {ttft_p99_ms: 400, tpot_mean_ms: 40}\nphase: serve",
    "a workload and a phase": "workload: asr\nphase: finetune\nmargins: {wer: 0.3}",
    "regions and a unit of work": "approved_regions: [eu-west-1]\ndemand: {units_per_month: 900, unit: audio_hour}",
}


@pytest.mark.parametrize("settings", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
@pytest.mark.parametrize("per_block", ["1", "2"])
def test_a_filled_sheet_is_read_as_a_paired_pilot_without_a_question(
    settings: str, per_block: str, run: Callable[..., Ran], tmp_path: Path
) -> None:
    (tmp_path / "steelyard.yml").write_text(settings, encoding="utf-8")
    planned = run("plan", "--arms", "gpu,trn2", "--runs", "6", "--per-block", per_block, "--sheet", "runs.csv")
    assert (planned[0], planned[2]) == (0, "")
    fill_in(tmp_path / "runs.csv")
    status, record, _ = run("compare", "runs.csv", "--config", "steelyard.yml", "--json")
    told = json.loads(record)
    assert [p for p in told["problems"] if p["severity"] in ("error", "question")] == []
    assert (status, told["cost"]["theta"]["paired"]) == (0, True)
    assert [told["cost"]["arms"][arm]["n"] for arm in ("gpu", "trn2")] == [6, 6]
    assert (told["incumbent"], told["candidate"]) == ("gpu", "trn2")
    assert told["cost"]["theta"]["nu"] == pytest.approx(6 / int(per_block) - 1)


@pytest.mark.parametrize("settings", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_a_sheet_that_is_filled_in_half_is_compared_as_far_as_it_goes(
    settings: str, run: Callable[..., Ran], tmp_path: Path
) -> None:
    (tmp_path / "steelyard.yml").write_text(settings, encoding="utf-8")
    run("plan", "--arms", "gpu,trn2", "--runs", "6", "--sheet", "runs.csv")
    fill_in(tmp_path / "runs.csv", most=8)
    told = json.loads(run("compare", "runs.csv", "--config", "steelyard.yml", "--json")[1])
    weighing = [p for p in told["problems"] if p["severity"] in ("error", "question", "warning")]
    assert [p["arguments"] for p in weighing if p["code"] == "run-not-filled-in"] == [{"count": 4, "total": 12}]
    assert [p for p in weighing if p["severity"] != "warning"] == []
    assert [told["cost"]["arms"][arm]["n"] for arm in ("gpu", "trn2")] == [4, 4]


ON_THE_WAY = {
    "settings and arms": (
        ("--arms", "gpu,trn2", "--set", "planned_runs_per_arm=8", "--set", "margin.wer=0.3", "--runs", "6"),
        "steelyard compare runs.csv --set baseline=gpu --set candidate=trn2 --set planned_runs_per_arm=8 "
        "--set margin.wer=0.3",
    ),
    "a name that the shell would break": (
        ("--set", "baseline=the old gpu", "--runs", "6"),
        "steelyard compare runs.csv --set 'baseline=the old gpu'",
    ),
    "files of this folder": (
        ("--prices", "list.csv", "--runs", "6"),
        "steelyard compare runs.csv --config steelyard.yml --prices list.csv",
    ),
    "a pilot so far": (
        ("pilot.csv", "--look", "3", "--runs", "6"),
        "steelyard compare pilot.csv runs.csv --look 3",
    ),
}


@pytest.mark.parametrize(("options", "command"), ON_THE_WAY.values(), ids=ON_THE_WAY)
def test_the_command_that_compares_the_sheet_keeps_what_the_plan_was_made_with(
    options: tuple[str, ...], command: str, run: Callable[..., Ran], tmp_path: Path
) -> None:
    if "--prices" in options:
        (tmp_path / "steelyard.yml").write_text("margins: {wer: 0.3}", encoding="utf-8")
        (tmp_path / "list.csv").write_text("instance_type,price_usd_per_hour\np5.48xlarge,55\n", encoding="utf-8")
    if "pilot.csv" in options:
        run("plan", "--arms", "gpu,trn2", "--runs", "3", "--sheet", "pilot.csv")
        fill_in(tmp_path / "pilot.csv")
    status, out, _ = run("plan", *options, "--sheet", "runs.csv")
    assert status == 0
    assert f"\n```sh\n{command}\n```\n" in out
    fill_in(tmp_path / "runs.csv")
    status, record, _ = run(*shlex.split(command)[1:], "--json")
    told = json.loads(record)
    asked = dict(pair.split("=") for pair in options if "=" in pair)
    assert status == 0
    assert told["settings"]["planned_runs_per_arm"] == int(asked.get("planned_runs_per_arm", 30))
    assert [arm["n"] for arm in told["cost"]["arms"].values()] == [6, 6]


def test_before_the_sheet_is_written_the_command_says_so_as_well(run: Callable[..., Ran]) -> None:
    out = run("plan", "--arms", "gpu,trn2", "--set", "planned_runs_per_arm=8")[1]
    command = "steelyard compare FILE --set baseline=gpu --set candidate=trn2 --set planned_runs_per_arm=8"
    assert out.endswith(f"```\n\nThen compare, under the settings of this plan:\n\n```sh\n{command}\n```\n")


def test_a_sheet_in_the_pilots_folder_is_named_once(run: Callable[..., Ran], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "samples" / "first-look", tmp_path / "pilot")
    out = run("plan", "pilot", "--runs", "6", "--sheet", "pilot/more.csv")[1]
    assert "```sh\nsteelyard compare pilot\n```" in out


KEPT = {
    "one measured run": lambda path: fill_in(path, most=1),
    "one measured cell": lambda path: path.write_text("arm,run,block,status\ngpu,1,b1,\ntrn2,1,b1,failed\n"),
    "saved with semicolons": lambda path: path.write_text(path.read_text().replace(",", ";")),
    "a cell beyond the header": lambda path: path.write_text("arm,run,block,status\ngpu,1,b1,,4000\n"),
    "another file": lambda path: path.write_text("notes of the pilot\n"),
    "a workbook": lambda path: path.write_bytes(b"PK\x03\x04\x00\xff"),
}


@pytest.mark.parametrize("changed", KEPT.values(), ids=KEPT)
def test_a_sheet_with_measured_runs_is_never_overwritten(
    changed: Callable[[Path], object], run: Callable[..., Ran], tmp_path: Path
) -> None:
    asked = ("plan", "--arms", "gpu,trn2", "--runs", "3", "--sheet", "runs.csv", "--out", "plan")
    run(*asked[:-2])
    changed(tmp_path / "runs.csv")
    before = (tmp_path / "runs.csv").read_bytes()
    status, out, err = run(*asked)
    assert (status, out) == (2, "")
    assert "runs.csv: holds what was measured" in err
    assert "Take another name: --sheet runs-2.csv" in err
    assert (tmp_path / "runs.csv").read_bytes() == before
    assert not (tmp_path / "plan").exists()


def test_the_sheet_of_a_folder_is_kept_as_well(run: Callable[..., Ran], tmp_path: Path) -> None:
    run("plan", "--arms", "gpu,trn2", "--runs", "3", "--out", "plan")
    fill_in(tmp_path / "plan" / "run-sheet.csv")
    before = {path: path.read_bytes() for path in (tmp_path / "plan").iterdir()}
    status, out, err = run("plan", "--arms", "gpu,trn2", "--runs", "5", "--out", "plan")
    assert (status, out) == (2, "")
    assert "Take another folder: --out plan-2" in err
    assert {path: path.read_bytes() for path in (tmp_path / "plan").iterdir()} == before


@pytest.mark.parametrize("there", ["sheet", "header", "empty"])
def test_a_sheet_without_measured_values_is_written_again(there: str, run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "steelyard.yml").write_text("workload: asr\nphase: finetune\n", encoding="utf-8")
    run("plan", "--arms", "gpu,trn2", "--runs", "3", "--sheet", "runs.csv")
    lines = (tmp_path / "runs.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = {"sheet": lines, "header": lines[:1], "empty": []}[there]
    (tmp_path / "runs.csv").write_text("".join(kept), encoding="utf-8")
    assert run("plan", "--arms", "gpu,trn2", "--runs", "5", "--sheet", "runs.csv")[0] == 0
    assert len(rows_of(tmp_path / "runs.csv")) == 10


def test_a_plan_without_runs_writes_no_sheet_and_says_so(run: Callable[..., Ran], tmp_path: Path) -> None:
    run("plan", "--arms", "gpu,trn2", "--runs", "4", "--sheet", "runs.csv")
    fill_in(tmp_path / "runs.csv")
    before = (tmp_path / "runs.csv").read_bytes()
    for sheet, out in (("more.csv", ()), ("runs.csv", ()), (None, ("--out", "plan"))):
        named = ("--sheet", sheet) if sheet else ()
        status, told, _ = run("plan", "runs.csv", "--runs", "4", *named, *out)
        assert status == 0
        file = sheet or "plan/run-sheet.csv"
        assert f"**No run sheet:** no runs are left to be made, so `{file}` was not written." in told
    assert (tmp_path / "runs.csv").read_bytes() == before
    assert not (tmp_path / "more.csv").exists()
    assert {p.name for p in (tmp_path / "plan").iterdir()} == {"plan.md", "plan.json"}


def test_the_same_seed_gives_the_same_sheet_anywhere(run: Callable[..., Ran], tmp_path: Path) -> None:
    """The order by SHA-256 is written out, so that a change of it is seen."""
    run("plan", "--arms", "gpu,trn2", "--runs", "6", "--seed", "7", "--sheet", "runs.csv")
    order = [(row["block"], row["arm"]) for row in rows_of(tmp_path / "runs.csv")]
    firsts = [arm for _, arm in order[::2]]
    assert firsts == ["trn2", "gpu", "trn2", "gpu", "gpu", "trn2"]
    assert [block for block, _ in order] == [f"b{i}" for i in range(1, 7) for _ in "ab"]


def test_a_folder_takes_plan_record_and_sheet(run: Callable[..., Ran], tmp_path: Path) -> None:
    status, out, err = run("plan", "--arms", "gpu,trn2", "--cv", "4%", "--cost-per-run", "400/900", "--out", "plan")
    assert (status, err) == (0, "")
    assert {p.name for p in (tmp_path / "plan").iterdir()} == {"plan.md", "plan.json", "run-sheet.csv"}
    assert (tmp_path / "plan" / "plan.md").read_text(encoding="utf-8") == out
    record = json.loads((tmp_path / "plan" / "plan.json").read_text(encoding="utf-8"))
    assert (record["schema"], record["cost_incumbent"], record["cost_candidate"]) == ("steelyard/plan/1", 400, 900)
    assert len(record["sheet"]) == 2 * record["runs"] == len(rows_of(tmp_path / "plan" / "run-sheet.csv"))


def test_a_pilot_is_planned_on_from_its_own_spread(run: Callable[..., Ran], tmp_path: Path) -> None:
    run("plan", "--arms", "gpu,trn2", "--runs", "3", "--sheet", "runs.csv")
    fill_in(tmp_path / "runs.csv")
    _, out, _ = run("plan", "runs.csv", "--runs", "8", "--json", "--sheet", "more.csv")
    plan = json.loads(out)
    assert (plan["spread"]["source"], plan["done"], plan["runs"]) == ("pilot", 3, 8)
    assert [row["run"] for row in rows_of(tmp_path / "more.csv")][::2] == ["4", "5", "6", "7", "8"]


@pytest.mark.parametrize("sample", ["llm-serving", "speech-finetune", "first-look"])
def test_the_sheet_of_a_pilot_goes_on_with_it(sample: str, run: Callable[..., Ran], tmp_path: Path) -> None:
    """In the same workload, phase and unit: with the pilot before it, it is one comparison of all runs."""
    shutil.copytree(ROOT / "samples" / sample, tmp_path / "pilot")
    before = json.loads(run("compare", "pilot", "--json")[1])
    arms = {arm: told["n"] for arm, told in before["cost"]["arms"].items()}
    runs = max(arms.values()) + 2
    run("plan", "pilot", "--runs", str(runs), "--sheet", "pilot/more.csv")
    fill_in(tmp_path / "pilot" / "more.csv")
    after = json.loads(run("compare", "pilot", "--json")[1])
    assert not after["others"]
    assert after["cost"]["unit"] == before["cost"]["unit"]
    assert {arm: told["n"] for arm, told in after["cost"]["arms"].items()} == dict.fromkeys(arms, runs)


def test_on_a_terminal_there_is_no_markdown(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    _, out, _ = run("plan", "--arms", "gpu,trn2", "--cost-per-run", "400", "--format", "terminal")
    body, _, _ = out.partition("arm,run,block")
    assert not set("`*|#") & set(body)
    assert max(len(line) for line in body.splitlines()) <= 72
    assert "Plan: " in body
    assert "--sheet FILE writes it" in body


REFUSED = [
    (("--runs", "1"), "--runs: '1' is not a whole number from 2 to 1000"),
    (("--cv", "x", "--per-block", "0"), "--per-block: '0' is not a whole number from 1 to 100"),
    (("--cost-per-run", "1/2/3"), "400/900 for incumbent and candidate"),
    (("--arms", "gpu"), "--arms: 'gpu' is not two names, such as gpu,trn2"),
    (("--arms", "gpu,gpu"), "is not two names"),
    (("nowhere.csv",), "no such file or folder: nowhere.csv"),
    (("--sheet", "no/where.csv"), "No such file or directory: no/where.csv"),
]


@pytest.mark.parametrize(("arguments", "told"), REFUSED)
def test_what_cannot_be_followed_is_status_2_and_a_line(
    arguments: tuple[str, ...], told: str, run: Callable[..., Ran]
) -> None:
    status, out, err = run("plan", *arguments)
    assert (status, out) == (2, "")
    assert told in err


@pytest.mark.parametrize("setting", ["margin.wer=-1", "horizon=soon", "nothing=1"])
def test_a_wrong_setting_plans_nothing(setting: str, run: Callable[..., Ran], tmp_path: Path) -> None:
    status, out, _ = run("plan", "--set", setting, "--sheet", "runs.csv")
    assert status == 2
    assert "nothing was planned" in out
    assert not (tmp_path / "runs.csv").exists()


def test_a_broken_settings_file_plans_nothing(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "steelyard.yml").write_text("horizn: 3", encoding="utf-8")
    status, out, _ = run("plan")
    assert status == 2
    assert "horizon" in out


def test_more_runs_than_are_planned_at_most_are_told(run: Callable[..., Ran]) -> None:
    _, beyond, _ = run("plan", "--arms", "gpu,trn2", "--runs", "40")
    assert "**40 runs an arm are more than the 30** of `planned_runs_per_arm`" in beyond
    assert "`--set planned_runs_per_arm=40`" in beyond
    assert "are more than the" not in run("plan", "--arms", "gpu,trn2", "--runs", "30")[1]


def test_one_of_a_thing_is_told_in_the_singular(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "steelyard.yml").write_text("demand: 500\nhorizon_months: 1\nprices: {gpu: 50, trn2: 30}", "utf-8")
    asked = ("--arms", "gpu,trn2", "--runs", "2", "--per-block", "2", "--cost-per-run", "400")
    out = run("plan", *asked, "--config", "steelyard.yml")[1]
    assert "1 block (a day or an instance) of 2 runs of each arm" in out
    assert "over 1 month." in out
    assert not re.search(r"\b1 (runs|blocks|months)\b", out)
