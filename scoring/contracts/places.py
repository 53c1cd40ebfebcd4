"""Zones and the regions that they lie in, by the names that the clouds give them."""

import re

from scoring.model.contract import Contract

_ZONES = (
    re.compile(r"([a-z]{2,}(?:-[a-z]+)+-\d+)[a-z]\Z", re.ASCII),
    re.compile(r"([a-z]{2,}(?:-[a-z]+)+-\d+)-[a-z]{3}-\d+[a-z]\Z", re.ASCII),
    re.compile(r"([a-z]{2,}(?:-[a-z]+)+\d+)-[a-z]\Z", re.ASCII),
)
"""Amazon's (`us-east-1a`), its local zones (`us-west-2-lax-1a`) and Google's (`europe-west4-a`)."""


def region_of_zone(name: str) -> str | None:
    """The region of a zone's name; None where the name says none."""
    text = name.strip().casefold()
    return next((match[1] for pattern in _ZONES if (match := pattern.match(text))), None)


def region_named(name: str) -> str:
    """The region that a place lies in, in lower case: a zone's region, or the place itself."""
    return region_of_zone(name) or name.strip().casefold()


def zone_elsewhere(contract: Contract) -> str | None:
    """A zone whose region the contract does not name and its own name does not say, or that lies in another region."""
    covers = contract.covers
    regions = {region.casefold() for region in covers.regions}
    for zone in covers.zones:
        region = region_of_zone(zone)
        if (region is None and not regions) or (region is not None and regions and region not in regions):
            return zone
    return None


def with_regions_of_zones(contract: Contract) -> Contract:
    """The contract with the regions of its zones where it names no regions: its hours hold there and nowhere else."""
    covers = contract.covers
    found = tuple(dict.fromkeys(region for zone in covers.zones if (region := region_of_zone(zone))))
    if covers.regions or not found:
        return contract
    return contract.model_copy(update={"covers": covers.model_copy(update={"regions": found})})
