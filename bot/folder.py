"""What lies in a folder: its conventional file names tell configuration, contracts and prices from postings."""

import errno
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scoring.reading.posted import PostedFile

CONFIG_NAMES = ("steelyard.yml", "steelyard.yaml")
CONTRACT_NAMES = ("contracts.yml", "contracts.yaml", "contracts.csv", "contracts.json")
PRICE_NAMES = ("prices.csv", "prices.json")
IGNORED_NAMES = ("readme", "license", "changelog")
MOST_FILES = 2_000


@dataclass
class Found:
    """Files by what they are; the first of a conventional name wins."""

    postings: list[PostedFile] = field(default_factory=list)
    config: Path | None = None
    contracts: Path | None = None
    prices: Path | None = None
    missing: list[str] = field(default_factory=list)


def find(paths: Sequence[Path]) -> Found:
    """Postings named by their path below the folder given, in a stable order; hidden files are left alone.

    Of several folders each file's path begins with its folder's name, which may be the name of an arm.
    Raises OSError for a folder of too many files.
    """
    found = Found()
    for path in paths:
        if path.is_dir():
            prefix = f"{path.resolve().name}/" if len(paths) > 1 else ""
            for name, file in _below(path):
                _sort(found, prefix + name, file)
        elif path.is_file():
            _sort(found, path.name, path)
        else:
            found.missing.append(str(path))
    return found


def _below(folder: Path) -> Iterator[tuple[str, Path]]:
    files = sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink())
    if len(files) > MOST_FILES:
        raise OSError(errno.E2BIG, f"{len(files):,} files, at most {MOST_FILES:,}", str(folder))
    for file in files:
        relative = file.relative_to(folder)
        hidden = any(part.startswith(".") for part in relative.parts)
        if not hidden or relative.as_posix() == ".github/steelyard.yml":
            yield relative.as_posix(), file


def _sort(found: Found, name: str, file: Path) -> None:
    base = file.name.lower()
    if base in CONFIG_NAMES:
        found.config = found.config or file
    elif base in CONTRACT_NAMES:
        found.contracts = found.contracts or file
    elif base in PRICE_NAMES:
        found.prices = found.prices or file
    elif not base.startswith(IGNORED_NAMES):
        found.postings.append(PostedFile.from_path(file, name=name))
