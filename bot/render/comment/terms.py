"""Terms of the contracts that the table of commitments does not hold, in words."""

from collections.abc import Iterator
from datetime import timedelta

from bot.render import figures
from bot.render.comment.voice import Voice
from bot.render.safe_text import literal
from scoring.contracts.notices import add_months
from scoring.model.contract import Contract
from scoring.model.decision import Decision
from scoring.model.switching import TrueUp


def terms(decision: Decision, voice: Voice) -> str:
    """A line for each contract that is paid in part only or that both arms draw on, in the order of the book."""
    economics = decision.economics
    drawn_on = (*economics.incumbent_contracts, *economics.candidate_contracts)
    held = [c for c in decision.contracts if c.id in drawn_on]
    lines = [line for c in held for line in _lines(c, c.id in economics.shared_contracts, voice)]
    lines += [_true_up(decision, row, voice) for row in economics.true_ups]
    return "".join(f"\n\n{line}" for line in lines)


def _lines(contract: Contract, of_both: bool, voice: Voice) -> Iterator[str]:
    named = {"contract": literal(contract.id)}
    if contract.minimum_utilisation < 1:
        share = figures.percent(float(contract.minimum_utilisation))
        yield voice("plans.minimum", **named, share=share)
    if of_both and contract.commitment.currency_total is None:
        yield voice("plans.of-both", **named)


def _true_up(decision: Decision, row: TrueUp, voice: Voice) -> str:
    """One period of a spend commitment, with what is taken of a part that lies outside the months."""
    economics = decision.economics
    part = voice("plans.true-up-before", start=figures.day(economics.starts_on)) if row.before else ""
    if row.after:
        end = add_months(economics.starts_on, economics.horizon_months) - timedelta(days=1)
        part += voice("plans.true-up-after", end=figures.day(end))
    plan = voice("plans.true-up-no-plan")
    if row.plan_spent is not None and row.plan_charged is not None:
        plan = voice(
            "plans.true-up-plan", spent=voice.money(row.plan_spent, 3), charged=voice.money(row.plan_charged, 3)
        )
    amounts = {name: voice.money(getattr(row, name), 3) for name in ("committed", "stay_spent", "stay_charged")}
    other = voice.money(row.other_spend_per_month, 3)
    days = {"first": figures.day(row.first), "last": figures.day(row.last)}
    return voice(
        "plans.true-up", contract=literal(row.contract_id), part=part, plan=plan, other=other, **days, **amounts
    )
