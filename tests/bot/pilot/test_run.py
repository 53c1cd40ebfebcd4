"""`steelyard pilot run`: every run once, whatever is killed in between; what failed is kept; then `compare` decides."""

import csv
import html
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cli import main
from bot.pilot.journal import only_one
from tests.shared import ROOT

TRAIN = str(Path(__file__).with_name("train.py"))
SHEET = """arm,run,block,seed,started_at,duration_s,price_usd_per_hour,quality_metric,quality_value,status
gpu,1,b1,,,,,,,
trn2,1,b1,,,,,,,
trn2,2,b2,,,,,,,
gpu,2,b2,,,,,,,
"""
ARMS = ("--arm", "gpu:device=cuda:0", "--arm", "trn2:device=neuron")
COMMAND = (sys.executable, TRAIN, "--device", "{device}", "--seed", "{seed}", "--out", "{out}", "--count", "starts")
RUNS = ["gpu 1", "trn2 1", "trn2 2", "gpu 2"]
Ran = tuple[int, str, str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with a run sheet, as the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs.csv").write_text(SHEET, encoding="utf-8")
    return tmp_path


@pytest.fixture
def ran(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """The kit with options before the command and arguments after it: exit status, standard output and error."""

    def run(*options: str, more: tuple[str, ...] = (), command: tuple[str, ...] = COMMAND) -> Ran:
        status = main(["pilot", "run", "--sheet", "runs.csv", "--out", "out", *ARMS, *options, "--", *command, *more])
        shown = capsys.readouterr()
        return status, shown.out, shown.err

    return run


def rows() -> list[dict[str, str]]:
    with Path("out/pilot.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def starts() -> list[str]:
    return Path("starts").read_text(encoding="utf-8").splitlines()


def entries(event: str) -> list[dict[str, object]]:
    lines = Path("out/journal.jsonl").read_text(encoding="utf-8").splitlines()
    return [entry for line in lines if (entry := json.loads(line))["event"] == event]


def test_every_run_once_in_the_order_of_the_sheet(ran: Callable[..., Ran]) -> None:
    status, out, err = ran("--set", "price.gpu=55", "--set", "price.trn2=35", "--versions", f"{sys.executable} -V")
    assert (status, starts()) == (0, RUNS)
    assert [(r["arm"], r["run"], r["seed"], r["status"]) for r in rows()] == [
        ("gpu", "1", "1", "ok"), ("trn2", "1", "1", "ok"), ("trn2", "2", "2", "ok"), ("gpu", "2", "2", "ok"),
    ]  # fmt: skip
    for row in rows():
        assert row["price_usd_per_hour"] == {"gpu": "55", "trn2": "35"}[row["arm"]]
        assert (row["work_units"], row["unit"]) == ("200", "step")
        assert 0 < float(row["eval_loss"]) < 0.1
        assert float(row["duration_s"]) > 0
        assert float(row["initialisation_s"]) > 0
        assert row["started_at"].endswith("+00:00")
    ordered = ("--set baseline=gpu", "--set candidate=trn2")
    assert out == f"steelyard compare out/pilot.csv --set price.gpu=55 --set price.trn2=35 {' '.join(ordered)}\n"
    assert "Run 4 of 4" in err
    comment = Path("out/comment.md").read_text(encoding="utf-8")
    assert "Python 3." in comment
    assert Path("out/pilot.csv").read_text(encoding="utf-8") in comment
    assert comment.endswith("/compare price.gpu=55 price.trn2=35 baseline=gpu candidate=trn2\n")
    again, _, said = ran("--set", "price.gpu=55", "--set", "price.trn2=35")
    assert (again, starts()) == (0, RUNS)
    assert "4 of 4 runs are made already" in said


def test_the_table_is_decided_on(ran: Callable[..., Ran], capsys: pytest.CaptureFixture[str]) -> None:
    three = SHEET + "gpu,3,b3,,,,,,,\ntrn2,3,b3,,,,,,,\n"
    Path("runs.csv").write_text(three, encoding="utf-8")
    ran("--arm", "gpu:s=0.2", "--arm", "trn2:s=0.02", more=("--seconds", "{s}"))
    prices = [word for pair in ("price.gpu=55", "price.trn2=35", "demand=1000000") for word in ("--set", pair)]
    assert main(["compare", "out/pilot.csv", *prices, "--json"]) == 0
    decision = json.loads(capsys.readouterr().out)
    assert decision["verdict"]["word"] is not None
    assert decision["cost"]["theta"]["point"] < 0.6
    assert decision["cost"]["unit"] == "step"


def begun(*more: str) -> "subprocess.Popen[bytes]":
    """The kit in a process of its own, each run taking long enough to be killed within."""
    line = [sys.executable, "-m", "bot.cli", "pilot", "run", "--sheet", "runs.csv", "--out", "out", *ARMS, "--"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([*line, *COMMAND, *more], env=env, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def until(true: Callable[[], bool]) -> None:
    for _ in range(1000):
        if true():
            return
        time.sleep(0.01)
    pytest.fail("it did not happen within 10 s")


SLOW = ("--seconds", "0.4")


def in_second_run() -> bool:
    return Path("starts").is_file() and len(starts()) == 2


def test_a_kill_of_the_kit_loses_nothing_and_nothing_is_made_again(ran: Callable[..., Ran]) -> None:
    kit = begun(*SLOW)
    until(in_second_run)
    kit.kill()
    kit.wait()
    status, _, err = ran(more=SLOW)
    assert (status, starts()) == (0, RUNS)
    assert "was begun before" in err
    assert [entry["attempt"] for entry in entries("ended")] == [1, 1, 1, 1]
    assert entries("lost") == []


def test_a_kill_of_everything_makes_only_the_run_again_that_it_hit(ran: Callable[..., Ran]) -> None:
    kit = begun(*SLOW)
    until(lambda: in_second_run() and Path("out/attempts/002-trn2-1.1.pid").is_file())
    kit.kill()
    kit.wait()
    supervisor = int(Path("out/attempts/002-trn2-1.1.pid").read_text(encoding="ascii"))
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children")
    if not children.is_file():
        pytest.skip("this system does not tell the children of a process")
    for pid in (supervisor, *map(int, children.read_text(encoding="ascii").split())):
        os.kill(pid, signal.SIGKILL)
    status, _, err = ran(more=SLOW)
    assert (status, starts()) == (0, ["gpu 1", "trn2 1", *RUNS[1:]])
    assert "Attempts that were ended from outside and made again: 1" in err
    assert [(entry["key"], entry["attempt"]) for entry in entries("lost")] == [("002-trn2-1", 1)]
    assert len(rows()) == 4


def test_ctrl_c_lets_the_run_end_and_the_same_line_goes_on(ran: Callable[..., Ran]) -> None:
    kit = begun(*SLOW)
    until(in_second_run)
    kit.send_signal(signal.SIGINT)
    assert kit.wait(20) == 130
    assert starts() == RUNS[:2]
    assert len(rows()) == 2
    assert ran(more=SLOW)[0] == 0
    assert starts() == RUNS


def test_a_second_ctrl_c_ends_the_run_which_is_then_made_again(ran: Callable[..., Ran]) -> None:
    kit = begun(*SLOW)
    until(lambda: in_second_run() and Path("out/attempts/002-trn2-1.1.warm").is_file())
    kit.send_signal(signal.SIGINT)
    time.sleep(0.05)
    kit.send_signal(signal.SIGTERM)
    assert kit.wait(20) == 130
    assert [entry["key"] for entry in entries("lost")] == ["002-trn2-1"]
    assert ran(more=SLOW)[0] == 0
    assert starts() == ["gpu 1", "trn2 1", *RUNS[1:]]
    assert [row["status"] for row in rows()] == ["ok"] * 4


def test_a_failed_run_is_kept_with_its_time_and_not_made_again(ran: Callable[..., Ran]) -> None:
    failing = ("--fail-at", "trn2-1")
    status, _, err = ran(more=failing)
    assert (status, starts()) == (1, RUNS[:2])
    assert "failed (exit code 1)" in err
    assert "002-trn2-1.1.stderr" in err
    assert "out of memory" in Path("out/attempts/002-trn2-1.1.stderr").read_text(encoding="utf-8")
    assert ran(more=failing)[0] == 0
    assert starts() == RUNS
    failed = rows()[1]
    assert (failed["status"], failed["work_units"], failed["eval_loss"]) == ("failed", "", "")
    assert float(failed["duration_s"]) > 0


def test_keep_going(ran: Callable[..., Ran]) -> None:
    assert ran("--keep-going", more=("--fail-at", "gpu-1"))[0] == 0
    assert starts() == RUNS
    assert [row["status"] for row in rows()] == ["failed", "ok", "ok", "ok"]


def test_a_missing_result_is_a_failed_run_where_one_has_to_be_left(ran: Callable[..., Ran]) -> None:
    status, _, err = ran("--result", "{out}/result.json", more=("--silent",))
    assert status == 1
    assert "the file that --result names is missing" in err
    assert rows()[0]["status"] == "failed"


def test_a_run_of_which_nothing_can_be_read_has_its_time_alone(ran: Callable[..., Ran]) -> None:
    status, _, err = ran(more=("--silent",))
    assert status == 0
    assert "nothing that a reader knows" in err
    assert [(row["status"], "eval_loss" in row) for row in rows()] == [("ok", False)] * 4


SERVED = """
import json, pathlib, sys
told = {"duration": 60.0, "completed": 90, "failed": 10, "total_output_tokens": 9000, "total_input_tokens": 10,
        "request_throughput": 2.0, "output_throughput": 150.0, "total_token_throughput": 151.0, "mean_ttft_ms": 50.0,
        "mean_tpot_ms": 9.0, "mean_itl_ms": 9.0, "backend": "vllm", "request_rate": "inf", "num_prompts": 100}
pathlib.Path(sys.argv[1], "vllm.json").write_text(json.dumps(told))
"""


def test_requests_that_were_lost_and_the_load_are_not_lost_with_them(
    ran: Callable[..., Ran], capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = ran(command=(sys.executable, "-c", SERVED, "{out}"))
    assert (status, "a longer time than the command took" in err) == (0, True)
    first = rows()[0]
    assert (first["phase"], first["requests_attempted"], first["requests_completed"]) == ("serve", "100", "90")
    assert (first["request_rate"], "num_prompts" in first) == ("inf", False)
    assert main(["compare", "out/pilot.csv", "--set", "price.gpu=55", "--set", "price.trn2=35"]) == 0
    assert "20 of 200" in capsys.readouterr().out


def test_a_rate_without_a_time_is_kept_as_a_rate(ran: Callable[..., Ran]) -> None:
    script = "print('tokens_per_s,wer')\nprint('150.5,7.5')"
    assert ran(command=(sys.executable, "-c", script))[0] == 0
    assert {(row["tokens_per_s"], row["wer"]) for row in rows()} == {("150.5", "7.5")}


def test_a_command_that_does_not_exist(ran: Callable[..., Ran]) -> None:
    status, _, err = ran(command=("./no-such-program",))
    assert status == 1
    assert "could not be started" in err


def test_prices_come_from_the_settings_and_the_sheet_wins(ran: Callable[..., Ran]) -> None:
    sheet = SHEET.replace("gpu,1,b1,,,,,,,", "gpu,1,b1,,,,60,,,")
    Path("runs.csv").write_text(sheet, encoding="utf-8")
    settings = "price:\n  gpu: 55\n  trn2: 35.5\n"
    Path("steelyard.yml").write_text(settings, encoding="utf-8")
    status, out, _ = ran("--config", "steelyard.yml")
    assert status == 0
    assert [row["price_usd_per_hour"] for row in rows()] == ["60", "35.5", "35.5", "55"]
    assert out == "steelyard compare out/pilot.csv --config steelyard.yml --set baseline=gpu --set candidate=trn2\n"
    asked = "/compare baseline=gpu candidate=trn2 prices.gpu.per_hour=55 prices.trn2.per_hour=35.5\n"
    assert Path("out/comment.md").read_text(encoding="utf-8").endswith(asked)


def test_the_device_is_a_value_in_the_command_and_in_the_environment(ran: Callable[..., Ran]) -> None:
    script = "import os, sys; print(sys.argv[1:], os.environ['VISIBLE'], os.environ['STEELYARD_DEVICE'], '{')"
    status, _, _ = ran("--env", "VISIBLE=<{device}>", command=(sys.executable, "-c", script, "{device}", "{1}"))
    assert status == 0
    told = [path.read_text(encoding="utf-8") for path in sorted(Path("out/attempts").glob("*.stdout"))]
    assert told[0] == "['cuda:0', '{1}'] <cuda:0> cuda:0 {\n"
    assert told[1] == "['neuron', '{1}'] <neuron> neuron {\n"


@pytest.mark.parametrize(
    ("said", "options", "command"),
    [
        ("`{rank}` has no value", (), ("train", "{rank}")),
        ("`{s}` has no value for the arm `trn2`", ("--arm", "gpu:s=1"), ("train", "{s}")),
        ("There is no command", (), ()),
        ("No run of the sheet is of the arm `tpu`", ("--arm", "tpu:device=x"), ("train",)),
        ("gives no values of an arm", ("--arm", "gpu"), ("train",)),
        ("gives no values of an arm", ("--arm", "gpu:out=x"), ("train",)),
        ("is no variable", ("--env", "A"), ("train",)),
        ("There is no setting", ("--set", "pric.gpu=3"), ("train",)),
    ],
)
def test_what_cannot_be_followed_makes_nothing(
    said: str, options: tuple[str, ...], command: tuple[str, ...], ran: Callable[..., Ran]
) -> None:
    status, out, _ = ran(*options, command=command)
    assert status == 2
    assert said in html.unescape(re.sub("</?code>", "`", out))
    assert not Path("out").exists()


def test_a_sheet_that_is_none(ran: Callable[..., Ran]) -> None:
    Path("runs.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    status, out, _ = ran()
    assert (status, "is no run sheet" in out) == (2, True)


def test_another_command_does_not_go_on_with_a_journal(ran: Callable[..., Ran]) -> None:
    assert ran()[0] == 0
    status, _, err = ran(more=("--steps", "10"))
    assert (status, len(starts())) == (2, 4)
    assert "another command" in err


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("Two columns of the sheet are called `arm`", "arm,run,arm\ngpu,1,trn2\n"),
        ("more cells than its `2` columns", "arm,run\ngpu,1,3,4\n"),
        ("zero byte", "arm,run\ng\0pu,1\n"),
        ("A run stands twice in the sheet (`gpu, 1`), first on line 2", "arm,run\ngpu,1\ntrn2,1\ngpu,1\n"),
    ],
)
def test_a_sheet_whose_lines_cannot_be_told_apart(code: str, text: str, folder: Path, ran: Callable[..., Ran]) -> None:
    (folder / "runs.csv").write_text(text, encoding="utf-8")
    status, out, _ = ran()
    assert status == 2
    assert code in html.unescape(re.sub("</?code>", "`", out))
    assert not Path("out").exists()


def test_what_a_run_leaves_running_is_ended_and_its_secrets_are_not_kept(tmp_path: Path) -> None:
    task = {
        "command": ["sh", "-c", "sleep 60 & test $KEY = hunter2"],
        "env": {"KEY": "hunter2"},
        "python_path": None,
        **{name: str(tmp_path / name) for name in ("stdout", "stderr", "warm", "record")},
    }
    (tmp_path / "task").write_text(json.dumps(task), encoding="utf-8")
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-m", "bot.pilot.supervise", str(tmp_path / "task")], cwd=ROOT, check=False)
    record = json.loads((tmp_path / "record").read_text(encoding="utf-8"))
    assert (done.returncode, record["exit_code"], record["left_behind"]) == (0, 0, 1)
    assert record["wall_s"] < time.monotonic() - began < 30
    assert not [path for path in tmp_path.iterdir() if "hunter2" in path.read_text(encoding="utf-8")]


def test_a_folder_that_goes_away_is_told_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "task").write_text(
        json.dumps({
            "command": ["true"], "env": {}, "python_path": None, "warm": "w", "record": str(tmp_path / "gone/record"),
            "stdout": str(tmp_path / "o"), "stderr": str(tmp_path / "e"),
        }),
        encoding="utf-8",
    )  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "bot.pilot.supervise", str(tmp_path / "task")],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr.splitlines()[0][:25]) == (1, "No such file or directory")


def test_two_at_once_do_not_make_the_same_runs(ran: Callable[..., Ran]) -> None:
    Path("out").mkdir()
    with only_one(Path("out")):
        status, _, err = ran()
    assert (status, "another process" in err) == (2, True)
    assert not Path("starts").exists()


def test_in_spanish(ran: Callable[..., Ran]) -> None:
    status, _, err = ran("--language", "es")
    assert status == 0
    assert "Ejecución 1 de 4" in err
    assert "Hechas en " in Path("out/comment.md").read_text(encoding="utf-8")
