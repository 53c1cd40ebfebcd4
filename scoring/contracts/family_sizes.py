"""Hours of another size of a flexible family: what an hour of the reserved size is worth in them."""

from scoring.contracts.portfolio.normalisation import is_flexible, size_factor
from scoring.model.contract import Contract

FLEXIBLE_KINDS = frozenset({"reserved_standard", "reserved_convertible"})
AMAZON = frozenset({"aws", "amazon"})


def family_of(instance_type: str) -> str:
    """The instance family: the type's name up to its dot, in lower case."""
    return instance_type.partition(".")[0].casefold()


def size_ratio(contract: Contract, instance_type: str | None) -> float | None:
    """Hours of that type that an hour of the contract's own buys: 1 without flexibility, None where it is not known.

    Amazon's factors hold for regional reservations of flexible families (EC2 User Guide, Instance size flexibility).
    A price of hours above the promise is that of the reserved size: with one the ratio alone does not tell the cost.
    """
    covers, own = contract.covers, {name.casefold() for name in contract.covers.instance_types}
    if not covers.size_flexible or instance_type is None or contract.commitment.currency_per_hour is not None:
        return 1.0
    factors = {size_factor(name) for name in own}
    if own == {instance_type.casefold()}:
        return 1.0
    base, named = factors.pop() if len(factors) == 1 else None, size_factor(instance_type)
    if base is None or named is None or not _is_flexible(contract, instance_type):
        return None
    return base / named


def _is_flexible(contract: Contract, instance_type: str) -> bool:
    vendor = (contract.covers.cloud or contract.provider or "").casefold()
    known = contract.kind in FLEXIBLE_KINDS or (contract.kind == "take_or_pay" and vendor in AMAZON)
    return (
        known and not contract.covers.zones and contract.overage_rate is None and is_flexible(family_of(instance_type))
    )
