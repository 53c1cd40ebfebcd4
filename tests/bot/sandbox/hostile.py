"""Commands that behave badly, for the sandbox: what each does stands in its name."""

import ctypes
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier, Outcome


def _said(body: object = "", **files: bytes) -> Answer:
    return Answer(body=str(body), outcome=Outcome.SAID, files=files)


def _echo(dossier: Dossier) -> Answer:
    return _said(" ".join(dossier.command.arguments), bytes=bytes(range(256)))


def _sleep(_: Dossier) -> Answer:
    time.sleep(3600)
    return _said()


def _spin(_: Dossier) -> Answer:
    while True:
        pass


def _deaf(_: Dossier) -> Answer:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    return _spin(_)


def _grow(_: Dossier) -> Answer:
    kept = []
    while True:
        kept.append(b"x" * (1 << 24))


def _grow_numbers(_: Dossier) -> Answer:
    import numpy

    return _said(numpy.ones(1 << 31).sum())


def _killed_by_the_system(_: Dossier) -> Answer:
    os.kill(os.getpid(), signal.SIGKILL)
    return _said()


def _segfault(_: Dossier) -> Answer:
    return _said(ctypes.string_at(0))


def _raise(_: Dossier) -> Answer:
    raise ZeroDivisionError("a bug")


def _leave(_: Dossier) -> Answer:
    sys.exit(0)


def _vanish(_: Dossier) -> Answer:
    os._exit(0)


def _talk(_: Dossier) -> Answer:
    return _said("x" * (3 << 20))


def _many_files(_: Dossier) -> Answer:
    return _said("", **{f"file{number}": b"" for number in range(100)})


def _climb(_: Dossier) -> Answer:
    return Answer(body="", outcome=Outcome.SAID, files={"../../etc/passwd": b""})


def _write_much(_: Dossier) -> Answer:
    with Path("much").open("wb") as stream:
        while True:
            stream.write(b"x" * (1 << 20))


def _leave_children(dossier: Dossier) -> Answer:
    """Children in other sessions that would live on, each with a name of its own in its command line."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            sleeper = [sys.executable, "-c", "import time; time.sleep(3600)", *dossier.command.arguments]
            os.execv(sys.executable, sleeper)  # noqa: S606
        os._exit(0)
    time.sleep(0.5)
    return _said("left")


def _tell(_: Dossier) -> Answer:
    """All that a hostile command could find out from where it is."""
    parent = Path(f"/proc/{os.getppid()}/environ").read_bytes()
    here = {
        "environment": dict(os.environ),
        "at start": Path("/proc/self/environ").read_bytes().decode() + parent.decode(),
        "folder": str(Path.cwd()),
        "files": len(list(Path("/proc/self/fd").iterdir())),
        "threads": threading.active_count(),
        "session": os.getsid(0) == os.getpid(),
        "print": print("nobody sees this"),
    }
    return _said(json.dumps(here))


def _command(name: str, answer: Callable[[Dossier], Answer]) -> SlashCommand:
    return SlashCommand(name, name, (), Scope.NOTHING, False, answer)


REGISTRY = {
    name: _command(name, answer)
    for name, answer in {
        "echo": _echo,
        "sleep": _sleep,
        "spin": _spin,
        "deaf": _deaf,
        "grow": _grow,
        "grow-numbers": _grow_numbers,
        "killed-by-the-system": _killed_by_the_system,
        "segfault": _segfault,
        "raise": _raise,
        "leave": _leave,
        "vanish": _vanish,
        "talk": _talk,
        "many-files": _many_files,
        "climb": _climb,
        "write-much": _write_much,
        "leave-children": _leave_children,
        "tell": _tell,
    }.items()
}
