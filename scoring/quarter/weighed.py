"""What became of each offer: bought, not worth its price, or not weighed at all."""

from collections.abc import Iterator

from scoring.model.settings import CommitmentOption
from scoring.quarter.answer import OfferFate, WeighedOffer
from scoring.quarter.program import Decided, Program


def weighed(program: Program, plan: Decided) -> Iterator[WeighedOffer]:
    """All offers by id."""
    net, given = program.network, program.scene.given
    bought = {lever.subject for lever, count in zip(net.levers, plan.levers, strict=True) if count}
    usable = _usable(program)
    for offer in sorted((o.option for o in given.offers), key=lambda o: o.id):
        fate = OfferFate.BOUGHT if offer.id in bought else OfferFate.NOT_WORTH
        if offer.id not in bought:
            fate = _why_not(program, offer) or (fate if offer.id in usable else OfferFate.NO_USE)
        yield WeighedOffer(offer=offer.id, fate=fate)


def _why_not(program: Program, offer: CommitmentOption) -> OfferFate | None:
    given, first = program.scene.given, max(program.scene.months[0][0], program.scene.given.today)
    if offer.expires_on is not None and offer.expires_on < first:
        return OfferFate.EXPIRED
    return OfferFate.BEYOND_HORIZON if offer.term_months > given.months else None


def _usable(program: Program) -> frozenset[str]:
    """Contracts and offers that serve an hour of something that a plan may choose."""
    net = program.network
    chosen = {net.pools.of[c.workload, o] for c in program.choices for o, _ in program.spans(c)}
    return frozenset(net.supplies[k].agreement.id for p in chosen for k, _ in net.pools.pools[p].served)
