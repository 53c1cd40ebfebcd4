"""What to negotiate: each fact that could be agreed otherwise, and what the best plan then costs less.

Every figure is the difference of two runs of the plan engine, one of them on the changed fact; no formula of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

import numpy as np

from scoring.contracts.holdings import holdings_of
from scoring.contracts.kinds import kind_named
from scoring.contracts.notices import add_months, deadline_of, renewed_until, renews_automatically, status_on
from scoring.contracts.plan_costs import Column, Months, costs_of
from scoring.contracts.plans import best_plans, npv_matrix
from scoring.contracts.scenario import Frame
from scoring.model.contract import Contract, Notice, Renewal
from scoring.model.economics import Deadline, DeadlineStatus, Plan
from scoring.model.odds import Ask, Lever, Negotiation, Side
from scoring.model.paying import RampStep

LOWER_RATE, LOWER_COMMITMENT, MORE_CAPACITY = Decimal("0.99"), Decimal("0.9"), 1.1
"""What is asked for: a rate 1 % lower, a commitment a tenth lower, a tenth more capacity."""
MOST_CONTRACTS, MOST_ROWS = 8, 12
"""Contracts that are weighed, those that cost most within the horizon; and levers that are told."""
SOON = timedelta(days=31)
"""A deadline that one more month of notice would help to meet."""
HARDLY_WORTH = 1e-6
"""Of what staying costs: a lever worth less is worth nothing."""
FREE = 1e-3
"""Of today's price: as good as nothing, below which no price is looked for."""
PRICES, ROUNDS = 65, 4
"""Prices that are tried at once, and times that the gap between two of them is looked into."""


def negotiation_of(frame: Frame, best: Plan, deadlines: Sequence[Deadline]) -> Negotiation:
    """All levers that are worth something, the greatest first."""
    costs = {c.id: _cost_in_horizon(frame, c) for c in (*frame.of_incumbent, *frame.of_candidate)}
    costly = sorted((c for c in costs if costs[c] > 0), key=lambda c: -costs[c])
    weighed = [c for c in frame.contracts if c.id in costly[:MOST_CONTRACTS]]
    found = [_weighed(frame, change, best) for change in _changes(frame, weighed)]
    found += list(_earlier(frame, best))
    found += _if_missed(frame, weighed, deadlines)
    least = HARDLY_WORTH * max(abs(best.npv), abs(best.npv + best.saving))
    telling = sorted((lever for lever in found if lever.worth > least), key=lambda lever: -lever.worth)
    return Negotiation(levers=tuple(telling[:MOST_ROWS]), contracts_left_out=max(0, len(costly) - MOST_CONTRACTS))


def best_of(frame: Frame) -> Plan:
    """What the engine recommends for these facts: the cheapest plan, staying among them."""
    return holdings_of(frame).plans.best


def _changed(frame: Frame, **facts: object) -> Frame:
    """The frame with other facts; what was computed of it and does not hang on them is kept."""
    there = replace(frame, **facts)  # type: ignore[arg-type]
    kept = ("months",) if "contracts" in facts else (
        "months", "of_incumbent", "of_candidate", "of_both", "renewable", "_promised", "parts",
        "_promised_in_parts", "leavings", "other_work",
    )  # fmt: skip
    there.__dict__.update({name: frame.__dict__[name] for name in kept if name in frame.__dict__})
    return there


@dataclass(frozen=True)
class Change:
    """A lever before it is weighed, and the facts were it agreed."""

    frame: Frame
    lever: Lever


def _weighed(frame: Frame, change: Change, best: Plan) -> Lever:
    after = best_of(change.frame)
    worth = best.npv - _saved_anyway(frame) - (after.npv - _saved_anyway(change.frame))
    return change.lever.model_copy(update={"worth": worth, "starts_on": _begins(frame, after)})


def _saved_anyway(frame: Frame) -> float:
    """What other work saves at staying: plans are told without it, and other terms leave it more or fewer hours."""
    grid = frame.grid()
    return float(np.sum(grid.factor * grid.saved_anyway))


def _begins(frame: Frame, plan: Plan) -> date | None:
    return frame.months[plan.starts_at][0] if plan.starts_at < len(frame.months) else None


