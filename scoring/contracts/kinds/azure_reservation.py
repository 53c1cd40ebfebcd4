"""An Azure reservation: as a reserved instance, with refunds up to a cap of each year and dated exchange rules."""

from datetime import date

from scoring.contracts.kinds.interface import Kind
from scoring.contracts.kinds.leaving import cancelled, recoveries_of, unused_upfront
from scoring.contracts.kinds.rules import vendor_rule
from scoring.model.contract import Contract
from scoring.model.leaving import Recovery, Way

EXCHANGE_ENDS, CAP = "azure-exchange-ends", "azure-refund-cap"


def refunds(contract: Contract, day: date) -> tuple[Recovery, ...]:
    """The contract's own ways: a refund within a cap that the book names, exchange where bought before the rule."""
    return tuple(_bounded(contract, found, day) for found in recoveries_of(contract, day))


def _bounded(contract: Contract, found: Recovery, day: date) -> Recovery:
    ends = vendor_rule(EXCHANGE_ENDS).day
    if found.way is Way.EXCHANGE and ends is not None and contract.starts_on > ends:
        return found.model_copy(update={"barred_by": "rule"})
    if found.way is not Way.TERMINATION:
        return found
    barred = _barred_by(contract, day) or found.barred_by
    return found.model_copy(update={"cash": found.cash + unused_upfront(contract, day), "barred_by": barred})


def _barred_by(contract: Contract, day: date) -> str | None:
    """What is used of a cap that the book does not name, only the account can tell: it bars the refund.

    One above the vendor's whole cap is above what is left of it, whatever that is.
    """
    cap = contract.refund_cap
    if cap is None:
        rule = vendor_rule(CAP)
        whole = rule.amount if rule.currency == contract.currency else None
        return "refund-cap" if whole is not None and cancelled(contract, day) > whole else "refund-cap-unknown"
    return "refund-cap" if cancelled(contract, day) > cap.amount - cap.used else None


KIND = Kind(
    name="azure_reservation",
    aliases=("azure_reserved_instance",),
    recoveries=refunds,
    commitments=frozenset({"instances"}),
    never=frozenset({"resale", "true_up", "minimum_utilisation", "ramp"}),
)
