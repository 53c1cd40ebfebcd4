"""The worker of `serve` in a process of its own: its interpreter keeps no delivery waiting, its death loses none."""

import contextlib
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO

from bot import metrics
from bot.settings import PREFIX, ProcessSettings

WORKER = (sys.executable, "-m", "bot.cli", "worker", "--attended")
FIRST_REST_S, LONGEST_REST_S = 0.5, 30.0
STEADY_S = 60.0
"""A worker that lived for so long did not fail at its start."""
ABANDONED = 1
_log = logging.getLogger(__name__)


def environment(settings: ProcessSettings) -> dict[str, str]:
    """This process's environment with what its flags said; a password in a flag does not come onto another."""
    kept = {**os.environ, f"{PREFIX}STATE_DIR": str(settings.state_dir), f"{PREFIX}WORKERS": str(settings.workers)}
    if settings.database_url:
        kept.pop(f"{PREFIX}DATABASE_URL_FILE", None)
        kept[f"{PREFIX}DATABASE_URL"] = settings.database_url
    return kept


@contextmanager
def accompanied(settings: ProcessSettings, grace_s: float, command: Sequence[str] = WORKER) -> Iterator["Companion"]:
    """A worker beside this process until the block ends; then it has `grace_s` for the jobs under way."""
    companion = Companion(command, environment(settings), grace_s)
    companion.start()
    try:
        yield companion
    finally:
        companion.stop()


class Companion:
    """Starts the process, starts it anew when it ends by itself, resting longer each time, and ends it in order.

    The process holds the other end of a pipe on its standard input: when this process dies, however it dies, it ends.
    """

    def __init__(self, command: Sequence[str], environment: dict[str, str], grace_s: float) -> None:
        self._command = command
        self._environment = environment
        self._grace_s = grace_s
        self._ending = threading.Event()
        self._turn = threading.Lock()
        self._process = self._started()
        self._watch = threading.Thread(target=self._keep, name="companion", daemon=True)

    @property
    def pid(self) -> int:
        """Of the process that was started last."""
        return self._process.pid

    def start(self) -> None:
        """Keep the process, in a thread."""
        self._watch.start()

    def stop(self) -> None:
        """SIGTERM, and kill where that takes longer than the grace."""
        with self._turn:
            self._ending.set()
        self._process.terminate()
        try:
            self._process.wait(self._grace_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._watch.join()

    def _started(self) -> "subprocess.Popen[bytes]":
        # A session of its own: an interrupt from the keyboard is for this process, which then ends the other in order.
        return subprocess.Popen(  # noqa: S603 - our own command line
            self._command, env=self._environment, stdin=subprocess.PIPE, start_new_session=True
        )

    def _keep(self) -> None:
        rest = FIRST_REST_S
        while True:
            begun = time.monotonic()
            status = self._process.wait()
            if self._ending.is_set():
                return
            rest = FIRST_REST_S if time.monotonic() - begun >= STEADY_S else rest
            metrics.worker_ended()
            _log.error("the worker ended by itself", extra={"status": status, "wait_s": rest})
            self._ending.wait(rest)
            rest = min(2 * rest, LONGEST_REST_S)
            with self._turn, contextlib.suppress(OSError):
                if self._ending.is_set():
                    return
                self._process = self._started()


def attend(stream: IO[bytes], end: Callable[[int], object] = os._exit) -> None:
    """Call `end` at the end of the stream, in a thread: whoever started this process is gone."""

    def wait() -> None:
        while stream.read(1):
            pass
        end(ABANDONED)

    threading.Thread(target=wait, name="attended", daemon=True).start()
