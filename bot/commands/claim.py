"""`/claim`: a statement about cost or time against the pilot of the issue; nothing is kept."""

import re
from typing import TYPE_CHECKING

from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier, Outcome
from bot.grammar import Command

if TYPE_CHECKING:
    from scoring.setup import Evidence

USAGE = '/claim "STATEMENT" [path@ref …] [KEY=VALUE …]'
_QUOTED = re.compile(r'(?<![^\s])["“„«]([^"“”„«»]*)["”“»](?![^\s])')


def answer(dossier: Dossier) -> Answer:
    """How the statement stands to the pilot. Raises OSError for a spooled file that is gone."""
    from bot.commands.evidence import checked, evidence_of

    statement, rest = split(dossier.command)
    given, refusal = checked(dossier.model_copy(update={"command": rest}), USAGE)
    if refusal is not None:
        return refusal
    return _against(statement, dossier, evidence_of(dossier, given.pairs))


def split(command: Command) -> tuple[str, Command]:
    """The statement, and the command without it; where nothing is quoted, all that is no `KEY=VALUE` states it."""
    text = " ".join(command.arguments)
    quoted = _QUOTED.search(text)
    if quoted is not None:
        words = (text[: quoted.start()] + text[quoted.end() :]).split()
        return quoted[1], Command(command.name, tuple(words), command.line)
    pairs = tuple(word for word in command.arguments if "=" in word)
    return " ".join(word for word in command.arguments if "=" not in word), Command(command.name, pairs, command.line)


def _against(statement: str, dossier: Dossier, evidence: "Evidence") -> Answer:
    from bot.render.claim import render_claim, render_unclear
    from scoring.analysis import analyse
    from scoring.looks import looks_made
    from scoring.vendor_claims import Unclear, judge, parse

    claimed = parse(statement)
    if isinstance(claimed, Unclear):
        return Answer(body=render_unclear(claimed, dossier.language), outcome=Outcome.REFUSED)
    decision = analyse(evidence, today=dossier.today)
    judged = [judge(claimed, one) for one in (decision, *decision.others)]
    body = render_claim(judged, decision, dossier.problems)
    return Answer(body=body, outcome=Outcome.SAID, looks=looks_made(decision), problems=decision.problems)


COMMAND = SlashCommand(
    name="claim",
    usage=USAGE,
    examples=('/claim "70 % more audio per dollar"', '/claim "cuts cost by 40 %" pilots/asr.csv baseline=gpu'),
    scope=Scope.THREAD,
    records=False,
    answer=answer,
)
