"""`steelyard demo`, as the README has it: a reply, a memo, comments that are typed, and nothing left running."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

from bot.emulator import Emulator
from tests.shared import ROOT

WITHIN_S = 90


def demo(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot.cli", "demo", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        input=typed,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
    )


@pytest.mark.usefixtures("emulate")
def test_a_pilot_is_answered_and_so_is_a_typed_comment(tmp_path: Path) -> None:
    pilot = "```csv\narm,run,duration_s,price_usd_per_hour\nours,1,60,5\n\nours,2,61,5\n```\n"
    done = demo("--out", str(tmp_path), typed=f"thank you\n/approve\n{pilot}/compare baseline=ours\n/help\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "### SPLIT: move the overflow to `gaudi2`" in done.stdout
    assert done.stdout.count("No command stands in it") == 2
    assert "`you` approved `SPLIT`" in done.stdout
    assert "`ours` (now)" in done.stdout
    assert "/whatif" in done.stdout.rpartition("as it stands in the issue:")[2]
    assert "decisions/2026Q4/issue-1/1/memo.xlsx" in done.stdout
    assert "Memo" in openpyxl.load_workbook(tmp_path / "memo.xlsx").sheetnames
    addresses = re.findall(r"http://127\.0\.0\.1:(\d+),", done.stdout)
    listening = re.findall(r'"event": "listening".*"port": (\d+)', (tmp_path / "bot.log").read_text(encoding="utf-8"))
    assert [_answers(int(port)) for port in (*addresses, *listening)] == [False, False]


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_without_node_it_says_what_to_install(tmp_path: Path) -> None:
    script = (
        "import importlib.util, shutil, sys; importlib.util.find_spec = shutil.which = lambda *_: None;"
        "from bot.cli import main; sys.exit(main(['demo', '--once', '--out', sys.argv[1]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path],
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert 'pip install "steelyard[demo]"' in done.stderr


def test_without_a_network_and_a_cache_it_says_so(emulate: Emulator, tmp_path: Path) -> None:
    done = demo(
        "--once",
        "--out",
        str(tmp_path),
        XDG_CACHE_HOME=str(tmp_path / "cache"),
        npm_config_registry="http://127.0.0.1:9/",
        npm_config_cache=str(tmp_path / "npm"),
        npm_config_fetch_retries="0",
    )
    assert done.returncode == 2
    assert "could not fetch it" in done.stderr
    assert list((tmp_path / "cache" / "steelyard").glob("*/node_modules")) == []
