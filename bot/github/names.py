"""What posted files are called in the reply and by the engine: short, safe, and no two alike."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.github.attachments import safe_name

ARCHIVES = (".zip", ".tgz", ".tar.gz")


@dataclass(frozen=True)
class Called:
    """A file's path as posted, and how many of its last parts its name needs at least: a folder may name an arm."""

    path: str
    least: int = 1


def told_apart(files: Sequence[Called]) -> list[str]:
    """A name each, in the same order: the last parts of the path, as many as tell it from the others.

    Files of the same path are numbered behind a `#`, which the engine leaves out where a file's name is an arm's, so
    that a corrected file posted again stands for the same arm.
    """
    parts = [[safe_name(part) for part in file.path.split("/") if part] or ["file"] for file in files]
    taken = [min(file.least, len(p)) for file, p in zip(files, parts, strict=True)]
    names = _joined(parts, taken)
    while alike := [i for i, name in enumerate(names) if names.count(name) > 1 and taken[i] < len(parts[i])]:
        for i in alike:
            taken[i] += 1
        names = _joined(parts, taken)
    return _numbered(names)


def _joined(parts: list[list[str]], taken: list[int]) -> list[str]:
    return ["/".join(p[-n:]) for p, n in zip(parts, taken, strict=True)]


def _numbered(names: list[str]) -> list[str]:
    given: set[str] = set()
    for i, name in enumerate(names):
        number, unique = 1, name
        while unique.casefold() in given:
            number += 1
            unique = _with_number(name, number)
        given.add(unique.casefold())
        names[i] = unique
    return names


def _with_number(name: str, number: int) -> str:
    folder, _, base = name.rpartition("/")
    stem, dot, suffix = base.partition(".") if not base.startswith(".") else (base, "", "")
    mark = "-" if base.lower().endswith(ARCHIVES) else "#"
    return f"{folder}/{stem}{mark}{number}{dot}{suffix}" if folder else f"{stem}{mark}{number}{dot}{suffix}"
