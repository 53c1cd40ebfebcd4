"""`steelyard demo`: the real bot beside a GitHub on this machine, from a posted pilot to the reply and the memo."""

import argparse
import base64
import contextlib
import http.client
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import github

from bot.emulator import APP_ID, Emulator, EmulatorFailed, World, emulator, token_of
from bot.github.client import Connection
from bot.github.identity import Identity
from bot.github.ledger import Ledger
from bot.github.marker import place_of
from bot.github.reply import OwnReply
from bot.grammar import commands_in
from bot.node import OLDEST, NodeMissing, PackagesMissing, cache_folder
from bot.render.messages import catalogue
from bot.repo_config import CONFIG_PATH, RepoConfig
from bot.templates import sample_path

SAMPLE = "llama2-70b-lora"
PERSON, ORGANISATION, NAME, SLUG = "you", "your-company", "accelerator-pilots", "steelyard"
REPOSITORY = f"{ORGANISATION}/{NAME}"
APPROVERS = f"\ngithub: {{approvers: [{PERSON}], self_approval: true}}\n"
"""So that whoever tries it can sign the memo too."""
READY_S, REPLY_S, END_S = 60, 120, 12
LOOK_EVERY_S = 0.1
FENCE = "```"
_SAY = catalogue("en", "demo")


class _Stopped(Exception):
    """The demo cannot go on; the message says why."""


