"""`steelyard bench page`: how fast the pages of a large ledger answer many readers, and how often GitHub is asked."""

import argparse
import random
import secrets
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import github
from pydantic import SecretStr

from bot.bench.deployment import deployed
from bot.bench.github.process import RunningGitHub, github_process
from bot.bench.ledger import REGIONS, WORKLOADS, Ledger, books, entries, sample_files
from bot.bench.machine import Moment, additions, told
from bot.bench.scene import Scene, free_port
from bot.emulator import token_of
from bot.github.client import Connection
from bot.github.index import Entry, Index
from bot.web.session import Seals, Session

BAR_MS = 300.0
PAUSE_S = 1.0
"""Of a reader between two pages, on average."""
PARTS = {f"pausing {PAUSE_S:g} s between pages": PAUSE_S, "never pausing": 0.0}
CHANGE_S = 5.0
MOST_WAIT_S = 60.0
QUARTER = "2027Q1"
KINDS = ("quarter", "list", "decision", "memo")
COLUMNS = ("requests", "a second", "p50 ms", "p95 ms", "p99 ms", "max ms")


@dataclass
class Times:
    """Seconds of every answer by the kind of its page, and what went wrong."""

    took: list[tuple[str, float]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def quantile_ms(self, share: float, kind: str | None = None) -> float:
        """A quantile in milliseconds; 0 for none."""
        times = sorted(seconds for one, seconds in self.took if kind in (None, one))
        return times[min(len(times) - 1, int(len(times) * share))] * 1000 if times else 0.0


@dataclass(frozen=True)
class Ground:
    """What is read: the served pages, the sessions of its readers, and the decisions."""

    port: int
    pid: int
    cookies: tuple[str, ...]
    address: str
    known: tuple[Entry, ...]


def run(args: argparse.Namespace) -> int:
    """Print the figures; exit status 1 for an error, a p95 above the bar, or a ledger that is read too often."""
    with _ground(args) as (ground, ledger, github_server):
        first = _first(ground)
        print(f"this processor adds {additions():.0f} million times a second, beside everything else that runs here")
        print(f"{args.decisions:,} decisions, {args.readers} readers; first page {first:.1f} s")
        print(f"{'':<30}" + "".join(f"{name:>10}" for name in COLUMNS))
        before, changes = github_server.state()["requests"], list[float]()
        with _growing(ledger, ground.known, changes):
            parts = [_part(ground, name, args.seconds, pause_s) for name, pause_s in PARTS.items()]
        after = github_server.state()["requests"]
    reads = after.get(INDEX_READ, 0) - before.get(INDEX_READ, 0)
    asked = {name: after[name] - before.get(name, 0) for name in sorted(after) if after[name] > before.get(name, 0)}
    print(f"{len(changes)} changes of the ledger, its index read {reads} times; GitHub was asked: {_listed(asked)}")
    least = args.readers / (BAR_MS / 1000)
    print(f"{args.readers} readers who never pause wait {BAR_MS:g} ms each at {least:.0f} pages a second")
    wrong = [error for part in parts for error in part.errors]
    print(f"errors {len(wrong)}" + "".join(f"\n  {error}" for error in wrong[:5]))
    missed = [part for part in parts if part.quantile_ms(0.95) > BAR_MS]
    return int(bool(wrong or missed) or reads > len(changes))


def _part(ground: Ground, name: str, seconds: float, pause_s: float) -> Times:
    """All readers for so long, and their figures."""
    before = Moment.now(ground.pid)
    times = _read(ground, seconds, pause_s)
    spent = told(before, Moment.now(ground.pid), len(times.took))
    _table(name, times, seconds)
    judged = "met" if times.quantile_ms(0.95) <= BAR_MS else "missed"
    print(f"  p95 {times.quantile_ms(0.95):.0f} ms, bar {BAR_MS:g} ms: {judged}" + (f"; {spent}" if spent else ""))
    return times


INDEX_READ = "file index.json"


def _listed(asked: Mapping[str, int]) -> str:
    """What the pages asked for; what the bench itself wrote is left out."""
    root = "/repos/{owner}/{repository}"
    read = {name.removeprefix("GET "): count for name, count in asked.items() if name.startswith(("GET ", "not "))}
    return ", ".join(f"{name.removeprefix(root) or 'the repository'} {count}" for name, count in read.items())


def _table(title: str, times: Times, seconds: float) -> None:
    for kind in (None, *KINDS):
        count = sum(kind in (None, one) for one, _ in times.took)
        shown = [times.quantile_ms(share, kind) for share in (0.5, 0.95, 0.99, 1.0)]
        name = title if kind is None else f"  {kind}"
        print(f"{name:<30}{count:>10}{count / seconds:>10.1f}" + "".join(f"{value:>10.1f}" for value in shown))


@contextmanager
def _ground(args: argparse.Namespace) -> Iterator[tuple[Ground, Ledger, RunningGitHub]]:
    readers = [f"reader-{number}" for number in range(args.readers)]
    made = Scene.made(books())
    people = {**made.setting.people, **dict.fromkeys(readers, "read")}
    scene = replace(made, setting=replace(made.setting, people=people))
    secret, port = secrets.token_hex(32), free_port()
    with tempfile.TemporaryDirectory(prefix="steelyard-page-") as name, github_process(scene.setting) as running:
        writer = Connection(github.Auth.Token(token_of("olga")), running.url, pace=False)
        ledger, files = Ledger(writer, scene.setting.full_name), sample_files()
        index = Index(entries=tuple(entries(args.decisions, files)))
        ledger.write(index, files)
        client = {"STEELYARD_CLIENT_ID": "Iv23.bench", "STEELYARD_CLIENT_SECRET": secret}
        environment = scene.environment(running.url, Path(name) / "state", port, None) | client
        with deployed(environment, Path(name), port) as running_bot:
            cookies = tuple(_cookie(secret, login) for login in readers)
            yield (
                Ground(port, running_bot.processes[0].pid, cookies, f"/r/{scene.setting.full_name}", index.entries),
                ledger,
                running,
            )


def _cookie(secret: str, login: str) -> str:
    """A session as the login gives it; the login itself is GitHub's to time."""
    session = Session(login=login, token=SecretStr(token_of(login)))
    return f"steelyard={Seals(secret).seal('session', session.sealed())}"


def _first(ground: Ground) -> float:
    """Seconds of the first page. Raises HTTPException where it is none."""
    begun = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", ground.port, timeout=MOST_WAIT_S)
    connection.request("GET", f"{ground.address}?quarter={QUARTER}", headers={"Cookie": ground.cookies[0]})
    answer = connection.getresponse()
    shown = answer.read()
    connection.close()
    if answer.status != 200 or b"contract-1" not in shown:
        raise HTTPException(f"the first page is none: {answer.status}")
    return time.perf_counter() - begun


@contextmanager
def _growing(ledger: Ledger, known: tuple[Entry, ...], changes: list[float]) -> Iterator[None]:
    """Another decision in the ledger every CHANGE_S seconds; `changes` are when."""
    ended = threading.Event()

    def grow() -> None:
        grown = list(known)
        while not ended.wait(CHANGE_S):
            number = len(grown) + 1
            grown.append(known[0].model_copy(update={"issue": number, "place": f"c{number}"}))
            ledger.put("index.json", Index(entries=tuple(grown)).written(), "A decision")
            changes.append(time.time())

    thread = threading.Thread(target=grow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _read(ground: Ground, seconds: float, pause_s: float) -> Times:
    """All readers for so long, each with a connection that is kept."""
    times, ends = Times(), time.monotonic() + seconds
    threads = [
        threading.Thread(target=_reader, args=(ground, cookie, number, ends, pause_s, times), daemon=True)
        for number, cookie in enumerate(ground.cookies)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def _reader(ground: Ground, cookie: str, number: int, ends: float, pause_s: float, times: Times) -> None:
    chance = random.Random(number)  # noqa: S311 - chooses pages
    connection = HTTPConnection("127.0.0.1", ground.port, timeout=MOST_WAIT_S)
    time.sleep(chance.uniform(0, pause_s))
    while time.monotonic() < ends:
        kind, path = _wanted(ground, chance)
        begun = time.perf_counter()
        try:
            connection.request("GET", path, headers={"Cookie": cookie, "Accept": "text/html"})
            answer = connection.getresponse()
            answer.read()
        except (OSError, HTTPException) as failure:
            times.errors.append(f"{path}: {type(failure).__name__}")
            connection.close()
            continue
        times.took.append((kind, time.perf_counter() - begun))
        if answer.status != 200:
            times.errors.append(f"{path}: {answer.status}")
        time.sleep(chance.uniform(0, 2 * pause_s))
    connection.close()


def _wanted(ground: Ground, chance: random.Random) -> tuple[str, str]:
    """A page, as somebody who prepares a review goes through them: lists and decisions mostly."""
    kind = chance.choices(KINDS, (3, 3, 3, 1))[0]
    entry = chance.choice(ground.known)
    at = f"{entry.quarter}/{entry.issue}/{entry.seq}"
    match kind:
        case "quarter":
            return kind, f"{ground.address}?quarter={QUARTER}"
        case "list":
            workload, region = chance.randrange(WORKLOADS), chance.choice(("", *REGIONS))
            asked = f"decided=all&workload=workload-{workload}&region={region}&page={chance.randrange(1, 3)}"
            return kind, f"{ground.address}?quarter={QUARTER}&{asked}"
        case "decision":
            return kind, f"{ground.address}/decisions/{at}"
        case _:
            return kind, f"{ground.address}/files/{at}/memo.xlsx"
