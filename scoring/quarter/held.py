"""Contracts as supplies: each with its own term, its renewal, and what may be decided about them by when."""

from collections.abc import Iterator
from datetime import date, timedelta

import numpy as np

from scoring.contracts.current_term import current_term
from scoring.contracts.months import months_from
from scoring.contracts.notices import deadline_of, status_on
from scoring.contracts.portfolio.agreement import Agreement, agreements
from scoring.contracts.recoveries import leavings_of
from scoring.model.contract import Contract, RenewalKind
from scoring.model.economics import DeadlineStatus
from scoring.model.switching import Release
from scoring.quarter.answer import MoveKind
from scoring.quarter.options import Scene
from scoring.quarter.supplies import Lever, Profile, Supply, month_of, profile_of, supply_of


def held(scene: Scene) -> Iterator[Supply]:
    """All contracts by id, each term by term; none of a term that has no day in the months."""
    for contract in sorted(scene.given.contracts, key=lambda c: c.id):
        for supply in _terms(scene, current_term(contract, scene.given.today)[0]):
            term = supply.agreement.terms[0]
            if term.starts_on <= scene.months[-1][1] and term.ends_on >= scene.months[0][0]:
                yield supply


def _terms(scene: Scene, contract: Contract) -> Iterator[Supply]:
    """Its own term; and its renewal, which is there where notice was missed and a lever where it can be decided."""
    today, months = scene.given.today, scene.months
    asked = as_renewable(contract, today)
    optional = asked is not contract or status_on(contract, today) is DeadlineStatus.DUE
    whole = agreements([asked], today, frozenset({asked.id}) if optional else frozenset())[0]
    first, *later = whole.terms
    yield _own_term(scene, contract, whole.model_copy(update={"terms": (first,)}))
    for term in later:
        renewal = whole.model_copy(update={"terms": (term,), "upfront": 0.0, "due": 1.0})
        profile = profile_of(renewal, months)
        if optional:
            lever = _renewal(scene, contract, renewal, today=int(asked is contract))
            yield supply_of(renewal, months, levers=((lever, profile),), held=False)
        else:
            yield supply_of(renewal, months, profile)


def as_renewable(contract: Contract, today: date) -> Contract:
    """A contract that renews on request, while it can still be asked for, as one that would renew; others as given."""
    wanted = contract.renewal.kind is RenewalKind.ON_REQUEST and contract.renewal.months > 0
    if not wanted or last_day_to_decide(contract) < today:
        return contract
    renewal = contract.renewal.model_copy(update={"kind": RenewalKind.AUTOMATIC})
    return contract.model_copy(update={"renewal": renewal})


def last_day_to_decide(contract: Contract) -> date:
    """Its notice deadline; where it knows none, its last day."""
    return deadline_of(contract) or contract.ends_on


def _own_term(scene: Scene, contract: Contract, agreement: Agreement) -> Supply:
    profile = profile_of(agreement, scene.months)
    found = leavings_of(contract, scene.months, scene.given.today).releases if contract.refund_cap is None else ()
    sure = [r for r in found if r.certain and r.on > contract.starts_on]
    levers = tuple((_leaving(scene, contract, r), _without(profile, r)) for r in sure)
    return supply_of(agreement, scene.months, profile, levers)


def _renewal(scene: Scene, contract: Contract, renewal: Agreement, today: int) -> Lever:
    term, end = renewal.terms[0], scene.months[-1][1] + timedelta(days=1)
    after = months_from(end, max(0, month_of(((end, end),), term.ends_on) + 1))
    return Lever(
        kind=MoveKind.RENEW,
        subject=contract.id,
        month=max(0, month_of(scene.months, term.starts_on)),
        day=term.starts_on,
        deadline=last_day_to_decide(contract),
        most=1,
        today=today,
        group=contract.id,
        group_most=1,
        beyond=float(profile_of(renewal, after).cost.sum()) if after else 0.0,
    )


def _leaving(scene: Scene, contract: Contract, release: Release) -> Lever:
    terms = contract.early_termination
    notice = timedelta(days=terms.notice_days if terms is not None else 0)
    return Lever(
        kind=MoveKind.LEAVE,
        subject=release.contract_id,
        month=release.month,
        day=release.on,
        deadline=max(release.on - notice, scene.given.today),
        most=1,
        today=0,
        group=release.contract_id,
        group_most=1,
        subject_to=release.subject_to,
    )


def _without(profile: Profile, release: Release) -> Profile:
    """What a term loses when it is left: all from that month on, and what leaving brings or costs that day."""
    later = np.arange(len(profile.cost)) >= release.month
    cost = np.where(later, -profile.cost, 0.0)
    cost[release.month] -= release.cash
    return Profile(np.where(later, -profile.amount, 0.0), np.where(later, -profile.paid, 0.0), cost)
