"""zip, gz and tgz, streamed within bounds: sizes declared and counted, no links, no passwords, no way out."""

import gzip
import io
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO

from scoring.model.problem import Problem
from scoring.problems import error, warning
from scoring.reading.limits import MAX_FILE_BYTES, MAX_MEMBERS, MAX_RATIO, RATIO_FROM_BYTES
from scoring.reading.posted import PostedFile

READABLE = (".csv", ".tsv", ".json", ".jsonl", ".log", ".txt", ".xlsx", ".md", ".yaml", ".yml", "")


class _Unsafe(Exception):
    """Why an archive is not read."""


class _Budget:
    """Bytes that may still be unpacked, over all members."""

    def __init__(self) -> None:
        self.left = MAX_FILE_BYTES

    def read(self, stream: IO[bytes] | gzip.GzipFile) -> bytes:
        data = stream.read(self.left + 1)
        self.left -= len(data)
        if self.left < 0:
            raise _Unsafe("unpacks to too much")
        return data


def unpack_zip(posted: PostedFile) -> tuple[list[PostedFile], list[Problem]]:
    """The members of a zip as files named `archive.zip/member`."""
    try:
        with posted.open() as stream, zipfile.ZipFile(stream) as archive:
            return _with_skipped(posted, _zip_members(posted, archive))
    except _Unsafe as unsafe:
        return [], [_refusal(posted, str(unsafe))]
    except (
        zipfile.BadZipFile,
        zlib.error,
        OSError,
        EOFError,
        ValueError,
        RuntimeError,
        NotImplementedError,
    ) as failure:
        return [], [_refusal(posted, f"damaged: {failure}"[:200])]


def _with_skipped(posted: PostedFile, members: Iterator[PostedFile | str]) -> tuple[list[PostedFile], list[Problem]]:
    """Members that are files, and a problem that names those that are not read."""
    found = list(members)
    skipped = [member for member in found if isinstance(member, str)]
    problems = [warning("members-not-read", file=posted.name, found=", ".join(skipped)[:300])] if skipped else []
    return [member for member in found if isinstance(member, PostedFile)], problems


def _refusal(posted: PostedFile, why: str) -> Problem:
    return error("archive-unsafe", file=posted.name, found=why, why=why)


def _zip_members(posted: PostedFile, archive: zipfile.ZipFile) -> Iterator[PostedFile | str]:
    members = [m for m in archive.infolist() if not m.is_dir()]
    if len(members) > MAX_MEMBERS:
        raise _Unsafe(f"{len(members)} members, at most {MAX_MEMBERS}")
    if sum(m.file_size for m in members) > MAX_FILE_BYTES:
        raise _Unsafe("declares too large a size")
    budget = _Budget()
    for member in members:
        if member.flag_bits & 1:
            raise _Unsafe("has a password")
        if stat.S_ISLNK(member.external_attr >> 16):
            raise _Unsafe("holds a link")
        name = _safe_name(member.filename)
        if member.file_size > RATIO_FROM_BYTES and member.file_size > MAX_RATIO * max(member.compress_size, 1):
            raise _Unsafe("is packed too tightly")
        if _hidden(name):
            continue
        if not _wanted(name):
            yield name
        else:
            with archive.open(member) as stream:
                yield PostedFile.from_bytes(f"{posted.name}/{name}", budget.read(stream))


def _safe_name(name: str) -> str:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in name:
        raise _Unsafe("holds a path that leads out of it")
    return str(path)


def _hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)


def _wanted(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in READABLE


def unpack_gzip(posted: PostedFile) -> tuple[list[PostedFile], list[Problem]]:
    """The one file of a gz, or the members of a tar in it."""
    try:
        with posted.open() as stream, gzip.open(stream) as unpacked:
            data = _Budget().read(unpacked)
        if len(data) > RATIO_FROM_BYTES and len(data) > MAX_RATIO * max(posted.size, 1):
            raise _Unsafe("is packed too tightly")
        if data[257:262] == b"ustar":
            return _with_skipped(posted, _tar_members(posted, data))
        name = posted.name[:-3] if posted.name.lower().endswith(".gz") else posted.name
        return [PostedFile.from_bytes(name, data)], []
    except _Unsafe as unsafe:
        return [], [_refusal(posted, str(unsafe))]
    except (OSError, EOFError, zlib.error, tarfile.TarError, ValueError) as failure:
        return [], [_refusal(posted, f"damaged: {failure}"[:200])]


def unpack_tar(posted: PostedFile) -> tuple[list[PostedFile], list[Problem]]:
    """The members of a tar as files named `archive.tar/member`."""
    try:
        with posted.open() as stream:
            return _with_skipped(posted, _tar_members(posted, _Budget().read(stream)))
    except _Unsafe as unsafe:
        return [], [_refusal(posted, str(unsafe))]
    except (OSError, EOFError, tarfile.TarError, ValueError) as failure:
        return [], [_refusal(posted, f"damaged: {failure}"[:200])]


def _tar_members(posted: PostedFile, data: bytes) -> Iterator[PostedFile | str]:
    budget = _Budget()
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for number, member in enumerate(archive):
            if number >= MAX_MEMBERS:
                raise _Unsafe(f"over {MAX_MEMBERS} members")
            if member.isdir():
                continue
            if not member.isreg() or member.issparse():
                raise _Unsafe("holds a link, a device or a file with holes")
            name = _safe_name(member.name)
            if _hidden(name):
                continue
            stream = archive.extractfile(member) if _wanted(name) else None
            if stream is None:
                yield name
            else:
                yield PostedFile.from_bytes(f"{posted.name}/{name}", budget.read(stream))
