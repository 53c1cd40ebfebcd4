"""From two arms' hours and prices, the contracts and the demand to months, plans, deadlines and walk-away prices."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from scoring.contracts.coverage import covers
from scoring.contracts.deadlines import deadline_row, with_cost_of_missing
from scoring.contracts.exchange import in_currency
from scoring.contracts.month_rows import month_rows
from scoring.contracts.months import first_month
from scoring.contracts.plans import Found, best_plans, npv_matrix
from scoring.contracts.scenario import Frame
from scoring.contracts.walk_away import Question, break_even_ratio, candidate_band, incumbent_price
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, Band, Deadline, Economics, WalkAway
from scoring.model.settings import Settings


def build_timeline(
    incumbent: ArmFlow | None,
    candidate: ArmFlow | None,
    contracts: Sequence[Contract],
    settings: Settings,
    today: date,
    hours_ratio: Band,
) -> Economics:
    """The economics of one workload. Prices are in `settings.currency`; contracts are exchanged into it.

    `hours_ratio` is candidate instance-hours for one of the incumbent, with its interval. `reason` tells what is
    missing: `no-hours` without flows; `no-demand`: only prices of an hour for an hour; `currency-rate-missing` for
    a contract that either arm draws on; `no-price`: nothing without the incumbent's, and without the candidate's
    the highest price that pays, at which the months are then shown (at 0 where none pays).
    """
    exchanged = [in_currency(c, settings, today) for c in contracts]
    known = _shared(incumbent, candidate, list(zip(contracts, exchanged, strict=True)), settings, today, hours_ratio)
    if incumbent is None or candidate is None:
        return known.model_copy(update={"reason": "no-hours"})
    if settings.demand is None:
        return known.model_copy(update=_without_demand(incumbent, candidate, hours_ratio))
    if any(x is None and _touches(c, incumbent, candidate) for c, x in zip(contracts, exchanged, strict=True)):
        return known.model_copy(update={"reason": "currency-rate-missing"})
    if incumbent.price_per_hour is None:
        return known.model_copy(update={"reason": "no-price"})
    frame = Frame(
        incumbent=incumbent,
        candidate=candidate,
        contracts=tuple(c for c in exchanged if c is not None),
        settings=settings,
        today=today,
        ratio=hours_ratio.point,
        price_a=incumbent.price_per_hour,
        price_b=candidate.price_per_hour or 0.0,
    )
    return known.model_copy(update=_with_demand(frame, hours_ratio, known.deadlines))


def _touches(contract: Contract, *flows: ArmFlow) -> bool:
    return any(covers(contract, flow) for flow in flows)


def _shared(
    incumbent: ArmFlow | None,
    candidate: ArmFlow | None,
    contracts: Sequence[tuple[Contract, Contract | None]],
    settings: Settings,
    today: date,
    hours_ratio: Band,
) -> Economics:
    reuse = settings.reuse_value_per_hour
    on_demand = incumbent.price_per_hour if incumbent else None
    return Economics(
        currency=settings.currency,
        horizon_months=settings.horizon_months,
        starts_on=first_month(today),
        annual_discount_rate=settings.annual_discount_rate,
        migration_cost=float(settings.migration_cost),
        hours_ratio=hours_ratio.point,
        reuse_share=settings.reuse_share,
        reuse_value_per_hour=on_demand if reuse is None else float(reuse),
        capacity_hours_per_month=settings.capacity.hours_per_month,
        split_minimum_gain=settings.split_minimum_gain,
        incumbent=incumbent,
        candidate=candidate,
        deadlines=tuple(deadline_row(c, exchanged, today) for c, exchanged in contracts),
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


def _with_demand(frame: Frame, ratio: Band, deadlines: Sequence[Deadline]) -> dict[str, object]:
    grid, migration, ways = frame.grid(), float(frame.settings.migration_cost), frame.ways_to_renew
    question = Question(grid, tuple(frame.grid(way) for way in ways[1:]), migration)
    stays = {way: stay.stay_npv for way, stay in zip(ways, question.stays, strict=True)}
    stay_npv = min(stays.values())
    best_renewal = min(ways[1:], key=lambda way: stays[way]) if len(ways) > 1 else ways[0]
    renewed = frame.grid(best_renewal)
    found: dict[str, object] = {
        "incumbent_contracts": tuple(c.id for c in frame.of_incumbent),
        "candidate_contracts": tuple(c.id for c in frame.of_candidate),
        "stay_npv": stay_npv,
        "stay_lapse_npv": stays[ways[0]],
        "stay_renewed_npv": stays[best_renewal] if len(ways) > 1 else None,
        "stay_renews": tuple(sorted(best_renewal)),
    }
    if frame.candidate.price_per_hour is None:
        band = candidate_band(question, None, ratio)
        shown = grid.at(price_b=band.point if band else 0.0)
        months = month_rows(frame, shown, renewed)
        return {**found, "months": months, "walk_away": WalkAway(candidate_price=band), "reason": "no-price"}
    npv = npv_matrix(grid, migration)
    plans = best_plans(npv, stay_npv, frame.settings.split_minimum_gain)
    return {
        **found,
        "months": month_rows(frame, grid, renewed),
        **_planned(frame, question, plans, ratio),
        "deadlines": with_cost_of_missing(deadlines, frame, plans.best, stays),
        "switch_npv_by_month": tuple(float(x) for x in np.diag(npv)[:-1]),
    }


def _planned(frame: Frame, question: Question, plans: Found, ratio: Band) -> dict[str, object]:
    moving = plans.best if plans.best.starts_at < len(question.grid.factor) else None
    break_even = break_even_ratio(question, moving)
    shown = moving or plans.best_full
    price_a = incumbent_price(question, shown)
    return {
        "best_switch_month": plans.best_full.starts_at,
        "best_full": plans.best_full,
        "best": plans.best,
        "saving": _saving(question, plans, ratio) if moving else Band(point=0.0),
        "break_even_hours_ratio": break_even,
        "break_even_theta": break_even * frame.price_b / frame.price_a,
        "walk_away": WalkAway(
            candidate_price=candidate_band(question, shown, ratio),
            incumbent_price=None if price_a is None else Band(point=price_a),
        ),
    }


def _saving(question: Question, plans: Found, ratio: Band) -> Band:
    best = plans.best
    ends = [
        plans.stay_npv - question.npv(best.starts_at, best.full_at, question.grid.at(ratio=at))
        for at in (ratio.lo, ratio.hi)
        if at is not None
    ]
    return _band(best.saving, ends)
