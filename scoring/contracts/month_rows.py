"""The months as the reply, the memo and the record show them."""

from calendar import monthrange
from collections.abc import Iterable, Sequence
from math import inf

import numpy as np

from scoring.contracts.coverage import Column, Promised, Term
from scoring.contracts.cuts import shares_of_months
from scoring.contracts.holdings import Holdings
from scoring.contracts.months import Grid
from scoring.contracts.options import hours_of
from scoring.contracts.scenario import Frame
from scoring.model.economics import ContractMonth, Month
from scoring.model.switching import Release

HOURS_PER_DAY = 24


def month_rows(holdings: Holdings, grid: Grid) -> tuple[Month, ...]:
    """A row a month of the best move's months at some price; what is told of staying is the holdings' own stay."""
    frame, renewed, option, renews = holdings.frame, holdings.stay, holdings.option, holdings.renewed
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
    if option is not None:
        columns["option_hours"], columns["option_cost"] = hours_of(option, frame.months)
    if grid.others is not None and renewed.others is not None:
        columns |= {
            "reusable_hours": grid.others.reusable,
            "renewed_reusable_hours": renewed.others.reusable,
            "held_hours": grid.others.held,
            "held_reusable_hours": grid.others.held_reusable,
        }
    values = {name: column.tolist() for name, column in columns.items()}
    need = values["need_incumbent_hours"]
    contracts = [_told(month) for month in _contract_months(frame, need, frozenset(), holdings.left)]
    otherwise = bool(holdings.left or holdings.stay_left or frame.renews_again)
    staying = (
        _contract_months(frame.staying, need, renews, holdings.stay_left) if renews or otherwise else [[] for _ in need]
    )
    renewals = [_told((t, row) for t, row in month if t.optional) for month in staying]
    return tuple(
        Month(
            index=i,
            starts_on=first,
            calendar_hours=monthrange(first.year, first.month)[1] * HOURS_PER_DAY,
            demand_units=frame.demand[i],
            stay_cost=stay[i],
            partial_cost=partial[i],
            full_cost=full[i],
            contracts=contracts[i],
            renewals=renewals[i],
            stay_contracts=_told(staying[i]) if otherwise else None,
            further=grid.further.in_month(i) if grid.further else None,
            renewed_further=renewed.further.in_month(i) if renewed.further else None,
            **{name: column[i] for name, column in values.items()},
        )
        for i, (first, _) in enumerate(frame.months)
    )


def _contract_months(
    frame: Frame, need: list[float], renews: frozenset[str], left: Sequence[Release]
) -> list[list[tuple[Term, ContractMonth]]]:
    """Used and wasted hours at STAY, in the order of the terms: the contract that ends first is used first."""
    arms = frame.promised(renews)
    parts = [(arms, np.ones(len(need)))]
    if frame.parts:
        within = (shares_of_months(part, frame.months) for part in frame.parts)
        parts = list(zip(frame.promised_in_parts(renews), within, strict=True))
    of_parts = [_used(a.left(left) if left else a, np.array(need) * share) for (a, _), share in parts]
    used_a = np.sum(of_parts, axis=0)
    a, b = arms[0].left(left) if left else arms[0], arms[1]
    return [[*_rows(a, i, used_a[:, i]), *_rows(b, i, np.zeros(len(b.terms)))] for i in range(len(need))]


def _used(arm: Promised, need: Column) -> Column:
    """Hours of each term that are used in each month, [terms, months]."""
    used = np.zeros_like(arm.hours)
    for row, term in enumerate(arm.terms):
        if term.kind.promises:
            used[row] = np.minimum(arm.hours[row], need)
            need = need - used[row]
    return used


def _told(rows: Iterable[tuple[Term, ContractMonth]]) -> tuple[ContractMonth, ...]:
    return tuple(row for _, row in rows)


def _rows(arm: Promised, month: int, used: Column) -> list[tuple[Term, ContractMonth]]:
    rows = []
    for row, term in enumerate(arm.terms):
        committed, cost = float(arm.hours[row, month]), float(arm.cost[row, month])
        above = float(arm.overage[row, month])
        if not term.kind.promises or (committed <= 0 and cost == 0 and above == inf):
            continue
        told = ContractMonth(
            contract_id=term.contract.id,
            committed_hours=committed,
            used_hours=float(used[row]),
            wasted_hours=committed - float(used[row]),
            cost=cost,
            renewed=term.renewed,
            overage_rate=None if above == inf else above,
        )
        rows.append((term, told))
    return rows