def _changes(frame: Frame, contracts: Sequence[Contract]) -> Iterator[Change]:
    for contract in contracts:
        yield from _of_contract(frame, contract)
    yield _price(frame, Side.CANDIDATE)
    yield _price(frame, Side.INCUMBENT)
    capacity = frame.settings.capacity
    if capacity.hours_per_month is not None:
        more = capacity.model_copy(update={"hours_per_month": capacity.hours_per_month * MORE_CAPACITY})
        settings = frame.settings.model_copy(update={"capacity": more})
        told = _lever(Ask.CAPACITY, Side.CANDIDATE, now=capacity.hours_per_month, then=more.hours_per_month)
        yield Change(_changed(frame, settings=settings), told)


def _price(frame: Frame, side: Side) -> Change:
    """The price of an hour without a commitment, 1 % lower."""
    name, ask = ("price_b", Ask.CANDIDATE_PRICE) if side is Side.CANDIDATE else ("price_a", Ask.INCUMBENT_PRICE)
    now = getattr(frame, name)
    then = now * float(LOWER_RATE)
    return Change(_changed(frame, **{name: then}), _lever(ask, side, now=now, then=then))


def _lever(ask: Ask, side: Side, **told: object) -> Lever:
    return Lever.model_validate({"ask": ask, "side": side, "worth": 0.0, **told})


def _of_contract(frame: Frame, contract: Contract) -> Iterator[Change]:
    for ask, changed, told in _asks(contract, frame.today):
        held = tuple(changed if c.id == contract.id else c for c in frame.contracts)
        yield Change(_changed(frame, contracts=held), _about(frame, contract, ask, **told))


def _about(frame: Frame, contract: Contract, ask: Ask, **told: object) -> Lever:
    side = Side.INCUMBENT if any(c.id == contract.id for c in frame.of_incumbent) else Side.CANDIDATE
    return _lever(ask, side, provider=contract.provider, contract_id=contract.id, **told)


Asked = tuple[Ask, Contract, dict[str, object]]


def _asks(contract: Contract, today: date) -> Iterator[Asked]:
    """Everything that the contract's own provider could agree to."""
    yield Ask.RATE, _at_lower_rate(contract), {"now": contract.rate, "then": contract.rate * LOWER_RATE}
    kind = kind_named(contract.kind)
    if kind is not None and kind.promises and not _is_prepaid_plan(contract):
        yield from _lower_promises(contract)
    if renews_automatically(contract) and status_on(contract, today) is DeadlineStatus.MISSED:
        yield from _of_a_renewal(contract, today)
    elif contract.ends_on > today and not _is_prepaid_plan(contract):
        yield from _ending_earlier(contract, today)


def _is_prepaid_plan(contract: Contract) -> bool:
    """A smaller or shorter plan would have had another payment at its start: what it would cost now is not known."""
    return contract.commitment.currency_per_hour is not None and contract.payment.upfront > 0


def _at_lower_rate(contract: Contract) -> Contract:
    """The term's rate, those of its ramp and the renewal's, each lower."""
    renewal = contract.renewal
    if renewal.rate is not None:
        renewal = renewal.model_copy(update={"rate": renewal.rate * LOWER_RATE})
    ramp = tuple(_scaled(step, {"rate": step.rate}, LOWER_RATE) for step in contract.ramp)
    return contract.model_copy(update={"rate": contract.rate * LOWER_RATE, "renewal": renewal, "ramp": ramp})


def _scaled(step: RampStep, amounts: Mapping[str, Decimal | None], by: Decimal) -> RampStep:
    return step.model_copy(update={name: value * by for name, value in amounts.items() if value is not None})


def _lower_promises(contract: Contract) -> Iterator[Asked]:
    commitment = contract.commitment
    amounts = {name: value for name, value in commitment if isinstance(value, Decimal)}
    for now in list(amounts.values())[:1]:
        lower = commitment.model_copy(update={name: value * LOWER_COMMITMENT for name, value in amounts.items()})
        told: dict[str, object] = {"now": now, "then": now * LOWER_COMMITMENT}
        ramp = tuple(_scaled(step, step.amounts, LOWER_COMMITMENT) for step in contract.ramp)
        yield Ask.COMMITMENT, contract.model_copy(update={"commitment": lower, "ramp": ramp}), told


