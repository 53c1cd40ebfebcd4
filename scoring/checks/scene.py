"""What a check may look at: the two arms, the settings, the price book and the day."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from scoring.arms import Arms
from scoring.model.contract import PriceBook
from scoring.model.problem import Problem
from scoring.model.settings import Settings


@dataclass(frozen=True)
class Elsewhere:
    """Metrics that other comparisons of the posting measured, as `metric_key` has them, each with whose it is."""

    quality: Mapping[str, str] = field(default_factory=dict)
    latency: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """Everything that is known before any statistics."""

    arms: Arms
    settings: Settings
    prices: PriceBook
    today: date
    elsewhere: Elsewhere = Elsewhere()


Check = Callable[[Scene], list[Problem]]
