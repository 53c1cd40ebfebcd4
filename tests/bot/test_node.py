"""Node is found where it is, a too old one is passed over, and packages are installed once."""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from bot import node as nodes
from bot.node import NodeMissing, PackagesMissing, node, node_modules


def executable(folder: Path, prints: str) -> Path:
    """A program named `node` that prints its version."""
    folder.mkdir()
    path = folder / "node"
    path.write_text(f"#!/bin/sh\necho {prints}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("says", ["v22.0.0", "v24.19.0", "v100.1.2"])
def test_the_systems_node_is_taken_without_the_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str
) -> None:
    found = executable(tmp_path / "bin", says)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", f"{found.parent}{os.pathsep}{os.environ['PATH']}")
    assert node() == found


@pytest.mark.parametrize("says", ["v20.19.1", "v8.0.0", "nothing", ""])
def test_one_that_is_too_old_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str) -> None:
    found = executable(tmp_path / "bin", says)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(shutil, "which", lambda _: str(found))
    with pytest.raises(NodeMissing):
        node()


def test_an_installation_that_is_there_is_used_without_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = packages(tmp_path / "demo", "{}")
    monkeypatch.setattr(nodes, "_npm_ci", lambda _, folder: (folder / "node_modules").mkdir())
    first = node_modules(source, tmp_path / "cache")
    monkeypatch.setattr(nodes, "node", lambda: pytest.fail("it was looked for again"))
    assert node_modules(source, tmp_path / "cache") == first


def test_another_lock_is_another_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "_npm_ci", lambda _, folder: (folder / "node_modules").mkdir())
    places = {node_modules(packages(tmp_path / f"{n}" / "demo", text), tmp_path) for n, text in enumerate(("{}", "[]"))}
    assert len(places) == 2


def test_npm_that_fails_leaves_nothing(tmp_path: Path) -> None:
    source = packages(tmp_path / "demo", "no JSON")
    with pytest.raises(PackagesMissing):
        node_modules(source, tmp_path / "cache")
    assert [p.name for p in (tmp_path / "cache").rglob("*") if p.name.startswith((".installing", "node_modules"))] == []


def packages(folder: Path, lock: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"name": "demo", "private": true}', encoding="utf-8")
    (folder / "package-lock.json").write_text(lock, encoding="utf-8")
    return folder
