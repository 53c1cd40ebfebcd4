"""The kinds of contract, one file each; a new kind is one file and one line of `KINDS`."""

from scoring.contracts.kinds import on_demand, take_or_pay
from scoring.contracts.kinds.interface import Kind, Weight

__all__ = ["KINDS", "Kind", "Weight", "kind_named"]

KINDS: tuple[Kind, ...] = (take_or_pay.KIND, on_demand.KIND)


def kind_named(name: str) -> Kind | None:
    """The kind by its name or one of its aliases."""
    wanted = name.casefold().replace("-", "_").replace(" ", "_")
    return next((kind for kind in KINDS if wanted in (kind.name, *kind.aliases)), None)
