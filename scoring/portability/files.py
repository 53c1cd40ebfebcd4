"""Which files are read and as what, and whether a file is source, test or example; by its path alone."""

import re
from pathlib import PurePosixPath
from typing import Literal

from scoring.model.portability import Place

Kind = Literal["python", "notebook", "kernel", "docker", "shell", "yaml", "requirements", "pyproject", "config"]
SUFFIXES: dict[str, Kind] = {
    ".py": "python",
    ".pyi": "python",
    ".ipynb": "notebook",
    ".cu": "kernel",
    ".cuh": "kernel",
    ".ptx": "kernel",
    ".dockerfile": "docker",
    ".sh": "shell",
    ".bash": "shell",
    ".sbatch": "shell",
    ".slurm": "shell",
    ".yml": "yaml",
    ".yaml": "yaml",
    ".mk": "shell",
    ".toml": "config",
    ".ini": "config",
    ".cfg": "config",
}
NAMES: dict[str, Kind] = {
    "pyproject.toml": "pyproject",
    "setup.cfg": "requirements",
    "pipfile": "requirements",
    "makefile": "shell",
    "gnumakefile": "shell",
}
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "site-packages", "venv", "build", "dist", "wandb"})
_DOCKER = re.compile(r"(?:dockerfile|containerfile)(?:[.-].*)?\Z", re.IGNORECASE)
_REQUIREMENTS = re.compile(r".*(?:requirements|constraints)[\w.-]*\.(?:txt|in)\Z", re.IGNORECASE)
_SETTINGS = re.compile(
    r"(?:^|[/_.-])(?:conf|configs?|cfgs?|settings|options|params|args|hparams|deepspeed|ds|accelerate|train|training)[/_.-]",
    re.IGNORECASE,
)
"""JSON that is read: most of it is data."""
_TESTS = frozenset({"test", "tests", "testing", "unit_tests", "unittests"})
_EXAMPLES = frozenset({"example", "examples", "demo", "demos", "sample", "samples", "tutorial", "tutorials", "docs"})


def kind_of(path: str) -> Kind | None:
    """As what a file is read; None for one that is left alone."""
    pure = PurePosixPath(path)
    name = pure.name
    if _DOCKER.match(name):
        return "docker"
    if name.casefold() in NAMES:
        return NAMES[name.casefold()]
    in_folder = pure.parent.name.casefold() == "requirements" and pure.suffix in (".txt", ".in")
    if in_folder or _REQUIREMENTS.match(name):
        return "requirements"
    if pure.suffix.casefold() == ".json":
        return "config" if _SETTINGS.search(path) else None
    return SUFFIXES.get(pure.suffix.casefold())


def is_skipped(folder: str) -> bool:
    """Whether a folder of that name is passed over: hidden, or made by a tool. `.github` is read."""
    return folder in SKIPPED_FOLDERS or (folder.startswith(".") and folder != ".github")


def place_of(path: str) -> Place:
    """By the folders and the file's name."""
    pure = PurePosixPath(path)
    folders = {part.casefold() for part in pure.parts[:-1]}
    name = pure.name.casefold()
    if folders & _TESTS or name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py":
        return Place.TEST
    return Place.EXAMPLE if folders & _EXAMPLES else Place.SOURCE


def own_packages(paths: list[str]) -> frozenset[str]:
    """Names of the packages that the tree itself holds: a topmost folder with `__init__.py`, a module at the top."""
    packages = {str(PurePosixPath(path).parent) for path in paths if path.endswith("/__init__.py")}
    topmost = {PurePosixPath(p).name for p in packages if str(PurePosixPath(p).parent) not in packages}
    modules = {PurePosixPath(path).stem for path in paths if path.endswith(".py") and "/" not in path}
    return frozenset(topmost | modules)
