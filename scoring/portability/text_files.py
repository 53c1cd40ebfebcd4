"""Dockerfiles, shell scripts, YAML, requirements, pyproject.toml and CUDA sources: by line, comments left out."""

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

from scoring.portability.catalogue import FileKind, line_patterns, normal, packages
from scoring.portability.python_source import NotRead

_KERNEL = re.compile(
    r"__global__(?:\s+__launch_bounds__\s*\([^)]*\))?[^;{(]*?(?:__launch_bounds__\s*\([^)]*\)\s*)?\b(?!__launch)(\w+)\s*\("
)
_NAME = re.compile(r"\s*([A-Za-z][\w.-]*)")
_COMMENT = re.compile(r"(?:^|\s)#(?!SBATCH\b).*")
_SLURM = re.compile(r"#SBATCH\b")
MOST_NAMED = 20
LONGEST_LINE = 4_000


class LineHit(NamedTuple):
    """A finding of a line from 1."""

    entry: str
    line: int | None
    column: int | None
    found: str


def line_hits(text: str, kind: FileKind) -> Iterator[LineHit]:
    """All patterns of that kind; a line that is longer than any person's is cut."""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _COMMENT.sub("", raw[:LONGEST_LINE])
        if line.strip():
            yield from hits_of_line(line, number, kind)
            if kind == "requirements":
                yield from _package(line, number)


def hits_of_line(line: str, number: int, kind: FileKind) -> Iterator[LineHit]:
    """One line without its comment."""
    for entry, pattern in line_patterns(kind):
        match = pattern.search(line)
        if match:
            yield LineHit(entry, number, match.start("found") + 1, match["found"])


def pyproject(text: str) -> Iterator[LineHit]:
    """The dependencies that it declares. Raises NotRead: syntax."""
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        raise NotRead("syntax") from None
    for requirement in _declared(document):
        line = text.count("\n", 0, max(text.find(requirement), 0)) + 1
        for hit in (*hits_of_line(requirement, line, "requirements"), *_package(requirement, line)):
            yield hit._replace(column=None)


def own_name(text: str) -> str | None:
    """The name that a pyproject.toml gives its package, as it is imported."""
    try:
        project = tomllib.loads(text).get("project")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return None
    name = project.get("name") if isinstance(project, dict) else None
    return name.replace("-", "_") if isinstance(name, str) else None


def kernel_source(text: str, name: str) -> LineHit:
    """A CUDA source as one finding, with the names of its kernels."""
    if name.casefold().endswith(".ptx"):
        return LineHit("ptx-source", None, None, name)
    kernels = list(dict.fromkeys(_KERNEL.findall(text)))[:MOST_NAMED]
    return LineHit("cuda-source", None, None, ", ".join(kernels) or name)


def _declared(document: dict[str, object]) -> Iterator[str]:
    """`project.dependencies` and its optional ones, and the names that Poetry lists."""
    project, build = document.get("project"), document.get("build-system")
    for table, key in ((project, "dependencies"), (build, "requires")):
        listed = table.get(key) if isinstance(table, dict) else None
        yield from (text for text in listed if isinstance(text, str)) if isinstance(listed, list) else ()
    optional = project.get("optional-dependencies") if isinstance(project, dict) else None
    for listed in optional.values() if isinstance(optional, dict) else ():
        yield from (text for text in listed if isinstance(text, str)) if isinstance(listed, list) else ()
    tool = document.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    named = poetry.get("dependencies") if isinstance(poetry, dict) else None
    yield from named if isinstance(named, dict) else ()


def _package(line: str, number: int) -> Iterator[LineHit]:
    match = _NAME.match(line)
    if match is None:
        return
    name = normal(match[1])
    listed = name if name in packages() else re.sub(r"-cu(?:da)?\d+x?$", "", name)
    if listed in packages() or re.sub(r"-cuda\d+$", "", listed) in packages():
        yield LineHit("cuda-package", number, match.start(1) + 1, match[1])
