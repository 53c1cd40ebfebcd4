"""The bot as it is run in production, in processes that a bench starts, waits for and kills."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import IO

HEALTHY_S = 60.0
STOP_S = 20.0
LOOK_S = 0.02


class BotFailed(Exception):
    """The bot did not come up. The message names its log."""


@dataclass
class BotProcess:
    """One process of the bot: `steelyard serve`, `web` or `worker`."""

    command: str
    environment: Mapping[str, str] = field(repr=False)
    log: Path
    _process: "subprocess.Popen[bytes] | None" = None
    _output: IO[bytes] | None = None

    def start(self) -> None:
        """Begin it; it is not up yet."""
        if self._output is None:
            self._output = self.log.open("ab")
        self._process = subprocess.Popen(  # noqa: S603 - our own command line
            [sys.executable, "-m", "bot.cli", self.command],
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """Of the process that was started last."""
        assert self._process is not None  # noqa: S101 - started before it is used
        return self._process.pid

    def kill(self, *, with_children: bool) -> None:
        """kill -9: the process alone, as the system does it, or with everything that it started."""
        victims = [self.pid, *(descendants(self.pid) if with_children else ())]
        for pid in victims:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._wait()

    def stop(self) -> None:
        """End it in order, and with force where that takes too long."""
        if self._process is None:
            return
        left = descendants(self.pid)
        self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self._output is not None:
            self._output.close()

    def is_up(self) -> bool:
        """Whether it has not ended by itself."""
        return self._process is not None and self._process.poll() is None

    def _wait(self) -> None:
        assert self._process is not None  # noqa: S101 - as above
        self._process.wait()


@dataclass
class Deployment:
    """All processes of the bot, and the port of the one that receives."""

    processes: list[BotProcess]
    port: int

    def wait_healthy(self, seconds: float = HEALTHY_S) -> float:
        """Seconds until the receiving process answers. Raises BotFailed."""
        begun = time.monotonic()
        while time.monotonic() - begun < seconds:
            if self._is_healthy():
                return time.monotonic() - begun
            ended = next((p for p in self.processes if not p.is_up()), None)
            if ended:
                raise BotFailed(f"`steelyard {ended.command}` ended by itself, see {ended.log}")
            time.sleep(LOOK_S)
        raise BotFailed(f"not healthy after {seconds:g} s, see {self.processes[0].log}")

    def _is_healthy(self) -> bool:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=2)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()


@contextmanager
def deployed(environment: Mapping[str, str], folder: Path, port: int, *, apart: bool = False) -> Iterator[Deployment]:
    """The bot, healthy; `apart`: one web and two worker processes. Raises BotFailed."""
    commands = ("web", "worker", "worker") if apart else ("serve",)
    processes = [
        BotProcess(command, environment, folder / f"{command}-{number}.log") for number, command in enumerate(commands)
    ]
    running = Deployment(processes, port)
    try:
        for process in processes:
            process.start()
        running.wait_healthy()
        yield running
    finally:
        for process in processes:
            process.stop()


def descendants(pid: int) -> list[int]:
    """Everything that a process started and that still lives, on Linux; elsewhere nothing is known."""
    found: list[int] = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            children = [int(word) for word in listed.read_text(encoding="ascii").split()]
            found += [one for child in children for one in (child, *descendants(child))]
    return found
