"""A reservation or take-or-pay agreement: hours that are paid whether they are used or not."""

from calendar import monthrange
from datetime import date

from scoring.contracts.kinds.interface import CHANGES_CASH, ONLY_RECOVERS, Kind
from scoring.model.contract import Contract

HOURS_PER_DAY = 24


def committed_hours(contract: Contract, first: date, last: date) -> float:
    """Instances around the clock by calendar hours; hours a month pro rata by day. The term's end is the caller's."""
    days = (last - first).days + 1
    if days <= 0:
        return 0.0
    if contract.commitment.instances is not None:
        return float(contract.commitment.instances) * days * HOURS_PER_DAY
    monthly = contract.commitment.instance_hours_per_month
    assert monthly is not None  # noqa: S101 - a commitment is one or the other
    return float(monthly) * days / monthrange(first.year, first.month)[1]


def cost(hours: float, rate: float) -> float:
    """Every promised hour at the rate, used or not."""
    return hours * rate


def overage_rate(contract: Contract, rate: float) -> float | None:
    """The contract's own, where it names one."""
    return None if contract.overage_rate is None else float(contract.overage_rate)


KIND = Kind(
    name="take_or_pay",
    aliases=("reservation", "reserved", "reserved_instance", "neocloud", "neocloud_take_or_pay"),
    promises=True,
    committed_hours=committed_hours,
    cost=cost,
    overage_rate=overage_rate,
    changes_cash=CHANGES_CASH,
    only_recovers=ONLY_RECOVERS,
)
