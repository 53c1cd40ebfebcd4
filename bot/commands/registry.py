"""All slash commands, one line each; looking one up loads no engine."""

import difflib

from bot.commands import claim, compare, help, outcome, plan, portability, review, sign_off, whatif
from bot.commands.interface import SlashCommand

COMMANDS: tuple[SlashCommand, ...] = (
    compare.COMMAND,
    whatif.COMMAND,
    plan.COMMAND,
    claim.COMMAND,
    portability.COMMAND,
    sign_off.APPROVE,
    sign_off.REJECT,
    outcome.COMMAND,
    review.COMMAND,
    help.COMMAND,
)
REGISTRY: dict[str, SlashCommand] = {command.name: command for command in COMMANDS}


def find(name: str) -> SlashCommand | None:
    """The command of that name, without its slash."""
    return REGISTRY.get(name)


def nearest(name: str) -> str | None:
    """The known name that a mistaken one most resembles, None where none does."""
    return next(iter(difflib.get_close_matches(name[:40].casefold(), REGISTRY, n=1, cutoff=0.5)), None)
