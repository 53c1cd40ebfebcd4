"""The worker beside `serve`: started, started anew when it dies, ended in order, and never left behind."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.companion import ABANDONED, accompanied, attend, environment
from bot.settings import ProcessSettings
from tests.shared import ROOT

NOTES = "import os, signal, sys, time; notes = open(sys.argv[1], 'a'); print(os.getpid(), file=notes, flush=True); "
STAYS = NOTES + "signal.signal(signal.SIGTERM, lambda *_: (print('ended', file=notes, flush=True), os._exit(0)))"
DEAF = NOTES + "signal.signal(signal.SIGTERM, signal.SIG_IGN)"
SLEEP = "; time.sleep(60)"


def until(happened: Callable[[], bool], seconds: float = 20) -> None:
    ends = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < ends
        time.sleep(0.01)


def lines(notes: Path) -> list[str]:
    return notes.read_text(encoding="utf-8").split() if notes.exists() else []


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_worker_that_dies_is_started_anew_and_the_last_one_ends_in_order(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    with accompanied(ProcessSettings(), 10, (sys.executable, "-c", STAYS + SLEEP, str(notes))) as companion:
        until(lambda: len(lines(notes)) == 1)
        os.kill(companion.pid, signal.SIGKILL)
        until(lambda: len(lines(notes)) == 2)
        first, second = map(int, lines(notes))
        assert companion.pid == second != first
        time.sleep(0.1)  # until it has said what it does when it is asked to end
    assert lines(notes)[2:] == ["ended"]
    assert not lives(second)


def test_a_worker_that_does_not_end_in_time_is_killed(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    with accompanied(ProcessSettings(), 0.3, (sys.executable, "-c", DEAF + SLEEP, str(notes))):
        until(lambda: len(lines(notes)) == 1)
    assert not lives(int(lines(notes)[0]))


def test_a_worker_that_fails_at_once_rests_longer_each_time(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    with accompanied(ProcessSettings(), 5, (sys.executable, "-c", NOTES + "sys.exit(1)", str(notes))):
        until(lambda: len(lines(notes)) == 2)
        begun = time.monotonic()
        until(lambda: len(lines(notes)) == 3)
        assert time.monotonic() - begun > 0.9, "twice the first rest"


def test_a_worker_ends_with_whoever_started_it_however_that_dies(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    child = "import sys; from bot.companion import attend; attend(sys.stdin.buffer); " + NOTES + "time.sleep(60)"
    script = (
        "import sys, time; from bot.companion import accompanied; from bot.settings import ProcessSettings\n"
        f"with accompanied(ProcessSettings(), 1, (sys.executable, '-c', {child!r}, sys.argv[1])): time.sleep(60)"
    )
    starter = subprocess.Popen([sys.executable, "-c", script, str(notes)], cwd=ROOT)
    until(lambda: len(lines(notes)) == 1)
    worker = int(lines(notes)[0])
    assert lives(worker)
    starter.kill()
    starter.wait()
    until(lambda: not lives(worker))


def test_whoever_is_attended_ends_at_the_end_of_its_input() -> None:
    ended: list[int] = []
    attend(io.BytesIO(b"whatever comes"), ended.append)
    until(lambda: ended == [ABANDONED])


def test_what_flags_say_reaches_the_worker_and_a_password_no_command_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STEELYARD_DATABASE_URL_FILE", "/run/secrets/url")
    monkeypatch.setenv("STEELYARD_PORT", "81")
    by_flag = ProcessSettings(state_dir=tmp_path, workers=5, database_url="postgresql://u:p@h/d")
    told = environment(by_flag)
    assert told["STEELYARD_PORT"] == "81"
    assert "STEELYARD_DATABASE_URL_FILE" not in told
    read = ProcessSettings.read(told)
    assert (read.state_dir, read.workers, read.database_url) == (tmp_path, 5, by_flag.database_url)
    assert environment(ProcessSettings(state_dir=tmp_path))["STEELYARD_DATABASE_URL_FILE"] == "/run/secrets/url"
