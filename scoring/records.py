"""The draft entry for the records of processing, from what is configured, measured and listed; never from a guess."""

from collections.abc import Iterator, Sequence
from datetime import date

from scoring.arms import ArmData, Arms
from scoring.contracts.coverage import covers
from scoring.countries import Geography, geography
from scoring.model.economics import ArmFlow
from scoring.model.records import CountrySource, Missing, ProcessingPlace, ProcessingRecord, RecordsSetting, Use
from scoring.model.settings import Settings
from scoring.setup import Setup

NEEDED = (
    "controller",
    "contact",
    "purpose",
    "data_subjects",
    "data",
    "artefacts",
    "recipients",
    "retention",
    "security",
)
"""Fields without which an entry is not complete; safeguards only where something leaves the EU and EEA."""


def record_of_processing(arms: Arms, setup: Setup, today: date) -> ProcessingRecord | None:
    """The draft of one comparison; None where neither records are configured nor a region of the EEA approved."""
    if not _is_wanted(setup.settings):
        return None
    configured = setup.settings.records or RecordsSetting()
    lists, places, sources = geography(), list[ProcessingPlace](), list[CountrySource]()
    for use, arm, region in _where(arms, setup.settings):
        provider = _provider(arm, region, setup, today)
        place, source = _place(use, arm, region, provider, configured, lists)
        places.append(place)
        sources += [source] if source else []
    located = any(place.country for place in places)
    outside = tuple(place for place in places if place.in_eea is False)
    return ProcessingRecord(
        configured=configured,
        places=tuple(places),
        transfers=outside,
        missing=tuple(_missing(configured, places)),
        sources=tuple(dict.fromkeys([*sources, *(lists.eea_sources if located else ())])),
    )


def _is_wanted(settings: Settings) -> bool:
    if settings.records is not None:
        return True
    located = [geography().locate(region, None) for region in settings.approved_regions]
    return any(found.country in geography().eea for found in located if found)


def _where(arms: Arms, settings: Settings) -> Iterator[tuple[Use, ArmData, str | None]]:
    """Each region of an arm, and the candidate's capacity where that is elsewhere."""
    for use, arm in ((Use.INCUMBENT, arms.incumbent), (Use.CANDIDATE, arms.candidate)):
        for region in sorted(arm.values("region")):
            yield use, arm, region
        if not arm.values("region") or any(costed.run.region is None for costed in arm.runs):
            yield use, arm, None
    planned = settings.capacity.region
    if planned and planned.casefold() not in {region.casefold() for region in arms.candidate.values("region")}:
        yield Use.CAPACITY, arms.candidate, planned


def _place(
    use: Use, arm: ArmData, region: str | None, provider: str | None, configured: RecordsSetting, lists: Geography
) -> tuple[ProcessingPlace, CountrySource | None]:
    place = ProcessingPlace(
        use=use, arm=arm.name, provider=provider, instance_type=arm.one("instance_type"), region=region
    )
    if region is None:
        return place, None
    own = {name.casefold(): country for name, country in configured.countries.items()}.get(region.casefold())
    located = None if own else lists.locate(region, provider)
    country = own or (located.country if located else None)
    more = {"country": country, "in_eea": country in lists.eea if country else None}
    return place.model_copy(
        update={**more, "is_country_configured": own is not None}
    ), located.source if located else None


def _provider(arm: ArmData, region: str | None, setup: Setup, today: date) -> str | None:
    """Whom the price book or the contracts that the arm draws on name; None where they name none or several."""
    instance_type = arm.one("instance_type")
    flow = ArmFlow(arm=arm.name, hours_per_unit=1.0, price_per_hour=None, instance_type=instance_type, region=region)
    drawn = [c for c in setup.contracts if c.ends_on >= today and covers(c, flow)]
    named = [c.provider or c.covers.cloud for c in drawn]
    named += [row.cloud for row in (setup.prices.find(instance_type, region) if instance_type else ())]
    listed = {name: geography().provider(name) for name in named if name}
    different = {found.name if found else name for name, found in listed.items()}
    return different.pop() if len(different) == 1 else None


def _missing(configured: RecordsSetting, places: Sequence[ProcessingPlace]) -> Iterator[Missing]:
    for name in NEEDED:
        value = getattr(configured, name)
        if not value or not any(value):
            yield Missing(code=name)
    if not configured.transfers and any(place.in_eea is not True for place in places):
        yield Missing(code="transfers")
    facts = list[Missing]()
    for place in places:
        if place.provider is None:
            facts.append(Missing(code="provider", subject=place.arm))
        if place.region is None:
            facts.append(Missing(code="region", subject=place.arm))
        elif place.country is None:
            facts.append(Missing(code="country", subject=place.region))
    yield from dict.fromkeys(facts)
