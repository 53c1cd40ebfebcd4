"""What a sceptic asks of a pilot's runs: shown beside the answer, never applied to it."""

from scoring.model.base import Value
from scoring.model.estimates import Design, RatioEstimate


class ArmDiagnostics(Value):
    """One arm's runs that did work, in time order where every run says when it began.

    `slow_seen` runs took over 1.5 times the median; `slow_run_bound` is the share of slow runs that the arm may still
    have (one-sided, at the confidence of the settings). `autocorrelation` is between one run and the next, None below
    eight runs or without times. `first_run_factor` is the first run over the mean of the others.
    """

    arm: str
    n: int
    slow_seen: int
    slow_run_bound: float
    autocorrelation: float | None = None
    first_run_factor: float | None = None


class Outlier(Value):
    """A run that lies far from its arm's median: `distance` in robust standard deviations (1.4826 · MAD).

    `per_unit` and `median` are cost per unit of work (time, where the cost is not known); `ratio_without` is theta
    without that run.
    """

    arm: str
    run: str | None = None
    file: str
    row: int | None = None
    per_unit: float
    median: float
    distance: float
    ratio_without: RatioEstimate | None = None


class SlowShare(Value):
    """The share of candidate runs, each `slowdown` times as long, that would bring theta to the break-even ratio."""

    slowdown: float
    share: float


class Diagnostics(Value):
    """How the runs belong together, and what few of them cannot show. `slow_shares` only where theta is below k."""

    design: Design
    blocks_shared: int = 0
    arms: tuple[ArmDiagnostics, ...] = ()
    slow_shares: tuple[SlowShare, ...] = ()
    outliers: tuple[Outlier, ...] = ()
