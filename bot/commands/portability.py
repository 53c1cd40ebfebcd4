"""`/portability`: the porting map of the repository at a reference; its files are kept on the ledger."""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from bot.commands.arguments import SHOWN, without_secret, words_of
from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier, Outcome, Source
from bot.grammar import Command
from bot.portability_options import TARGETS
from scoring.model.problem import Problem
from scoring.problems import error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.model.portability import TargetName
    from scoring.portability.scan import Scan, SourceFile

USAGE = "/portability [path@ref] [target=…]"
TARGET = "target"
SECONDS = 60.0
"""Of scanning; what the answering process has in all is more."""
MOST_BYTES = 8 * 1024 * 1024
"""Of a file for the ledger; the reply says what is left out."""


@dataclass(frozen=True)
class Asked:
    """`path` empty for the whole repository; `ref` and `target` None where nothing is said of them."""

    path: str = ""
    ref: str | None = None
    target: str | None = None
    shown: str = "."
    problems: tuple[Problem, ...] = ()


def asked_of(command: Command) -> Asked:
    """The arguments; behind the last `@` stands the reference."""
    words = words_of(command)
    if isinstance(words, Problem):
        return Asked(problems=(words,))
    places, targets, problems = list[str](), list[str](), list[Problem]()
    for word in map(without_secret, words):
        key, separator, value = word.partition("=")
        if separator and key.casefold() == TARGET:
            targets.append(value.casefold())
            if value.casefold() not in TARGETS:
                expected = ", ".join(TARGETS)
                problems.append(error("setting-invalid", column=TARGET, found=value[:SHOWN], expected=expected))
        elif separator:
            problems.append(error("setting-unknown", column=key[:SHOWN], found=key[:SHOWN], expected=TARGET))
        else:
            places.append(word)
    if len(places) > 1 or len(targets) > 1:
        problems.append(error("argument-unknown", found=" ".join(words)[:SHOWN], expected=USAGE))
    shown = places[0] if places else "."
    path, at, ref = shown.rpartition("@")
    if not at:
        path, ref = shown, ""
    elif not ref:
        problems.append(error("path-invalid", found=shown[:SHOWN], expected="folder@branch"))
    return Asked(path, ref or None, targets[0] if targets else None, shown, tuple(problems))


def folder_of(dossier: Dossier) -> str | None:
    """Where the map is kept: the same commit, path and target is the same folder; None without source."""
    if dossier.source is None:
        return None
    asked = asked_of(dossier.command)
    names = [dossier.source.commit[:12], *([asked.target] if asked.target else [])]
    if asked.path not in ("", "."):
        names.append(hashlib.sha256(asked.path.encode("utf-8", "replace")).hexdigest()[:8])
    return f"portability/issue-{dossier.issue}/{'-'.join(names)}"


def answer(dossier: Dossier) -> Answer:
    """The map as Markdown, and as JSON and SARIF for the ledger. Raises OSError for spooled source that is gone."""
    from bot.commands.mistakes import broken_configuration, malformed
    from bot.render.notices import say
    from bot.render.portability import render_portability
    from bot.render.record import engine_version
    from bot.render.sarif import render_sarif
    from scoring.model.portability import PortabilitySetting
    from scoring.model.problem import Severity
    from scoring.model.settings import Settings
    from scoring.portability.assess import assess
    from scoring.portability.report import report_of
    from scoring.settings_file import read_settings

    language, asked = dossier.language, asked_of(dossier.command)
    settings, broken = read_settings(dossier.settings.opened()) if dossier.settings else (Settings(), [])
    broken = [p for p in broken if p.severity in (Severity.ERROR, Severity.QUESTION)]
    if broken:
        return broken_configuration(broken, language)
    source = dossier.source
    if asked.problems or source is None:
        return malformed([*asked.problems, *dossier.problems], USAGE, language)
    target = cast("TargetName | None", asked.target)
    found = assess(_scanned(source), settings.portability or PortabilitySetting(), target)
    report = report_of(found, engine_version())
    made = {"portability.json": report.encode(), "portability.sarif": render_sarif(found).encode()}
    files = {name: data for name, data in made.items() if len(data) <= MOST_BYTES}
    told = [say(language, "portability.of", place=asked.shown[:200], commit=source.commit[:12])]
    told += [say(language, "portability.too-large", file=name) for name in made if name not in files]
    body = "\n".join([render_portability(found, language), *told])
    return Answer(body=f"{body}\n", outcome=Outcome.SAID, files=files)


def _scanned(source: Source) -> "Scan":
    from bot.source_tree import Bounds
    from scoring.portability.scan import SourceFile, scan

    bounds = Bounds(seconds=SECONDS)

    def files() -> "Iterator[SourceFile]":
        with source.data.open("rb") as stream:
            for path, size in source.files:
                yield SourceFile(path, stream.read(size))
        for path, reason in source.unread:
            yield SourceFile(path, None, reason)

    done = scan(files(), bounds.stopped)
    done.stopped_by = done.stopped_by or source.stopped_by
    return done


COMMAND = SlashCommand(
    name="portability",
    usage=USAGE,
    examples=("/portability target=trainium", "/portability src/train@main"),
    scope=Scope.SOURCE,
    records=False,
    answer=answer,
)
