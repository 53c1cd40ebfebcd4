"""This GitHub in a process of its own, which ends with whoever started it, and how the bench speaks to it."""

import base64
import json
import random
import secrets
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from bot.bench.github.world import Setting

START_S = 30


class GitHubFailed(Exception):
    """It did not start, or did not do what the bench asked."""


@dataclass(frozen=True)
class RunningGitHub:
    """A running GitHub: its address, and what the bench may do to it."""

    url: str
    port: int
    secret: str = field(repr=False)

    def open_issue(self, login: str, title: str, body: str) -> int:
        """A new issue's number."""
        return int(self._asked("POST", "/bench/issues", {"login": login, "title": title, "body": body})["number"])

    def comment(self, login: str, issue: int, body: str) -> dict[str, Any]:
        """A new comment; the webhook's payload that tells of it."""
        return self._asked("POST", "/bench/comments", {"login": login, "issue": issue, "body": body})

    def state(self) -> dict[str, Any]:
        """Everything: comments, the ledger's commits and files, effects and requests."""
        return self._asked("GET", "/bench/state", None)

    def blob(self, sha: str) -> bytes:
        """A stored file's bytes."""
        return base64.b64decode(self._asked("GET", f"/bench/blob?sha={sha}", None)["content"])

    def _asked(self, verb: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            given = {"X-Bench-Secret": self.secret, "Content-Type": "application/json"}
            connection.request(verb, path, json.dumps(body) if body else None, given)
            response = connection.getresponse()
            raw = response.read()
        finally:
            connection.close()
        if response.status != 200:
            raise GitHubFailed(f"{verb} {path}: {response.status} {raw[:200]!r}")
        answer: dict[str, Any] = json.loads(raw)
        return answer


@contextmanager
def github_process(setting: Setting, fault_rate: float = 0.0, seed: int = 0) -> Iterator[RunningGitHub]:
    """GitHub on a free loopback port until the block ends. Raises GitHubFailed."""
    secret = secrets.token_hex(16)
    values = {**asdict(setting), "large": {path: str(file) for path, file in setting.large.items()}}
    order = json.dumps({"setting": values, "secret": secret, "fault_rate": fault_rate, "seed": seed})
    process = subprocess.Popen(
        [sys.executable, "-m", "bot.bench.github.process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            assert process.stdin and process.stdout  # noqa: S101 - both are pipes
            watchdog = threading.Timer(START_S, process.kill)
            watchdog.start()
            process.stdin.write(order + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
            watchdog.cancel()
            if not line.strip():
                raise GitHubFailed("the bench's GitHub did not start")
            port = int(line)
            yield RunningGitHub(f"http://127.0.0.1:{port}", port, secret)
        finally:
            process.kill()


def main() -> None:
    """Serve what standard input orders until it ends."""
    from bot.bench.github.faults import Faults
    from bot.bench.github.server import Service, server
    from bot.bench.github.world import World

    order = json.loads(sys.stdin.readline())
    values = {**order["setting"], "large": {path: Path(file) for path, file in order["setting"]["large"].items()}}
    rng = random.Random(order["seed"])  # noqa: S311 - chooses faults
    faults = Faults(order["fault_rate"], rng) if order["fault_rate"] else None
    bound = server(Service(World(Setting(**values)), order["secret"], faults))
    threading.Thread(target=bound.serve_forever, daemon=True).start()
    print(bound.server_port, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
