"""How to judge a posting: settings first, then contracts and prices in their light."""

from dataclasses import dataclass

from scoring.contracts.book import read_contracts
from scoring.contracts.notices import with_holidays
from scoring.model.contract import Contract, PriceBook
from scoring.model.looks import EarlierLook
from scoring.model.portability import Portability, PortingSummary
from scoring.model.problem import Problem, Severity
from scoring.model.settings import Settings
from scoring.portability.moving import priced_by
from scoring.portability.report import read_report
from scoring.portability.summary import summary_of
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
    looks: tuple[EarlierLook, ...] = ()
    """Answers that were given on the same thread before."""
    portability: PostedFile | None = None
    """The porting map of the code that would move."""


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
    looks: tuple[EarlierLook, ...] = ()
    """Earlier looks, those that the settings name among them."""
    in_command: tuple[str, ...] = ()
    """Settings with dates that the pairs give, and no file: `capacity`, `prices.NAME`."""
    portability: Portability | None = None
    porting: PortingSummary | None = None

    @property
    def is_broken(self) -> bool:
        """Whether a mistake in a file hides some of what it holds."""
        return any(p.severity is Severity.ERROR for p in self.problems)


def read_setup(evidence: Evidence) -> Setup:
    """A broken file leaves the defaults in force and an error among the problems."""
    settings, problems = Settings(), list[Problem]()
    if evidence.settings is not None:
        settings, problems = read_settings(evidence.settings)
    settings, more = apply_overrides(settings, evidence.overrides)
    problems = [*problems, *more]
    contracts: tuple[Contract, ...] = ()
    if evidence.contracts is not None:
        held, more = read_contracts(evidence.contracts)
        contracts = tuple(with_holidays(contract, settings.holidays) for contract in held)
        problems += more
    prices = PriceBook()
    if evidence.prices is not None:
        prices, more = read_prices(evidence.prices)
        problems += more
    given = tuple(sorted(settings.model_fields_set))
    found: Portability | None = None
    porting: PortingSummary | None = None
    if evidence.portability is not None:
        found, more = read_report(evidence.portability)
        problems += more
        if found is not None:
            porting = summary_of(found, settings)
            settings, more = priced_by(found, settings)
            problems += more
    named, looks = _named_prices(evidence.overrides), (*evidence.looks, *_looks_named(settings))
    dated = _dated_in_command(evidence.overrides, named)
    return Setup(settings, given, contracts, prices, tuple(problems), named, looks, dated, found, porting)


def _looks_named(settings: Settings) -> tuple[EarlierLook, ...]:
    """Looks that were made elsewhere, at so many runs of each arm, at whatever is compared now."""
    return tuple(EarlierLook(runs_incumbent=n, runs_candidate=n) for n in settings.earlier_looks)


def _dated_in_command(overrides: tuple[str, ...], named_prices: tuple[str, ...]) -> tuple[str, ...]:
    tops = {name_of(pair.partition("=")[0].strip().partition(".")[0]) for pair in overrides}
    return (*(f"prices.{name}" for name in named_prices), *(["capacity"] if "capacity" in tops else []))


def _named_prices(overrides: tuple[str, ...]) -> tuple[str, ...]:
    keys = (pair.partition("=")[0].strip() for pair in overrides)
    parts = (key.partition(".") for key in keys)
    return tuple(name for top, _, name in parts if name and name_of(top) == "prices")
