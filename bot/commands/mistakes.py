"""Commands that were not run: unknown ones with the nearest match and the list, malformed ones with their usage."""

from collections.abc import Sequence

from bot.dossier import Answer, Outcome
from bot.grammar import Command
from bot.render.notices import code, render_problems, say
from scoring.model.problem import Problem


def unknown(command: Command, language: str) -> Answer:
    """The reply to a command that does not exist."""
    from bot.commands.help import command_list
    from bot.commands.registry import nearest

    near = nearest(command.name)
    found = f"/{command.name}"
    told = say(language, "mistake.unknown", found=found)
    if near is not None:
        told = say(language, "mistake.unknown-nearest", found=found, nearest=f"/{near}")
    title = say(language, "mistake.unknown-title")
    return Answer(body=f"### {title}\n\n{told}\n\n{command_list(language)}\n", outcome=Outcome.REFUSED)


def malformed(problems: Sequence[Problem], usage: str, language: str) -> Answer:
    """The reply to arguments that cannot be followed: what was found, the usage, and that nothing was computed."""
    told = render_problems(problems, language, title="mistake.title")
    ending = " ".join((say(language, "mistake.usage", usage=code(usage)), say(language, "mistake.nothing-done")))
    return Answer(body=f"{told}\n{ending}\n", outcome=Outcome.REFUSED, problems=tuple(problems))


def broken_configuration(problems: Sequence[Problem], language: str) -> Answer:
    """The reply where the repository's own settings cannot be read."""
    return Answer(body=render_problems(problems, language), outcome=Outcome.REFUSED, problems=tuple(problems))
