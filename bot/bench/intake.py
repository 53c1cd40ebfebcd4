"""`steelyard bench intake`: how fast deliveries are answered, while a large file is parsed and without it."""

import argparse
import json
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.bench.compare import write_requests
from bot.bench.database import SQLITE, bench_database
from bot.bench.deployment import deployed
from bot.bench.feeder import TAKEN, posted
from bot.bench.github.process import RunningGitHub, github_process
from bot.bench.load import ID, ISSUE, Load, generator
from bot.bench.machine import additions
from bot.bench.scene import ASKER, Delivery, Scene, delivery, free_port
from bot.bench.verdict import FAILED, replies_of

LARGE = "measurements/requests.csv"
BAR_MS = 300.0
LOOK_S = 0.5
PARSED_S = 300.0
SETTLE_S = 2.0
COLUMNS = ("requests", "a second", "p50 ms", "p95 ms", "p99 ms", "max ms")
CONFIGURATION = {".github/steelyard.yml": "baseline: gpu\n"}
ROWS = 60


class ParseFailed(Exception):
    """The large file was not parsed, so that nothing was measured beside it."""


@dataclass(frozen=True)
class Span:
    """From when until when, in seconds since 1970."""

    begin: float
    end: float


def run(args: argparse.Namespace) -> int:
    """Print the figures; exit status 1 for an error, and on SQLite for a p99 above the bar."""
    with bench_database(args.database_url, postgres=args.postgres) as database:
        load, parse, alone = _measured(args, database.url)
    print(f"this processor adds {additions():.0f} million times a second, beside everything else that runs here")
    print(f"database {database.kind}, {args.connections} connections, {args.body_kb} KB a delivery")
    print(f"{args.attachment_mb} MB fetched, parsed and answered in {parse.end - parse.begin:.1f} s beside the load")
    print(f"{'':<22}" + "".join(f"{name:>10}" for name in COLUMNS))
    parts = {"while it is parsed": parse, "afterwards": alone}
    worst = max(_row(name, load.within(span.begin, span.end), span) for name, span in parts.items())
    print(f"errors {load.errors}")
    return int(load.errors > 0 or (database.kind == SQLITE and worst > BAR_MS))


def _row(name: str, load: Load, span: Span) -> float:
    """Print a part; its p99."""
    count = len(load.answers)
    times = [load.quantile_ms(share) for share in (0.5, 0.95, 0.99, 1.0)]
    rate = count / (span.end - span.begin)
    print(f"{name:<22}{count:>10}{rate:>10.0f}" + "".join(f"{value:>10.1f}" for value in times))
    return times[2]


def _measured(args: argparse.Namespace, database_url: str | None) -> tuple[Load, Span, Span]:
    """What was answered, and the spans of the parse and of the time after it. Raises ParseFailed."""
    with _folder(args.attachment_mb) as folder:
        scene = Scene.made(CONFIGURATION, {LARGE: folder / "requests.csv"})
        port = free_port()
        with github_process(scene.setting) as github:
            environment = scene.environment(github.url, folder / "state", port, database_url)
            with deployed(environment, folder, port):
                time.sleep(SETTLE_S)
                return _loaded(args, github, scene, port)


def _loaded(args: argparse.Namespace, github: RunningGitHub, scene: Scene, port: int) -> tuple[Load, Span, Span]:
    issue = github.open_issue(ASKER, "A large file", "See below.")
    body = _body(github, issue, args.body_kb * 1024)
    payload = github.comment(ASKER, issue, f"/compare {LARGE}")
    if posted(port, delivery(payload, str(uuid.uuid4())), scene.secret) != TAKEN:
        raise ParseFailed("the comment about the large file was not taken")
    begin = time.time()
    with generator(port, scene.secret, body, args.connections) as posting:
        parse = Span(begin, _answered(github, int(payload["comment"]["id"])))
        time.sleep(args.seconds)
        return posting.finish(), parse, Span(parse.end, time.time())


def _answered(github: RunningGitHub, command: int) -> float:
    """When the reply was there. Raises ParseFailed."""
    ends = time.monotonic() + PARSED_S
    while time.monotonic() < ends:
        replies = replies_of(github.state(), {command})
        if command in replies:
            at, outcome = replies[command][0]
            if outcome == FAILED:
                raise ParseFailed("the large file was not parsed within the limits")
            return at
        time.sleep(LOOK_S)
    raise ParseFailed(f"no reply about the large file within {PARSED_S:g} s")


def _body(github: RunningGitHub, issue: int, size: int) -> bytes:
    """A delivery of that many bytes about a comment that was deleted since, so that its job ends early."""
    rows = "".join(f"gpu,{n},{3600 + n},55.04,7.4\n" for n in range(ROWS))
    text = f"Measured again.\n\n```csv\narm,run,duration_s,price_usd_per_hour,wer\n{rows}```\n\n/compare\n"
    payload = github.comment(ASKER, issue, text)
    payload["comment"]["id"], payload["issue"]["number"] = 1_234_567_890, 7_777
    bare = delivery(payload, "").body
    filled: Delivery = delivery(payload, "", max(0, size - len(bare)))
    assert json.loads(filled.body)  # noqa: S101 - before the placeholders go in
    return filled.body.replace(b"1234567890", ID).replace(b"7777", ISSUE)


@contextmanager
def _folder(size_mb: int) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="steelyard-intake-") as name:
        folder = Path(name)
        write_requests(folder / "requests.csv", size_mb)
        yield folder
