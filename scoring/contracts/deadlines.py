"""Each contract's deadline as the reply shows it, and what missing it costs."""

from collections.abc import Mapping, Sequence
from datetime import date

from scoring.contracts.kinds import kind_named
from scoring.contracts.notices import deadline_of, renewed_until, renews_automatically, status_on
from scoring.contracts.plans import npv_matrix
from scoring.contracts.scenario import Frame
from scoring.model.contract import Contract
from scoring.model.economics import Deadline, DeadlineStatus, Plan


def deadline_row(contract: Contract, exchanged: Contract | None, today: date) -> Deadline:
    """A contract's deadline; a missed one with the new obligation, in the decision's currency where it has a rate."""
    deadline, status = deadline_of(contract), status_on(contract, today)
    renewed = renews_automatically(contract) and status is DeadlineStatus.MISSED
    return Deadline(
        contract_id=contract.id,
        ends_on=contract.ends_on,
        notice_deadline=deadline,
        days_left=None if deadline is None else (deadline - today).days,
        status=status,
        renewal=contract.renewal.kind.value,
        renewed_until=renewed_until(contract) if renewed else None,
        new_obligation=_obligation(exchanged) if renewed and exchanged else None,
    )


def _obligation(contract: Contract) -> float:
    """What a renewal promises: hours of its months at its rate; hours a month are whole months."""
    kind = kind_named(contract.kind)
    if kind is None or not kind.promises:
        return 0.0
    rate = float(contract.rate if contract.renewal.rate is None else contract.renewal.rate)
    monthly = contract.commitment.instance_hours_per_month
    if monthly is not None:
        return float(monthly) * contract.renewal.months * rate
    days = (renewed_until(contract) - contract.ends_on).days
    return float(contract.commitment.instances or 0) * days * 24 * rate


def with_cost_of_missing(
    deadlines: Sequence[Deadline], frame: Frame, best: Plan, stays: Mapping[frozenset[str], float]
) -> tuple[Deadline, ...]:
    """The deadlines that can still be met, with what the best plan costs more once that contract has renewed.

    `stays` is what staying costs by the contracts that are let renew.
    """

    def cost(contract_id: str) -> float:
        grid = frame.grid(frozenset({contract_id}))
        cheapest = float(npv_matrix(grid, float(frame.settings.migration_cost)).min())
        renewed = [npv for way, npv in stays.items() if contract_id in way]
        return max(0.0, min([cheapest, *renewed]) - best.npv)

    return tuple(
        d.model_copy(update={"cost_of_missing": cost(d.contract_id)}) if d.contract_id in frame.renewable else d
        for d in deadlines
    )
