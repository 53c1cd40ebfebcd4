"""Dossiers in one line: a command as written, files as texts or from a sample."""

from collections.abc import Mapping
from pathlib import Path

from bot.commands.mistakes import unknown
from bot.commands.registry import find
from bot.dossier import Answer, Dossier, Spooled
from bot.grammar import Command, commands_in
from scoring.model.problem import Problem
from tests.samples import FOLDER, TODAY

PILOT = "arm,run,duration_s,price_usd_per_hour,wer\n" + "".join(
    f"{arm},{run},{seconds},{price},7.{run}\n"
    for arm, price, times in (("gpu", 55, (3600, 3590, 3610)), ("trn2", 35, (4010, 3995, 4020)))
    for run, seconds in enumerate(times, start=1)
)


def command(text: str) -> Command:
    """The one command of a comment."""
    (found,) = commands_in(text)
    return found


def spooled(folder: Path, name: str, text: str, by: str | None = "octocat") -> Spooled:
    """A text as a posted file on disk."""
    path = folder / f"{len(list(folder.iterdir()))}"
    path.write_text(text, encoding="utf-8")
    return Spooled(name=name, path=path, posted_by=by)


def dossier(
    text: str,
    folder: Path,
    posted: Mapping[str, str] | None = None,
    settings: str = "",
    problems: tuple[Problem, ...] = (),
    by: str | None = "octocat",
) -> Dossier:
    """A dossier of texts: `posted` by name."""
    return Dossier(
        command=command(text),
        repository="org/repo",
        issue=7,
        today=TODAY,
        postings=tuple(spooled(folder, name, body, by) for name, body in (posted or {}).items()),
        settings=spooled(folder, "steelyard.yml", settings, None) if settings else None,
        problems=problems,
    )


def of_sample(text: str, name: str) -> Dossier:
    """A sample as if it had been posted."""
    files = {p.relative_to(FOLDER / name).as_posix(): p for p in sorted((FOLDER / name).rglob("*")) if p.is_file()}
    books = {
        part: Spooled(name=file, path=files.pop(file))
        for part, file in (("settings", "steelyard.yml"), ("contracts", "contracts.yml"), ("prices", "prices.csv"))
        if file in files
    }
    files.pop("README.md")
    postings = tuple(Spooled(name=file, path=path, posted_by="octocat") for file, path in files.items())
    return Dossier(command=command(text), repository="org/repo", issue=7, today=TODAY, postings=postings, **books)


def answered(asked: Dossier) -> Answer:
    """What the registry's command says."""
    known = find(asked.command.name)
    return known.answer(asked) if known else unknown(asked.command, asked.language)
