"""The catalogue of CUDA dependencies as values; one entry is one place to add."""

import re
from functools import cache
from pathlib import Path
from typing import Literal

import yaml

from scoring.model.base import Value
from scoring.model.portability import EffortClass

FILE = Path(__file__).with_name("catalogue.yml")
LIBRARY = "library-"
FileKind = Literal["docker", "shell", "yaml", "requirements", "config"]


class Entry(Value):
    """One kind of finding: its class on a backend that is no CUDA, and what one piece of its work is."""

    effort: EffortClass
    unit: Literal["use", "line", "file", "folder"]
    tally: str | None = None
    kernel: bool = False
    device: bool = False


class Library(Value):
    """A library that needs CUDA: the code of what replaces it, or `none`, and its package names."""

    replacement: str
    packages: tuple[str, ...]


class LinePattern(Value):
    """What a line of a file that is no Python is searched for; group `found` is what is told."""

    entry: str
    kinds: tuple[FileKind, ...]
    pattern: str


class Catalogue(Value):
    """All of it."""

    entries: dict[str, Entry]
    libraries: dict[str, Library]
    cuda_members: dict[str, tuple[str, ...]]
    environment: tuple[LinePattern, ...]


@cache
def catalogue() -> Catalogue:
    """The catalogue, each library an entry of its own."""
    raw = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    work = {"effort": "work", "unit": "file", "tally": "libraries"}
    raw["entries"] |= {LIBRARY + name: work for name in raw["libraries"]}
    return Catalogue.model_validate(raw)


@cache
def library_of(module: str) -> str | None:
    """The listed library that a dotted module name belongs to."""
    parts = module.split(".")
    names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((name for name in names if name in catalogue().libraries), None)


@cache
def member_entry(member: str) -> str:
    """The entry of a member of `torch.cuda`."""
    found = (entry for entry, members in catalogue().cuda_members.items() if member in members)
    return next(found, "cuda-other")


@cache
def line_patterns(kind: FileKind) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Entry and compiled pattern of a kind of file."""
    return tuple((line.entry, re.compile(line.pattern)) for line in catalogue().environment if kind in line.kinds)


@cache
def packages() -> dict[str, str]:
    """The library of each package name, in its normal form."""
    return {normal(package): name for name, library in catalogue().libraries.items() for package in library.packages}


def normal(package: str) -> str:
    """A package name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", package).casefold()
