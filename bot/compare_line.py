"""The `compare` command that judges a filled-in run sheet under the settings that its plan was made with."""

import argparse
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

ANY_FILE = "FILE"
"""Of a sheet that was not written yet."""


def in_shell(args: argparse.Namespace, settings: Sequence[str], sheet: str | None) -> str:
    """`steelyard compare` with the files, books and looks of the plan's own options, and its `settings`."""
    words = ["steelyard", "compare", *_files(args.paths, sheet)]
    for option in ("config", "contracts", "prices", "language"):
        value = getattr(args, option)
        words += [] if value is None else [f"--{option}", str(value)]
    words += [word for pair in settings for word in ("--set", pair)]
    words += [word for runs in args.look or () for word in ("--look", str(runs))]
    return shlex.join(words)


def in_thread(pairs: Iterable[str]) -> str:
    """`/compare` with the settings; one with a space takes quotes."""
    return " ".join(["/compare", *(f'"{pair}"' if any(c.isspace() for c in pair) else pair for pair in pairs)])


def _files(paths: Sequence[str], sheet: str | None) -> list[str]:
    """The pilot's files and the sheet, once each: a sheet within a folder of the pilot is read with it."""
    if sheet is None:
        return [*paths, ANY_FILE]
    place = Path(sheet).resolve()
    return [*paths] if any(place.is_relative_to(Path(path).resolve()) for path in paths) else [*paths, sheet]
