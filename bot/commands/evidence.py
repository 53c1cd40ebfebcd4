"""From a dossier to the engine's evidence, or to the answer that says why a command was not run."""

from bot.commands.arguments import Arguments, arguments_of
from bot.commands.mistakes import broken_configuration, malformed
from bot.dossier import Answer, Dossier, Spooled
from scoring.model.settings import Settings
from scoring.reading.posted import PostedFile
from scoring.settings_file import apply_overrides, read_settings
from scoring.settings_forms import ALIASES
from scoring.setup import Evidence

SETTING_NAMES = (*Settings.model_fields, *ALIASES)


def configured(dossier: Dossier) -> tuple[Settings, Answer | None]:
    """The repository's settings, or the answer that shows what is wrong with them. Raises OSError."""
    if dossier.settings is None:
        return Settings(), None
    settings, problems = read_settings(dossier.settings.opened())
    return settings, broken_configuration(problems, dossier.language) if problems else None


def checked(dossier: Dossier, usage: str) -> tuple[Arguments, Answer | None]:
    """The command's arguments, or the answer that says which of them cannot be followed. Raises OSError."""
    settings, refusal = configured(dossier)
    given = arguments_of(dossier.command, SETTING_NAMES)
    if refusal is not None:
        return given, refusal
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
