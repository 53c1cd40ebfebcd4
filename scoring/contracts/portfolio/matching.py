"""Which usage a contract serves, in which order, and how many of its units an hour of it takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.contracts.portfolio.agreement import Agreement
from scoring.contracts.portfolio.normalisation import is_flexible, size_factor
from scoring.contracts.portfolio.values import Gap, Question, Workload

PLACES_OF_A_PERCENTAGE = 12
"""Decimal places to which two savings are equal: rates are quotients of decimal prices."""

LOWER_A_RESERVATIONS_RATE = frozenset(
    {"reserved_standard", "reserved_convertible", "committed_use", "azure_reservation"}
)
Asked = Callable[[Question], None]


@dataclass(frozen=True)
class Usage:
    """Hours that are paid by the hour unless a contract serves them: a workload's, or an open capacity reservation's.

    `capacity`: index of that reservation's contract; `idle`: nothing runs in these hours.
    """

    work: Workload
    capacity: int | None = None
    idle: bool = False


@dataclass(frozen=True)
class Served:
    """A usage that a contract serves: its number, its rank in the order of serving, units of one of its hours."""

    usage: int
    rank: tuple[Any, ...]
    units: float


def serves(contract: Agreement, work: Workload, asked: Asked) -> bool:
    """Whether the contract's coverage and its terms of transfer allow it for the workload.

    A cloud, region or zone that only one of them names is taken to fit; that is asked about for regions and zones.
    """
    if not (_named(contract.cloud, work.cloud) and _is_type(contract, work) and _may_use(contract, work)):
        return False
    for places, place, gap in ((contract.regions, work.region, Gap.REGION), (contract.zones, work.zone, Gap.ZONE)):
        if places and place is not None and place.casefold() not in {p.casefold() for p in places}:
            return False
        if places and place is None:
            asked(Question(gap=gap, contract_id=contract.id, workload=work.name))
    return True


def by_hours(contract: Agreement, usages: Sequence[Usage], asked: Asked) -> list[Served]:
    """What a promise of instance-hours serves: the owner's work first, a flexible one from the smallest size up.

    Hours in an open capacity reservation come with the other work, those that nobody runs in come last. Zonal
    reservations lower no reservation's rate (EC2 User Guide, capacity-reservations-pricing-billing).
    """
    found = []
    for number, usage in enumerate(usages):
        if usage.capacity is not None and (contract.zones or contract.kind not in LOWER_A_RESERVATIONS_RATE):
            continue
        if not serves(contract, usage.work, asked):
            continue
        units = _units(contract, usage.work)
        if units is None:
            asked(Question(gap=Gap.SIZE_FACTOR, contract_id=contract.id, workload=usage.work.name))
            continue
        found.append(Served(number, (usage.idle, not _is_owner(contract, usage.work), units), units))
    return found


def by_money(contract: Agreement, usages: Sequence[Usage], asked: Asked) -> list[Served]:
    """What a savings plan serves: the owner's usage first, then the largest percentage saving, then the lowest rate.

    AWS's order (Savings Plans User Guide, sp-applying); units are the currency that an hour takes of the commitment.
    """
    found = []
    for number, usage in enumerate(usages):
        if not serves(contract, usage.work, asked):
            continue
        rate = plan_rate(contract, usage.work)
        if rate is None:
            asked(Question(gap=Gap.PLAN_RATE, contract_id=contract.id, workload=usage.work.name))
            continue
        price = usage.work.on_demand_price
        saving = round(1 - rate / price, PLACES_OF_A_PERCENTAGE) if price else float("-inf")
        found.append(Served(number, (usage.idle, not _is_owner(contract, usage.work), -saving, rate), rate))
    return found


def plan_rate(contract: Agreement, work: Workload) -> float | None:
    """What an hour of the workload costs under a savings plan; None where nobody says."""
    given = work.savings_plan_rates
    if contract.id in given:
        return given[contract.id]
    by_type = {name.casefold(): rate for name, rate in contract.covered_rates.items()}
    if work.instance_type.casefold() in by_type:
        return by_type[work.instance_type.casefold()]
    if contract.kind in given:
        return given[contract.kind]
    return contract.terms[0].rate or None


def is_flexible_in_size(contract: Agreement) -> bool:
    """Whether the contract serves other sizes of its types' families than the one it names."""
    types = contract.instance_types
    if not contract.size_flexible or not types or contract.zones:
        return False
    return all(is_flexible(name.partition(".")[0]) for name in types)


def _named(ours: str | None, theirs: str | None) -> bool:
    return ours is None or theirs is None or ours.casefold() == theirs.casefold()


def _is_type(contract: Agreement, work: Workload) -> bool:
    types = {name.casefold() for name in contract.instance_types}
    families = {name.casefold() for name in contract.families}
    if is_flexible_in_size(contract):
        families |= {name.partition(".")[0] for name in types}
    if not types and not families:
        return True
    return work.instance_type.casefold() in types or work.family_name in families


def _units(contract: Agreement, work: Workload) -> float | None:
    """Hours of the contract's own size that an hour of the workload takes."""
    if not is_flexible_in_size(contract):
        return 1.0
    own = {size_factor(name) for name in contract.instance_types}
    base, factor = own.pop(), size_factor(work.instance_type)
    return None if own or base is None or factor is None else factor / base


def _is_owner(contract: Agreement, work: Workload) -> bool:
    return contract.owner is None or work.owner is None or contract.owner.casefold() == work.owner.casefold()


def _may_use(contract: Agreement, work: Workload) -> bool:
    return contract.shared or _is_owner(contract, work)
