"""Temporary folders of jobs whose process was killed: a later process of the same user clears them away."""

import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "steelyard-job-"
OLD_S = 86_400.0
"""A job's folder is never this old while the job lives: its time is bounded in minutes."""


def clear(now_s: float, folder: Path | None = None) -> int:
    """Remove our own folders that were not touched for a day; their number. `now_s` is seconds since 1970."""
    cleared = 0
    for path in (folder or Path(tempfile.gettempdir())).glob(f"{PREFIX}*"):
        try:
            seen = path.lstat()
        except OSError:
            continue
        if seen.st_uid == os.getuid() and seen.st_mtime < now_s - OLD_S and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
            cleared += 1
    return cleared
