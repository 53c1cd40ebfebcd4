"""Archives: their members as files, and everything that could harm refused with its reason."""

import gzip
import io
import stat
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from scoring.model.problem import Problem
from scoring.reading import archives
from scoring.reading.archives import unpack_gzip, unpack_tar, unpack_zip
from scoring.reading.limits import MAX_MEMBERS
from scoring.reading.posted import PostedFile
from tests.scoring.reading.read import posted

Unpacked = tuple[list[PostedFile], list[Problem]]
DATA = b"arm,cost\na,1\n"
ZEROS = b"0" * (8 * 2**20)


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return stream.getvalue()


def tarred(*members: tuple[str, bytes], change: Callable[[tarfile.TarInfo], None] | None = None) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if change:
                change(info)
            archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def held(unpacked: Unpacked) -> dict[str, bytes]:
    assert unpacked[1] == []
    return {f.name: f.read(100) for f in unpacked[0]}


def refused(unpacked: Unpacked) -> str:
    assert unpacked[0] == []
    (problem,) = unpacked[1]
    assert problem.code == "archive-unsafe"
    return str(problem.arguments["why"])


def test_members_carry_their_path() -> None:
    data = zipped(("gpu/run.csv", DATA), ("trn2\\run.json", b"{}"), ("notes.md", b"x"))
    names = {"p.zip/gpu/run.csv": DATA, "p.zip/trn2/run.json": b"{}", "p.zip/notes.md": b"x"}
    assert held(unpack_zip(posted("p.zip", data))) == names
    assert held(unpack_tar(posted("p.tar", tarred(("gpu/run.csv", DATA))))) == {"p.tar/gpu/run.csv": DATA}
    assert held(unpack_gzip(posted("p.tgz", gzip.compress(tarred(("a.csv", DATA)), mtime=0)))) == {"p.tgz/a.csv": DATA}


def test_a_gz_holds_one_file() -> None:
    assert held(unpack_gzip(posted("p.csv.gz", gzip.compress(DATA, mtime=0)))) == {"p.csv": DATA}


@pytest.mark.parametrize("name", ["run.exe", "a/model.bin", "old.xls", "inner.zip"])
def test_members_of_other_kinds_are_named(name: str) -> None:
    for files, problems in (
        unpack_zip(posted("p", zipped((name, DATA), ("a.csv", DATA)))),
        unpack_tar(posted("p", tarred((name, DATA), ("a.csv", DATA)))),
        unpack_gzip(posted("p", gzip.compress(tarred((name, DATA), ("a.csv", DATA)), mtime=0))),
    ):
        assert [f.name for f in files] == ["p/a.csv"]
        assert [(p.code, p.found) for p in problems] == [("members-not-read", name)]


@pytest.mark.parametrize("name", [".hidden.csv", "__MACOSX/._a.csv", "a/.git/x.csv"])
def test_hidden_members_are_passed_over(name: str) -> None:
    assert held(unpack_zip(posted("p.zip", zipped((name, DATA), ("a.csv", DATA))))) == {"p.zip/a.csv": DATA}
    assert held(unpack_tar(posted("p.tar", tarred((name, DATA))))) == {}


