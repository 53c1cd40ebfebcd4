"""What of the contracts the sheet's formulas follow, and what only the engine weighs."""

from collections.abc import Iterator
from datetime import timedelta

from scoring.contracts.kinds import kind_named
from scoring.contracts.notices import add_months, renewed_until, renews_automatically
from scoring.model.contract import Contract
from scoring.model.decision import Decision
from scoring.model.economics import Month


def listed(decision: Decision) -> list[Contract]:
    """Contracts that either arm's hours draw on, in the order of the Inputs sheet."""
    used = decision.economics.incumbent_contracts + decision.economics.candidate_contracts
    return [c for c in decision.contracts if c.id in used]


def drawn_on(decision: Decision, arm: str) -> Iterator[tuple[int, Contract]]:
    """Contracts that an arm's hours draw on, "a" the incumbent's, each with its number on Inputs."""
    economics = decision.economics
    ids = economics.incumbent_contracts if arm == "a" else economics.candidate_contracts
    return ((number, c) for number, c in enumerate(listed(decision)) if c.id in ids)


def promises(contract: Contract) -> bool:
    """Whether hours are paid used or not; else the contract only agrees the price of an hour."""
    kind = kind_named(contract.kind)
    return kind is not None and kind.promises


def bends(decision: Decision, arm: str) -> bool:
    """Whether something that no cell can undo bends an arm's cost in its own on-demand price."""
    economics = decision.economics
    if any(_is_bent(month, arm) for month in economics.months):
        return True
    held = [c for _, c in drawn_on(decision, arm)]
    told = [c for c in held if c.id in economics.contracts_by_month]
    if any(not promises(c) for c in held) or any(c.overage_rate is not None for c in told):
        return True
    return arm == "a" and is_held_otherwise(decision)


def _is_bent(month: Month, arm: str) -> bool:
    """Whether hours above a minimum have rates of their own in a month."""
    told = month.further
    return told is not None and bool(told.above_incumbent if arm == "a" else told.above_candidate)


def is_held_otherwise(decision: Decision) -> bool:
    """Whether there are several ways to hold contracts (renew, leave, take up), which only the engine weighs."""
    if decision.settings.commitment_options:
        return True
    mine = [c for c in decision.contracts if c.id in decision.economics.incumbent_contracts]
    renewing = [c for c in mine if c.notice is not None and renews_automatically(c)]
    again = any(_may_renew_again(c, decision) for c in renewing)
    return len(renewing) > 1 or again or any(may_be_left(c) for c in mine)


def _may_renew_again(contract: Contract, decision: Decision) -> bool:
    """Whether a renewal that begins within the horizon ends in it too."""
    economics = decision.economics
    last = add_months(economics.starts_on, economics.horizon_months) - timedelta(days=1)
    return renewed_until(contract) < last


def may_be_left(contract: Contract) -> bool:
    """Whether its terms name any way to leave it early."""
    ways = (contract.transfer, contract.exchange, contract.resale, contract.early_termination)
    return any(way is not None for way in ways)


def has_overage(decision: Decision, arm: str) -> bool:
    """Whether one of an arm's contracts names a price for the hours above its promise."""
    return any(c.overage_rate is not None for _, c in drawn_on(decision, arm))


def may_renew(decision: Decision) -> bool:
    """Whether staying may let a contract renew, now or after its last day is moved."""
    mine = decision.economics.incumbent_contracts
    held = [c for c in decision.contracts if c.id in mine and c.notice is not None and renews_automatically(c)]
    return bool(held) or decision.economics.stay_renewed_npv is not None


def is_linear_in_ratio(decision: Decision) -> bool:
    """Whether costs are a straight line in the hours ratio: capacity and commitments of the candidate bend it."""
    economics = decision.economics
    if any(month.further for month in economics.months):
        return False
    return economics.capacity_hours_per_month is None and not economics.candidate_contracts and economics.option is None
