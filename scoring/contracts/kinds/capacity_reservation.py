"""An on-demand capacity reservation: paid while it is open, used or not, and cancelled on any day.

A future-dated one cannot be cancelled during its commitment duration: write that as its last day.
"""

from datetime import date
from decimal import Decimal

from scoring.contracts.kinds.interface import Kind
from scoring.contracts.kinds.leaving import obligation
from scoring.model.contract import Contract
from scoring.model.leaving import Recovery, Way


def cancelled(contract: Contract, day: date) -> tuple[Recovery, ...]:
    """Cancelling costs nothing, unless the contract's own terms bind it."""
    if contract.early_termination is not None:
        return NAMED.recoveries(contract, day)
    if not contract.starts_on <= day <= contract.ends_on:
        return ()
    owed = obligation(contract, day)
    free = Recovery(
        contract_id=contract.id, way=Way.TERMINATION, on=day, cash=Decimal(0), obligation=owed, notice_by=day
    )
    return (free,)


NAMED = Kind(name="")
KIND = Kind(
    name="capacity_reservation",
    aliases=("odcr", "on_demand_capacity_reservation"),
    recoveries=cancelled,
    commitments=frozenset({"instances"}),
    never=frozenset({"resale", "exchange", "true_up", "minimum_utilisation"}),
)
