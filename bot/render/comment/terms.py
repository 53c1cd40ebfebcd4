"""Terms of the contracts that the table of commitments does not hold, in words."""

from collections.abc import Iterator

from bot.render import figures
from bot.render.comment.voice import Voice
from bot.render.safe_text import literal
from scoring.model.contract import Contract
from scoring.model.decision import Decision


def terms(decision: Decision, voice: Voice) -> str:
    """A line for each contract that is paid in part only or that both arms draw on, in the order of the book."""
    economics = decision.economics
    drawn_on = (*economics.incumbent_contracts, *economics.candidate_contracts)
    held = [c for c in decision.contracts if c.id in drawn_on]
    lines = [line for c in held for line in _lines(c, c.id in economics.shared_contracts, voice)]
    return "".join(f"\n\n{line}" for line in lines)


def _lines(contract: Contract, of_both: bool, voice: Voice) -> Iterator[str]:
    named = {"contract": literal(contract.id)}
    if contract.minimum_utilisation < 1:
        share = figures.percent(float(contract.minimum_utilisation))
        yield voice("plans.minimum", **named, share=share)
    if of_both:
        yield voice("plans.of-both", **named)
