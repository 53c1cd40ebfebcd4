"""From two arms' hours and prices, the contracts and the demand to months, plans, deadlines and walk-away prices."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np

from scoring.contracts.coverage import covers
from scoring.contracts.cuts import cut_by
from scoring.contracts.deadlines import deadline_row, with_cost_of_having_missed, with_cost_of_missing
from scoring.contracts.exchange import in_currency
from scoring.contracts.holdings import Holdings, holdings_of, options_weighed, recoveries_weighed
from scoring.contracts.month_rows import month_rows
from scoring.contracts.months import first_month
from scoring.contracts.moving_months import with_plan
from scoring.contracts.negotiation import negotiation_of
from scoring.contracts.notices import renewed_until
from scoring.contracts.plans import Found
from scoring.contracts.scenario import Frame
from scoring.contracts.timing import timing_of
from scoring.contracts.true_up_rows import true_up_rows
from scoring.contracts.true_ups import is_spending
from scoring.contracts.uncertainty import Spread, count_of, draws_of, odds_of
from scoring.contracts.walk_away import Question, break_even_ratio, candidate_band, incumbent_price, saving_slope
from scoring.contracts.weighed import told_by_month
from scoring.model.contract import Contract
from scoring.model.economics import ArmFlow, Band, Deadline, Economics, Plan, WalkAway
from scoring.model.odds import Odds
from scoring.model.settings import Settings
from scoring.model.timing import Timing


def build_timeline(
    incumbent: ArmFlow | None,
    candidate: ArmFlow | None,
    contracts: Sequence[Contract],
    settings: Settings,
    today: date,
    hours_ratio: Band,
    spread: Spread | None = None,
) -> Economics:
    """The economics of one workload. Prices are in `settings.currency`; contracts are exchanged into it.

    With `spread` the recommended plan is also weighed in draws of the ratio and of demand.

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
    found = _with_demand(frame, hours_ratio, known.deadlines, spread)
    return known.model_copy(update={**found, **_left_by_month(known, found)})


def _left_by_month(known: Economics, found: dict[str, Any]) -> dict[str, object]:
    """A contract that is left early or renews more than once has months that follow from no amount and rate."""
    releases = (*found["move_releases"], *found["stay_releases"])
    otherwise = (*(r.contract_id for r in releases), *(name for name, _ in found["stay_renews_again"]))
    return {"contracts_by_month": tuple(dict.fromkeys((*known.contracts_by_month, *otherwise)))}


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
        migration_ramp=settings.migration_ramp,
        parallel_months=settings.parallel_months,
        incumbent=incumbent,
        candidate=candidate,
        contracts_by_month=tuple(
            c.id
            for c, _ in contracts
            if told_by_month(c, (incumbent, candidate), settings.currency, first_month(today))
        ),
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


def _with_demand(frame: Frame, ratio: Band, deadlines: Sequence[Deadline], spread: Spread | None) -> dict[str, Any]:
    holdings = holdings_of(frame)
    question, stays = holdings.question, holdings.stays
    grid = question.grid
    held_alike = not (holdings.left or holdings.stay_left or holdings.option or frame.renews_again)
    nothing_held_otherwise = len(stays) == 1 and held_alike
    found: dict[str, object] = {
        "incumbent_contracts": tuple(c.id for c in frame.of_incumbent),
        "candidate_contracts": tuple(c.id for c in frame.of_candidate),
        "shared_contracts": tuple(c.id for c in frame.of_incumbent if _is_shared(c, frame)),
        "cut_by": cut_by(frame.months, [term for arm in frame.promised(frame.renewable) for term in arm.terms]),
        "stay_npv": question.stay_npv,
        "stay_lapse_npv": grid.stay_npv,
        "stay_renewed_npv": None if nothing_held_otherwise else holdings.stay.stay_npv,
        "stay_renews": tuple(sorted(holdings.renewed)),
        "stay_renews_again": _renews_again(holdings),
        "stay_releases": holdings.stay_left,
        "move_releases": holdings.left,
        "option": holdings.option,
        "other_work": frame.other_work.work,
        "other_work_not_covered": frame.other_work.not_covered,
    }
    if question.grid.spending and frame.candidate.price_per_hour is None:
        found["true_ups"] = true_up_rows(question, None)
    if frame.candidate.price_per_hour is None:
        band = candidate_band(question, None, ratio)
        shown = grid.at(price_b=band.point if band else 0.0)
        months = month_rows(holdings, shown)
        return {**found, "months": months, "walk_away": WalkAway(candidate_price=band), "reason": "no-price"}
    npv, plans = holdings.npv, holdings.plans
    planned = _planned(frame, question, plans, ratio)
    missing = with_cost_of_missing(deadlines, frame, plans.best, stays, holdings.left, holdings.option)
    missing = with_cost_of_having_missed(missing, frame, plans.best)
    moves = plans.best.starts_at < len(grid.factor)
    certain = _certain_plan(frame, holdings) if moves else None
    months, parallel = with_plan(month_rows(holdings, grid), grid, plans.best if moves else plans.best_full)
    return {
        **found,
        "months": months,
        "parallel_cost": parallel,
        **planned,
        "true_ups": true_up_rows(question, plans.best),
        "recoveries": recoveries_weighed(holdings) if frame.leavings else (),
        "options": options_weighed(holdings),
        "certain_saving": certain.saving if certain else None,
        "certain_plan": certain,
        "saving_without_other_work": _without_other_work(frame) if moves else None,
        "deadlines": missing,
        "negotiation": negotiation_of(frame, plans.best, missing),
        "odds": _odds(frame, question, plans, planned["break_even_hours_ratio"], spread),
        "npv_by_start": tuple(npv[:-1].min(axis=1).tolist()),
        "timing": _timing(frame, holdings),
        "switch_npv_by_month": tuple(float(x) for x in np.diag(npv)[:-1]),
    }


