"""What a slash command is: it describes itself, says what it needs, and answers from a dossier alone."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from bot.dossier import Answer, Dossier


class Scope(StrEnum):
    """What is gathered for a command before it is answered."""

    NOTHING = "nothing"
    THREAD = "thread"
    """The issue's thread, attachments and linked files, and the repository's configuration, contracts and prices."""
    LEDGER = "ledger"
    """All of the ledger's decisions, and the repository's books."""
    SOURCE = "source"
    """The repository's source at a reference, as far as a scan reads it, and its settings."""
    DECISION = "decision"
    """What the ledger holds of the issue's decisions, and the comment itself, which may sign the last of them."""


@dataclass(frozen=True)
class SlashCommand:
    """`answer` is pure: no client, no clock, no second fetch. `records` is whether the ledger keeps its files.

    `usage` and `examples` are shown as they are; the one-line summary stands in the catalogue `bot` under
    `summary.<name>`. A module of a command imports the engine inside its answer, so that whoever only looks a
    command up never loads it.
    """

    name: str
    usage: str
    examples: tuple[str, ...]
    scope: Scope
    records: bool
    answer: Callable[[Dossier], Answer]
