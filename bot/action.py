"""`steelyard action`: the bot without a server. The event of a GitHub Actions run gives the same job as a webhook."""

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from bot import logs
from bot.dossier import Outcome
from bot.github.errors import GitHubError, Later
from bot.handle import Handled, handle
from bot.intake.events import job_of
from bot.job import Job
from bot.settings import ProcessSettings, complaints

DONE, FAILED, MISUSED = 0, 1, 2
TRIES = 5
LONGEST_WAIT_S = 120.0
FIRST_WAIT_S = 5.0
NEEDED = ("GITHUB_EVENT_PATH", "GITHUB_EVENT_NAME", "GITHUB_TOKEN")
IGNORED = "ignored"
_WORD = re.compile(r"\S{1,500}\Z", re.ASCII)
_log = logs.logger("action")


Handle = Callable[[Job, date, ProcessSettings], Handled]
"""`bot.handle.handle`, or what stands for it in a test of this module."""


def run(args: argparse.Namespace) -> int:
    """Exit status 0 when the event was answered or asks for nothing, 1 when it failed, 2 outside of a run."""
    missing = [name for name in NEEDED if not os.environ.get(name)]
    if missing:
        print(f"steelyard: this runs inside GitHub Actions; not set: {', '.join(missing)}", file=sys.stderr)
        return MISUSED
    try:
        settings = settings_of(os.environ)
    except ValueError as failure:
        print(f"steelyard: {'; '.join(complaints(failure))}", file=sys.stderr)
        return MISUSED
    logs.configure(settings)
    return act(os.environ, settings, handle)


def settings_of(environment: Mapping[str, str]) -> ProcessSettings:
    """The run's token and servers; everything else from `STEELYARD_…` as in any process."""
    return ProcessSettings.read(
        {"STEELYARD_LOG_FORMAT": "text", **environment},
        token=environment["GITHUB_TOKEN"],
        base_url=environment.get("GITHUB_API_URL") or None,
        web_url=environment.get("GITHUB_SERVER_URL") or None,
        state_dir=Path(environment.get("RUNNER_TEMP") or ".") / "steelyard-state",
    )


def act(
    environment: Mapping[str, str],
    settings: ProcessSettings,
    answer: Handle,
    wait: Callable[[float], None] = time.sleep,
) -> int:
    """Answer the event; what GitHub puts off is tried again a few times."""
    payload = _payload(Path(environment["GITHUB_EVENT_PATH"]))
    if payload is None:
        print("steelyard: GITHUB_EVENT_PATH holds no event", file=sys.stderr)
        return MISUSED
    delivery = f"run-{environment.get('GITHUB_RUN_ID', '0')}-{environment.get('GITHUB_RUN_ATTEMPT', '1')}"
    job = job_of(environment["GITHUB_EVENT_NAME"], payload, delivery)
    if not isinstance(job, Job):
        _log.info("nothing to do", extra={"reason": job.reason})
        _put_out(environment, IGNORED, None)
        return DONE
    try:
        handled = _patiently(job, settings, answer, wait)
    except GitHubError as failure:
        # Not the traceback alone: the run's page shows this line on top.
        print(f"steelyard: GitHub: {failure}", file=sys.stderr)
        _put_out(environment, Outcome.FAILED.value, None)
        return FAILED
    _summarise(environment, handled.body)
    _put_out(environment, handled.outcome, handled.url)
    return FAILED if handled.outcome == Outcome.FAILED.value else DONE


def _payload(path: Path) -> Mapping[str, Any] | None:
    try:
        payload = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return payload if isinstance(payload, dict) else None


def _patiently(job: Job, settings: ProcessSettings, answer: Handle, wait: Callable[[float], None]) -> Handled:
    for attempt in range(1, TRIES):
        try:
            return answer(job, _today(), settings)
        except Later as later:
            seconds = min(later.retry_after_s or FIRST_WAIT_S * 2 ** (attempt - 1), LONGEST_WAIT_S)
            _log.warning("GitHub puts it off", extra={"cause": str(later), "seconds": seconds, "attempt": attempt})
            wait(seconds)
    return answer(job, _today(), settings)


def _today() -> date:
    return datetime.now(UTC).date()  # noqa: TID251 - the outermost edge of a run


def _summarise(environment: Mapping[str, str], body: str) -> None:
    if body and environment.get("GITHUB_STEP_SUMMARY"):
        _append(environment["GITHUB_STEP_SUMMARY"], body.rstrip() + "\n")


def _put_out(environment: Mapping[str, str], outcome: str, url: str | None) -> None:
    """The step's outputs; a value that is no single word could set another output and is left out."""
    if environment.get("GITHUB_OUTPUT"):
        values = {"outcome": outcome, "url": url or ""}
        lines = [f"{name}={value}\n" for name, value in values.items() if not value or _WORD.match(value)]
        _append(environment["GITHUB_OUTPUT"], "".join(lines))


def _append(path: str, text: str) -> None:
    with Path(path).open("a", encoding="utf-8") as stream:
        stream.write(text)
