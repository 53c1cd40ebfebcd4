"""Public holidays of a country or one of its regions, computed by the `holidays` library from its name and a year."""

from datetime import date
from functools import cache

A_REGION = "a country or one of its regions whose holidays are known, such as ES or DE-BY"


@cache
def holidays_of(region: str, year: int) -> frozenset[date]:
    """The holidays of `ES` or `DE-BY` in a year; raises `UnknownRegion` for a region that the library does not know."""
    # Most books name no region, and the library takes longer to load than the whole analysis.
    from holidays import country_holidays

    country, _, subdivision = region.partition("-")
    try:
        return frozenset(country_holidays(country, subdiv=subdivision or None, years=year).keys())
    except NotImplementedError as failure:
        raise UnknownRegion(region) from failure


class UnknownRegion(ValueError):
    """No holidays are known of that region."""


def is_known(region: str) -> bool:
    """Whether holidays are known of that region."""
    try:
        holidays_of(region, 2026)
    except UnknownRegion:
        return False
    return True
