"""The process that answers: shuts itself in, runs the command, writes the answer, and is gone."""

import contextlib
import ctypes
import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from bot.commands.interface import SlashCommand
from bot.sandbox import wire
from bot.sandbox.wire import End, Limits, Request

_MEGABYTE = 1 << 20
_OPEN_FILES = 256
_PR_SET_PDEATHSIG = 1


def answering(request: Request, registry: Mapping[str, SlashCommand], writer: int, folder: Path) -> NoReturn:
    """In a fork: answer to the pipe and end. Never returns."""
    status = 1
    try:
        _shut_in(request.limits, folder, keep=writer)
        block = _answered(request, registry)
        with os.fdopen(writer, "wb", closefd=True) as pipe:
            pipe.write(block)
        status = 0
    finally:
        os._exit(status)


def _answered(request: Request, registry: Mapping[str, SlashCommand]) -> bytes:
    try:
        return wire.packed_answer(registry[request.dossier.command.name].answer(request.dossier))
    except MemoryError:
        return wire.packed_error(End.MEMORY, "")
    except BaseException:
        return wire.packed_error(End.CRASHED, traceback.format_exc())


def _shut_in(limits: Limits, folder: Path, keep: int) -> None:
    os.setsid()
    _die_with_guardian()
    os.chdir(folder)
    os.environ["HOME"] = os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.closerange(3, keep)
    os.closerange(keep + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    _limit(limits)


def _die_with_guardian() -> None:
    if sys.platform == "linux":
        guardian = os.getppid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != guardian:
            os._exit(1)


def _limit(limits: Limits) -> None:
    memory = limits.memory_mb * _MEGABYTE
    seconds = int(limits.seconds) + 1
    most = {
        resource.RLIMIT_AS: memory + _status("VmSize"),
        resource.RLIMIT_DATA: memory + _status("VmData"),
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: limits.file_mb * _MEGABYTE,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_NPROC: 0,
    }
    for what, bound in most.items():
        # A host may allow less than that already, or know no such limit.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (bound, bound + (2 if what == resource.RLIMIT_CPU else 0)))


def _status(name: str) -> int:
    """Bytes that the process has already, by Linux' name; 0 where it is not told."""
    path = Path("/proc/self/status")
    lines = path.read_text().splitlines() if path.exists() else []
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))
