"""Runs one after the other: what the journal knows of them, the process of each, and what is done after it."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from bot.pilot.journal import Entry, Journal, write_record
from bot.pilot.sheet import Planned, filled

ROOT = Path(__file__).parents[2]
SECONDS_BETWEEN = 0.05
STARTED, ENDED, LOST = "started", "ended", "lost"


@dataclass(frozen=True)
class Attempt:
    """One start of one run, and where its files lie."""

    folder: Path
    key: str
    number: int

    @property
    def name(self) -> str:
        """Of its files."""
        return f"{self.key}.{self.number}"

    def file(self, suffix: str) -> Path:
        """A file of the kit's own for it."""
        return self.folder / "attempts" / f"{self.name}.{suffix}"

    @property
    def out(self) -> Path:
        """The folder for what the command writes."""
        return self.folder / "runs" / self.name


@dataclass
class Past:
    """What the journal says: runs that are made, attempts of each, and one that was begun and has no end yet."""

    made: dict[str, Entry] = field(default_factory=dict)
    attempts: dict[str, int] = field(default_factory=dict)
    open: Entry | None = None
    lost: int = 0

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "Past":
        """From all entries in order."""
        past = cls()
        for entry in entries:
            if entry["event"] == STARTED:
                past.attempts[entry["key"]] = entry["attempt"]
                past.open = entry
            elif entry["event"] in (ENDED, LOST):
                past.open = None
                past.lost += entry["event"] == LOST
                if entry["event"] == ENDED:
                    past.made[entry["key"]] = entry
        return past


class Stop:
    """Ctrl-C or a request to end: the first lets the run that is being made end, the second ends that run too."""

    def __init__(self, told: "Mapping[int, str]") -> None:
        self.asked = 0
        self.pid: int | None = None
        self._told = told
        self._before = {number: signal.signal(number, self._ask) for number in (signal.SIGINT, signal.SIGTERM)}

    def close(self) -> None:
        """As signals were handled before."""
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.asked += 1
        os.write(2, f"\n{self._told[min(self.asked, 2)]}\n".encode())
        if self.asked > 1 and self.pid is not None:
            try:
                os.kill(self.pid, signal.SIGTERM)
            except ProcessLookupError:
                return


def start(attempt: Attempt, planned: Planned, command: Sequence[str], env: Mapping[str, str], journal: Journal) -> int:
    """Start a run; the journal knows of it before. Its lock is held until its process ends. Raises OSError."""
    attempt.out.mkdir(parents=True, exist_ok=True)
    attempt.file("task").parent.mkdir(parents=True, exist_ok=True)
    values = {**planned.values, "out": str(attempt.out)}
    own = {f"STEELYARD_{name.upper()}": value for name, value in values.items() if name.isidentifier()}
    task = {
        "command": [filled(word, values) for word in command],
        "env": {**own, "STEELYARD_WARM": str(attempt.file("warm")), **{k: filled(v, values) for k, v in env.items()}},
        "python_path": os.environ.get("PYTHONPATH"),
        **{name: str(attempt.file(name)) for name in ("stdout", "stderr", "warm", "record")},
    }
    write_record(attempt.file("task"), task)
    journal.add(STARTED, key=attempt.key, attempt=attempt.number)
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    with attempt.file("lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        supervisor = subprocess.Popen(  # noqa: S603 - this module's own neighbour
            [sys.executable, "-m", "bot.pilot.supervise", str(attempt.file("task"))],
            pass_fds=(lock.fileno(),),
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
        )
    attempt.file("pid").write_text(str(supervisor.pid), encoding="ascii")
    return supervisor.pid


def pid_of(attempt: Attempt) -> int | None:
    """The process of a run that an earlier process started, where that got so far."""
    try:
        return int(attempt.file("pid").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def is_running(attempt: Attempt) -> bool:
    """Whether the run's process still holds its lock. Raises OSError."""
    if not attempt.file("lock").is_file():
        return False
    with attempt.file("lock").open("r+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def wait(attempt: Attempt) -> None:
    """Until the run's process has ended, whoever started it."""
    while is_running(attempt):
        time.sleep(SECONDS_BETWEEN)


def record_of(attempt: Attempt) -> dict[str, Any] | None:
    """The record that the run's process left, None where it was killed before. Raises OSError."""
    import json

    path = attempt.file("record")
    if not path.is_file():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
