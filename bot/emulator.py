"""A stateful GitHub on loopback (npm's `emulate`), for the demo and the end-to-end tests: seed, start, surely end."""

import json
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.node import node, node_modules
from bot.templates import template_path

START_S = 30
STOP_S = 5
APP_ID = 4711
INSTALLATION_ID = 815
PERMISSIONS = {"issues": "write", "contents": "write", "metadata": "read"}
EVENTS = ("issue_comment", "issues")


class EmulatorFailed(Exception):
    """It did not start; the message is its own."""


@dataclass(frozen=True)
class World:
    """What is there at the start: an organisation with members, people outside it, repositories, and one App.

    Everybody in `members` and `others` has a token, `token_of(login)`. Members may administer; others get what
    `PUT /repos/…/collaborators` gives them.
    """

    organisation: str
    members: tuple[str, ...]
    others: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    public: tuple[str, ...] = ()
    app_slug: str = "steelyard"
    webhook_url: str | None = None
    webhook_secret: str = field(default="", repr=False)

    def seed(self) -> dict[str, Any]:
        """The seed in emulate's form; the App's key is left out, so that a new one is made."""
        people = (*self.members, *self.others)
        roles = {name: {"login": name, "role": "admin"} for name in self.members}
        return {
            "tokens": {token_of(name): {"login": name, "scopes": ["repo", "user", "admin:org"]} for name in people},
            "github": {
                "users": [{"login": name} for name in people],
                "orgs": [{"login": self.organisation, "members": list(roles.values())}],
                "repos": [
                    {"owner": self.organisation, "name": name, "private": name in self.private, "auto_init": True}
                    for name in (*self.private, *self.public)
                ],
                "apps": [self._app()],
            },
        }

    def _app(self) -> dict[str, Any]:
        installation = {
            "installation_id": INSTALLATION_ID,
            "account": self.organisation,
            "repository_selection": "all",
        }
        return {
            "app_id": APP_ID,
            "slug": self.app_slug,
            "name": self.app_slug,
            "permissions": PERMISSIONS,
            "events": list(EVENTS),
            "webhook_url": self.webhook_url,
            "webhook_secret": self.webhook_secret,
            "installations": [installation],
        }


@dataclass(frozen=True)
class Emulator:
    """A running GitHub: its address and the key of its App."""

    url: str
    private_key: str = field(repr=False)


def token_of(login: str) -> str:
    """The token that the seed gives a person."""
    return f"token-of-{login}"


@contextmanager
def emulator(world: World, port: int, pages_url: str | None = None, cache: Path | None = None) -> Iterator[Emulator]:
    """GitHub on that loopback port until the block ends; it also ends when this process is killed.

    `pages_url` is what links in its answers begin with. Raises NodeMissing, PackagesMissing and EmulatorFailed.
    """
    modules, url = node_modules(template_path("demo"), cache), f"http://127.0.0.1:{port}"
    command = [node(), template_path("demo/github.mjs"), modules]
    process = subprocess.Popen(  # noqa: S603 (a fixed command)
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    with process:
        try:
            started = _started(process, {"port": port, "pages": pages_url or url, "seed": world.seed()})
            yield Emulator(url, started["keys"][str(APP_ID)])
        finally:
            _end(process)


def _started(process: subprocess.Popen[str], order: Mapping[str, Any]) -> dict[str, Any]:
    watchdog = threading.Timer(START_S, process.kill)
    watchdog.start()
    try:
        line = _answered(process, json.dumps(order))
    finally:
        watchdog.cancel()
    answer: dict[str, Any] = json.loads(line) if line.strip() else {"failure": "it ended at once"}
    if "failure" in answer:
        raise EmulatorFailed(str(answer["failure"]))
    return answer


def _answered(process: subprocess.Popen[str], order: str) -> str:
    if process.stdin is None or process.stdout is None:
        return ""
    try:
        process.stdin.write(order + "\n")
        process.stdin.flush()
        return process.stdout.readline()
    except BrokenPipeError:
        return ""


def _end(process: subprocess.Popen[str]) -> None:
    try:
        if process.stdin:
            process.stdin.close()
        process.wait(STOP_S)
    except (OSError, subprocess.TimeoutExpired):
        process.kill()
