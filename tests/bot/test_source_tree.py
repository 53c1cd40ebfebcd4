"""Trees, tarballs and commits are read within bounds, and links lead nowhere."""

import hashlib
import io
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from bot.scanning import scanned
from bot.source_tree import Bounds, source_of


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for name in ("a.py", "pkg/b.py", "node_modules/c.py", ".hidden/d.py", ".github/workflows/e.yml", "notes.txt"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x.cuda()\n", encoding="utf-8")
    return root


def paths(root: Path, ref: str | None = None, bounds: Bounds | None = None) -> list[str]:
    return [file.path for file in source_of(root, ref, bounds or Bounds())]


def test_a_folder_gives_what_is_read_in_order_of_names(tree: Path) -> None:
    assert paths(tree) == ["a.py", ".github/workflows/e.yml", "pkg/b.py"]


def test_links_are_not_followed(tree: Path) -> None:
    (tree / "loop").symlink_to(tree)
    (tree / "linked.py").symlink_to("/etc/hostname")
    assert paths(tree) == ["a.py", ".github/workflows/e.yml", "pkg/b.py"]


def test_a_pipe_and_a_sparse_gigabyte_are_findings_at_once(tree: Path) -> None:
    os.mkfifo(tree / "pipe.py")
    with (tree / "large.py").open("wb") as large:
        large.truncate(1 << 30)
    told = {f.file: f.found for f in scanned(tree, None).findings if f.entry == "unread-file"}
    assert told == {"pipe.py": "not-a-file", "large.py": "too-large"}


def test_a_notebook_may_be_larger_for_the_pictures_in_it(tree: Path) -> None:
    (tree / "n.ipynb").write_text('{"cells": []}' + " " * 30, encoding="utf-8")
    (tree / "n.py").write_text("x = 1" + " " * 30, encoding="utf-8")
    for most, unread in ((100, {"n.py"}), (20, {"n.ipynb", "n.py"})):
        done = scanned(tree, None, Bounds(most_bytes_of_a_file=20, most_bytes_of_a_notebook=most))
        assert {f.file for f in done.findings if f.found == "too-large"} == unread


def test_depth_is_bounded(tree: Path) -> None:
    deep = tree.joinpath(*["d"] * 30)
    deep.mkdir(parents=True)
    (deep / "deep.py").write_text("x.cuda()", encoding="utf-8")
    assert "deep.py" not in str(paths(tree, bounds=Bounds(deepest=10)))
    assert "deep.py" in str(paths(tree))


@pytest.mark.parametrize(
    ("bounds", "why"),
    [
        ({"most_files": 1}, "files"),
        ({"most_bytes": 10}, "bytes"),
        ({"clock": iter(range(0, 10_000, 100)).__next__}, "seconds"),
    ],
)
def test_a_bound_ends_the_scan_and_is_told(tree: Path, bounds: dict[str, object], why: str) -> None:
    assert scanned(tree, None, Bounds(**bounds)).stopped_by == why  # type: ignore[arg-type]


def test_a_tarball_is_read_as_a_stream(tree: Path, tmp_path: Path) -> None:
    packed = tmp_path / "tree.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(tree, ".")
        outside = tarfile.TarInfo("../../outside.py")
        outside.size = 9
        archive.addfile(outside, io.BytesIO(b"x.cuda()\n"))
    assert sorted(paths(packed)) == [".github/workflows/e.yml", "a.py", "pkg/b.py"]
    assert not (tmp_path.parent / "outside.py").exists()


@pytest.mark.parametrize("data", [b"", b"no tarball", b"\x1f\x8b broken"])
def test_what_is_no_tarball_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.tgz"
    path.write_bytes(data)
    with pytest.raises(OSError, match="no readable tarball"):
        paths(path)


def git(folder: Path, *words: str) -> None:
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, env={**os.environ, **who})


def test_a_commit_is_read_and_not_the_work_tree(tree: Path) -> None:
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "first")
    (tree / "new.py").write_text("x.cuda()", encoding="utf-8")
    (tree / "a.py").write_text("x = 1\n", encoding="utf-8")
    assert paths(tree, "HEAD") == [".github/workflows/e.yml", "a.py", "pkg/b.py"]
    assert [f.file for f in scanned(tree, "HEAD").findings] == ["a.py", "pkg/b.py"]


def test_a_tarball_that_was_cut_off_is_refused_and_one_of_gigabytes_ends_in_time(tree: Path, tmp_path: Path) -> None:
    for packing in ("", "gz", "bz2", "xz"):
        whole, cut = tmp_path / f"whole.tar{packing and '.'}{packing}", tmp_path / f"cut.tar{packing and '.'}{packing}"
        with tarfile.open(whole, f"w:{packing}") as archive:  # type: ignore[call-overload]
            archive.add(tree / "a.py", "a.py")
            archive.add(tree / "pkg/b.py", "b.py")
        assert paths(whole) == ["a.py", "b.py"]
        size = 1024 if not packing else whole.stat().st_size - 20
        cut.write_bytes(whole.read_bytes()[:size])
        with pytest.raises(OSError, match="no readable tarball"):
            paths(cut)
    bounds = Bounds(clock=iter([0.0, *[1.0] * 20]).__next__, seconds=0.5)
    assert scanned(whole, None, bounds).stopped_by == "seconds"


def test_nothing_that_a_repository_names_is_run(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "a.py").write_text("y.cuda()\n", encoding="utf-8")
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "first")
    blob = hashlib.sha1(b"blob 9\0y.cuda()\n", usedforsecurity=False).hexdigest()
    (tree / ".git/objects" / blob[:2] / blob[2:]).unlink()
    mark = tree / "was-run"
    for name, value in (
        ("core.fsmonitor", f"touch {mark};"),
        ("core.sshCommand", f"touch {mark};"),
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", "ssh://nowhere/x"),
    ):
        git(tree, "config", name, value)
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    told = {f.file: f.found for f in scanned(tree, "HEAD").findings if f.entry == "unread-file"}
    assert told == {"a.py": "not-read"}
    assert not mark.exists()


@pytest.mark.parametrize("ref", ["--help", "nothing", "a\nb", ":a.py", "HEAD:pkg"])
def test_what_is_no_commit_is_refused(tree: Path, ref: str) -> None:
    with pytest.raises(OSError):  # noqa: PT011 - each has words of its own
        paths(tree, ref)


def test_many_files_are_read_by_two_processes_alike(tmp_path: Path) -> None:
    for number in range(250):
        (tmp_path / f"m{number:03}.py").write_text("x.cuda()\n" * (number % 3), encoding="utf-8")
    found = scanned(tmp_path, None)
    assert found.files["python"] == 250
    assert [f.file for f in found.findings] == sorted(f.file for f in found.findings)
    assert len(found.findings) == sum(number % 3 for number in range(250))