def _renews_again(holdings: Holdings) -> tuple[tuple[str, date], ...]:
    """In the cheapest stay that renews anything; a missed notice binds in every stay."""
    frame = holdings.frame
    again = (c for c in frame.staying.contracts if c.id in frame.renews_again)
    return tuple((c.id, renewed_until(c)) for c in again if c.id in holdings.renewed or c.id not in frame.renewable)


def _is_shared(contract: Contract, frame: Frame) -> bool:
    return contract.id in frame.of_both or (is_spending(contract) and covers(contract, frame.candidate))


def _timing(frame: Frame, holdings: Holdings) -> Timing | None:
    held, migration = frame.promised()[0].left(holdings.left), holdings.question.grid.migration
    return timing_of(holdings.npv, holdings.plans.best, held, holdings.left, _reused(frame), migration.settles_after)


def _reused(frame: Frame) -> bool:
    return bool(frame.other_work.work) or frame.settings.reuse_share > 0


def _certain_plan(frame: Frame, holdings: Holdings) -> Plan | None:
    """The best plan that counts on nobody's agreement; None where the recommended one counts on none."""
    if all(release.certain for release in (*holdings.left, *holdings.stay_left)):
        return None
    return holdings_of(frame, certain=True).plans.best


def _without_other_work(frame: Frame) -> float | None:
    """What the best plan saves where nobody uses freed hours; None where no other work is counted on."""
    if not frame.other_work.work:
        return None
    alone = replace(frame, settings=frame.settings.model_copy(update={"other_workloads": ()}))
    return holdings_of(alone).plans.best.saving


def _odds(frame: Frame, question: Question, plans: Found, break_even: float, spread: Spread | None) -> Odds | None:
    demand = frame.settings.demand
    if spread is None:
        return None
    gain = frame.settings.split_minimum_gain
    return odds_of(question, plans, break_even, gain, draws_of(spread, demand, count_of(question.grid)), demand)


def _planned(frame: Frame, question: Question, plans: Found, ratio: Band) -> dict[str, Any]:
    moving = plans.best if plans.best.starts_at < len(question.grid.factor) else None
    break_even = break_even_ratio(question, moving)
    shown = moving or plans.best_full
    price_a = incumbent_price(question, shown)
    slope = saving_slope(question, moving, break_even)
    return {
        "best_switch_month": plans.best_full.starts_at,
        "best_full": plans.best_full,
        "best": plans.best,
        "saving": _saving(question, plans, ratio) if moving else Band(point=0.0),
        "break_even_hours_ratio": break_even,
        "break_even_theta": break_even * frame.price_b / frame.price_a,
        "value_per_theta": None if slope is None else slope * frame.price_a / frame.price_b,
        "walk_away": WalkAway(
            candidate_price=candidate_band(question, moving, ratio),
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
