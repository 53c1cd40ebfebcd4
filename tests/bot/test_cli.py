"""The command line as a person or a script meets it, in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cli import main
from tests.shared import ROOT

GOOD = (
    "arm,run,duration_s,price_usd_per_hour,wer\n"
    "gpu,1,3600,55,7.4\ngpu,2,3590,55,7.5\ngpu,3,3610,55,7.4\n"
    "trn2,1,4010,35,7.4\ntrn2,2,3995,35,7.5\ntrn2,3,4020,35,7.5\n"
)
Ran = tuple[int, str, str]
HEAVY = ("scipy", "numpy", "openpyxl", "pydantic", "github", "flask", "dbos", "yaml", "markdown_it", "python_calamine")


def steelyard(*args: str | Path, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bot.cli", *map(str, args)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    return subprocess.run(command, cwd=cwd or ROOT, env=environment, capture_output=True, text=True, timeout=120)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """A command in this process: exit status, standard output and error."""

    def ran(*args: str | Path) -> Ran:
        status = main([str(a) for a in args])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return ran


def test_help_imports_nothing_of_weight() -> None:
    script = (
        "import sys; from bot.cli import build_parser; build_parser().format_help();"
        f"print([m for m in {HEAVY} if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize("command", [(), ("compare",), ("plan",), ("bench",), ("schema",)])
def test_help_tells_what_a_command_does(command: tuple[str, ...]) -> None:
    shown = steelyard(*command, "--help")
    assert shown.returncode == 0
    assert "usage: steelyard" in shown.stdout


def test_the_language_is_an_option(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "pilot.csv").write_text(GOOD, encoding="utf-8")
    status, out, _ = run("compare", tmp_path / "pilot.csv", "--language", "es", "--format", "terminal")
    assert status == 0 and out.startswith("AMPLIAR (EXTEND)") and "Aquí se omite:" in out
    status, out, _ = run("plan", tmp_path / "pilot.csv", "--language", "es")
    assert status == 0 and out.startswith("### Plan: ") and "--language es" in out.replace("\\\n", "")
    status, out, _ = run("compare", tmp_path / "pilot.csv", "--language", "klingon")
    assert status == 2 and "`klingon` is no value for `language`" in out


def test_version() -> None:
    assert steelyard("--version").stdout.startswith("steelyard 0.")


def test_a_decision_of_any_kind_is_status_0(tmp_path: Path) -> None:
    (tmp_path / "pilot.csv").write_text(GOOD, encoding="utf-8")
    done = steelyard("compare", tmp_path / "pilot.csv", "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("### EXTEND") or done.stdout.startswith("### SWITCH")
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"comment.md", "memo.xlsx", "decision.json"}
    assert (tmp_path / "out" / "comment.md").read_text(encoding="utf-8") == done.stdout
    assert (tmp_path / "out" / "memo.xlsx").read_bytes()[:2] == b"PK"


def test_a_team_of_the_eu_gets_its_draft_beside_the_memo(tmp_path: Path, run: Callable[..., Ran]) -> None:
    rows = GOOD.replace("\n", ",eu-west-1\n").replace(",eu-west-1", ",region", 1)
    (tmp_path / "pilot.csv").write_text(rows, encoding="utf-8")
    (tmp_path / "steelyard.yml").write_text("approved_regions: [eu-west-1]\n", encoding="utf-8")
    _, printed, _ = run("compare", tmp_path, "--out", tmp_path / "out")
    assert printed.endswith(" · draft record of processing: `records.md`\n")
    assert "`eu-west-1` | IE | yes |" in (tmp_path / "out" / "records.md").read_text(encoding="utf-8")


def test_no_file_is_named_that_was_not_written(tmp_path: Path, run: Callable[..., Ran]) -> None:
    (tmp_path / "pilot.csv").write_text(GOOD, encoding="utf-8")
    _, printed, _ = run("compare", tmp_path / "pilot.csv")
    _, written, _ = run("compare", tmp_path / "pilot.csv", "--out", tmp_path / "out")
    assert "memo.xlsx" not in printed
    assert written == f"{printed.rstrip()}\n\nMemo: `memo.xlsx` · decision record: `decision.json`\n"


def test_a_terminal_gets_text_and_a_pipe_markdown(
    tmp_path: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    (tmp_path / "pilot.csv").write_text(GOOD, encoding="utf-8")
    asked = ("compare", tmp_path / "pilot.csv")
    _, piped, _ = run(*asked)
    _, markdown, _ = run(*asked, "--format", "markdown")
    _, laid_out, _ = run(*asked, "--format", "terminal")
    assert piped == markdown
    assert piped.startswith("### ")
    assert not set("`*|#<") & set(laid_out.replace("| ", ""))
    assert max(map(len, laid_out.splitlines())) <= 70


def test_a_terminal_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "pilot.csv").write_text(GOOD, encoding="utf-8")
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "bot.cli", "compare", str(tmp_path / "pilot.csv")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"}
    subprocess.run(command, cwd=ROOT, env=environment, stdout=theirs, check=True, timeout=120)
    os.close(theirs)
    with os.fdopen(ours, "rb") as screen:
        assert screen.read(40).split()[0] in (b"SWITCH:", b"EXTEND:")


def test_json_is_the_record_alone(tmp_path: Path, run: Callable[..., Ran]) -> None:
    (tmp_path / "pilot.csv").write_text(GOOD, encoding="utf-8")
    _, out, _ = run("compare", tmp_path / "pilot.csv", "--json", "--set", "margin.wer=0.3")
    assert json.loads(out)["settings"]["margins"]["wer"]["absolute"] == 0.3


UNDECIDED: dict[str, bytes] = {
    "empty.csv": b"",
    "header.csv": b"arm,run,duration_s\n",
    "noise.bin": bytes(range(256)) * 64,
    "fake.csv": b"PK\x03\x04" + bytes(200),
    "quote.csv": b'arm,run,duration_s\ngpu,1,"3600\n',
    "one.csv": b"arm,run,duration_s\ngpu,1,3600\ngpu,2,3601\n",
    "wide.csv": ",".join(f"c{i}" for i in range(10_000)).encode() + b"\n" + b",".join([b"1"] * 10_000) + b"\n",
    "zeros.csv": bytes(100_000),
    "deep.json": b"[" * 100_000,
    "huge.json": b'{"runs": [' + b"1," * 10 + b"1]}",
    "bad.yaml": b"a: &x [1]\nb: *x\n",
}


@pytest.mark.parametrize("name", UNDECIDED)
def test_input_that_gives_no_decision_is_status_2_and_a_sentence(
    name: str, tmp_path: Path, run: Callable[..., Ran]
) -> None:
    (tmp_path / name).write_bytes(UNDECIDED[name])
    status, out, err = run("compare", tmp_path / name, "--out", tmp_path / "out")
    assert (status, err) == (2, "")
    assert out.startswith("### No verdict: ")
    record = json.loads((tmp_path / "out" / "decision.json").read_text(encoding="utf-8"))
    assert record["problems"]
    assert record["inputs"][0]["sha256"]


def test_a_large_file_is_refused(tmp_path: Path, run: Callable[..., Ran]) -> None:
    row = b"gpu,1,3600,55,7.4\n"
    (tmp_path / "large.csv").write_bytes(GOOD.encode() + row * (100 * 2**20 // len(row)))
    status, out, err = run("compare", tmp_path / "large.csv", "--json")
    assert (status, err) == (2, "")
    assert {p["code"] for p in json.loads(out)["problems"]} & {"file-too-large", "too-many-rows"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "nowhere.csv"), "no such file or folder: nowhere.csv"),
        (("compare", ".", "--config", "nowhere.yml"), "no such file: nowhere.yml"),
    ],
)
def test_a_missing_file_is_named(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = steelyard(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "setting", ["x", "nothing=1", "horizon=soon", "margin.wer=-1", "price.trn2=free", "=", "a.b.c=1"]
)
def test_a_wrong_setting_is_a_problem(setting: str, tmp_path: Path, run: Callable[..., Ran]) -> None:
    (tmp_path / "pilot.csv").write_text(GOOD, encoding="utf-8")
    status, out, err = run("compare", tmp_path / "pilot.csv", "--set", setting, "--json")
    assert (status, err) == (2, "")
    assert json.loads(out)["verdict"]["word"] is None


def test_a_folder_takes_its_conventional_names(tmp_path: Path, run: Callable[..., Ran]) -> None:
    (tmp_path / "pilot.csv").write_text(GOOD, encoding="utf-8")
    (tmp_path / "steelyard.yml").write_text("horizon: 6m\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("# nothing to read\n", encoding="utf-8")
    record = json.loads(run("compare", tmp_path, "--json")[1])
    assert record["settings"]["horizon_months"] == 6
    assert [i["file"] for i in record["inputs"]] == ["pilot.csv"]


def test_folders_side_by_side_name_their_arms(tmp_path: Path, run: Callable[..., Ran]) -> None:
    head, *rows = GOOD.split()
    for arm in ("gpu", "trn2"):
        (tmp_path / arm).mkdir()
        for row in rows:
            name, number, rest = row.split(",", 2)
            if name == arm:
                text = f"{head.removeprefix('arm,')}\n{number},{rest}\n"
                (tmp_path / arm / f"rep{number}.csv").write_text(text, encoding="utf-8")
    for given in ((tmp_path,), (tmp_path / "gpu", tmp_path / "trn2")):
        record = json.loads(run("compare", *given, "--json")[1])
        assert (record["incumbent"], record["candidate"]) == ("gpu", "trn2"), given


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "pilot.csv").write_text(GOOD, encoding="utf-8")
    command = f'"{sys.executable}" -m bot.cli compare pilot.csv | head -c 5'
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stderr


def test_names_of_any_letters_are_read(tmp_path: Path, run: Callable[..., Ran]) -> None:
    (tmp_path / "Piloto año (1) \u202e.csv").write_text(GOOD, encoding="utf-8")
    status, out, _ = run("compare", tmp_path)
    assert status == 0
    assert "\u202e" not in out


def test_earlier_looks_are_counted_and_shown(run: Callable[..., Ran]) -> None:
    def reply(*looks: str) -> str:
        return run("compare", ROOT / "samples" / "speech-finetune", *looks, "--format", "markdown")[1]

    assert "earlier looks at" not in reply()
    assert "earlier looks at 3, 4 runs an arm" in reply("--look", "3", "--look", "4")


@pytest.mark.parametrize("runs", ["0", "3.5", "-1", "many", "999999999"])
def test_a_look_is_a_number_of_runs(runs: str, run: Callable[..., Ran]) -> None:
    with pytest.raises(SystemExit):
        run("compare", ROOT / "samples" / "speech-finetune", f"--look={runs}")
