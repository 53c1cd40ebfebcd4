"""What else a machine did while something was measured, on Linux; elsewhere nothing is known and nothing is said."""

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

ADDITIONS = 3_000_000


def additions() -> float:
    """Millions of additions a second, by which figures of two machines can be compared."""
    begun, total = time.perf_counter(), 0
    for number in range(ADDITIONS):
        total += number
    return ADDITIONS / (time.perf_counter() - begun) / 1e6


@dataclass(frozen=True)
class Moment:
    """Seconds of processor time so far: of one process, of all, and of those that were idle."""

    process_s: float
    all_s: float
    idle_s: float

    @classmethod
    def now(cls, pid: int) -> "Moment | None":
        """None where the system does not tell."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            ticks = os.sysconf("SC_CLK_TCK")
            own = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            total = [int(n) for n in Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]]
            return cls((int(own[11]) + int(own[12])) / ticks, sum(total) / ticks, (total[3] + total[4]) / ticks)
        return None


def told(before: Moment | None, after: Moment | None, pages: int) -> str:
    """Processor time a page, and how busy all processors were; empty where that is not known."""
    if before is None or after is None or not pages or after.all_s <= before.all_s:
        return ""
    each = (after.process_s - before.process_s) / pages * 1000
    busy = 1 - (after.idle_s - before.idle_s) / (after.all_s - before.all_s)
    return f"{each:.1f} ms of processor time a page; {os.cpu_count()} processors {busy:.0%} busy"
