"""What a statistic hands on: a point, its interval, and how it was got; or the reason why there is none."""

from enum import StrEnum
from typing import Literal

from scoring.model.base import Value


class Direction(StrEnum):
    """Which way a metric is better; it comes from the metric's name, never from the data."""

    LOWER = "lower"
    HIGHER = "higher"


class Design(StrEnum):
    """How the runs of two arms belong together: `scoring/statistics/blocks.py` tells them apart."""

    UNPAIRED = "unpaired"
    PAIRED = "paired"
    BLOCKED = "blocked"
    ONE_BLOCK = "one-block"
    SEPARATE_BLOCKS = "separate-blocks"
    CONFOUNDED = "confounded"


class RatioEstimate(Value):
    """A ratio candidate / incumbent of positive quantities with its two-sided interval.

    `lo` and `hi` are None when no interval is honest; `reason` then names why (a code such as
    `one-run`, `confounded`, `no-spread`, `summary-without-n`). `qualifier` is `screening` at two runs an arm and
    `within-one-run` for a latency interval that speaks of one repetition only. `nu` are the degrees of
    freedom and `se_log` the standard error of the log ratio, kept so that a sheet can recompute the interval.
    `units` are the observations that the interval rests on, of the arm that has fewer: runs, or blocks.
    """

    point: float | None
    lo: float | None = None
    hi: float | None = None
    confidence: float
    method: str
    paired: bool = False
    nu: float | None = None
    se_log: float | None = None
    n_incumbent: int = 0
    n_candidate: int = 0
    units: int = 0
    reason: str | None = None
    qualifier: str | None = None

    @property
    def has_interval(self) -> bool:
        """Whether both ends are known."""
        return self.lo is not None and self.hi is not None


class QuantileEstimate(Value):
    """A quantile of one run's requests with its order-statistic interval, in the unit of the values.

    `lo` or `hi` None: too few values to bound that side. It speaks of the one run that was measured.
    """

    probability: float
    point: float
    lo: float | None = None
    hi: float | None = None
    confidence: float
    n: int


class DifferenceEstimate(Value):
    """A difference oriented so that above 0 means that the candidate is better.

    On a relative margin the difference is of logs. `lower` and `upper` are the one-sided bounds at
    `confidence` each; `lo` and `hi` the two-sided interval at the same confidence. `scope` says of what it speaks:
    `eval-set` (other runs on these items), `one-run` (other items, these runs) or `items` (other runs, other items).
    """

    point: float | None
    lo: float | None = None
    hi: float | None = None
    lower: float | None = None
    upper: float | None = None
    confidence: float
    method: str
    paired: bool = False
    nu: float | None = None
    se: float | None = None
    reason: str | None = None
    scope: Literal["eval-set", "one-run", "items"] = "eval-set"


class MeanSpread(Value):
    """A posted summary: a mean, perhaps with a standard deviation and the number of runs behind it.

    `in_percent`: posted as per cent and held as a fraction.
    """

    mean: float
    sd: float | None = None
    n: int | None = None
    in_percent: bool = False


PAYS = "pays"
"""The goal of runs that are asked for because they are worth more than they cost."""
LEAST = "least"
"""The goal of the fewest runs after which anything can be proven at all."""
NOT_BY_RUNS = ("no-spread", "summary-without-n", "summary-without-sd")
"""Why there is no interval where no number of runs would give one: a fact is missing, not a run."""
BLOCKS = "blocks"
"""The goal of further days or machines that both arms run in: `likely` counts these blocks, one run an arm in each."""


class SampleSize(Value):
    """How many runs an arm a goal needs: `likely` at the pilot's spread, `safe` at its upper 80 % bound.

    None where the goal cannot be reached within `limit` runs an arm.
    """

    goal: str
    likely: int | None
    safe: int | None
    limit: int