def linked(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def with_password() -> bytes:
    """The flag that readers obey, in both headers; the content matters no more."""
    data = bytearray(zipped(("a.csv", DATA)))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


@pytest.mark.parametrize(
    ("why", "data"),
    [
        ("is packed too tightly", zipped(("a.csv", ZEROS))),
        ("holds a link", zipped((linked("a.csv"), b"/etc/passwd"))),
        ("has a password", with_password()),
        ("holds a path that leads out of it", zipped(("../a.csv", DATA))),
        ("holds a path that leads out of it", zipped(("/a.csv", DATA))),
        ("holds a path that leads out of it", zipped(("x\\..\\..\\a.csv", DATA))),
        ("holds a path that leads out of it", zipped(("C:\\a.csv", DATA))),
        (f"{MAX_MEMBERS + 1} members, at most {MAX_MEMBERS}", zipped(*((f"{i}.csv", DATA) for i in range(51)))),
    ],
)
def test_unsafe_zip(why: str, data: bytes) -> None:
    assert refused(unpack_zip(posted("p.zip", data))) == why


def test_a_declared_size_that_lies_is_damage() -> None:
    data = bytearray(zipped(("a.csv", DATA * 100)))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(mark) + offset
        data[at : at + 4] = (10).to_bytes(4, "little")
    assert refused(unpack_zip(posted("p.zip", bytes(data)))).startswith("damaged: ")


def test_a_declared_size_beyond_the_limit_is_refused_unopened() -> None:
    data = bytearray(zipped(("a.csv", DATA)))
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (2**31).to_bytes(4, "little")
    assert refused(unpack_zip(posted("p.zip", bytes(data)))) == "declares too large a size"


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"PK\x05\x06", zipped(("a.csv", DATA))[:40], b""], ids=len)
def test_damaged_zip(data: bytes) -> None:
    assert refused(unpack_zip(posted("p.zip", data))).startswith("damaged: ")


def test_gz_bomb() -> None:
    assert refused(unpack_gzip(posted("p.gz", gzip.compress(ZEROS, mtime=0)))) == "is packed too tightly"


def test_all_members_share_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 5 * len(DATA) // 2)
    three = [(f"{i}.csv", DATA) for i in range(3)]
    assert refused(unpack_zip(posted("p.zip", zipped(*three)))) == "declares too large a size"
    assert refused(unpack_gzip(posted("p.gz", gzip.compress(DATA * 3, mtime=0)))) == "unpacks to too much"
    assert refused(unpack_tar(posted("p.tar", tarred(*three)))) == "unpacks to too much"


def as_kind(kind: bytes, target: str = "/etc/passwd") -> Callable[[tarfile.TarInfo], None]:
    def change(info: tarfile.TarInfo) -> None:
        info.type, info.linkname = kind, target

    return change


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar(kind: bytes) -> None:
    why = "holds a link, a device or a file with holes"
    data = tarred(("a.csv", b""), change=as_kind(kind))
    assert refused(unpack_tar(posted("p.tar", data))) == why
    assert refused(unpack_gzip(posted("p.tgz", gzip.compress(data, mtime=0)))) == why


def test_a_file_with_holes_is_not_blown_up() -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("a.csv")
        info.size = 512
        info.pax_headers = {"GNU.sparse.map": "0,1", "GNU.sparse.size": str(2**40), "GNU.sparse.name": "a.csv"}
        archive.addfile(info, io.BytesIO(b"1" + b"\0" * 511))
    assert refused(unpack_tar(posted("p.tar", stream.getvalue()))) == "holds a link, a device or a file with holes"


@pytest.mark.parametrize("name", ["../a.csv", "/a.csv", "x/../../a.csv"])
def test_a_tar_that_leads_out(name: str) -> None:
    assert refused(unpack_tar(posted("p.tar", tarred((name, DATA))))) == "holds a path that leads out of it"


def test_a_tar_of_too_many_members() -> None:
    data = tarred(*((f"{i}.csv", DATA) for i in range(MAX_MEMBERS + 1)))
    assert refused(unpack_tar(posted("p.tar", data))) == f"over {MAX_MEMBERS} members"


@pytest.mark.parametrize("data", [b"\x1f\x8b", b"\x1f\x8b\x08" + b"\xff" * 50, gzip.compress(DATA)[:-6]], ids=len)
def test_damaged_gz(data: bytes) -> None:
    assert refused(unpack_gzip(posted("p.gz", data))).startswith("damaged: ")


def test_damaged_tar() -> None:
    assert refused(unpack_tar(posted("p.tar", b"x" * 600))).startswith("damaged: ")
