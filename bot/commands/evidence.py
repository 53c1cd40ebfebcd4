"""From a dossier to the engine's evidence, or to the answer that says why a command was not run."""

from collections.abc import Collection, Sequence

from bot.commands.arguments import Arguments, arguments_of
from bot.commands.mistakes import broken_configuration, malformed
from bot.dossier import Answer, Dossier, Spooled
from bot.record_file import open_record
from scoring.model.decision import Decision
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.reading.posted import PostedFile
from scoring.settings_file import apply_overrides, read_settings
from scoring.setup import Evidence


def checked(dossier: Dossier, usage: str, own_keys: Collection[str] = ()) -> tuple[Arguments, Answer | None]:
    """The command's arguments, and the answer that refuses them or the repository's settings. Raises OSError."""
    given = arguments_of(dossier.command, own_keys)
    broken, wrong = settings_problems(_opened(dossier.settings), given.pairs)
    if broken:
        return given, broken_configuration(broken, dossier.language)
    problems = [*given.problems, *wrong]
    return given, malformed(problems, usage, dossier.language) if problems else None


def settings_problems(file: PostedFile | None, pairs: Sequence[str]) -> tuple[list[Problem], list[Problem]]:
    """What is wrong in the settings' file, and in the pairs that are laid over it."""
    settings, broken = Settings(), list[Problem]()
    if file is not None:
        settings, broken = read_settings(file)
    return broken, [] if broken else apply_overrides(settings, tuple(pairs))[1]


def evidence_of(dossier: Dossier, pairs: tuple[str, ...]) -> Evidence:
    """What was posted and how to judge it. Raises OSError for a spooled file that is gone."""
    return Evidence(
        postings=tuple(posted.opened() for posted in dossier.postings),
        settings=_opened(dossier.settings),
        contracts=_opened(dossier.contracts),
        prices=_opened(dossier.prices),
        overrides=pairs,
        problems=dossier.problems,
        looks=dossier.looks,
    )


def sound_record(spooled: Spooled | None) -> Decision | None:
    """A decision of the ledger; None for none, and for one that is not as it was written. Raises OSError."""
    return None if spooled is None else open_record(spooled.path)[0]


def _opened(spooled: Spooled | None) -> PostedFile | None:
    return None if spooled is None else spooled.opened()
