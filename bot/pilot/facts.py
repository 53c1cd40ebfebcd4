"""On what a pilot was run: host, versions, commit; each asked once, and left out where the machine does not tell."""

import os
import platform
import shlex
import socket
import subprocess
from importlib.metadata import version
from pathlib import Path

SECONDS, LONGEST = 60, 20_000
CPU_INFO, MEMORY_INFO = Path("/proc/cpuinfo"), Path("/proc/meminfo")


def facts_of_machine(versions: str | None) -> dict[str, object]:
    """Host, processor, memory, system, versions and commit, for the journal."""
    told = None if versions is None else _output(shlex.split(versions))
    return {
        "host": socket.gethostname(),
        "system": platform.platform(),
        "cpu": _first_value(CPU_INFO, "model name") or platform.processor() or None,
        "cpus": os.cpu_count(),
        "memory": _first_value(MEMORY_INFO, "MemTotal"),
        "python": platform.python_version(),
        "steelyard": version("steelyard"),
        "versions": told,
        "commit": _commit(),
    }


def _commit() -> str | None:
    """The commit of the current folder, with a plus where files that it holds were changed."""
    commit = _output(["git", "rev-parse", "HEAD"])
    if not commit:
        return None
    return f"{commit}+" if _output(["git", "status", "--porcelain", "--untracked-files=no"]) else commit


def _output(command: list[str]) -> str | None:
    try:
        asked = subprocess.run(  # noqa: S603 - fixed, or the user's own
            command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=True
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip()[:LONGEST]


def _first_value(path: Path, name: str) -> str | None:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), None)
