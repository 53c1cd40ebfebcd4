"""The house stays in order: what lies at the top, how modules begin, how long they are, and what they never say."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tests.shared import ROOT

TOP = {
    "pyproject.toml", "README.md", "bot", "scoring", "templates", "tests", "samples", "LICENSE", "CHANGELOG.md",
    "CONTRIBUTING.md", "Dockerfile", "compose.yaml", "action.yml", "uv.lock", ".github", ".ci", "docs", ".gitignore",
    ".pre-commit-config.yaml", ".pre-commit-hooks.yaml",
}  # fmt: skip
LONGEST = 350
NEVER = re.compile(r"/work/|/root/|/home/\w+/|\bopt/pypi|\bTODO\b|\bFIXME\b|\bXXX\b")


def committed() -> list[Path]:
    """Files under version control; of an unpacked sdist all that there is."""
    if not (ROOT / ".git").exists():
        return [p for p in ROOT.rglob("*") if p.is_file() and ".venv" not in p.parts]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


FILES = committed()
MODULES = [p for p in FILES if p.suffix == ".py" and p.relative_to(ROOT).parts[0] in ("bot", "scoring")]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_nothing_but_the_expected_lies_at_the_top() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("an unpacked sdist has files of its own")
    assert {p.relative_to(ROOT).parts[0] for p in FILES} - TOP == set()


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_module_says_what_it_is_and_fits_in_a_head(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert text.count("\n") <= LONGEST
    assert ast.get_docstring(tree)
    for node in ast.walk(tree):
        public = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
        if public and not _is_inner(node, tree):
            assert ast.get_docstring(node), f"{relative(path)}: {node.name} has no docstring"


def _is_inner(node: ast.AST, tree: ast.Module) -> bool:
    """A function inside a function, or a method that the base class documents."""
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    inside = any(node is not f and node in ast.walk(f) for f in functions)
    private = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name.startswith("_")]
    bases = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.bases]
    return inside or any(node in ast.walk(c) for c in private + bases if node is not c)


@pytest.mark.parametrize("path", [p for p in FILES if p.name != "test_house.py"], ids=relative)
def test_a_file_speaks_of_the_project_only(path: Path) -> None:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    found = NEVER.search(text)
    assert found is None, f"{relative(path)}: {found and found[0]}"


def test_the_lock_names_public_registries_only() -> None:
    text = (ROOT / "uv.lock").read_text(encoding="utf-8")
    hosts = set(re.findall(r"https?://([^/\"]+)", text))
    assert hosts <= {"pypi.org", "files.pythonhosted.org"}


@pytest.mark.parametrize("path", [p for p in FILES if p.name == "package-lock.json"], ids=relative)
def test_a_lock_of_npm_names_its_public_registry_or_none(path: Path) -> None:
    resolved = re.findall(r'"resolved": "https?://([^/"]+)', path.read_text(encoding="utf-8"))
    assert set(resolved) <= {"registry.npmjs.org"}
