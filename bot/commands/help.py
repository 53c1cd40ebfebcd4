"""`/help`: usage and examples, made from the registry."""

from bot.commands.interface import Scope, SlashCommand
from bot.commands.mistakes import unknown
from bot.dossier import Answer, Dossier, Outcome
from bot.grammar import Command
from bot.render.notices import code, say


def answer(dossier: Dossier) -> Answer:
    """All commands, or one with its examples."""
    from bot.commands.registry import find

    asked = dossier.command.arguments
    if not asked:
        title = say(dossier.language, "help.title")
        return Answer(body=f"### {title}\n\n{command_list(dossier.language)}\n", outcome=Outcome.SAID)
    name = asked[0].lstrip("/")
    command = find(name)
    if command is None:
        return unknown(Command(name, (), dossier.command.line), dossier.language)
    title = say(dossier.language, "help.one-title")
    return Answer(body=f"### {title}\n\n{_in_full(command, dossier.language)}\n", outcome=Outcome.SAID)


def command_list(language: str) -> str:
    """One line a command, and where a command stands."""
    from bot.commands.registry import COMMANDS

    lines = [say(language, "help.line", usage=code(c.usage), summary=_summary(c, language)) for c in COMMANDS]
    return "\n".join(lines) + f"\n\n{say(language, 'help.where')} {say(language, 'help.settings')}"


def _in_full(command: SlashCommand, language: str) -> str:
    told = say(language, "help.command", usage=code(command.usage), summary=_summary(command, language))
    examples = "\n".join(command.examples)
    return f"{told}\n\n{say(language, 'help.examples')}\n```\n{examples}\n```\n\n{say(language, 'help.settings')}"


def _summary(command: SlashCommand, language: str) -> object:
    from bot.render.notices import Markup

    return Markup(say(language, f"summary.{command.name}"))


COMMAND = SlashCommand(
    name="help",
    usage="/help [command]",
    examples=("/help", "/help compare"),
    scope=Scope.NOTHING,
    records=False,
    answer=answer,
)
