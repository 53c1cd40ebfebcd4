"""The months as the reply, the memo and the record show them."""

from calendar import monthrange

import numpy as np

from scoring.contracts.coverage import Promised
from scoring.contracts.months import Grid
from scoring.contracts.scenario import Frame
from scoring.model.economics import ContractMonth, Month

HOURS_PER_DAY = 24


def month_rows(frame: Frame, grid: Grid, renewed: Grid) -> tuple[Month, ...]:
    """A row a month; `renewed` are the months with the renewals that make staying cheapest."""
    stay, partial, full = (grid.cost(share).tolist() for share in grid.shares())
    columns = {
        "factor": grid.factor,
        "need_incumbent_hours": grid.need_a,
        "need_candidate_hours": grid.need_b,
        "committed_incumbent_hours": grid.committed_a,
        "committed_candidate_hours": grid.committed_b,
        "commitment_cost": grid.commitment_cost,
        "incumbent_overage_rate": grid.rate_a,
        "candidate_price": grid.rate_b,
        "partial_share": grid.partial_share,
        "full_share": grid.full_share,
        "renewed_committed_hours": renewed.committed_a,
        "renewed_commitment_cost": renewed.commitment_cost,
        "renewed_overage_rate": renewed.rate_a,
        "stay_renewed_cost": renewed.cost(np.zeros_like(renewed.factor)),
    }
    values = {name: column.tolist() for name, column in columns.items()}
    demand = frame.settings.demand.units_per_month if frame.settings.demand else 0.0
    contracts = _contract_months(frame, values["need_incumbent_hours"])
    return tuple(
        Month(
            index=i,
            starts_on=first,
            calendar_hours=monthrange(first.year, first.month)[1] * HOURS_PER_DAY,
            demand_units=demand,
            stay_cost=stay[i],
            partial_cost=partial[i],
            full_cost=full[i],
            contracts=contracts[i],
            **{name: column[i] for name, column in values.items()},
        )
        for i, (first, _) in enumerate(frame.months)
    )


def _contract_months(frame: Frame, need: list[float]) -> list[tuple[ContractMonth, ...]]:
    """Used and wasted hours at STAY, in the order of the terms: the contract that ends first is used first."""
    a, b = frame.promised()
    return [(*_allocated(a, i, hours), *_allocated(b, i, 0.0)) for i, hours in enumerate(need)]


def _allocated(arm: Promised, month: int, need: float) -> list[ContractMonth]:
    rows = []
    for row, term in enumerate(arm.terms):
        committed = float(arm.hours[row, month])
        if committed <= 0:
            continue
        used = min(committed, need)
        need -= used
        rows.append(
            ContractMonth(
                contract_id=term.contract.id,
                committed_hours=committed,
                used_hours=used,
                wasted_hours=committed - used,
                cost=float(arm.cost[row, month]),
                renewed=term.renewed,
            )
        )
    return rows
