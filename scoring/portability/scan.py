"""Files to findings. Whoever reads the files hands them in one by one and may stop at any."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from scoring.model.portability import Finding, Place
from scoring.portability.catalogue import LIBRARY, catalogue, normal, packages
from scoring.portability.files import Kind, kind_of, own_packages, place_of
from scoring.portability.notebook import Cell, cells
from scoring.portability.python_source import NotRead, decoded, hits_in
from scoring.portability.text_files import LineHit, kernel_source, line_hits, own_name, pyproject

LONGEST_FOUND = 120
MOST_FINDINGS = 20_000
Stopped = Literal["files", "bytes", "seconds", "tree"]


@dataclass(frozen=True)
class SourceFile:
    """A file by its path below the tree's root. Without `data` the code of the reason why it was not read."""

    path: str
    data: bytes | None
    reason: str = "not-read"


@dataclass
class Scan:
    """What was found so far."""

    findings: list[Finding] = field(default_factory=list)
    cut: int = 0
    files: Counter[str] = field(default_factory=Counter)
    unread: int = 0
    stopped_by: Stopped | None = None


Found = tuple[SourceFile, list[Finding]]


def scan(
    files: Iterable[SourceFile],
    stopped: Callable[[], Stopped | None] = lambda: None,
    each: Callable[[Iterable[SourceFile]], Iterable[Found]] | None = None,
) -> Scan:
    """All findings; `stopped` is asked after each file. Own packages' names are no findings.

    `each` looks into files in another way than one after the other, in the same order.
    """
    done, paths, own = Scan(), list[str](), set[str]()
    for file, found in each(files) if each else ((file, found_in(file)) for file in files):
        kind = kind_of(file.path)
        if kind is not None:
            done.files[kind] += 1
            paths.append(file.path)
            _take(done, found)
        if kind == "pyproject" and file.data is not None and (name := own_name(file.data.decode("utf-8", "replace"))):
            own.add(name)
        done.stopped_by = stopped()
        if done.stopped_by:
            break
    own |= own_packages(paths)
    done.findings = [f for f in done.findings if not _is_own(f, own)]
    return done


def found_in(file: SourceFile) -> list[Finding]:
    """The findings of one file."""
    kind = kind_of(file.path)
    return [] if kind is None else [*_file(file, kind, place_of(file.path))]


def _take(done: Scan, found: list[Finding]) -> None:
    done.unread += sum(one.entry == "unread-file" for one in found)
    room = max(MOST_FINDINGS - len(done.findings), 0)
    done.findings += found[:room]
    done.cut += max(len(found) - room, 0)


def _file(file: SourceFile, kind: Kind, place: Place) -> Iterator[Finding]:
    """Its findings in order of lines; a file that cannot be read is one."""
    if file.data is None:
        if kind == "kernel":
            name = PurePosixPath(file.path).name
            yield _of_line(kernel_source("", name), file.path, place)
        yield _unread(file.path, file.reason, place)
        return
    try:
        found = [*_read(file.path, file.data, kind, place)]
    except NotRead as failure:
        found = [_unread(file.path, str(failure), place)]
    yield from sorted(found, key=lambda f: (f.cell or 0, f.line or 0, f.column or 0))


def _read(path: str, data: bytes, kind: Kind, place: Place) -> Iterator[Finding]:
    if kind == "kernel":
        yield _of_line(kernel_source(data.decode("latin-1"), PurePosixPath(path).name), path, place)
        return
    text = decoded(data)
    if kind == "python":
        yield from _python(text, path, place)
    elif kind == "notebook":
        for cell in cells(text):
            yield from _cell(cell, path, place)
    else:
        hits = pyproject(text) if kind == "pyproject" else line_hits(text, kind)
        yield from (_of_line(hit, path, place) for hit in hits)


def _python(text: str, path: str, place: Place) -> Iterator[Finding]:
    for at, hit in hits_in(text):
        yield Finding(
            entry=hit.entry,
            effort=catalogue().entries[hit.entry].effort,
            file=path,
            line=getattr(hit.node, "lineno", None),
            column=getattr(hit.node, "col_offset", 0) + 1,
            found=hit.found[:LONGEST_FOUND],
            place=place,
            guarded=at.guarded,
            choice=hit.choice,
        )


def _cell(cell: Cell, path: str, place: Place) -> Iterator[Finding]:
    try:
        found = [*_python(cell.python, path, place)]
    except NotRead as failure:
        found = [_unread(path, str(failure), place)]
    found += [_of_line(hit, path, place) for hit in line_hits(cell.shell, "shell")]
    for one in found:
        known = one.line is not None and one.line <= len(cell.lines)
        line = cell.lines[one.line - 1] if known and one.line is not None else None
        yield one.model_copy(update={"line": line, "column": None, "cell": cell.number})


def _of_line(hit: LineHit, path: str, place: Place) -> Finding:
    return Finding(
        entry=hit.entry,
        effort=catalogue().entries[hit.entry].effort,
        file=path,
        line=hit.line,
        column=hit.column,
        found=hit.found[:LONGEST_FOUND],
        place=place,
    )


def _unread(path: str, reason: str, place: Place) -> Finding:
    effort = catalogue().entries["unread-file"].effort
    return Finding(entry="unread-file", effort=effort, file=path, found=reason, place=place)


def _is_own(finding: Finding, own: set[str]) -> bool:
    if finding.entry == "cuda-package":
        library = packages().get(normal(finding.found), "")
        return library.split(".")[0] in own
    name = finding.entry.removeprefix(LIBRARY)
    return finding.entry.startswith(LIBRARY) and name.split(".")[0] in own
