"""How to judge a posting: settings first, then contracts and prices in their light."""

from dataclasses import dataclass

from scoring.contracts.book import read_contracts
from scoring.model.contract import Contract, PriceBook
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.prices import read_prices
from scoring.reading.posted import PostedFile
from scoring.settings_file import apply_overrides, read_settings
from scoring.settings_forms import name_of


@dataclass(frozen=True)
class Evidence:
    """What was posted, and the files that tell how to judge it; `overrides` are `KEY=VALUE` settings.

    `problems` are what whoever collected the postings met: a file that could not be had keeps the verdict back like
    one that could not be read.
    """

    postings: tuple[PostedFile, ...]
    settings: PostedFile | None = None
    contracts: PostedFile | None = None
    prices: PostedFile | None = None
    overrides: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Setup:
    """Settings, contracts and prices as read, what is wrong with them, and which settings were given."""

    settings: Settings
    given: tuple[str, ...]
    contracts: tuple[Contract, ...]
    prices: PriceBook
    problems: tuple[Problem, ...]
    named_prices: tuple[str, ...] = ()
    """Arms or instance types that the pairs set a price for."""


def read_setup(evidence: Evidence) -> Setup:
    """A broken file leaves the defaults in force and an error among the problems."""
    settings, problems = Settings(), list[Problem]()
    if evidence.settings is not None:
        settings, problems = read_settings(evidence.settings)
    settings, more = apply_overrides(settings, evidence.overrides)
    problems = [*problems, *more]
    contracts: tuple[Contract, ...] = ()
    if evidence.contracts is not None:
        contracts, more = read_contracts(evidence.contracts)
        problems += more
    prices = PriceBook()
    if evidence.prices is not None:
        prices, more = read_prices(evidence.prices)
        problems += more
    given = tuple(sorted(settings.model_fields_set))
    return Setup(settings, given, contracts, prices, tuple(problems), _named_prices(evidence.overrides))


def _named_prices(overrides: tuple[str, ...]) -> tuple[str, ...]:
    keys = (pair.partition("=")[0].strip() for pair in overrides)
    parts = (key.partition(".") for key in keys)
    return tuple(name for top, _, name in parts if name and name_of(top) == "prices")
