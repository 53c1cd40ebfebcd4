"""From a dossier to the engine's evidence, or to the answer that says why a command was not run."""

from collections.abc import Collection

from bot.commands.arguments import Arguments, arguments_of
from bot.commands.mistakes import broken_configuration, malformed
from bot.dossier import Answer, Dossier, Spooled
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.reading.posted import PostedFile
from scoring.settings_file import apply_overrides, read_settings
from scoring.setup import Evidence


def checked(dossier: Dossier, usage: str, own_keys: Collection[str] = ()) -> tuple[Arguments, Answer | None]:
    """The command's arguments, and the answer that refuses them or the repository's settings. Raises OSError."""
    settings, problems = Settings(), list[Problem]()
    if dossier.settings is not None:
        settings, problems = read_settings(dossier.settings.opened())
    given = arguments_of(dossier.command, own_keys)
    if problems:
        return given, broken_configuration(problems, dossier.language)
    problems = [*given.problems, *apply_overrides(settings, given.pairs)[1]]
    return given, malformed(problems, usage, dossier.language) if problems else None


def evidence_of(dossier: Dossier, pairs: tuple[str, ...]) -> Evidence:
    """What was posted and how to judge it. Raises OSError for a spooled file that is gone."""
    return Evidence(
        postings=tuple(posted.opened() for posted in dossier.postings),
        settings=_opened(dossier.settings),
        contracts=_opened(dossier.contracts),
        prices=_opened(dossier.prices),
        overrides=pairs,
        problems=dossier.problems,
    )


def _opened(spooled: Spooled | None) -> PostedFile | None:
    return None if spooled is None else spooled.opened()
