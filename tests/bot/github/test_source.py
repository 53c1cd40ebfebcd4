"""Source by the git-data API: what a scan reads, at a path and a reference, within bounds; else what is wrong."""

import base64
from collections.abc import Sequence
from typing import Any

import pytest

from bot.github.source import RepositorySource, Tree
from bot.source_tree import Bounds
from scoring.model.problem import Problem
from tests.bot.github.repositories import commit
from tests.bot.github.world import World
from tests.e2e.faults import Asked, Handler, Said

FILES = {
    "train.py": b"x.cuda()\n",
    "pkg/kernel.cu": b"__global__ void f() {}\n",
    "pkg/deep/b.py": b"b = 1\n",
    "tests/test_a.py": b"a = 1\n",
    "node_modules/c.py": b"x.cuda()\n",
    "notes.txt": b"cuda\n",
}


def source(world: World) -> RepositorySource:
    return RepositorySource(world.bot(), world.repository)


def listed(found: Tree | Problem) -> list[str]:
    assert isinstance(found, Tree)
    return [entry.path for entry in found.entries]


def altered(world: World, **values: object) -> Handler:
    """The server's own tree with other values beside it."""

    def handler(asked: Asked) -> Said | None:
        if "/git/trees/" not in asked.path:
            return None
        answer: dict[str, Any] = world.straight("olga").get(asked.path)
        return Said.of(200, {**answer, **values})

    return handler


def test_what_is_read_of_a_tree_by_path_and_reference(world: World) -> None:
    commit(world, FILES, links={"linked.py": "train.py"}, submodules=("apex",))
    commit(world, {"new.py": b"n = 1\n"}, "feature/new")
    reader = source(world)
    assert listed(reader.tree("", "main", ".", Bounds())) == [
        "pkg/deep/b.py",
        "pkg/kernel.cu",
        "train.py",
        "tests/test_a.py",
    ]
    assert listed(reader.tree("pkg/", "main", "pkg/", Bounds())) == ["pkg/deep/b.py", "pkg/kernel.cu"]
    assert listed(reader.tree("./pkg/kernel.cu", "main", "pkg/kernel.cu", Bounds())) == ["pkg/kernel.cu"]
    assert "new.py" in listed(reader.tree("", "feature/new", "@feature/new", Bounds()))
    assert [file for file in world.github.routes() if "/git/blobs/" in file] == []
    wrong: Sequence[tuple[str, str, str]] = [
        ("../x", "main", "path-invalid"),
        ("/etc/passwd", "main", "path-invalid"),
        ("pkg/../../x", "main", "path-invalid"),
        ("pgk", "main", "path-not-found"),
        ("pkg/kernel.cu/x", "main", "path-not-a-file"),
        ("linked.py", "main", "path-not-a-file"),
        ("apex/x", "main", "path-not-a-file"),
        ("notes.txt", "main", "folder-without-files"),
        ("", "no-such-branch", "ref-not-found"),
        ("", "../../../user", "ref-not-found"),
        ("", "main~1", "ref-not-found"),
    ]
    for path, ref, code in wrong:
        found = reader.tree(path, ref, f"{path}@{ref}", Bounds())
        assert isinstance(found, Problem), (path, ref)
        assert found.code == code, (path, ref)
    assert not any("user" in route or "etc" in route for route in world.github.routes())


def test_bytes_within_bounds_and_reasons(world: World) -> None:
    commit(world, {"a.py": b"a\n", "b.py": b"b" * 50, "c.py": b"c\n"})
    reader, bounds = source(world), Bounds(most_bytes_of_a_file=10)
    tree = reader.tree("", "main", ".", bounds)
    assert isinstance(tree, Tree)
    told = [(f.path, f.data, f.reason if f.data is None else "") for f in reader.files(tree, bounds)]
    assert told == [("a.py", b"a\n", ""), ("b.py", None, "too-large"), ("c.py", b"c\n", "")]
    few = Bounds(most_files=1)
    assert [file.path for file in reader.files(tree, few)] == ["a.py", "b.py"]
    assert few.stopped() == "files"


def test_what_github_says_is_not_believed(world: World) -> None:
    """A blob that is larger than was declared, and names that would lead elsewhere."""
    commit(world, {"a.py": b"a\n"})
    much = base64.b64encode(b"x" * 100).decode()

    def larger(asked: Asked) -> Said | None:
        return Said.of(200, {"content": much, "encoding": "base64"}) if "/git/blobs/" in asked.path else None

    entry = {"type": "blob", "mode": "100644", "size": 3}
    named = [{**entry, "path": "a.py", "sha": "a" * 40}, {**entry, "path": "b.py", "sha": "../../user"}]
    world.github.handlers = (larger, altered(world, tree=named), *world.github.handlers)
    reader, bounds = source(world), Bounds(most_bytes_of_a_file=10)
    tree = reader.tree("", "main", ".", bounds)
    assert isinstance(tree, Tree)
    assert [(f.path, f.reason) for f in reader.files(tree, bounds) if f.data is None] == [("a.py", "too-large")]
    assert listed(tree) == ["a.py"]


@pytest.mark.parametrize("truncated", [True, False])
def test_a_part_of_a_tree_is_one(world: World, truncated: bool) -> None:
    commit(world, {"a.py": b"a\n"})
    world.github.handlers = (altered(world, truncated=truncated), *world.github.handlers)
    found = source(world).tree("", "main", ".", Bounds())
    assert isinstance(found, Tree)
    assert found.truncated is truncated
