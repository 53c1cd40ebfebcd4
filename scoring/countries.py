"""In which country a region lies, and whether the GDPR is law there: dated data of the providers, read once."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from scoring.model.base import Value
from scoring.model.records import CountrySource

FILE = Path(__file__).with_name("regions.yml")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Located:
    """The country of a region as ISO 3166-1 alpha-2, and the list that says so."""

    country: str
    source: CountrySource


class Provider(Value):
    """One provider's list of its regions, its names in lower case."""

    name: str
    names: frozenset[str]
    source: CountrySource
    country_of: dict[str, str]


class Geography(Value):
    """All lists, and the countries of the European Economic Area."""

    providers: tuple[Provider, ...]
    eea: frozenset[str]
    eea_sources: tuple[CountrySource, ...]

    def provider(self, name: str) -> Provider | None:
        """The provider of that name; None for one that is not listed."""
        wanted = name.strip().casefold()
        return next((p for p in self.providers if wanted in p.names), None)

    def locate(self, region: str, provider: str | None) -> Located | None:
        """Where a region of that provider lies; of an unknown provider what all lists that have the name agree on.

        The regions of a provider without a list are not known, whatever other providers call theirs.
        """
        known = self.provider(provider) if provider else None
        asked = (known,) if known else () if provider else self.providers
        found = [(p, country) for p in asked if (country := p.country_of.get(region.strip().casefold()))]
        if len({country for _, country in found}) != 1:
            return None
        listed, country = found[0]
        return Located(country, listed.source)


@cache
def geography() -> Geography:
    """The file's content; it is read on the first use only, since most decisions need none of it."""
    tree = yaml.load(FILE.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506 - our own file, by a safe loader
    providers = []
    for listed in tree["providers"]:
        names = frozenset(name.casefold() for name in (listed["name"], *listed["also"]))
        source = CountrySource(page=listed["page"], seen_on=listed["seen_on"])
        country_of = {region: country for country, regions in listed["countries"].items() for region in regions}
        providers.append(Provider(name=listed["name"], names=names, source=source, country_of=country_of))
    eea = tree["eea"]
    sources = tuple(CountrySource(page=page, seen_on=eea["seen_on"]) for page in eea["pages"])
    return Geography(providers=tuple(providers), eea=frozenset(eea["countries"]), eea_sources=sources)
