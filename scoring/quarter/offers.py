"""Commitments that could be bought, as supplies: one lever for each month in which one may start."""

from collections.abc import Iterator

import numpy as np

from scoring.contracts.portfolio.agreement import AgreedTerm, Agreement, Promise
from scoring.contracts.portfolio.stretches import HOURS_A_DAY
from scoring.quarter.answer import MoveKind
from scoring.quarter.options import Scene
from scoring.quarter.supplies import Lever, Supply, profile_of, supply_of
from scoring.quarter.values import CommitmentOffer


def offered(scene: Scene) -> Iterator[Supply]:
    """All offers by id. One whose term does not end within the months, or that has expired, has no lever."""
    for offer in sorted(scene.given.offers, key=lambda o: o.option.id):
        option, months = offer.option, scene.months
        levers = []
        for start in range(len(months) - option.term_months + 1):
            day, ends_on = months[start][0], months[start + option.term_months - 1][1]
            if option.expires_on is None or max(day, scene.given.today) <= option.expires_on:
                term = AgreedTerm(starts_on=day, ends_on=ends_on, rate=float(option.rate))
                levers.append((_purchase(scene, offer, start), profile_of(_agreement(offer, term), months)))
        whole = AgreedTerm(starts_on=months[0][0], ends_on=months[-1][1], rate=float(option.rate))
        yield supply_of(_agreement(offer, whole), months, levers=tuple(levers), held=False)


def _purchase(scene: Scene, offer: CommitmentOffer, start: int) -> Lever:
    day, most = scene.months[start][0], _most(scene, offer)
    return Lever(
        kind=MoveKind.BUY,
        subject=offer.option.id,
        month=start,
        day=day,
        deadline=max(day, scene.given.today),
        until=scene.months[start + offer.option.term_months - 1][1],
        most=most,
        today=0,
        group=offer.option.id,
        group_most=most,
        size=offer.option.instances or 1,
    )


def _agreement(offer: CommitmentOffer, term: AgreedTerm) -> Agreement:
    size, covers = offer.option.instances or 1, offer.covers
    return Agreement(
        id=offer.option.id,
        kind="quote",
        terms=(term,),
        promise=Promise.INSTANCES,
        amount=float(size),
        upfront=float(offer.option.upfront) * size,
        provider=offer.provider,
        cloud=covers.cloud,
        regions=covers.regions,
        zones=covers.zones,
        instance_types=covers.instance_types,
        families=covers.families,
        size_flexible=covers.size_flexible,
    )


def _most(scene: Scene, offer: CommitmentOffer) -> int:
    """How many units could ever be used, or may be bought: a given size is taken once unless more are offered."""
    if offer.option.instances:
        return max(1, (offer.most_instances or 0) // offer.option.instances)
    if offer.most_instances is not None:
        return offer.most_instances
    hours = np.array([(last - first).days + 1 for first, last in scene.months]) * HOURS_A_DAY
    largest = np.zeros(len(hours))
    for w, work in enumerate(scene.workloads):
        largest += np.max([scene.need(w, o) for o in range(len(work.options))], axis=0)
    return max(1, int(np.ceil((largest / hours).max())))
