"""Patients for the doctor: settings in a folder of their own, and a GitHub that answers as a test wants."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.doctor import CHECKS, examined
from bot.doctor.finding import Finding, Level, Patient
from bot.settings import ProcessSettings
from tests.e2e.faults import Asked, Said


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - compared with the clock of a server of this machine


@dataclass
class Scripted:
    """Answers by path, in front of the emulated GitHub; what is not scripted is left to that."""

    answers: dict[str, tuple[int, Any]] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def __call__(self, asked: Asked) -> Said | None:
        found = self.answers.get(asked.path.split("?")[0])
        if found is None:
            return None
        return Said(found[0], json.dumps(found[1]).encode(), {"Content-Type": "application/json", **self.headers})


@dataclass
class Clinic:
    """Settings that a test changes, and what the doctor finds."""

    state: Path
    given: dict[str, object]
    github: Scripted

    def settings(self, **changes: object) -> ProcessSettings:
        return ProcessSettings.read({}, **{"state_dir": self.state, **self.given, **changes})

    def findings(
        self, *checks: str, repository: str | None = None, ahead_s: float = 0, **changes: object
    ) -> dict[str, tuple[Level, dict[str, object]]]:
        """What these checks find (none named: all), by code: how grave, and the facts."""

        def clock() -> datetime:
            return now() + timedelta(seconds=ahead_s)

        chosen = [check for check in CHECKS if check.name in checks or not checks]
        patient = Patient(self.settings(**changes), repository, clock)
        found: list[Finding] = [finding for _, finding in examined(patient, chosen)]
        return {finding.code: (finding.level, finding.facts) for finding in found}
