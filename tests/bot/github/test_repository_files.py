"""Files of the repository: by path, by link, whole folders, and what is told about those that are not had."""

from pathlib import Path

import pytest

from bot.github.errors import Later
from bot.github.repository_files import MAX_FOLDER_FILES, Found, RepositoryFiles
from bot.github.spool import Spool
from tests.bot.github.repositories import commit
from tests.bot.github.world import World
from tests.e2e.faults import Asked, Fault, Said

CSV = b"arm,run,cost\ngpu,1,5\n"
MUCH = b"arm,run,cost\n" + b"gpu,1,5\n" * 200_000


def files(world: World, into: Path, **bounds: int) -> RepositoryFiles:
    return RepositoryFiles(world.bot(), world.repository, Spool(into, **bounds))


def said(found: Found) -> list[tuple[str, str | None]]:
    assert found.files == []
    return [(p.code, p.expected) for p in found.problems]


def held(found: Found) -> dict[str, bytes]:
    assert found.problems == []
    return {file.name: file.path.read_bytes() for file in found.files}


def test_a_file_at_the_default_branch_or_a_reference(world: World, tmp_path: Path) -> None:
    commit(world, {"pilots/a.csv": b"old", "pilots/ünï c.csv": CSV})
    commit(world, {"pilots/a.csv": CSV}, "feature/new")
    reader = files(world, tmp_path)
    assert held(reader.read_path("pilots/a.csv", None)) == {"pilots/a.csv": b"old"}
    assert held(reader.read_path("./pilots/a.csv", "feature/new")) == {"pilots/a.csv": CSV}
    assert held(reader.read_path("pilots/ünï c.csv", "main")) == {"pilots/ünï c.csv": CSV}


def test_a_link_whose_reference_holds_slashes(world: World, tmp_path: Path) -> None:
    commit(world, {"pilots/a.csv": b"old"})
    commit(world, {"pilots/a.csv": CSV}, "feature/new")
    reader = files(world, tmp_path)
    for rest in ("feature/new/pilots/a.csv", "refs/heads/feature/new/pilots/a.csv"):
        assert held(reader.read_link(rest, "a.csv")) == {"pilots/a.csv": CSV}
    assert held(reader.read_link("main/pilots/a.csv", "a.csv")) == {"pilots/a.csv": b"old"}
    assert said(reader.read_link("feature/old/pilots/a.csv", "a.csv"))[0][0] in ("path-missing", "ref-not-found")


def test_a_file_that_comes_without_content_is_streamed(world: World, tmp_path: Path) -> None:
    """Above 1 MB GitHub gives no content with the entry; `emulate` always does, so its answer is emptied."""
    commit(world, {"much.csv": MUCH})
    place = f"/repos/{world.repository}/contents/much.csv"

    def without_content(asked: Asked) -> Said | None:
        if asked.path.split("?")[0] == place and "raw" not in asked.headers.get("Accept", ""):
            entry = {"type": "file", "path": "much.csv", "size": len(MUCH), "encoding": "none", "content": ""}
            return Said.of(200, entry)
        return None

    world.github.handlers = (without_content, *world.github.handlers)
    assert held(files(world, tmp_path).read_path("much.csv", None)) == {"much.csv": MUCH}
    assert world.github.routes()[-2:] == [f"GET {place}"] * 2


def test_half_a_stream_is_no_file(world: World, tmp_path: Path) -> None:
    commit(world, {"much.csv": MUCH})
    connection = world.bot()
    world.github.plan(Fault.HALF_BODY, "GET", "/contents/")
    with pytest.raises(Later):
        connection.download(f"/repos/{world.repository}/contents/much.csv", tmp_path / "f", len(MUCH))
    assert list(tmp_path.iterdir()) == []
    world.github.plan(Fault.LIMIT, "GET", "/contents/", retry_after=7)
    with pytest.raises(Later) as later:
        connection.download(f"/repos/{world.repository}/contents/much.csv", tmp_path / "f", len(MUCH))
    assert later.value.retry_after_s == 7


def test_a_size_that_lies_is_counted(world: World, tmp_path: Path) -> None:
    commit(world, {"much.csv": MUCH})

    def small(asked: Asked) -> Said | None:
        if "/contents/" in asked.path and "raw" not in asked.headers.get("Accept", ""):
            entry = {"type": "file", "path": "much.csv", "size": 5, "encoding": "none", "content": ""}
            return Said.of(200, entry)
        return None

    world.github.handlers = (small, *world.github.handlers)
    reader = files(world, tmp_path, max_file_bytes=1000)
    assert said(reader.read_path("much.csv", None)) == [("file-too-large", "1,000")]
    assert list(tmp_path.iterdir()) == []


def test_a_file_above_the_limit_is_not_asked_for(world: World, tmp_path: Path) -> None:
    commit(world, {"a.csv": CSV})
    reader = files(world, tmp_path, max_file_bytes=10)
    assert said(reader.read_path("a.csv", None)) == [("file-too-large", "10")]


