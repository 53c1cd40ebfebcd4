"""Source to scan: a folder, a tarball or a git reference, within bounds; nothing of it is imported or executed."""

import bz2
import gzip
import io
import lzma
import os
import stat
import subprocess
import tarfile
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from scoring.portability.files import is_skipped, kind_of
from scoring.portability.scan import SourceFile

TARBALLS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
PACKED: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
LONGEST_MAGIC, BLOCK = 6, 512
MOST_ENTRIES = 500_000
SAFE_GIT = ("git", "-c", "protocol.allow=never", "-c", "core.fsmonitor=false")
"""A repository's own configuration names commands: for an object that is elsewhere, and for its index."""
OF_CALLER = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE")
"""What git tells its hooks, of the repository that it works in: another one may be read here."""


@dataclass
class Bounds:
    """What one scan may read; `stopped` says which bound ended it."""

    most_files: int = 20_000
    most_bytes: int = 512 * 1024 * 1024
    most_bytes_of_a_file: int = 1024 * 1024
    most_bytes_of_a_notebook: int = 8 * 1024 * 1024
    """Pictures among its outputs make it large; of those nothing is read."""
    deepest: int = 40
    seconds: float = 120.0
    clock: Callable[[], float] = time.monotonic
    files: int = 0
    taken: int = 0
    began: float = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.clock()

    def stopped(self) -> Literal["files", "bytes", "seconds"] | None:
        """The bound that is passed, if one is."""
        if self.clock() - self.began > self.seconds:
            return "seconds"
        if self.taken > self.most_bytes:
            return "bytes"
        return "files" if self.files > self.most_files else None

    def file(self, path: str, size: int, opened: Callable[[], IO[bytes]]) -> SourceFile:
        """The file, or why it is not read."""
        self.files += 1
        most = self.most_bytes_of_a_notebook if path.endswith(".ipynb") else self.most_bytes_of_a_file
        if size > most:
            return SourceFile(path, None, "too-large")
        try:
            with opened() as stream:
                data = stream.read(most + 1)
        except (OSError, tarfile.TarError, EOFError):
            return SourceFile(path, None, "not-read")
        self.taken += len(data)
        return SourceFile(path, data) if len(data) <= most else SourceFile(path, None, "too-large")


class _Late(Exception):
    """The time is over in the middle of a file."""


@dataclass
class _Watched:
    """What a tarball unpacks to: reading it ends when the time is over, since 3 MB may hold gigabytes to pass over."""

    stream: IO[bytes]
    bounds: Bounds
    last: bytes = b""

    def read(self, size: int) -> bytes:
        """Raises _Late, and what the packing raises for broken bytes."""
        if self.bounds.stopped() == "seconds":
            raise _Late
        data = self.stream.read(size)
        self.last = (self.last + data)[-BLOCK:]
        return data

    def to_its_end(self) -> None:
        """Raises EOFError where it was cut off: a whole archive ends in zeros."""
        while self.read(1 << 20):
            pass
        if self.last != bytes(BLOCK):
            raise EOFError


def source_of(path: Path, ref: str | None, bounds: Bounds) -> Iterator[SourceFile]:
    """The files of a folder, a tarball, one file, or with `ref` those of a commit there. Raises OSError."""
    if ref is not None:
        return _commit(path, ref, bounds)
    if path.is_dir():
        return _folder(path, bounds)
    if path.name.lower().endswith(TARBALLS):
        return _tarball(path, bounds)
    if not path.is_file():
        raise FileNotFoundError(2, "no such file or folder", str(path))
    return iter([bounds.file(path.name, path.stat().st_size, lambda: path.open("rb"))])


def _folder(root: Path, bounds: Bounds) -> Iterator[SourceFile]:
    """Depth first in order of names; links are not followed, neither to files nor to folders."""
    waiting, seen = [("", 0)], 0
    while waiting:
        below, depth = waiting.pop()
        try:
            entries = sorted(os.scandir(root / below), key=lambda entry: entry.name)
        except OSError:
            continue
        folders = list[tuple[str, int]]()
        for entry in entries:
            seen += 1
            if seen > MOST_ENTRIES or bounds.stopped():
                bounds.files = max(bounds.files, bounds.most_files + 1) if seen > MOST_ENTRIES else bounds.files
                yield SourceFile("", None)
                return
            path = f"{below}/{entry.name}" if below else entry.name
            if entry.is_dir(follow_symlinks=False):
                if not is_skipped(entry.name) and depth < bounds.deepest:
                    folders.append((path, depth + 1))
            elif kind_of(path) and not entry.is_symlink():
                yield _entry(entry, path, bounds)
        waiting += reversed(folders)


def _entry(entry: "os.DirEntry[str]", path: str, bounds: Bounds) -> SourceFile:
    told = path.encode("utf-8", "replace").decode()
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return SourceFile(told, None, "not-read")
    if not stat.S_ISREG(status.st_mode):
        return SourceFile(told, None, "not-a-file")
    return bounds.file(told, status.st_size, lambda: _opened(entry.path))