def _of_a_renewal(contract: Contract, today: date) -> Iterator[Asked]:
    """The deadline was missed: a renewal that is not made, that ends a month earlier, or a notice that still counts."""
    until = renewed_until(contract)
    told: dict[str, object] = {"day_now": until, "day_then": contract.ends_on}
    yield Ask.RELEASE, contract.model_copy(update={"renewal": Renewal()}), told
    deadline = deadline_of(contract)
    if deadline is not None and add_months(deadline, 1) >= today and contract.ends_on >= today:
        later = min(add_months(deadline, 1), contract.ends_on)
        told = {"day_now": deadline, "day_then": later}
        yield Ask.NOTICE_LATER, _with_deadline(contract, later), told
    if contract.renewal.months > 1:
        shorter = contract.renewal.model_copy(update={"months": contract.renewal.months - 1})
        changed = contract.model_copy(update={"renewal": shorter})
        yield Ask.RENEWAL_SHORTER, changed, {"day_now": until, "day_then": renewed_until(changed)}


def _with_deadline(contract: Contract, day: date) -> Contract:
    days = max(0, (contract.ends_on - day).days)
    return contract.model_copy(update={"notice": Notice(days=days)})


def _ending_earlier(contract: Contract, today: date) -> Iterator[Asked]:
    """The term ends a month earlier, at the earliest today; the day of notice stays where it is while it can."""
    ends = max(add_months(contract.ends_on + timedelta(days=1), -1) - timedelta(days=1), today, contract.starts_on)
    if ends >= contract.ends_on:
        return
    earlier, deadline = contract.model_copy(update={"ends_on": ends}), deadline_of(contract)
    if deadline is not None:
        earlier = _with_deadline(earlier, min(deadline, ends))
    yield Ask.ENDS_EARLIER, earlier, {"day_now": contract.ends_on, "day_then": ends}


def _if_missed(frame: Frame, contracts: Sequence[Contract], deadlines: Sequence[Deadline]) -> list[Lever]:
    """One more month for notice that is due soon: worth what missing the day costs, should it be missed."""
    known = {d.contract_id: d for d in deadlines if d.status is DeadlineStatus.DUE and d.cost_of_missing}
    rows = []
    for contract in contracts:
        due = known.get(contract.id)
        if due is None or due.notice_deadline is None or due.notice_deadline - frame.today > SOON:
            continue
        days: dict[str, object] = {"day_now": due.notice_deadline, "day_then": add_months(due.notice_deadline, 1)}
        told = _about(frame, contract, Ask.NOTICE_LATER, **days)
        rows.append(told.model_copy(update={"worth": due.cost_of_missing, "only_if_missed": True}))
    return rows


def _cost_in_horizon(frame: Frame, contract: Contract) -> float:
    """What the contract costs within the horizon whether its hours are used or not."""
    return sum(
        float(arm.cost[row].sum())
        for arm in frame.promised()
        for row, term in enumerate(arm.terms)
        if term.contract.id == contract.id
    )


def _earlier(frame: Frame, best: Plan) -> Iterator[Lever]:
    """The candidate's price at which the best plan begins a month earlier, and the one at which it begins earliest."""
    if not 0 < best.starts_at < len(frame.months):
        return
    question = holdings_of(frame).question
    grid, migration, stay = question.grid, question.migration_cost, question.stay_npv
    gain = frame.settings.split_minimum_gain

    def starts_at(prices: Column) -> Months:
        tried = grid.at(price_b=prices[:, None])  # type: ignore[arg-type]
        return costs_of(tried, migration, len(prices)).best_starts(np.full(len(prices), stay), gain)

    def told(ask: Ask, price: float) -> Lever:
        plan = best_plans(npv_matrix(grid.at(price_b=price), migration), stay, gain).best
        lever = _lever(ask, Side.CANDIDATE, now=frame.price_b, then=price)
        return lever.model_copy(update={"worth": best.npv - plan.npv, "starts_on": _begins(frame, plan)})

    def highest(limit: int) -> float | None:
        """The highest price below today's at which the plan begins before that month."""
        prices = np.linspace(frame.price_b, frame.price_b * FREE, PRICES)
        for _ in range(ROUNDS):
            earlier = np.flatnonzero(starts_at(prices) < limit)
            if not earlier.size or earlier[0] == 0:
                return None
            prices = np.linspace(prices[earlier[0] - 1], prices[earlier[0]], PRICES)
        return float(prices[-1])

    step = highest(best.starts_at)
    if step is None:
        return
    yield told(Ask.MONTH_EARLIER, step)
    then, earliest = starts_at(np.array([step, frame.price_b * FREE])).tolist()
    last = highest(earliest + 1) if earliest < then else None
    if last is not None:
        yield told(Ask.EARLIEST_MONTH, last)
