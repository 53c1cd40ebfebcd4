"""`/plan`: how many runs an arm before a pilot begins, in which blocks, what they cost and what they can see."""

from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier, Outcome

USAGE = "/plan [runs=N] [detect=5%] [cost_per_run=AMOUNT] [cv=3%] [seed=N] [KEY=VALUE …]"


def answer(dossier: Dossier) -> Answer:
    """A plan from the pilot so far, or from defaults that are named."""
    return Answer(body="", outcome=Outcome.SAID)


COMMAND = SlashCommand(
    name="plan",
    usage=USAGE,
    examples=("/plan", "/plan runs=5 cost_per_run=400", "/plan detect=5% baseline=gpu candidate=trn2"),
    scope=Scope.THREAD,
    records=False,
    answer=answer,
)
