"""`steelyard bench chaos`: kill -9 at random moments, and count in GitHub what was lost or done twice."""

import argparse
import random
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bot.bench.database import bench_database
from bot.bench.deployment import Deployment, deployed
from bot.bench.feeder import TAKEN, Feeder
from bot.bench.github.process import RunningGitHub, github_process
from bot.bench.scene import ASKER, Scene, delivery, free_port
from bot.bench.verdict import Verdict, quantiles, recoveries, replies_of, verdict

ISSUES = 30
FAULT_RATE = 0.03
ALONE = 0.5
"""Share of the kills that hit the process alone, as the system kills; the others take its children along."""
LOOK_S = 0.5
WIDTH = 40
FAULT = "fault: "
BARS = {
    "lost": "commands without a reply",
    "doubled_replies": "replies doubled",
    "given_up": "commands given up",
    "doubled_commits": "commits doubled",
    "entries_missing": "entries missing in the ledger's index",
    "entries_doubled": "entries doubled in the ledger's index",
    "files_missing": "files missing in the ledger",
    "memos_broken": "memos that do not open",
}
"""What has to be 0, and what it is called."""
STALLED_S = 180.0
SETTLED_S = 4.0
"""Nothing was written for so long: whatever could double something has ended."""
PILOT = """Two arms, as measured.

```csv
arm,run,duration_s,price_usd_per_hour,wer
gpu,1,3610,55.04,7.4
gpu,2,3580,55.04,7.5
gpu,3,3595,55.04,7.4
trn2,1,{first},35.76,7.4
trn2,2,4290,35.76,7.5
trn2,3,4220,35.76,7.4
```
"""
CONFIGURATION = {".github/steelyard.yml": "baseline: gpu\nmargins: {wer: 0.3}\n", "README.md": "Pilots.\n"}


@dataclass
class Chaos:
    """One run: what is killed, and what is posted meanwhile."""

    github: RunningGitHub
    bot: Deployment
    feeder: Feeder
    rng: random.Random
    longest_life_s: float
    issues: list[int] = field(default_factory=list)
    commands: set[int] = field(default_factory=set)
    kills: list[float] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)

    def run(self, kills: int, deliveries: int) -> None:
        """Post and kill, evenly spread, at moments that the seed chooses."""
        self.issues = [
            self.github.open_issue(ASKER, f"Pilot {n}", PILOT.format(first=4150 + n))
            for n in range(min(ISSUES, deliveries))
        ]
        for number in range(kills):
            self._live(deliveries * (number + 1) // kills - len(self.commands))
            self._kill()
        for _ in range(deliveries - len(self.commands)):
            self._post()

    def _live(self, deliveries: int) -> None:
        """Let the bot live for a while in which comments are written, some at the very end."""
        life = self.rng.uniform(0.1, self.longest_life_s)
        begun = time.monotonic()
        for moment in sorted(self.rng.uniform(0.0, life) for _ in range(deliveries)):
            time.sleep(max(0.0, begun + moment - time.monotonic()))
            self._post()
        time.sleep(max(0.0, begun + life - time.monotonic()))

    def _post(self) -> None:
        issue = self.issues[len(self.commands) % len(self.issues)]
        payload = self.github.comment(ASKER, issue, f"Please, number {len(self.commands) + 1}.\n\n/compare\n")
        self.commands.add(int(payload["comment"]["id"]))
        self.feeder.give(delivery(payload, str(uuid.UUID(int=self.rng.getrandbits(128)))))

    def _kill(self) -> None:
        victim = self.rng.choice(self.bot.processes)
        self.kills.append(time.time())
        victim.kill(with_children=self.rng.random() >= ALONE)
        victim.start()
        seconds = self.bot.wait_healthy()
        if victim is self.bot.processes[0]:
            self.starts.append(seconds)

    def drained(self, stalled_s: float) -> float:
        """Seconds until every command has its reply and nothing is written any more, or until nothing moves."""
        begun = moved = time.monotonic()
        before = -1
        while time.monotonic() - moved < stalled_s:
            state = self.github.state()
            answered = len(replies_of(state, self.commands))
            if len(state["effects"]) != before:
                before, moved = len(state["effects"]), time.monotonic()
            elif answered == len(self.commands) and time.monotonic() - moved > SETTLED_S:
                return moved - begun
            time.sleep(LOOK_S)
        return time.monotonic() - begun


def run(args: argparse.Namespace) -> int:
    """Print a line a figure; exit status 1 when anything was lost, doubled or broken, and the logs are kept then."""
    folder = Path(tempfile.mkdtemp(prefix="steelyard-chaos-"))
    with bench_database(args.database_url, postgres=args.postgres) as database:
        print(f"{'database':<{WIDTH}}{database.kind}")
        with _scene(args, folder, database.url) as chaos:
            chaos.feeder.start()
            chaos.run(args.kills, args.deliveries)
            all_taken = chaos.feeder.finish(STALLED_S)
            drain = chaos.drained(STALLED_S)
            state = chaos.github.state()
            found = verdict(state, chaos.commands, chaos.github.blob)
    _print(chaos, found, drain, state)
    if all_taken and found.is_clean:
        shutil.rmtree(folder)
        return 0
    print(f"steelyard: the logs are kept in {folder}", file=sys.stderr)
    return 1


@contextmanager
def _scene(args: argparse.Namespace, folder: Path, database_url: str | None) -> Iterator[Chaos]:
    rng = random.Random(args.seed)  # noqa: S311 - chooses moments
    scene = Scene.made(CONFIGURATION)
    port = free_port()
    with github_process(scene.setting, FAULT_RATE if args.faults else 0.0, args.seed) as github:
        environment = scene.environment(github.url, folder / "state", port, database_url)
        with deployed(environment, folder, port, apart=args.apart) as bot:
            feeder = Feeder(port, scene.secret, args.redeliveries, random.Random(args.seed))  # noqa: S311
            yield Chaos(github, bot, feeder, rng, args.life)


def _print(chaos: Chaos, found: Verdict, drain: float, state: Mapping[str, Any]) -> None:
    recovery = quantiles(recoveries(state, chaos.commands, chaos.kills))
    start = quantiles(chaos.starts)
    feeder = chaos.feeder
    lines = {
        "posted": feeder.given,
        "acknowledged": feeder.acked,
        "posted again": feeder.repeated,
        "attempts without an answer": feeder.unanswered,
        "answers other than 202": sum(feeder.answered.values()) - feeder.answered[TAKEN],
        "kills": len(chaos.kills),
        "receiving again, s: p50, max": f"{start[0]:.1f}, {start[1]:.1f}",
        "work taken up again, s: p50, max": f"{recovery[0]:.1f}, {recovery[1]:.1f}",
        "drain, s": f"{drain:.1f}",
        "requests to GitHub": sum(n for name, n in state["requests"].items() if not name.startswith(FAULT)),
        **{name: n for name, n in sorted(state["requests"].items()) if name.startswith(FAULT)},
        "commits in the ledger": found.commits,
        "doubles taken back in time": found.deleted,
    }
    counts = {BARS[name]: value for name, value in asdict(found).items() if name in BARS}
    for name, value in {**lines, **counts}.items():
        print(f"{name:<{WIDTH}}{value}")
