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
_REPOSITORY = re.compile(
    r"(?:github|gitlab)\.com[/:][\w.-]{1,100}/(?P<found>[\w-][\w.-]{0,100}?)(?:\.git)?(?=[@#\s\"';]|$)"
)
_PIP = re.compile(r"\b(?:pip3?|uv\s+pip|conda|mamba|poetry|uv)\s+(?:install|add)\b(.*)")
_WORD = re.compile(r"(?<![^\s\"'])([A-Za-z][\w.-]*)(?=[\s\"'=<>~!;\[]|$)")
_CONDA = re.compile(r"^dependencies\s*:", re.MULTILINE)
_ITEM = re.compile(r"\s*-\s+[\"']?(?:[\w.-]+::)?([A-Za-z][\w.-]*)")
_SETTING = re.compile(r"cuda|nccl|gpu|fp16|fp8|flash_attention|load_in_", re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|\s)#(?!SBATCH\b).*")
_SLURM = re.compile(r"#SBATCH\b")
MOST_NAMED, LONGEST_NAMES = 20, 110
LONGEST_LINE = 4_000


class LineHit(NamedTuple):
    """A finding of a line from 1."""

    entry: str
    line: int | None
    column: int | None
    found: str


def line_hits(text: str, kind: FileKind) -> Iterator[LineHit]:
    """All patterns of that kind; a line that is longer than any person's is cut."""
    if kind == "config" and not _SETTING.search(text):
        return
    is_conda, installs = kind == "yaml" and _CONDA.search(text) is not None, False
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _COMMENT.sub("", raw[:LONGEST_LINE])
        if not line.strip():
            continue
        yield from hits_of_line(line, number, kind)
        if kind == "requirements":
            yield from _package(line, number)
        elif is_conda and (item := _ITEM.match(line)):
            yield from _listed(item, number)
        elif kind != "config":
            installed = _PIP.search(line)
            words = installed[1] if installed else line if installs else ""
            for word in _WORD.finditer(words):
                yield from _listed(word, number, len(line) - len(words) if words is not line else 0)
            installs = bool(installed or installs) and line.rstrip().endswith("\\")
            if repository := _REPOSITORY.search(line):
                yield from _listed(repository, number)


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
    declared = dict.fromkeys(_declared(document))
    for requirement in declared:
        line = text.count("\n", 0, max(text.find(requirement), 0)) + 1
        for hit in (*hits_of_line(requirement, line, "requirements"), *_package(requirement, line)):
            yield hit._replace(column=None)
    for number, raw in enumerate(text.splitlines(), start=1):
        if "download.pytorch.org" in raw and not any(requirement in raw for requirement in declared):
            yield from hits_of_line(_COMMENT.sub("", raw[:LONGEST_LINE]), number, "requirements")


def _values(table: object) -> Iterator[object]:
    yield from table.values() if isinstance(table, dict) else ()


def own_name(text: str) -> str | None:
    """The name that a pyproject.toml gives its package, as it is imported."""
    try:
        project = tomllib.loads(text).get("project")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return None
    name = project.get("name") if isinstance(project, dict) else None
    return name.replace("-", "_") if isinstance(name, str) else None


def kernel_source(text: str, name: str) -> LineHit:
    """A CUDA source as one finding, with the names of its kernels; one without any launches or instantiates others'."""
    if name.casefold().endswith(".ptx"):
        return LineHit("ptx-source", None, None, name)
    kernels = list(dict.fromkeys(_KERNEL.findall(text)))
    if not kernels:
        return LineHit("cuda-launcher" if text else "cuda-source", None, None, name)
    named = kernels[:MOST_NAMED]
    while len(named) > 1 and len(", ".join(named)) > LONGEST_NAMES:
        named.pop()
    return LineHit("cuda-source", None, None, ", ".join([*named, "…"] if len(named) < len(kernels) else named))


def _declared(document: dict[str, object]) -> Iterator[str]:
    """`project.dependencies` and its optional ones, and the names that Poetry lists."""
    project, build = document.get("project"), document.get("build-system")
    for table, key in ((project, "dependencies"), (build, "requires")):
        listed = table.get(key) if isinstance(table, dict) else None
        yield from (text for text in listed if isinstance(text, str)) if isinstance(listed, list) else ()
    optional = project.get("optional-dependencies") if isinstance(project, dict) else None
    groups = document.get("dependency-groups")
    for listed in (*_values(optional), *_values(groups)):
        yield from (text for text in listed if isinstance(text, str)) if isinstance(listed, list) else ()
    tool = document.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    groups = poetry.get("group") if isinstance(poetry, dict) else None
    for table in (poetry, *(groups.values() if isinstance(groups, dict) else ())):
        named = table.get("dependencies") if isinstance(table, dict) else None
        yield from named if isinstance(named, dict) else ()


def _package(line: str, number: int) -> Iterator[LineHit]:
    """A requirement by its name, or by the repository that it comes from."""
    for match in (_NAME.match(line), _REPOSITORY.search(line)):
        hits = list(_listed(match, number)) if match else []
        if hits:
            yield from hits
            return


def _listed(match: re.Match[str], number: int, before: int = 0) -> Iterator[LineHit]:
    """The first group, if it is a package that needs CUDA."""
    if is_package(match[1]):
        yield LineHit("cuda-package", number, before + match.start(1) + 1, match[1])


def is_package(name: str) -> bool:
    """Whether a package needs CUDA, whatever version of it the name ends in."""
    plain = normal(name)
    listed = plain if plain in packages() else re.sub(r"-cu(?:da)?\d+x?$", "", plain)
    return listed in packages() or re.sub(r"-cuda\d+$", "", listed) in packages()
