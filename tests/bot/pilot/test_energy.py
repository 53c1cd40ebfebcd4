"""Energy is read where the machine tells it, and nothing is made up where it does not."""

import os
import time
from pathlib import Path

import pytest

from bot.pilot.energy import Meter


def package(folder: Path, number: int, microjoules: int, around: int = 10**9) -> Path:
    path = folder / f"intel-rapl:{number}"
    path.mkdir()
    (path / "energy_uj").write_text(str(microjoules), encoding="ascii")
    (path / "max_energy_range_uj").write_text(str(around), encoding="ascii")
    return path


@pytest.fixture(autouse=True)
def no_gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def test_packages_are_added_up_and_a_counter_may_wrap(tmp_path: Path) -> None:
    first, second = package(tmp_path, 0, 5_000_000), package(tmp_path, 1, 999_000_000)
    (tmp_path / "intel-rapl:0:0").mkdir()
    meter = Meter(tmp_path)
    meter.start()
    (first / "energy_uj").write_text("7000000", encoding="ascii")
    (second / "energy_uj").write_text("2000000", encoding="ascii")
    assert meter.stop() == {"cpu-rapl": pytest.approx(2.0 + 3.0)}


@pytest.mark.parametrize("written", ["", "not a number"])
def test_what_cannot_be_read_is_not_measured(written: str, tmp_path: Path) -> None:
    (package(tmp_path, 0, 1) / "energy_uj").write_text(written, encoding="ascii")
    meter = Meter(tmp_path)
    meter.start()
    assert meter.stop() == {}


def test_a_counter_that_goes_away_in_between_is_not_measured(tmp_path: Path) -> None:
    gone = package(tmp_path, 0, 1)
    meter = Meter(tmp_path)
    meter.start()
    (gone / "energy_uj").unlink()
    assert meter.stop() == {}


def test_a_machine_without_counters(tmp_path: Path) -> None:
    meter = Meter(tmp_path / "nowhere")
    meter.start()
    assert meter.stop() == {}


def test_the_power_of_all_gpus_over_the_time(tmp_path: Path) -> None:
    tool = tmp_path / "bin" / "nvidia-smi"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho 300\necho 100\n", encoding="ascii")
    tool.chmod(0o755)
    assert os.access(tool, os.X_OK)
    meter = Meter(tmp_path / "nowhere")
    meter.start()
    began = time.monotonic()
    time.sleep(0.3)
    joules = meter.stop()["gpu-nvidia-smi"]
    assert 0 < joules <= 400 * (time.monotonic() - began)