def run(args: argparse.Namespace) -> int:
    """Exit status 0 after a reply, 1 without one, 2 where something to run it with is missing."""
    started = time.monotonic()
    folder = Path(args.out or tempfile.mkdtemp(prefix="steelyard-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _stage(folder, started) as stage:
            stage.perform(started)
            if not args.once:
                stage.play()
        print(_SAY("ended", folder=folder))
        return 0
    except NodeMissing:
        told, status = _SAY("no-node", oldest=OLDEST), 2
    except PackagesMissing as cause:
        told, status = _SAY("no-packages", cache=cache_folder(), cause=cause), 2
    except EmulatorFailed as cause:
        told, status = _SAY("not-started", cause=cause), 1
    except _Stopped as stopped:
        told, status = str(stopped), 1
    print(told, file=sys.stderr)
    return status


@contextmanager
def _stage(folder: Path, started: float) -> Iterator["_Stage"]:
    """GitHub and the bot, each a process that ends with this one."""
    port, secret = _free_port(), secrets.token_urlsafe(16)
    world = World(
        ORGANISATION,
        members=(PERSON,),
        private=(NAME,),
        app_slug=SLUG,
        webhook_url=f"http://127.0.0.1:{port}/webhook",
        webhook_secret=secret,
    )
    with emulator(world, _free_port()) as running:
        _tell("github", seconds=_since(started), url=running.url, repository=REPOSITORY)
        person = Connection(github.Auth.Token(token_of(PERSON)), running.url, pace=False)
        stage = _Stage(person, running.url, folder)
        with _bot(running, port, secret, stage.log):
            _tell("bot", seconds=_since(started), log=stage.log)
            yield stage


@dataclass(frozen=True)
class _Stage:
    person: Connection
    pages_url: str
    folder: Path

    @property
    def log(self) -> Path:
        return self.folder / "bot.log"

    def perform(self, started: float) -> None:
        """The sample's story: files committed, the pilot posted, `/compare` written, the reply shown."""
        sample, config = sample_path(SAMPLE), RepoConfig()
        files = {CONFIG_PATH: "steelyard.yml", config.contracts: "contracts.yml", config.prices: "prices.csv"}
        for path, name in files.items():
            more = APPROVERS if path == CONFIG_PATH else ""
            self._commit(path, (sample / name).read_bytes() + more.encode())
        pilot = (sample / "pilot.csv").read_text(encoding="utf-8")
        issue = int(self.person.post(f"/repos/{REPOSITORY}/issues", {"title": "Gaudi 2 for fine-tuning?"})["number"])
        self._comment(issue, f"```csv\n{pilot.strip()}\n```")
        asked = self._comment(issue, "/compare")
        _tell("posted", person=PERSON, issue=issue, runs=pilot.strip().count("\n"), command="/compare")
        self._show(issue, asked)
        self._fetch(place_of(issue, asked))
        _tell("took", seconds=_since(started))

    def play(self) -> None:
        """What is typed becomes comments, until an empty line, the end of input or Ctrl-C."""
        _tell("invite", person=PERSON, examples="/approve, /whatif price.gaudi2=20, /plan, /help")
        try:
            while text := _typed():
                asked = self._comment(1, text)
                if commands_in(text):
                    self._show(1, asked)
                else:
                    _tell("no-command")
        except KeyboardInterrupt:
            print()

    def _commit(self, path: str, data: bytes) -> None:
        body = {"message": f"Add {path}", "content": base64.b64encode(data).decode()}
        self.person.put(f"/repos/{REPOSITORY}/contents/{path}", body)

    def _comment(self, issue: int, body: str) -> int:
        return int(self.person.post(f"/repos/{REPOSITORY}/issues/{issue}/comments", {"body": body})["id"])

    def _show(self, issue: int, asked: int) -> None:
        began = time.monotonic()
        reply = self._reply(issue, place_of(issue, asked))
        _tell("replied", seconds=_since(began))
        print(f"\n{reply.marked.body.strip()}\n\n{reply.url}\n", flush=True)

    def _reply(self, issue: int, place: str) -> OwnReply:
        bot = Identity.of_app(APP_ID, SLUG)
        ends = time.monotonic() + REPLY_S
        while time.monotonic() < ends:
            for comment in self.person.pages(f"/repos/{REPOSITORY}/issues/{issue}/comments"):
                reply = OwnReply.of(comment, bot)
                if reply and reply.marked.place == place:
                    return reply
            time.sleep(LOOK_EVERY_S)
        raise _Stopped(_SAY("no-reply", seconds=REPLY_S, log=self.log))

    def _fetch(self, place: str) -> None:
        """The answer's files, read back from the ledger as anybody with access to the repository may."""
        branch = RepoConfig().ledger_branch
        ledger = Ledger(self.person, REPOSITORY, branch, self.pages_url)
        for entry in (e for e in ledger.index().entries if e.place.startswith(place)):
            for name in entry.files:
                (self.folder / name).write_bytes(ledger.read(f"{entry.folder}/{name}"))
            _tell("record", files=", ".join(f"{entry.folder}/{name}" for name in entry.files))
            _tell("memo", branch=branch, path=self.folder / "memo.xlsx")


@contextmanager
def _bot(running: Emulator, port: int, secret: str, log: Path) -> Iterator[None]:
    """`steelyard serve` in a process of its own, with SQLite in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="steelyard-demo-state-") as state, log.open("wb") as written:
        settings = {
            "STATE_DIR": state,
            "BASE_URL": running.url,
            "APP_ID": str(APP_ID),
            "PRIVATE_KEY": running.private_key,
            "WEBHOOK_SECRETS": secret,
            "PORT": str(port),
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith("STEELYARD_")}
        process = subprocess.Popen(
            [sys.executable, "-c", "from bot.demo import serve_while_wanted; serve_while_wanted()"],
            env=kept | {f"STEELYARD_{name}": value for name, value in settings.items()},
            stdin=subprocess.PIPE,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        with process:
            try:
                _wait_until_ready(process, port, log)
                yield
            finally:
                if process.stdin:
                    process.stdin.close()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(END_S)
                process.kill()


def serve_while_wanted() -> None:
    """What the demo's other process runs: the bot, ended in order when whoever started it is gone."""
    from bot.serve import run_serve
    from bot.settings import ProcessSettings

    def wait() -> None:
        sys.stdin.buffer.read()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()
    run_serve(ProcessSettings.read())


def _wait_until_ready(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    ends = time.monotonic() + READY_S
    while process.poll() is None and time.monotonic() < ends:
        with contextlib.suppress(OSError, http.client.HTTPException):
            asked = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
            with contextlib.closing(asked):
                asked.request("GET", "/readyz")
                if asked.getresponse().status == 200:
                    return
        time.sleep(LOOK_EVERY_S)
    raise _Stopped(_SAY("bot-not-started", log=log))


def _typed() -> str:
    """One line, or a whole block from its opening fence to its closing one; empty at the end of input."""
    lines = [(_line("> ") or "").strip()]
    if lines[0].startswith(FENCE):
        while (line := _line("| ")) is not None:
            lines.append(line)
            if line.strip() == FENCE:
                break
    return "\n".join(lines)


def _line(prompt: str) -> str | None:
    """None at the end of input."""
    if sys.stdin.isatty():
        with contextlib.suppress(EOFError):
            return input(prompt)
        return None
    line = sys.stdin.readline()
    return line.removesuffix("\n") if line else None


def _tell(code: str, **arguments: object) -> None:
    print(_SAY(code, **arguments), flush=True)


def _since(moment: float) -> str:
    return f"{time.monotonic() - moment:.1f}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
