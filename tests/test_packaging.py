"""The distribution as people install it: the wheel and the sdist render a comment and a memo, as the checkout does.

Slow, so it runs when asked for: `pytest -m packaging`.
"""

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.shared import ROOT

pytestmark = pytest.mark.packaging
SAMPLE = ROOT / "samples" / "first-look"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist."""
    out = tmp_path_factory.mktemp("dist")
    tools = _environment(tmp_path_factory.mktemp("tools"), "build", "hatchling")
    subprocess.run([tools, "-m", "build", "--no-isolation", "--outdir", out, ROOT], check=True, capture_output=True)
    return out


def _environment(folder: Path, *requirements: str) -> Path:
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", *requirements], check=True, capture_output=True)
    return python


def _compare(command: list[str | Path], cwd: Path, out: Path) -> str:
    """What the sample is told; the reply names the files beside it, so that each is written somewhere."""
    done = subprocess.run(
        [*command, "compare", SAMPLE, "--out", out], cwd=cwd, check=True, capture_output=True, text=True
    )
    assert (out / "memo.xlsx").is_file()
    return done.stdout


def test_wheel_sdist_and_checkout_reply_alike(built: Path, tmp_path: Path) -> None:
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    python = _environment(tmp_path / "venv", str(wheel))
    replies = {_compare([python.parent / "steelyard"], tmp_path, tmp_path / "of-wheel")}
    again = [python, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", sdist]
    subprocess.run(again, check=True, capture_output=True)
    replies.add(_compare([python.parent / "steelyard"], tmp_path, tmp_path / "of-sdist"))
    replies.add(_compare([sys.executable, "-m", "bot.cli"], ROOT, tmp_path / "of-checkout"))
    assert len(replies) == 1


def test_the_wheel_holds_the_templates_and_nothing_beside_the_packages(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {n.split("/")[0] for n in names if ".dist-info" not in n} == {"bot", "scoring"}
    committed = {p.relative_to(ROOT / "templates").as_posix() for p in (ROOT / "templates").rglob("*") if p.is_file()}
    assert {n.removeprefix("bot/_templates/") for n in names if n.startswith("bot/_templates/")} == committed


def test_the_sdist_holds_tests_and_samples(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        folders = {Path(n).parts[1] for n in archive.getnames() if len(Path(n).parts) > 1}
    assert {"bot", "scoring", "templates", "tests", "samples", "docs", "README.md", "LICENSE"} <= folders
