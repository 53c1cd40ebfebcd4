"""`steelyard doctor`: everything that the bot needs, examined one by one; it changes nothing and shows no secret."""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot import logs
from bot.doctor import app, machine, repository
from bot.doctor.finding import Examination, Finding, Level, Patient, fail, unchecked
from bot.github.errors import GitHubError
from bot.render.messages import catalogue
from bot.settings import ProcessSettings, complaints

HEALTHY, UNWELL, MISUSED = 0, 1, 2
REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+\Z", re.ASCII)
MARKS = {Level.OK: "ok  ", Level.WARN: "warn", Level.FAIL: "FAIL", Level.UNCHECKED: "–   "}


@dataclass(frozen=True)
class Check:
    """An examination by its name; `of_app` and `of_repository` say without what it does not apply."""

    name: str
    examine: Examination
    of_app: bool = False
    of_repository: bool = False


CHECKS = (
    Check("versions", machine.versions),
    Check("state", machine.state_directory),
    Check("database", machine.job_database),
    Check("credentials", machine.credentials),
    Check("github", app.github),
    Check("app", app.app, of_app=True),
    Check("installations", app.installations, of_app=True),
    Check("webhook", app.webhook, of_app=True),
    Check("deliveries", app.deliveries, of_app=True),
    Check("repository", repository.access, of_repository=True),
    Check("configuration", repository.configuration, of_repository=True),
    Check("limit", app.rate_limit),
)


def run(args: argparse.Namespace) -> int:
    """Exit status 0 when nothing fails, 1 when something does, 2 for settings or arguments that cannot be."""
    if args.repo and not REPOSITORY.match(args.repo):
        print("steelyard: --repo takes OWNER/NAME", file=sys.stderr)
        return MISUSED
    try:
        settings = ProcessSettings.read()
    except ValueError as failure:
        print("\n".join(f"steelyard: {line}" for line in complaints(failure)), file=sys.stderr)
        return MISUSED
    patient = Patient(settings, args.repo, _now)
    lines = [Line.of(name, finding, logs.Redactor(settings.secrets)) for name, finding in examined(patient)]
    print(_as_json(lines) if args.json else "\n".join(line.shown() for line in lines))
    return UNWELL if any(line.level is Level.FAIL for line in lines) else HEALTHY


def examined(patient: Patient, checks: Sequence[Check] = CHECKS) -> Iterator[tuple[str, Finding]]:
    """Every finding with the name of its check; a check that cannot go on says so and ends."""
    for check in checks:
        if check.of_app and not patient.settings.app_id:
            continue
        if check.of_repository and not patient.repository:
            continue
        for finding in _guarded(check.examine, patient):
            yield check.name, finding


def _guarded(examine: Examination, patient: Patient) -> Iterator[Finding]:
    try:
        yield from examine(patient)
    except GitHubError as failure:
        yield unchecked("github-said", cause=str(failure))
    except Exception as failure:
        # Its message may quote what was read; the kind is enough to report it.
        yield fail("examination-broke", kind=type(failure).__name__)


@dataclass(frozen=True)
class Line:
    """A finding in words."""

    check: str
    level: Level
    code: str
    text: str
    fix: str

    @classmethod
    def of(cls, check: str, finding: Finding, redactor: logs.Redactor) -> "Line":
        """The words of the catalogue, with every secret taken out that a fact might hold."""
        said = catalogue("en", "doctor")
        text, fix = (
            redactor.clean(said(f"{finding.code}.{part}", **finding.facts)) if f"{finding.code}.{part}" in said else ""
            for part in ("text", "fix")
        )
        return cls(check, finding.level, finding.code, text, fix)

    def shown(self) -> str:
        """For a terminal."""
        mend = f"\n{'':20}→ {self.fix}" if self.fix and self.level is not Level.OK else ""
        return f"{MARKS[self.level]}  {self.check:<14}{_plain(self.text)}{_plain(mend, keep=True)}"


def _plain(text: str, keep: bool = False) -> str:
    """What others wrote may not steer a terminal."""
    return "".join(c if c.isprintable() or (keep and c == "\n") else "�" for c in text)


def _as_json(lines: list[Line]) -> str:
    findings = [
        {"check": i.check, "level": i.level.value, "code": i.code, "text": i.text, "fix": i.fix or None} for i in lines
    ]
    healthy = all(i.level is not Level.FAIL for i in lines)
    return json.dumps({"healthy": healthy, "findings": findings}, indent=1, ensure_ascii=False)


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - to compare this machine's clock with GitHub's
