"""The engine's door for drawn pilots: arrays in, the functions that `analyse` uses, plain numbers out."""

from collections.abc import Sequence

from bot.calibrate.row import Array
from scoring.model.estimates import RatioEstimate
from scoring.statistics.ratio import ratio_of_means
from scoring.statistics.samples import ArmSample

CONFIDENCE = 0.95


def arm(costs: Array, blocks: Sequence[str] | None = None) -> ArmSample:
    """One arm of a pilot: costs of its runs, a unit of work each."""
    n = len(costs)
    labels: tuple[str | None, ...] = (None,) * n if blocks is None else tuple(blocks)
    return ArmSample(cost=tuple(costs.tolist()), work=(1.0,) * n, block=labels)


def cost_ratio(a: Array, b: Array, confidence: float = CONFIDENCE) -> RatioEstimate:
    """The unpaired ratio."""
    return ratio_of_means(arm(a), arm(b), confidence)


def covers(estimate: RatioEstimate, truth: float) -> bool:
    """Whether the interval holds the truth; none does not."""
    return estimate.lo is not None and estimate.hi is not None and estimate.lo <= truth <= estimate.hi


def below(estimate: RatioEstimate, k: float) -> bool:
    """Whether the whole interval lies below k."""
    return estimate.hi is not None and estimate.hi < k
