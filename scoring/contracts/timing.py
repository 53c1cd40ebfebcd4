"""The month of a plan against the one before and the one after, and what speaks for it."""

from collections.abc import Sequence
from math import isfinite

import numpy as np

from scoring.contracts.coverage import Promised
from scoring.contracts.plans import TIE, Matrix
from scoring.model.economics import Plan
from scoring.model.switching import Release
from scoring.model.timing import Timing, TimingReason


def timing_of(
    npv: Matrix, plan: Plan, held: Promised, left: Sequence[Release] = (), reused: bool = False, takes: int = 0
) -> Timing | None:
    """The timing of a plan that moves, `held` being what the incumbent's contracts promise; None of a stay.

    `npv` holds each plan (s, u) at [s, u]. A plan that moves all at once is shifted as a whole; of one that moves a
    part first, the second move is, or the only one where the rest never moves. `takes` are the months after the first
    until a move is complete and nothing of it runs on the incumbent.
    """
    months = npv.shape[0] - 1
    s, u = plan.starts_at, plan.full_at
    if s >= months:
        return None
    month = u if u < months else s

    def dearer(shift: int) -> float | None:
        start, full = s + shift * (s == u or u == months), u + shift * (u < months)
        if not (0 <= start < months and start <= full) or (s < u < months and full >= months):
            return None
        difference = float(npv[start, full]) - plan.npv
        if not isfinite(difference):
            return None
        same = abs(difference) <= TIE * abs(plan.npv)
        return (None if s < u else 0.0) if same else difference

    reasons = _reasons(held, plan, month, left, reused, takes)
    return Timing(month=month, earlier=dearer(-1), later=dearer(1), reasons=reasons)


def _reasons(
    held: Promised, plan: Plan, month: int, left: Sequence[Release], reused: bool, takes: int
) -> tuple[TimingReason, ...]:
    reasons = [TimingReason(code="overflow-first")] if plan.starts_at < plan.full_at else []
    months = held.hours.shape[1]
    leaving = {release.contract_id: release.way for release in left if release.month == month}
    reasons += [TimingReason(code=f"{way}-pays", contract_id=name) for name, way in leaving.items()]
    ending = [name for later in range(month + 1, min(month + takes, months - 1) + 1) for name in _ended(held, later)]
    reasons += [TimingReason(code="ends-while-moving", contract_id=name) for name in ending]
    if month == 0:
        frees = reused and bool(held.hours[:, 0].any()) and plan.full_at == 0
        code = "freed-hours-used" if frees else "nothing-to-wait-for"
        return tuple(reasons) if leaving or ending else (*reasons, TimingReason(code=code))
    ended = _ended(held, month)
    reasons += [TimingReason(code="reservation-ends", contract_id=name) for name in ended if name not in leaving]
    total = held.hours.sum(axis=0)
    if not ended and total[month] < total[month - 1] * (1 - TIE) and plan.full_at < months:
        reasons.append(TimingReason(code="promise-falls"))
    return tuple(reasons) or (TimingReason(code="cost-alone"),)


def _ended(held: Promised, month: int) -> Sequence[str]:
    """Contracts that promised hours in the month before and promise none from this month on."""
    names = dict.fromkeys(term.contract.id for term in held.terms)
    rows = {name: [i for i, term in enumerate(held.terms) if term.contract.id == name] for name in names}
    hours = {name: np.asarray(held.hours[of]).sum(axis=0) for name, of in rows.items()}
    return [name for name, of in hours.items() if of[month - 1] > 0 and not of[month:].any()]
