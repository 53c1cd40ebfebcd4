"""Other work of the company that may use committed hours which a move frees."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.contracts.coverage import covers
from scoring.contracts.kinds import kind_named
from scoring.contracts.kinds.promise import plan_rate
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow
from scoring.model.settings import OtherWorkload
from scoring.model.switching import OtherWork


@dataclass(frozen=True)
class OtherWorkHeld:
    """The work, the dearest hour first, the contracts whose hours it may use, and the names of what none covers."""

    work: tuple[OtherWork, ...] = ()
    contracts: frozenset[str] = frozenset()
    not_covered: tuple[str, ...] = ()


def other_work_of(others: Sequence[OtherWorkload], contracts: Sequence[Contract], flow: ArmFlow) -> OtherWorkHeld:
    """Of several workloads only the contracts that cover all of them count, so that no hour is promised twice.

    Under a savings plan an hour of another type draws its own plan rate of the same amount: it is counted as
    rate_other / rate_incumbent hours of the incumbent, each saving its own price by the same factor more.
    """
    promising = [c for c in contracts if (kind := kind_named(c.kind)) is not None and kind.promises]
    drawn = {o.name: [c for c in promising if covers(c, _flow(o)) and _factor(c, o, flow) is not None] for o in others}
    covered = [o for o in others if drawn[o.name]]
    shared = [c for c in promising if covered and all(c in drawn[o.name] for o in covered)]
    lone = len({_factor(c, o, flow) for c in shared for o in covered}) if shared else 0
    if not shared or (lone > 1 and len(shared) > 1):
        return OtherWorkHeld(not_covered=tuple(o.name for o in others))
    work = [_counted(o, _factor(shared[0], o, flow) or 1.0) for o in covered]
    return OtherWorkHeld(
        work=tuple(sorted(work, key=lambda w: (-w.price_per_hour, w.name))),
        contracts=frozenset(c.id for c in shared),
        not_covered=tuple(o.name for o in others if o not in covered),
    )


def _flow(other: OtherWorkload) -> ArmFlow:
    return ArmFlow(
        arm=other.name,
        hours_per_unit=1.0,
        price_per_hour=float(other.on_demand_price),
        instance_type=other.instance_type,
        region=other.region,
    )


def _factor(contract: Contract, other: OtherWorkload, flow: ArmFlow) -> float | None:
    """Hours of the incumbent for one of the other type; None under a savings plan without both rates."""
    if contract.commitment.currency_per_hour is None:
        same = other.instance_type.casefold() == (flow.instance_type or flow.arm).casefold()
        return 1.0 if same or not contract.covers.size_flexible else None
    theirs = plan_rate(contract, float(contract.rate), other.instance_type)
    ours = plan_rate(contract, float(contract.rate), flow.instance_type or flow.arm)
    return theirs / ours if theirs and ours else None


def _counted(other: OtherWorkload, factor: float) -> OtherWork:
    return OtherWork(
        name=other.name,
        hours_per_month=other.hours_per_month * factor,
        price_per_hour=float(other.on_demand_price) / factor,
    )
