"""Whether a measured value keeps its bar: met, within the noise of the simulation, or short of it."""

import math
from dataclasses import dataclass
from enum import StrEnum

NOISE = 3.0
"""Standard errors by which a value may miss its bar before the bar is said to be missed."""


class Result(StrEnum):
    """What became of a claim; `TOLD` has no bar."""

    TOLD = "told"
    MET = "met"
    NOISE = "within noise"
    SHORT = "falls short"


SEVERITY = (Result.TOLD, Result.MET, Result.NOISE, Result.SHORT)


@dataclass(frozen=True)
class Bar:
    """Values from `low` to `high`, both allowed."""

    low: float = -math.inf
    high: float = math.inf

    def beyond(self, value: float) -> float:
        """How far a value lies outside; 0 inside, infinite for one that is not a number."""
        if math.isnan(value):
            return math.inf
        return max(self.low - value, value - self.high, 0.0)


@dataclass(frozen=True)
class Measured:
    """A value with its Monte Carlo standard error."""

    value: float
    se: float


def judge(measured: Measured, bar: Bar | None) -> Result:
    """Outside the bar by less than three standard errors is noise: more replicates tell. Unknown is short."""
    if bar is None:
        return Result.TOLD
    beyond = bar.beyond(measured.value)
    if beyond == 0:
        return Result.MET
    return Result.NOISE if beyond < NOISE * measured.se else Result.SHORT


def worst(results: list[Result]) -> Result:
    """The result of all cells together: the worst of them."""
    return max(results, key=SEVERITY.index)
