"""What killed jobs leave is cleared away after a day, and nothing else is."""

import os
from pathlib import Path

from bot.litter import OLD_S, PREFIX, clear

NOW = 2_000_000_000.0


def made(folder: Path, name: str, age_s: float) -> Path:
    """A folder with a file in it, of that age."""
    path = folder / name
    path.mkdir()
    (path / "0001").write_bytes(b"x")
    os.utime(path, (NOW - age_s, NOW - age_s))
    return path


def test_old_folders_of_jobs_go_and_others_stay(tmp_path: Path) -> None:
    old, young = made(tmp_path, f"{PREFIX}old", OLD_S + 1), made(tmp_path, f"{PREFIX}young", OLD_S - 1)
    other = made(tmp_path, "steelyard-demo-old", 2 * OLD_S)
    link = tmp_path / f"{PREFIX}link"
    link.symlink_to(other)
    os.utime(link, (NOW - 2 * OLD_S, NOW - 2 * OLD_S), follow_symlinks=False)
    assert clear(NOW, tmp_path) == 1
    assert [p.exists() for p in (old, young, other, link)] == [False, True, True, True]
