"""The way of every request of the bot: recorded, checked by GitHub's description, answered by double and emulate."""

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.emulator import World
from bot.node import node
from tests.e2e.description import cut, one_segment
from tests.e2e.double import Double
from tests.e2e.node import DESCRIPTION, free_port, node_modules
from tests.e2e.web import Request, Response, ask, served

API, GRAPHQL = "/api/v3", "/api/graphql"
START_S = 90
_VIOLATIONS = "sl-violations"


@dataclass(frozen=True)
class Call:
    """One request of the bot with what broke the description. `by_double`: answered by the double, not by emulate."""

    method: str
    path: str
    status: int
    request_violations: tuple[str, ...]
    response_violations: tuple[str, ...]
    by_double: bool


@dataclass
class Front:
    """An Enterprise Server's shape, `HOST/api/v3`, `HOST/api/graphql` and pages at `HOST`, so that one port does."""

    proxy: str
    double: Double
    calls: list[Call] = field(default_factory=list)

    def answer(self, request: Request) -> Response:
        """Every request is answered here."""
        if request.path == GRAPHQL:
            return self._noted(request, self.double.graphql(request))
        if not request.path.startswith(f"{API}/"):
            return self.double.pages(request)
        request = replace(request, path=request.path.removeprefix(API))
        checked = self._noted(request, ask(self.proxy, replace(request, path=one_segment(request.path))))
        is_text = "json" in checked.headers.get("content-type", "json")
        return checked if is_text or request.method != "GET" else self.double.api(request)

    def _noted(self, request: Request, answer: Response) -> Response:
        """The proxy re-writes bodies as text: bytes are fetched again from behind it."""
        found = _violations(answer.headers.get(_VIOLATIONS, "[]"))
        self.calls.append(
            Call(
                request.method,
                request.path + (f"?{request.query}" if request.query else ""),
                answer.status,
                tuple(text for side, text in found if side == "request"),
                tuple(text for side, text in found if side != "request"),
                "x-double" in answer.headers,
            )
        )
        return replace(answer, headers={k: v for k, v in answer.headers.items() if k != _VIOLATIONS})


def _violations(header: str) -> list[tuple[str, str]]:
    """`("request", "query.since: must match format …")`. A list too long for a header is told as one text."""
    try:
        listed: list[dict[str, Any]] = json.loads(header)
    except ValueError:
        return [("request" if '"location":["request"' in header else "response", header[:2000])]
    return [(v["location"][0], f"{'.'.join(map(str, v['location'][1:]))}: {v['message']}") for v in listed]


@contextmanager
def proxy(upstream: str, folder: Path) -> Iterator[str]:
    """Prism in front of `upstream`; its address. It ends with the block, or with this process."""
    modules = node_modules()
    description = folder / "github.json"
    description.write_text(json.dumps(cut(modules / DESCRIPTION)), encoding="utf-8")
    port = free_port()
    environment = {**os.environ, "NODE_COMPILE_CACHE": str(modules.parent / "compiled"), "NODE_ENV": "production"}
    process = subprocess.Popen(
        [node(), Path(__file__).with_name("contract.mjs"), modules],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
    )
    with process:
        watchdog = threading.Timer(START_S, process.kill)
        watchdog.start()
        try:
            assert process.stdin and process.stdout
            order = {"description": str(description), "upstream": upstream, "port": port}
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline() or "{}").get("operations"), "prism did not start"
            watchdog.cancel()
            yield f"http://127.0.0.1:{port}"
            assert process.poll() is None, "prism ended on its way"
        finally:
            watchdog.cancel()
            process.kill()


@contextmanager
def github(emulate: str, world: World, ports: tuple[int, int], folder: Path) -> Iterator[tuple[str, str, Front]]:
    """The chain in front of a running emulate, the front and the double on `ports`: their addresses, and the front."""
    double = Double(emulate, world.app_slug, f"http://127.0.0.1:{ports[0]}{API}", world.webhook_secret)
    with (
        served(double.api, ports[1]) as behind,
        proxy(behind, folder) as checked,
        served((front := Front(checked, double)).answer, ports[0]) as address,
    ):
        yield address, behind, front
