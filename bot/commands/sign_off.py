"""`/approve` and `/reject`: a listed approver signs the issue's last decision; `sign.py` has the rules."""

from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier


def approve(dossier: Dossier) -> Answer:
    """The signature, or why there is none. Raises OSError for a spooled file that is gone."""
    from bot.commands import sign

    return sign.approve(dossier)


def reject(dossier: Dossier) -> Answer:
    """The same for a rejection. Raises OSError."""
    from bot.commands import sign

    return sign.reject(dossier)


APPROVE = SlashCommand(
    name="approve",
    usage="/approve [HASH]",
    examples=("/approve", "/approve 1a2b3c4d5e6f7a8b"),
    scope=Scope.DECISION,
    records=True,
    answer=approve,
)
REJECT = SlashCommand(
    name="reject",
    usage="/reject [HASH] [reason]",
    examples=("/reject the price offer ends in March", "/reject 1a2b3c4d5e6f7a8b another horizon, please"),
    scope=Scope.DECISION,
    records=True,
    answer=reject,
)
