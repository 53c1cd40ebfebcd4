"""The kinds of contract, one file each; a new kind is one file and one line of `KINDS`."""

from scoring.contracts.kinds import (
    azure_reservation,
    capacity_block,
    capacity_reservation,
    committed_use,
    on_demand,
    reserved_convertible,
    reserved_standard,
    savings_plan_compute,
    savings_plan_instance,
    spend_commitment,
    spot,
    take_or_pay,
)
from scoring.contracts.kinds.interface import Kind, Weight
from scoring.contracts.kinds.promise import Promise

__all__ = ["KINDS", "Kind", "Promise", "Weight", "kind_named"]

KINDS: tuple[Kind, ...] = (
    take_or_pay.KIND,
    on_demand.KIND,
    reserved_standard.KIND,
    reserved_convertible.KIND,
    savings_plan_compute.KIND,
    savings_plan_instance.KIND,
    capacity_reservation.KIND,
    capacity_block.KIND,
    spend_commitment.KIND,
    committed_use.KIND,
    azure_reservation.KIND,
    spot.KIND,
)


def kind_named(name: str) -> Kind | None:
    """The kind by its name or one of its aliases."""
    wanted = name.casefold().replace("-", "_").replace(" ", "_")
    return next((kind for kind in KINDS if wanted in (kind.name, *kind.aliases)), None)
