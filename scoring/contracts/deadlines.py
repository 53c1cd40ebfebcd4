"""Each contract's deadline as the reply shows it, and what missing it costs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from scoring.contracts.coverage import terms_of
from scoring.contracts.holdings import holdings_of
from scoring.contracts.months import months_from
from scoring.contracts.notices import deadline_of, renewed_until, renews_automatically, status_on
from scoring.contracts.plans import npv_matrix
from scoring.contracts.scenario import Frame
from scoring.model.contract import Contract, Renewal
from scoring.model.economics import Deadline, DeadlineStatus, Plan
from scoring.model.switching import OptionTaken, Release


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
        new_obligation=obligation_of_renewal(exchanged) if renewed and exchanged else None,
    )


def obligation_of_renewal(contract: Contract) -> float:
    """What one renewal promises, in the contract's currency: its months' costs by its kind, used or not."""
    starts_on, ends_on = contract.ends_on + timedelta(days=1), renewed_until(contract)
    terms = terms_of([contract], contract.starts_on, frozenset({contract.id}))
    renewal = next((term for term in terms if term.renewed), None)
    if renewal is None or ends_on < starts_on:
        return 0.0
    months = months_from(starts_on.replace(day=1), contract.renewal.months + 1)
    return sum(renewal.in_month(*month)[1] for month in months)


def with_cost_of_missing(
    deadlines: Sequence[Deadline],
    frame: Frame,
    best: Plan,
    stays: Mapping[frozenset[str], float],
    left: Sequence[Release] = (),
    option: OptionTaken | None = None,
) -> tuple[Deadline, ...]:
    """The deadlines that can still be met, with what the best plan costs more once that contract has renewed.

    `stays` is what staying costs by the contracts that are let renew, `left` the others that the plan leaves early and
    `option` the commitment of the candidate that it takes.
    """

    def cost(contract_id: str) -> float:
        grid = frame.grid(frozenset({contract_id}), [r for r in left if r.contract_id != contract_id], option)
        cheapest = float(npv_matrix(grid, float(frame.settings.migration_cost)).min())
        renewed = [npv for way, npv in stays.items() if contract_id in way]
        return max(0.0, min([cheapest, *renewed]) - best.npv)

    return tuple(
        d.model_copy(update={"cost_of_missing": cost(d.contract_id)}) if d.contract_id in frame.renewable else d
        for d in deadlines
    )


def with_cost_of_having_missed(deadlines: Sequence[Deadline], frame: Frame, best: Plan) -> tuple[Deadline, ...]:
    """The deadlines that were missed, with what the best plan costs more than had that contract been let lapse."""
    held = {c.id for c in (*frame.of_incumbent, *frame.of_candidate)}

    def lapsing(contract_id: str) -> Frame:
        contracts = (_ending(c) if c.id == contract_id else c for c in frame.contracts)
        return replace(frame, contracts=tuple(contracts))

    def cost(contract_id: str) -> float:
        return max(0.0, best.npv - holdings_of(lapsing(contract_id)).plans.best.npv)

    return tuple(
        d.model_copy(update={"cost_of_having_missed": cost(d.contract_id)})
        if d.renewed_until is not None and d.contract_id in held
        else d
        for d in deadlines
    )


def _ending(contract: Contract) -> Contract:
    return contract.model_copy(update={"renewal": Renewal()})
