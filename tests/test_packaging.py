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


def _compare(python: Path, folder: Path) -> str:
    out = folder / "out"
    command = [python.parent / "steelyard", "compare", SAMPLE, "--out", out]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    assert (out / "memo.xlsx").is_file()
    return done.stdout


def test_wheel_sdist_and_checkout_reply_alike(built: Path, tmp_path: Path) -> None:
    replies = set()
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    for kind, posted in (("wheel", wheel), ("sdist", sdist)):
        folder = tmp_path / kind
        folder.mkdir()
        replies.add(_compare(_environment(folder / "venv", str(posted)), folder))
    checkout = subprocess.run(
        [sys.executable, "-m", "bot.cli", "compare", SAMPLE], cwd=ROOT, check=True, capture_output=True, text=True
    )
    replies.add(checkout.stdout)
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