def _opened(path: str) -> IO[bytes]:
    """Without following a link that took the file's place since."""
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")


def _tarball(path: Path, bounds: Bounds) -> Iterator[SourceFile]:
    """As a stream, nothing is unpacked to disk. Raises OSError for what is no tarball."""
    with path.open("rb") as packed:
        head = packed.read(LONGEST_MAGIC)
    unpacked = next((opened for magic, opened in PACKED.items() if head.startswith(magic)), open)
    try:
        with unpacked(path, "rb") as stream:
            yield from _members(_Watched(stream, bounds), bounds)
    except _Late:
        yield SourceFile("", None)
    except (tarfile.TarError, EOFError, ValueError, OSError, zlib.error, lzma.LZMAError) as failure:
        raise OSError(22, f"no readable tarball ({type(failure).__name__})", str(path)) from failure


def _members(unpacked: _Watched, bounds: Bounds) -> Iterator[SourceFile]:
    with tarfile.open(fileobj=unpacked, mode="r|") as archive:  # type: ignore[call-overload]
        for number, member in enumerate(archive):
            if number > MOST_ENTRIES or bounds.stopped():
                bounds.files = max(bounds.files, bounds.most_files + 1) if number > MOST_ENTRIES else bounds.files
                yield SourceFile("", None)
                return
            if member.isfile() and is_read(member.name, bounds):
                yield bounds.file(_plain(member.name), member.size, lambda m=member: _member(archive, m))  # type: ignore[misc]
    unpacked.to_its_end()


def _member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    return archive.extractfile(member) or io.BytesIO()


def _commit(folder: Path, ref: str, bounds: Bounds) -> Iterator[SourceFile]:
    """By git's own objects: no work tree, no filters, no hooks. Raises OSError for what is no commit here."""
    if ref.startswith("-") or ":" in ref or not ref.isprintable():
        raise OSError(22, "no git reference", ref)
    listed = subprocess.run(  # noqa: S603 - no shell, and the reference is no option
        [*SAFE_GIT, "-C", str(folder), "ls-tree", "-r", "-z", "-l", "--full-tree", ref],
        capture_output=True,
        check=False,
        env=_git_environment(),
    )
    if listed.returncode:
        owned = b"dubious ownership" in listed.stderr
        told = (
            "git does not trust a repository of another owner (safe.directory)"
            if owned
            else "no such commit in this repository"
        )
        raise OSError(2, told, f"{folder}@{ref}")
    rows = [row.partition("\t") for row in listed.stdout.decode("utf-8", "replace").split("\0") if row]
    wanted = [
        (head.split(), path) for head, _, path in rows if head.split()[0].startswith("100") and is_read(path, bounds)
    ]
    with subprocess.Popen(  # noqa: S603 - as above
        [*SAFE_GIT, "-C", str(folder), "cat-file", "--batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=_git_environment(),
    ) as objects:
        for (_, _, name, size), path in wanted:
            if bounds.stopped():
                yield SourceFile("", None)
                break
            if size.isdigit():
                yield bounds.file(path, int(size), lambda n=name: _object(objects, n))  # type: ignore[misc]
            else:
                yield SourceFile(path, None, "not-read")


def is_without_commit(folder: Path) -> bool:
    """Whether a git repository at the folder has no commit yet, so that HEAD names none."""
    asked = [["rev-parse", "--git-dir"], ["rev-parse", "--quiet", "--verify", "HEAD"]]
    codes = [
        subprocess.run(  # noqa: S603 - no shell, nothing of the user's
            ["git", "-C", str(folder), *words],  # noqa: S607 - the user's own git
            capture_output=True,
            check=False,
            env=_git_environment(),
        ).returncode
        for words in asked
    ]
    return codes[0] == 0 and codes[1] != 0


def _object(objects: "subprocess.Popen[bytes]", name: str) -> IO[bytes]:
    """One object; its size was seen to be within bounds. Raises OSError."""
    assert objects.stdin is not None and objects.stdout is not None  # noqa: S101 - both are pipes
    objects.stdin.write(f"{name}\n".encode())
    objects.stdin.flush()
    head = objects.stdout.readline().split()
    if len(head) != 3:
        raise OSError(5, "git gives no such object", name)
    data = objects.stdout.read(int(head[2]))
    objects.stdout.read(1)
    return io.BytesIO(data)


def _git_environment() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if name not in OF_CALLER}
    return {**own, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}


def is_read(path: str, bounds: Bounds) -> bool:
    """Whether a file is scanned, by its path below the root: its kind, its depth, no folder that is passed over."""
    folders = _plain(path).split("/")[:-1]
    return bool(kind_of(path)) and len(folders) <= bounds.deepest and not any(map(is_skipped, folders))


def _plain(path: str) -> str:
    return path.removeprefix("./").lstrip("/")
