"""What a run drew, where the machine tells it: RAPL counters of the processor, or the power that nvidia-smi reports."""

import shutil
import subprocess
import threading
import time
from pathlib import Path

POWERCAP = Path("/sys/class/powercap")
SECONDS_BETWEEN, SECONDS_ALLOWED = 1.0, 5.0
MICRO = 1e-6
ASK = ("--query-gpu=power.draw", "--format=csv,noheader,nounits")


class Meter:
    """Energy in joules from `start` to `stop` by each source that can be read; none gives an empty answer.

    RAPL: the package domains' `energy_uj`, which wrap at `max_energy_range_uj` (Linux, power/powercap). GPUs: the
    power drawn by all of them, sampled every second, by the trapezoid rule.
    """

    def __init__(self, powercap: Path = POWERCAP) -> None:
        self._packages = [p for p in sorted(powercap.glob("intel-rapl:*")) if p.name.count(":") == 1]
        self._first: dict[Path, int] = {}
        self._watts: list[tuple[float, float]] = []
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Take the first readings."""
        self._first = {p: uj for p in self._packages if (uj := _number(p / "energy_uj")) is not None}
        if shutil.which("nvidia-smi"):
            self._thread = threading.Thread(target=self._sample, daemon=True)
            self._thread.start()

    def stop(self) -> dict[str, float]:
        """Joules by source: `cpu-rapl`, `gpu-nvidia-smi`."""
        found = dict[str, float]()
        drawn = [_since(package, first) for package, first in self._first.items()]
        known = [joules for joules in drawn if joules is not None]
        if drawn and len(known) == len(drawn):
            found["cpu-rapl"] = sum(known)
        if self._thread is not None:
            self._ended.set()
            self._thread.join(SECONDS_ALLOWED + 1)
            if len(self._watts) > 1:
                pairs = zip(self._watts, self._watts[1:], strict=False)
                found["gpu-nvidia-smi"] = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairs)
        return found

    def _sample(self) -> None:
        while True:
            ended = self._ended.is_set()
            watts = _gpu_watts()
            if watts is not None:
                self._watts.append((time.monotonic(), watts))
            if ended:
                return
            self._ended.wait(SECONDS_BETWEEN)


def _since(package: Path, first: int) -> float | None:
    last = _number(package / "energy_uj")
    if last is None:
        return None
    around = _number(package / "max_energy_range_uj") or 0
    return (last - first + (around if last < first else 0)) * MICRO


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _gpu_watts() -> float | None:
    try:
        asked = subprocess.run(  # noqa: S603 - a fixed command
            ["nvidia-smi", *ASK],  # noqa: S607 - wherever the driver put it
            capture_output=True,
            text=True,
            timeout=SECONDS_ALLOWED,
            check=True,
        )
        return sum(float(line) for line in asked.stdout.split())
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