@pytest.mark.parametrize(
    ("wanted", "expected", "path", "ref"),
    [
        ("path-not-found", "pilots/speech.csv", "pilots/speach.csv", None),
        ("path-not-found", "pilots/notes.txt, pilots/speech.csv", "pilots/zzzzzzzzzz", None),
        ("path-missing", None, "nowhere/speech.csv", None),
        ("path-missing", None, "pilots/speech.csv", "no-such-branch"),
        ("path-invalid", "folder/file.csv", "../secrets/a.csv", None),
        ("path-invalid", "folder/file.csv", "pilots/../../a.csv", None),
        ("path-invalid", "folder/file.csv", "/etc/passwd", None),
        ("path-invalid", "folder/file.csv", "a//b.csv", None),
        ("path-invalid", "folder/file.csv", "a\\b.csv", None),
        ("path-invalid", "folder/file.csv", "a\u202eb.csv", None),
        ("path-invalid", "folder/file.csv", "", None),
        ("path-invalid", "folder/file.csv", "x" * 501, None),
        ("path-not-a-file", None, "vendored", None),
        ("path-not-a-file", None, "outside.csv", None),
        ("file-in-lfs", None, "large.csv", None),
        ("folder-without-files", "csv, gz, json, jsonl, log, tgz, tsv, txt, xlsx, zip", "src", None),
    ],
)
def test_what_is_not_had(
    world: World, tmp_path: Path, wanted: str, expected: str | None, path: str, ref: str | None
) -> None:
    lfs = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 900\n"
    written = {"pilots/speech.csv": CSV, "pilots/notes.txt": b"x", "large.csv": lfs, "src/train.py": b"x"}
    commit(world, written, links={"outside.csv": "../../etc/passwd"}, submodules=("vendored",))
    assert said(files(world, tmp_path).read_path(path, ref)) == [(wanted, expected)]


def test_an_unknown_reference_is_told_as_github_says_it(world: World, tmp_path: Path) -> None:
    def no_commit(asked: Asked) -> Said | None:
        return Said.of(404, {"message": "No commit found for the ref mian"}) if "ref=mian" in asked.path else None

    world.github.handlers = (no_commit, *world.github.handlers)
    assert said(files(world, tmp_path).read_path("a.csv", "mian", "a.csv@mian")) == [("ref-not-found", "a.csv@mian")]


def test_a_refusal_is_told(world: World, tmp_path: Path) -> None:
    def refuse(asked: Asked) -> Said | None:
        return Said.of(403, {"message": "This API returns blobs up to 100 MB"}) if "/contents/" in asked.path else None

    world.github.handlers = (refuse, *world.github.handlers)
    [problem] = files(world, tmp_path).read_path("a.csv", None).problems
    assert (problem.code, problem.found) == ("path-not-read", "This API returns blobs up to 100 MB")


def test_a_folder_gives_what_may_be_evidence(world: World, tmp_path: Path) -> None:
    commit(
        world,
        {
            "r/gpu/1.json": b"{}", "r/trn2/1.json": b"[]", "r/all.csv": CSV, "r/README.md": b"x", "r/plot.png": b"x",
            "r/.hidden/a.csv": CSV, "r/.env": b"x", "r/a/b/c/deep.csv": CSV, "r/contracts.yml": b"x",
            "r/notes.md": b"x",
        },
    )  # fmt: skip
    found = files(world, tmp_path).read_path("r/", None)
    assert [(f.name, f.below) for f in found.files] == [
        ("r/all.csv", 1), ("r/gpu/1.json", 2), ("r/notes.md", 1), ("r/trn2/1.json", 2)
    ]  # fmt: skip
    assert [(p.code, p.found) for p in found.problems] == [("configuration-beside", "r/contracts.yml")]


def test_the_whole_repository_is_a_folder_too(world: World, tmp_path: Path) -> None:
    commit(world, {"a.csv": CSV, "gpu/b.csv": CSV})
    found = files(world, tmp_path).read_path(".", None)
    assert [(f.name, f.below) for f in found.files] == [("a.csv", 1), ("gpu/b.csv", 2)]


def test_a_folder_of_too_many_files_is_not_read(world: World, tmp_path: Path) -> None:
    commit(world, {f"r/{i}.csv": b"x" for i in range(MAX_FOLDER_FILES + 1)})
    assert said(files(world, tmp_path).read_path("r", None)) == [("folder-too-large", "50")]
    assert list(tmp_path.iterdir()) == []


def test_a_folder_stops_where_the_files_run_out(world: World, tmp_path: Path) -> None:
    commit(world, {f"r/{i}.csv": b"x" for i in range(4)})
    found = files(world, tmp_path, max_files=3).read_path("r", None)
    assert [p.code for p in found.problems] == ["too-many-files"] and len(found.files) == 3
