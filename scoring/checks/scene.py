"""What a check may look at: the two arms, the settings, the price book and the day."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from scoring.arms import Arms
from scoring.model.contract import PriceBook
from scoring.model.problem import Problem
from scoring.model.settings import Settings


@dataclass(frozen=True)
class Scene:
    """Everything that is known before any statistics."""

    arms: Arms
    settings: Settings
    prices: PriceBook
    today: date


Check = Callable[[Scene], list[Problem]]
