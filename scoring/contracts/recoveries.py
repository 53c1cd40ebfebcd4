"""Leaving a contract early: in which month and in which way each may be left, and which of it is worth doing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from scoring.contracts.kinds import kind_named
from scoring.contracts.kinds.leaving import cancelled
from scoring.contracts.kinds.rules import refund_window_days
from scoring.contracts.months import Months
from scoring.contracts.notices import renews_automatically, status_on
from scoring.model.contract import Contract
from scoring.model.economics import DeadlineStatus
from scoring.model.leaving import Recovery, Way
from scoring.model.switching import RecoveryWeighed, Release

Chosen = dict[str, Release]
WEIGHED = (Way.RESALE, Way.TERMINATION)
"""An exchange or a transfer brings no cash: what its hours are worth elsewhere is other work's to say, and it is
listed with what it needs."""
BETTER = 1e-9
ROUNDS = 8


@dataclass(frozen=True)
class Leavings:
    """Every month and way in which one contract may be left, and the ways that cannot be weighed."""

    releases: tuple[Release, ...] = ()
    barred: tuple[RecoveryWeighed, ...] = ()


def leavings_of(contract: Contract, months: Months, today: date) -> Leavings:
    """The contract's releases at the starts of the months; amounts in the contract's currency.

    One that ends after the horizon is not weighed: its fee would count and the months that it saves would not.
    """
    kind = kind_named(contract.kind)
    if kind is None or contract.ends_on < months[0][0]:
        return Leavings()
    found = [(i, r) for i, (first, _) in enumerate(months) for r in kind.recoveries(contract, first)]
    wanted = [(i, r) for i, r in found if r.way in WEIGHED]
    elsewhere = tuple(_elsewhere(contract, r) for r in _first_of_each_way(r for _, r in found if r.way not in WEIGHED))
    whole = _barred_as_a_whole(contract, months, today)
    if whole:
        barred = tuple(_not_weighed(r, *whole) for r in _first_of_each_way(r for _, r in wanted))
        return Leavings(barred=(*barred, *elsewhere))
    why = {(i, r.way): _barred(r, today) for i, r in wanted}
    possible = tuple(_release(r, i) for i, r in wanted if why[i, r.way] is None)
    open_ways = {release.way for release in possible}
    never = {r.way: _not_weighed(r, why[i, r.way]) for i, r in wanted if r.way.value not in open_ways}
    return Leavings(possible, (*never.values(), *elsewhere))


def _first_of_each_way(found: Iterable[Recovery]) -> Iterable[Recovery]:
    first: dict[Way, Recovery] = {}
    for recovery in found:
        first.setdefault(recovery.way, recovery)
    return first.values()


def _elsewhere(contract: Contract, recovery: Recovery) -> RecoveryWeighed:
    """An exchange or a transfer: what it needs and where it may lead, and no amount that it would bring."""
    if recovery.barred_by:
        return _not_weighed(recovery, recovery.barred_by)
    transfer = contract.transfer
    allowed = (*transfer.accounts, *transfer.teams, *transfer.regions) if transfer else ()
    return _not_weighed(recovery, "needs-takers").model_copy(
        update={
            "to": recovery.families if recovery.way is Way.EXCHANGE else allowed,
            "subject_to": recovery.subject_to,
            "remains": float(cancelled(contract, recovery.on)),
        }
    )


def _barred_as_a_whole(contract: Contract, months: Months, today: date) -> tuple[str, int | None] | None:
    last = months[-1][1]
    if contract.ends_on > last:
        beyond = (contract.ends_on.year - last.year) * 12 + contract.ends_on.month - last.month
        return "beyond-horizon", len(months) + beyond
    if renews_automatically(contract) and status_on(contract, today) is DeadlineStatus.MISSED:
        return "renewed", None
    return None


def _barred(recovery: Recovery, today: date) -> str | None:
    if recovery.barred_by:
        return recovery.barred_by
    return "notice-passed" if recovery.notice_by is not None and recovery.notice_by < today else None


def _release(recovery: Recovery, month: int) -> Release:
    return Release(
        contract_id=recovery.contract_id,
        way=recovery.way.value,
        month=month,
        on=recovery.on,
        cash=float(recovery.cash),
        subject_to=recovery.subject_to,
    )


def _not_weighed(recovery: Recovery, reason: str | None, horizon: int | None = None) -> RecoveryWeighed:
    return RecoveryWeighed(
        contract_id=recovery.contract_id, way=recovery.way.value, reason=reason, horizon_months=horizon
    )


def within_caps(chosen: Mapping[str, Release], contracts: Sequence[Contract]) -> bool:
    """Whether what is refunded of one provider's contracts stays within the cap of any twelve months.

    A refund counts with what the contract still had to charge and the unused part of what was paid at its start.
    """
    capped = [c for c in contracts if c.refund_cap is not None and c.id in chosen and _is_refund(chosen[c.id])]
    for _, group in groupby(sorted(capped, key=_provider), key=_provider):
        held = list(group)
        window = timedelta(days=refund_window_days())
        room = min(float(c.refund_cap.amount - c.refund_cap.used) for c in held if c.refund_cap)
        for start in (chosen[c.id].on for c in held):
            year = [c for c in held if start <= chosen[c.id].on < start + window]
            if sum(float(cancelled(c, chosen[c.id].on)) for c in year) > room * (1 + BETTER):
                return False
    return True


def _is_refund(release: Release) -> bool:
    return release.way == Way.TERMINATION.value


def _provider(contract: Contract) -> str:
    return (contract.provider or "").casefold()


def cheapest(
    start: Chosen,
    leavings: Mapping[str, Sequence[Release]],
    allowed: Callable[[Chosen], bool],
    cost: Callable[[Chosen], float],
) -> tuple[Chosen, float]:
    """The releases that make a cost least: one contract after the other is left otherwise, until nothing gains.

    Freed promises are substitutes, so that what pays alone is the hardest to beat; `start` tells where to begin.
    """
    best, lowest = dict(start), cost(start)
    for _ in range(ROUNDS):
        before = lowest
        for name, ways in leavings.items():
            rest = {other: release for other, release in best.items() if other != name}
            tries = [rest, *({**rest, name: release} for release in ways)]
            for chosen in (t for t in tries if t != best and allowed(t)):
                found = cost(chosen)
                if found < lowest - BETTER * abs(lowest):
                    best, lowest = chosen, found
        if lowest >= before - BETTER * abs(before):
            break
    return best, lowest


def all_at(month: int, leavings: Mapping[str, Sequence[Release]]) -> Chosen:
    """Every contract that can be left in a month, by the way that brings most."""
    there = {name: [r for r in ways if r.month == month] for name, ways in leavings.items()}
    return {name: max(ways, key=lambda r: r.cash) for name, ways in there.items() if ways}
