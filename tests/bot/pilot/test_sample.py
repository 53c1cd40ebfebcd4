"""The sample's training: real with PyTorch, and without it the way to install it."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot.pilot.sheet import read_sheet
from tests.samples import FOLDER

SAMPLE = FOLDER / "pilot"
TORCH = importlib.util.find_spec("torch") is not None


def trained(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    line = [sys.executable, str(SAMPLE / "finetune.py"), "--tokens", "4096", "--out", str(folder), *options]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.mark.skipif(TORCH, reason="PyTorch is here")
def test_without_pytorch_it_says_how_to_install_it(tmp_path: Path) -> None:
    done = trained(tmp_path)
    assert done.returncode == 1
    assert "pip install 'steelyard[pilot]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not TORCH, reason="PyTorch is not here")
def test_a_run_of_it(tmp_path: Path) -> None:
    done = trained(tmp_path, "--device", "cpu", "--batch", "16", "--seed", "2")
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    assert (result["work_units"], result["unit"]) == (4096, "token")
    assert 2 < result["eval_loss"] < 5.6


def test_its_sheet_has_five_runs_an_arm() -> None:
    planned, _, problems = read_sheet(SAMPLE / "runs.csv", {})
    assert problems == []
    assert sorted((p.arm, p.values["run"]) for p in planned) == [
        (arm, str(run)) for arm in ("batch-16", "batch-4") for run in range(1, 6)
    ]


def test_its_text_is_the_licence() -> None:
    if not (FOLDER.parent / "LICENSE").is_file():
        pytest.skip("an installed copy")
    assert (SAMPLE / "text.txt").read_bytes() == (FOLDER.parent / "LICENSE").read_bytes()


def test_its_command_names_the_device_as_a_value() -> None:
    text = (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert "--device '{device}'" in text
    code = (SAMPLE / "finetune.py").read_text(encoding="utf-8")
    assert ".cuda" not in code and '"cuda' not in code
