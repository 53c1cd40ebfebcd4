"""One run, watched by a process of its own: it outlives whoever started it, so that a kill of that loses nothing.

It loads no engine. Its one argument is a file that says what to run; its record is whole or not there.
"""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

from bot.pilot.energy import Meter
from bot.pilot.journal import write_record

NOT_STARTED = 127
SECONDS_TO_END, SECONDS_BETWEEN = 10.0, 0.05
PROCESSES = Path("/proc")


def main(task_path: str) -> int:
    """Run what the task names and write its record."""
    path = Path(task_path)
    try:
        task: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        # It holds the values of --env, which may be keys and passwords.
        path.unlink()
        write_record(Path(task["record"]), supervised(task))
    except OSError as failure:
        print(": ".join(filter(None, [failure.strerror, failure.filename])), file=sys.stderr)
        return 1
    return 0


def supervised(task: dict[str, Any]) -> dict[str, object]:
    """The record of one run: start, end, seconds, exit code, warm-up mark, energy. Raises OSError for its logs."""
    ending = _Ending()
    meter = Meter()
    meter.start()
    started, clock = time.time(), time.monotonic()
    with Path(task["stdout"]).open("wb") as out, Path(task["stderr"]).open("wb") as err:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own command
                task["command"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=_environment(task),
                process_group=0,
            )
        except (OSError, ValueError) as failure:
            meter.stop()
            return {"exit_code": NOT_STARTED, "not_started": str(failure)}
        ending.watch(process)
        code = process.wait()
    seconds, drawn = time.monotonic() - clock, meter.stop()
    left = ending.end_what_is_left()
    mark = Path(task["warm"])
    warm = min(max(mark.stat().st_mtime - started, 0.0), seconds) if mark.exists() else None
    return {
        "started_at": _moment(started),
        "ended_at": _moment(started + seconds),
        "wall_s": round(seconds, 6),
        "warm_s": None if warm is None else round(warm, 6),
        "exit_code": code,
        "interrupted": ending.asked,
        "left_behind": left,
        "energy_j": {source: round(joules, 3) for source, joules in drawn.items()},
    }


class _Ending:
    """Passes a request to end on to the command and all that it started, and kills them where they do not follow."""

    def __init__(self) -> None:
        self.group: int | None = None
        self.asked = False
        signal.signal(signal.SIGTERM, self._end)
        signal.signal(signal.SIGALRM, self._kill)

    def watch(self, process: subprocess.Popen[bytes]) -> None:
        """The command is running; it may have been asked to end before."""
        self.group = process.pid
        if self.asked:
            self._send(signal.SIGTERM)

    def end_what_is_left(self) -> int:
        """End what the command started and did not end: it would slow the next run. How many processes there were."""
        left = _members(self.group)
        if left:
            self._send(signal.SIGTERM)
            until = time.monotonic() + SECONDS_TO_END
            while _members(self.group) and time.monotonic() < until:
                time.sleep(SECONDS_BETWEEN)
            self._send(signal.SIGKILL)
        return left

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        self._send(signal.SIGTERM)
        signal.setitimer(signal.ITIMER_REAL, SECONDS_TO_END)

    def _kill(self, number: int, frame: FrameType | None) -> None:
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        if self.group is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.group, number)


def _members(group: int | None) -> int:
    """Living processes of a group, where the system lists them; one that only waits to be fetched is none."""
    found = 0
    for path in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            state, _, of, *_ = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            found += int(of) == group and state not in ("Z", "X")
    return found


def _environment(task: dict[str, Any]) -> dict[str, str]:
    """The caller's own, without what was added to find this module, and with the run's values."""
    env = dict(os.environ)
    if task["python_path"] is None:
        env.pop("PYTHONPATH", None)
    else:
        env["PYTHONPATH"] = task["python_path"]
    return {**env, **task["env"]}


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
