"""Whatever a command does, there is an answer in time, nothing of ours is told, and nothing is left behind."""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from bot.dossier import Answer, Dossier, Outcome, Spooled
from bot.grammar import Command
from bot.render.messages import catalogue
from bot.sandbox import Limits, Sandbox
from tests.shared import ROOT

HOSTILE = "tests.bot.sandbox.hostile:REGISTRY"
SMALL = Limits(seconds=30, memory_mb=300, output_mb=2, file_mb=4)
SHORT = Limits(seconds=0.5, memory_mb=300, output_mb=2, file_mb=4)


def dossier(name: str, *arguments: str) -> Dossier:
    """A question to a command."""
    return Dossier(command=Command(name, arguments, 1), repository="o/r", issue=1, today=date(2026, 11, 30))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One for all tests, so that a command that harms the waiting process fails the next test."""
    os.environ["STEELYARD_TOKEN"] = "ghp_geheim"  # noqa: S105 - what must not be found
    box = Sandbox(HOSTILE)
    box.warm()
    yield box
    box.close()
    del os.environ["STEELYARD_TOKEN"]


def failed(answer: Answer, how: str) -> bool:
    """Whether the answer says that, in the catalogue's words."""
    start = catalogue("en", "bot")(f"failed.{how}", command="", seconds="", memory="").split(" ")[1:4]
    return answer.outcome is Outcome.FAILED and " ".join(start) in answer.body and not answer.files


def test_an_answer_comes_through_as_it_is(sandbox: Sandbox) -> None:
    answer = sandbox.answer(dossier("echo", "grüße", "\U0001f9ea"), SMALL)
    assert answer == Answer(body="grüße \U0001f9ea", outcome=Outcome.SAID, files={"bytes": bytes(range(256))})


@pytest.mark.parametrize(
    ("how", "name", "limits"),
    [
        ("timed-out", "sleep", SHORT),
        ("timed-out", "spin", SHORT),
        ("timed-out", "deaf", SHORT),
        ("memory", "grow", SMALL),
        ("memory", "grow-numbers", SMALL),
        ("memory", "killed-by-the-system", SMALL),
        ("crashed", "segfault", SMALL),
        ("crashed", "raise", SMALL),
        ("crashed", "leave", SMALL),
        ("crashed", "vanish", SMALL),
        ("crashed", "talk", SMALL),
        ("crashed", "many-files", SMALL),
        ("crashed", "climb", SMALL),
        ("crashed", "write-much", SMALL),
        ("crashed", "no-such-command", SMALL),
    ],
)
def test_a_command_that_gives_no_answer_is_said_in_words(how: str, name: str, limits: Limits, sandbox: Sandbox) -> None:
    answer = sandbox.answer(dossier(name), limits)
    assert failed(answer, how), answer.body
    assert f"`/{name}`" in answer.body


def test_the_operator_gets_the_trace(sandbox: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    sandbox.answer(dossier("raise"), SMALL)
    assert "ZeroDivisionError: a bug" in caplog.text and "hostile.py" in caplog.text


def test_a_command_finds_no_secret_and_no_door(sandbox: Sandbox, capfd: pytest.CaptureFixture[str]) -> None:
    told = json.loads(sandbox.answer(dossier("tell"), SMALL).body)
    assert "geheim" not in json.dumps(told)
    assert set(told["environment"]) <= {
        "PATH", "LANG", "HOME", "TMPDIR", "PYTHONPATH", "LC_CTYPE",
        "OPENPYXL_LXML", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
    }  # fmt: skip
    assert told["environment"]["HOME"] == told["folder"] != str(Path.cwd())
    assert not Path(told["folder"]).exists(), "its folder is gone with it"
    assert told["files"] <= 5, "standard streams, the pipe, and the listing itself"
    assert told["session"] and told["threads"] == 1
    assert "nobody sees this" not in "".join(capfd.readouterr())


def running(mark: str) -> bool:
    """Whether a process with this word in its command line lives, other than ours."""
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = process.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words and b"tests.bot.sandbox.asker" not in words:
            return True
    return False


def test_what_a_command_starts_ends_with_it(sandbox: Sandbox) -> None:
    mark = uuid.uuid4().hex
    answer = sandbox.answer(dossier("leave-children", mark), SMALL)
    # Who is not root may not start a process there at all.
    assert answer.body == "left" or failed(answer, "crashed")
    assert not running(mark)


def test_nothing_outlives_a_bot_that_is_killed() -> None:
    mark = uuid.uuid4().hex
    asker = subprocess.Popen(
        [sys.executable, "-m", "tests.bot.sandbox.asker", mark], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert asker.stdout is not None
    assert asker.stdout.readline() == "ready\n"
    ours = _descendants(asker.pid)
    assert ours
    assert asker.stdout.readline() == "left\n"
    while len(ours := ours | _descendants(asker.pid)) < 3:
        time.sleep(0.01)
    asker.send_signal(signal.SIGKILL)
    asker.wait()
    end = time.monotonic() + 20
    while alive := [pid for pid in ours if _lives(pid)]:
        assert time.monotonic() < end, alive
        time.sleep(0.05)
    assert not running(mark)


def _children(pid: int) -> set[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return {int(child) for task in tasks for child in _read(task).split()}


def _descendants(pid: int) -> set[int]:
    return {pid for child in _children(pid) for pid in {child} | _descendants(child)}


def _read(path: Path) -> bytes:
    """Of a process that may be gone by now."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_many_threads_ask_at_once(sandbox: Sandbox) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda n: sandbox.answer(dossier("echo", str(n)), SMALL), range(24)))
    assert [answer.body for answer in answers] == [str(n) for n in range(24)]


def test_a_waiting_process_that_died_is_replaced(sandbox: Sandbox) -> None:
    (pid,) = filter(_is_waiting, _children(os.getpid()))
    os.kill(pid, signal.SIGKILL)
    assert sandbox.answer(dossier("echo", "again"), SMALL).body == "again"


def _is_waiting(pid: int) -> bool:
    """Whether it is the one of our registry; the bot's own may wait beside it."""
    command = _read(Path(f"/proc/{pid}/cmdline"))
    return _lives(pid) and b"bot.sandbox.zygote" in command and HOSTILE.encode() in command


def test_the_bots_own_commands_are_answered() -> None:
    sample = ROOT / "samples" / "first-look"
    given = dossier("compare").model_copy(
        update={
            "postings": (Spooled(name="pilot.csv", path=sample / "pilot.csv"),),
            "settings": Spooled(name="steelyard.yml", path=sample / "steelyard.yml"),
        }
    )
    box = Sandbox()
    answer = box.answer(given, Limits())
    box.close()
    assert answer.outcome not in (Outcome.FAILED, Outcome.REFUSED)
    assert {"comment.md", "decision.json", "memo.xlsx"} <= set(answer.files)
    assert answer.files["memo.xlsx"].startswith(b"PK")
