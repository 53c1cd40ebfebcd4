"""From two arms' hours and prices, the contracts and the demand to months, plans, deadlines and walk-away prices."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from scoring.contracts.coverage import covers
from scoring.contracts.months import Frame, Grid, Promised, first_month
from scoring.contracts.notices import deadline_of, renewed_until, renews_automatically, status_on
from scoring.contracts.plans import Found, best_plans, npv_matrix
from scoring.contracts.walk_away import Question, break_even_ratio, candidate_band, incumbent_price
from scoring.model.contract import Contract
from scoring.model.economics import (
    ArmFlow,
    Band,
    ContractMonth,
    Deadline,
    DeadlineStatus,
    Economics,
    Month,
    Plan,
    WalkAway,
)
from scoring.model.settings import Settings


def build_timeline(
    incumbent: ArmFlow,
    candidate: ArmFlow,
    contracts: Sequence[Contract],
    settings: Settings,
    today: date,
    hours_ratio: Band,
) -> Economics:
    """The economics of one workload. Prices and contract rates are in `settings.currency` already.

    `hours_ratio` is candidate instance-hours for one of the incumbent, with its interval. Without demand only
    prices can be told (`no-demand`); without the incumbent's price nothing can, without the candidate's the
    highest price that pays (both `no-price`).
    """
    known = _shared(incumbent, candidate, contracts, settings, today, hours_ratio)
    if settings.demand is None:
        return known.model_copy(update=_without_demand(incumbent, candidate, hours_ratio))
    if incumbent.price_per_hour is None:
        return known.model_copy(update={"reason": "no-price"})
    frame = Frame(
        incumbent=incumbent,
        candidate=candidate,
        contracts=tuple(contracts),
        settings=settings,
        today=today,
        ratio=hours_ratio.point,
        price_a=incumbent.price_per_hour,
        price_b=candidate.price_per_hour or 0.0,
    )
    return known.model_copy(update=_with_demand(frame, hours_ratio))


def _shared(
    incumbent: ArmFlow,
    candidate: ArmFlow,
    contracts: Sequence[Contract],
    settings: Settings,
    today: date,
    hours_ratio: Band,
) -> Economics:
    reuse = settings.reuse_value_per_hour
    return Economics(
        currency=settings.currency,
        horizon_months=settings.horizon_months,
        starts_on=first_month(today),
        annual_discount_rate=settings.annual_discount_rate,
        migration_cost=float(settings.migration_cost),
        hours_ratio=hours_ratio.point,
        reuse_share=settings.reuse_share,
        reuse_value_per_hour=incumbent.price_per_hour if reuse is None else float(reuse),
        capacity_hours_per_month=settings.capacity.hours_per_month,
        split_minimum_gain=settings.split_minimum_gain,
        incumbent=incumbent,
        candidate=candidate,
        deadlines=tuple(_deadline(c, today, None) for c in contracts),
    )


def _without_demand(incumbent: ArmFlow, candidate: ArmFlow, ratio: Band) -> dict[str, object]:
    """Break-even prices of an hour for an hour, with no contract and no cost of moving."""
    ends = (ratio.lo, ratio.hi)
    price_a, price_b = incumbent.price_per_hour, candidate.price_per_hour
    walk_away = WalkAway(
        candidate_price=_band(price_a / ratio.point, [price_a / e for e in ends if e]) if price_a else None,
        incumbent_price=_band(price_b * ratio.point, [price_b * e for e in ends if e]) if price_b else None,
    )
    return {"walk_away": walk_away, "reason": "no-demand"}


def _band(point: float, ends: list[float]) -> Band:
    return Band(point=point, lo=min(ends), hi=max(ends)) if len(ends) == 2 else Band(point=point)


def _with_demand(frame: Frame, ratio: Band) -> dict[str, object]:
    renewable = frozenset(
        c.id for c in frame.contracts if renews_automatically(c) and status_on(c, frame.today) is DeadlineStatus.DUE
    )
    grid, renewed = frame.grid(), frame.grid(renewable)
    migration = float(frame.settings.migration_cost)
    npv = npv_matrix(grid, migration)
    lapse_npv = float(npv[-1, -1])
    renewed_npv = float(npv_matrix(renewed, migration)[-1, -1]) if renewable else None
    stay_npv = lapse_npv if renewed_npv is None else min(lapse_npv, renewed_npv)
    question = Question(grid, stay_npv, migration)
    found: dict[str, object] = {
        "incumbent_contracts": tuple(c.id for c in frame.covering(frame.incumbent)),
        "candidate_contracts": tuple(c.id for c in frame.covering(frame.candidate)),
        "months": _months(frame, grid, renewed),
        "stay_npv": stay_npv,
        "stay_lapse_npv": lapse_npv,
        "stay_renewed_npv": renewed_npv,
    }
    if frame.candidate.price_per_hour is None:
        band = candidate_band(question, None, ratio)
        return {**found, "walk_away": WalkAway(candidate_price=band), "reason": "no-price"}
    plans = best_plans(npv, stay_npv, frame.settings.split_minimum_gain)
    return {
        **found,
        **_planned(frame, question, plans, ratio),
        "deadlines": _deadlines(frame, plans.best, renewable),
    } | {"switch_npv_by_month": tuple(float(x) for x in np.diag(npv)[:-1])}


def _planned(frame: Frame, question: Question, plans: Found, ratio: Band) -> dict[str, object]:
    moving = plans.best if plans.best.starts_at < len(question.grid.factor) else None
    break_even = break_even_ratio(question, moving)
    shown = moving or plans.best_full
    price_a = incumbent_price(question, shown)
    return {
        "best_switch_month": plans.best_full.starts_at,
        "best_full": plans.best_full,
        "best": plans.best,
        "saving": _saving(question, moving, ratio) if moving else Band(point=0.0),
        "break_even_hours_ratio": break_even,
        "break_even_theta": break_even * frame.price_b / frame.price_a,
        "walk_away": WalkAway(
            candidate_price=candidate_band(question, shown, ratio),
            incumbent_price=None if price_a is None else Band(point=price_a),
        ),
    }


def _saving(question: Question, plan: Plan, ratio: Band) -> Band:
    ends = [
        question.stay_npv - question.npv(plan.starts_at, plan.full_at, question.grid.at(ratio=at))
        for at in (ratio.lo, ratio.hi)
        if at is not None
    ]
    return _band(plan.saving, ends)


def _deadlines(frame: Frame, best: Plan, renewable: frozenset[str]) -> tuple[Deadline, ...]:
    migration = float(frame.settings.migration_cost)
    rows = []
    for contract in frame.contracts:
        cost = None
        if contract.id in renewable and _touches(contract, frame):
            npv = npv_matrix(frame.grid(frozenset({contract.id})), migration)
            cost = max(0.0, float(npv.min()) - best.npv)
        rows.append(_deadline(contract, frame.today, cost))
    return tuple(rows)


def _touches(contract: Contract, frame: Frame) -> bool:
    return covers(contract, frame.incumbent) or covers(contract, frame.candidate)


def _deadline(contract: Contract, today: date, cost_of_missing: float | None) -> Deadline:
    deadline, status = deadline_of(contract), status_on(contract, today)
    renews = renews_automatically(contract)
    until, obligation = None, None
    if renews and status is DeadlineStatus.MISSED:
        until = renewed_until(contract)
        obligation = _obligation(contract)
    return Deadline(
        contract_id=contract.id,
        ends_on=contract.ends_on,
        notice_deadline=deadline,
        days_left=None if deadline is None else (deadline - today).days,
        status=status,
        renewal=contract.renewal.kind.value,
        renewed_until=until,
        new_obligation=obligation,
        cost_of_missing=cost_of_missing,
    )


def _obligation(contract: Contract) -> float:
    """What a renewal promises: hours of its months at its rate; hours a month are whole months."""
    rate = float(contract.renewal.rate if contract.renewal.rate is not None else contract.rate)
    monthly = contract.commitment.instance_hours_per_month
    if monthly is not None:
        return float(monthly) * contract.renewal.months * rate
    days = (renewed_until(contract) - contract.ends_on).days
    return float(contract.commitment.instances or 0) * days * 24 * rate


def _months(frame: Frame, grid: Grid, renewed: Grid) -> tuple[Month, ...]:
    zero = np.zeros_like(grid.factor)
    costs = [grid.cost(share) for share in (zero, grid.partial_share, grid.full_share)]
    stay_renewed = renewed.cost(zero)
    contracts = _contract_months(frame, grid)
    need_b, partial, full = grid.need_b, grid.partial_share, grid.full_share
    return tuple(
        Month(
            index=i,
            starts_on=grid.starts[i],
            calendar_hours=int(grid.calendar_hours[i]),
            factor=float(grid.factor[i]),
            demand_units=float(grid.demand[i]),
            need_incumbent_hours=float(grid.need_a[i]),
            need_candidate_hours=float(need_b[i]),
            committed_incumbent_hours=float(grid.committed_a[i]),
            committed_candidate_hours=float(grid.committed_b[i]),
            commitment_cost=float(grid.commitment_cost[i]),
            incumbent_overage_rate=float(grid.overage_rate[i]),
            candidate_price=grid.price_b,
            partial_share=float(partial[i]),
            full_share=float(full[i]),
            stay_cost=float(costs[0][i]),
            partial_cost=float(costs[1][i]),
            full_cost=float(costs[2][i]),
            renewed_committed_hours=float(renewed.committed_a[i]),
            renewed_commitment_cost=float(renewed.commitment_cost[i]),
            renewed_overage_rate=float(renewed.overage_rate[i]),
            stay_renewed_cost=float(stay_renewed[i]),
            contracts=contracts[i],
        )
        for i in range(len(grid.factor))
    )


def _contract_months(frame: Frame, grid: Grid) -> list[tuple[ContractMonth, ...]]:
    """Used and wasted hours at STAY: the contract that ends first is used first."""
    of_a, of_b = (frame.promised_to(flow, frozenset()) for flow in (frame.incumbent, frame.candidate))
    rows: list[tuple[ContractMonth, ...]] = []
    for i in range(len(grid.factor)):
        month = _allocated(of_a, i, float(grid.need_a[i])) + _allocated(of_b, i, 0.0)
        rows.append(tuple(month))
    return rows


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
