"""The bot as a process: `steelyard serve` with SQLite in a folder, started, asked whether it is idle, ended."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests

from tests.e2e.people import until
from tests.shared import ROOT

READY_S, END_S = 60.0, 20.0


def environment(**settings: str) -> dict[str, str]:
    """The process's environment with these `STEELYARD_…` settings and no others."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STEELYARD_", "GITHUB_"))}
    return {**kept, **{f"STEELYARD_{name.upper()}": value for name, value in settings.items()}}


@dataclass(frozen=True)
class Serving:
    """A running bot."""

    url: str
    log: Path

    def logged(self) -> str:
        """What it has written until now."""
        return self.log.read_text(encoding="utf-8")

    def unfinished(self) -> int:
        """Jobs that wait or run."""
        counts = self.counted(r'steelyard_jobs\{state="(?:queued|waiting|running)"\}')
        assert counts, "no metric of jobs"
        return int(sum(counts))

    def counted(self, pattern: str) -> list[float]:
        """The values of all metrics whose name and labels match."""
        shown = requests.get(f"{self.url}/metrics", timeout=10).text
        return [float(value) for value in re.findall(rf"^{pattern} (\S+)$", shown, re.MULTILINE)]


@contextmanager
def serve(port: int, folder: Path, settings: Mapping[str, str]) -> Iterator[Serving]:
    """The command line's `serve` until the block ends, then SIGTERM, which it has to follow in order."""
    log = folder / f"bot-{time.monotonic_ns()}.log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli", "serve"],
            cwd=ROOT,
            env=environment(state_dir=str(folder / "state"), port=str(port), **settings),
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
        )
    running = Serving(f"http://127.0.0.1:{port}", log)

    def ready() -> bool:
        assert process.poll() is None, running.logged()
        try:
            return requests.get(f"{running.url}/readyz", timeout=5).status_code == 200
        except requests.ConnectionError:
            return False

    with process:
        try:
            until(ready, "the bot is ready", READY_S)
            yield running
            process.send_signal(signal.SIGTERM)
            assert process.wait(END_S) == 0, running.logged()
        finally:
            process.kill()
