"""`/whatif`: the decision with changed settings beside the one without; nothing is kept."""

from typing import TYPE_CHECKING

from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier, Outcome

if TYPE_CHECKING:
    from scoring.model.decision import Decision
    from scoring.model.looks import EarlierLook

USAGE = "/whatif [path@ref …] KEY=VALUE …"


def answer(dossier: Dossier) -> Answer:
    """Both verdicts and what lies between them. Raises OSError for a spooled file that is gone."""
    from bot.commands.evidence import checked, evidence_of
    from bot.commands.mistakes import malformed
    from bot.render.whatif import render_whatif
    from scoring.analysis import analyse_read, read_evidence, with_settings_of
    from scoring.problems import error

    given, refusal = checked(dossier, USAGE)
    if refusal is not None:
        return refusal
    if not given.pairs:
        return malformed([error("whatif-without-setting", expected="KEY=VALUE")], USAGE, dossier.language)
    read = read_evidence(evidence_of(dossier, ()))
    changed = with_settings_of(evidence_of(dossier, given.pairs), read)
    before, after = (analyse_read(r, today=dossier.today) for r in (read, changed))
    body = render_whatif(before, after, given.pairs, dossier.problems)
    return Answer(body=body, outcome=Outcome.SAID, looks=_looks(before, after), problems=after.problems)


def _looks(before: "Decision", after: "Decision") -> "tuple[EarlierLook, ...]":
    """It shows the verdict that the data give, so it is a look. What it supposes of the plan is not remembered."""
    from scoring.looks import looks_made

    shown = looks_made(before)
    known = {look.comparison for look in shown}
    return (*shown, *(look for look in looks_made(after) if look.comparison not in known))


COMMAND = SlashCommand(
    name="whatif",
    usage=USAGE,
    examples=("/whatif price.trn2=31.5", "/whatif horizon=24m migration_cost=40000 margin.wer=0.3"),
    scope=Scope.THREAD,
    records=False,
    answer=answer,
)
