"""A standard reserved instance: paid around the clock for its term; what is left of it may be sold."""

from datetime import date

from scoring.contracts.kinds.interface import Kind
from scoring.contracts.kinds.leaving import recoveries_of
from scoring.contracts.kinds.rules import marketplace_fee
from scoring.model.contract import Contract
from scoring.model.leaving import Recovery


def sold(contract: Contract, day: date) -> tuple[Recovery, ...]:
    """A sale at the contract's own fee, else at that of Amazon's marketplace, the one place where it is sold."""
    resale = contract.resale
    if resale is not None and resale.fee is None:
        contract = contract.model_copy(update={"resale": resale.model_copy(update={"fee": marketplace_fee()})})
    return recoveries_of(contract, day)


KIND = Kind(
    name="reserved_standard",
    aliases=("standard_reserved_instance", "ri_standard"),
    recoveries=sold,
    commitments=frozenset({"instances"}),
    never=frozenset({"true_up", "exchange", "early_termination", "minimum_utilisation", "ramp"}),
)
