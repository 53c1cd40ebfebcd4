"""The bot's side of the sandbox: starts the process that waits, asks it, and says in words when no answer comes."""

import contextlib
import json
import logging
import os
import socket
import subprocess
import sys
import tempfile
import threading

from bot.dossier import Answer, Dossier, Outcome
from bot.render.messages import catalogue
from bot.render.notices import code
from bot.sandbox import wire
from bot.sandbox.wire import End, Limits, Request

REGISTRY = "bot.commands.registry:REGISTRY"
_log = logging.getLogger(__name__)
_MEGABYTE = 1 << 20
_SLACK_S = 15.0
"""For start-up and the end of the answering process; later than that even its guardian is lost."""
_HEADER = 1 << 16
_DYING_S = 0.5


class Sandbox:
    """Answers of the commands of one registry, given as `module:NAME`. Safe in any thread.

    A process without threads and secrets has the engine loaded and forks for each answer, which takes some
    milliseconds instead of the second that a start from nothing takes.
    """

    def __init__(self, registry: str = REGISTRY) -> None:
        self._registry = registry
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def warm(self) -> None:
        """Start the waiting process, so that the first answer need not wait for it."""
        with self._turn:
            self._running()

    def answer(self, dossier: Dossier, limits: Limits) -> Answer:
        """The command's answer, or one that says why there is none. Never raises for what the command does."""
        end, block = self._asked(Request(dossier, limits))
        if end is End.ANSWERED:
            try:
                return wire.unpacked_answer(block)
            except (ValueError, TypeError) as failure:
                _log.error("no readable answer: %s", type(failure).__name__)
                end = End.CRASHED
        return _failed(end, dossier, limits)

    def close(self) -> None:
        """End the waiting process; answers under way are given up."""
        with self._turn:
            if self._control is not None:
                self._control.close()
            if self._process is not None:
                self._process.wait(timeout=10)
            self._process = self._control = None

    def _asked(self, request: Request) -> tuple[End, bytes]:
        for last in (False, True):
            try:
                with self._channel() as channel:
                    return self._conversation(channel, request)
            except TimeoutError:
                return End.TIMED_OUT, b""
            except (OSError, EOFError, ValueError) as failure:
                # Nothing was said: the waiting process or the guardian was killed from outside, so it is asked again.
                if last:
                    _log.error("the answering process was lost: %s", type(failure).__name__)
                self._let_die()
        return End.CRASHED, b""

    def _conversation(self, channel: socket.socket, request: Request) -> tuple[End, bytes]:
        channel.settimeout(request.limits.seconds + _SLACK_S)
        wire.send(channel, request.packed())
        said = json.loads(wire.receive(channel, _HEADER))
        block = wire.receive(channel, request.limits.output_mb * _MEGABYTE)
        if said["end"] != End.ANSWERED:
            _log.error("no answer: %s %s", said["end"], said["detail"])
        return End(said["end"]), block

    def _channel(self) -> socket.socket:
        """A conversation of its own, whose other end the waiting process has."""
        ours, theirs = socket.socketpair()
        with theirs, self._turn:
            try:
                socket.send_fds(self._running(), [b"+"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise
        return ours

    def _let_die(self) -> None:
        """A killed process is seen to be dead a moment after its sockets close."""
        with self._turn:
            if self._process is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(timeout=_DYING_S)

    def _running(self) -> socket.socket:
        if self._control is not None and self._process is not None and self._process.poll() is None:
            return self._control
        if self._control is not None:
            self._control.close()
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-m", "bot.sandbox.zygote", str(theirs.fileno()), self._registry, *sys.path],
                pass_fds=[theirs.fileno()],
                env=_bare_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._control = ours
        return ours


def _bare_environment() -> dict[str, str]:
    """Nothing that a command could give away. One thread of arithmetic, since a process with several must not fork."""
    given = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "HOME": tempfile.gettempdir(),
        "TMPDIR": tempfile.gettempdir(),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    return {**given, **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")}


def _failed(end: End, dossier: Dossier, limits: Limits) -> Answer:
    texts = catalogue(dossier.language, "bot")
    given = {"seconds": f"{limits.seconds:g}", "memory": limits.memory_mb, "command": code(f"/{dossier.command.name}")}
    told = texts(f"failed.{end}", **given)
    return Answer(body=f"### {texts('failed.title')}\n\n{told}\n", outcome=Outcome.FAILED)


_SHARED = Sandbox()


def answer_bounded(dossier: Dossier, limits: Limits) -> Answer:
    """The answer of the bot's own command of that name, made within the limits; FAILED with a reason otherwise."""
    return _SHARED.answer(dossier, limits)


def warm() -> None:
    """Load the engine beside this process before the first job needs it."""
    _SHARED.warm()
