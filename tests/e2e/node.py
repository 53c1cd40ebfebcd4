"""The npm packages of the tests, installed once: GitHub's API description, the validating proxy, webhook examples."""

import os
import shutil
import socket
from pathlib import Path

import pytest

from bot import node as nodes
from bot.node import NodeMissing, PackagesMissing, node

HERE = Path(__file__).parent
DESCRIPTION = "@octokit/openapi/generated/api.github.com.json"
__all__ = ["DESCRIPTION", "free_port", "node", "node_modules"]


def node_modules() -> Path:
    """The folder of installed packages; without Node or a registry the test is skipped, in CI it fails."""
    try:
        return nodes.node_modules(HERE, tidy=_without_other_descriptions)
    except (NodeMissing, PackagesMissing) as reason:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(reason))


def _without_other_descriptions(modules: Path) -> None:
    """GitHub's descriptions take 390 MB; one of 13 MB is used."""
    keep = modules / DESCRIPTION
    for path in keep.parent.iterdir():
        if path != keep:
            path.unlink()
    shutil.rmtree(modules / "@octokit" / "webhooks-types", ignore_errors=True)


def free_port() -> int:
    """A loopback port that nothing uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
