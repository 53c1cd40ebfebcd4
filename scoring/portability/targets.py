"""What each target makes of a CUDA dependency: dated, with its page; what nobody says is not known."""

from datetime import date
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import yaml

from scoring.model.base import Value
from scoring.model.portability import EffortClass, Support, TargetName

FILE = Path(__file__).with_name("targets.yml")


class Source(Value):
    """A page and the day on which it was read."""

    page: str
    seen_on: date


class Rule(Value):
    """For entries by pattern: what the target makes of them, and their class where it is another than usual."""

    entries: tuple[str, ...]
    support: Support
    effort: EffortClass | None = None
    source: str


class Target(Value):
    """A backend: the name of its device in PyTorch, patterns of what pilots call its machines, and its rules."""

    device: str
    names: tuple[str, ...] = ()
    rules: tuple[Rule, ...]


class Targets(Value):
    """All targets and the pages that they rest on."""

    sources: dict[str, Source]
    targets: dict[TargetName, Target]


@cache
def targets() -> Targets:
    """The file as values."""
    return Targets.model_validate(yaml.safe_load(FILE.read_text(encoding="utf-8")))


@cache
def rule_of(target: TargetName, entry: str) -> Rule | None:
    """The first rule of a target for an entry; None: not known."""
    rules = targets().targets[target].rules
    return next((rule for rule in rules if any(fnmatchcase(entry, pattern) for pattern in rule.entries)), None)


def checked_on(target: TargetName) -> date:
    """The oldest day on which a page of the target was read."""
    named = {rule.source for rule in targets().targets[target].rules}
    return min(targets().sources[name].seen_on for name in named)


def target_named(machine: str) -> TargetName | None:
    """The target that an accelerator or an instance type of this name belongs to; None: not known."""
    of = targets().targets.items()
    return next((name for name, target in of if any(fnmatchcase(machine.casefold(), p) for p in target.names)), None)
