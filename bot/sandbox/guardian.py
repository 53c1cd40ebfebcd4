"""Watches one answering process: reads what it says up to a limit, ends it in time with all that it started."""

import contextlib
import ctypes
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from bot import litter
from bot.commands.interface import SlashCommand
from bot.sandbox import wire
from bot.sandbox.answering import answering
from bot.sandbox.wire import End, Request

_REQUEST = 1 << 26
_MEGABYTE = 1 << 20
_LOOK_S = 0.02
_PR_SET_CHILD_SUBREAPER = 36


def guard(channel: socket.socket, registry: Mapping[str, SlashCommand]) -> None:
    """Read a question, have it answered in a child, and send how it ended and what it said."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _adopt_orphans()
    request = Request.unpacked(wire.receive(channel, _REQUEST))
    folder = Path(tempfile.mkdtemp(prefix=litter.PREFIX))
    try:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            channel.close()
            os.close(reader)
            answering(request, registry, writer, folder)
        os.close(writer)
        end, said = _Watch(child, reader, channel, request).to_the_end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if end is End.ANSWERED:
        end, detail, said = _judged(said)
    else:
        detail, said = said.decode(errors="replace"), b""
    with contextlib.suppress(OSError):
        wire.send(channel, wire.header(end, detail[-8000:]))
        wire.send(channel, said)


def _judged(said: bytes) -> tuple[End, str, bytes]:
    """An answer, or what the answering process says of its own failure."""
    if said.startswith(b'{"error": '):
        import json

        error = json.loads(said)
        return End(error["error"]), str(error["trace"]), b""
    return End.ANSWERED, "", said


class _Watch:
    """One child, from its start until it and all of its descendants are gone."""

    def __init__(self, child: int, reader: int, channel: socket.socket, request: Request) -> None:
        self._child = child
        self._reader = reader
        self._channel = channel
        self._most = request.limits.output_mb * _MEGABYTE
        self._deadline = time.monotonic() + request.limits.seconds
        self._said = bytearray()

    def to_the_end(self) -> tuple[End, bytes]:
        """How it ended, and what it said, or for the operator why it is no answer."""
        status, why = self._watched()
        self._sweep()
        if why is not None:
            return why
        code = os.waitstatus_to_exitcode(status)
        if code == 0:
            self._rest()
            return (End.ANSWERED, bytes(self._said)) if len(self._said) <= self._most else _TOO_MUCH
        if code == -signal.SIGXCPU:
            return End.TIMED_OUT, b"processor time"
        if code == -signal.SIGKILL:
            return End.MEMORY, b"killed by the system"
        return End.CRASHED, f"exit status {code}".encode()

    def _watched(self) -> tuple[int, tuple[End, bytes] | None]:
        sources: list[int | socket.socket] = [self._reader, self._channel]
        while True:
            ready, _, _ = select.select(sources, [], [], _LOOK_S)
            if self._channel in ready:
                return self._killed(), (End.CRASHED, b"nobody waits for the answer")
            if self._reader in ready and not self._read():
                sources.remove(self._reader)
            if len(self._said) > self._most:
                return self._killed(), _TOO_MUCH
            if time.monotonic() > self._deadline:
                return self._killed(), (End.TIMED_OUT, b"")
            ended, status = os.waitpid(self._child, os.WNOHANG)
            if ended:
                return status, None

    def _read(self) -> bool:
        block = os.read(self._reader, _MEGABYTE)
        self._said += block
        return bool(block)

    def _rest(self) -> None:
        """What is left in the pipe; whoever could write more is gone."""
        while len(self._said) <= self._most and self._read():
            pass

    def _killed(self) -> int:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._child, signal.SIGKILL)
        return os.waitpid(self._child, 0)[1]

    def _sweep(self) -> None:
        """Kill the group, and whatever left it: orphans are ours by now."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child, signal.SIGKILL)
        children = Path(f"/proc/self/task/{os.getpid()}/children")
        for _ in range(100):
            left = children.read_text().split() if children.exists() else []
            if not left:
                return
            for one in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(one), signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(-1, 0)


_TOO_MUCH = (End.CRASHED, b"more output than is allowed")


def _adopt_orphans() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
