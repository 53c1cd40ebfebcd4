"""The numbers of one arm as a statistic sees them, and the few building blocks that all intervals share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import stdtrit


@dataclass(frozen=True)
class ArmSample:
    """One arm: cost (or time) and work of each run, and its block (a day, an instance) where it has one.

    A failed run has work 0 and keeps its cost. The tuples have one entry a run; without `weight` every run counts
    as one.
    """

    cost: tuple[float, ...]
    work: tuple[float, ...]
    block: tuple[str | None, ...]
    weight: tuple[float, ...] = ()

    @property
    def n(self) -> int:
        """Number of runs."""
        return len(self.cost)

    @property
    def worked(self) -> int:
        """Number of runs that did work: a failed run is on the bill and is no observation of what work costs."""
        return sum(work > 0 for work in self.work)

    @property
    def weights(self) -> tuple[float, ...]:
        """The weight of each run."""
        return self.weight or (1.0,) * self.n

    @property
    def total_cost(self) -> float:
        """Σ weight · cost."""
        return math.fsum(w * c for w, c in zip(self.weights, self.cost, strict=True))

    @property
    def per_unit(self) -> float | None:
        """Σ cost / Σ work by weight, None where no work was done or the cost is not above zero."""
        cost, work = self.total_cost, math.fsum(w * x for w, x in zip(self.weights, self.work, strict=True))
        value = cost / work if work > 0 and cost > 0 else None
        return value if value is not None and 0 < value < math.inf else None


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean, exactly summed."""
    return math.fsum(values) / len(values)


def variance(values: Sequence[float]) -> float:
    """Sample variance with n − 1; needs two values."""
    centre = mean(values)
    return math.fsum((v - centre) ** 2 for v in values) / (len(values) - 1)


def bounded_exp(exponent: float) -> float:
    """exp within what a float holds: an interval that wide says only that nothing is known."""
    return math.exp(min(max(exponent, -700.0), 700.0))


def t_quantile(probability: float, nu: float) -> float:
    """Quantile of Student's t with (fractional) nu degrees of freedom."""
    return float(stdtrit(nu, probability))


def welch_nu(a: float, n_a: int, b: float, n_b: int) -> float:
    """Welch–Satterthwaite degrees of freedom of two variances of means a and b (Welch 1947)."""
    scale = max(a, b)
    a, b = a / scale, b / scale
    return (a + b) ** 2 / (a * a / (n_a - 1) + b * b / (n_b - 1))
