"""Worlds to draw pilots from. Their means are known in closed form: no truth comes from the code under test."""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bot.calibrate.row import Array

Shape = int | tuple[int, ...]


class Population(Protocol):
    """Costs of single runs of one arm: mean 1 unless slow runs raise it."""

    @property
    def name(self) -> str:
        """As it is told in a table."""

    @property
    def mean(self) -> float:
        """The true mean."""

    @property
    def variance(self) -> float:
        """The true variance."""

    def draw(self, rng: np.random.Generator, shape: Shape) -> Array:
        """Independent runs."""


@dataclass(frozen=True)
class Normal:
    """Normal with mean 1; for a CV up to 30 %, above which a cost would often be negative."""

    cv: float
    mean: float = 1.0

    @property
    def name(self) -> str:
        """As it is told in a table."""
        return f"normal {self.cv:.0%}"

    @property
    def variance(self) -> float:
        """The true variance."""
        return self.cv**2

    def draw(self, rng: np.random.Generator, shape: Shape) -> Array:
        """Independent runs."""
        return rng.normal(1.0, self.cv, shape)


@dataclass(frozen=True)
class LogNormal:
    """Log-normal with mean 1: the logs have variance ln(1 + CV²) and mean minus half of it."""

    cv: float
    mean: float = 1.0

    @property
    def name(self) -> str:
        """As it is told in a table."""
        return f"log-normal {self.cv:.0%}"

    @property
    def variance(self) -> float:
        """The true variance."""
        return self.cv**2

    def draw(self, rng: np.random.Generator, shape: Shape) -> Array:
        """Independent runs."""
        spread = math.log1p(self.cv**2)
        return rng.lognormal(-spread / 2, math.sqrt(spread), shape)


@dataclass(frozen=True)
class Gamma:
    """Gamma with mean 1: shape 1 / CV², scale CV²."""

    cv: float
    mean: float = 1.0

    @property
    def name(self) -> str:
        """As it is told in a table."""
        return f"gamma {self.cv:.0%}"

    @property
    def variance(self) -> float:
        """The true variance."""
        return self.cv**2

    def draw(self, rng: np.random.Generator, shape: Shape) -> Array:
        """Independent runs."""
        return rng.gamma(1 / self.cv**2, self.cv**2, shape)


@dataclass(frozen=True)
class SlowRuns:
    """A normal population of which a share of the runs takes `slowdown` times as long."""

    cv: float
    share: float = 0.1
    slowdown: float = 2.0

    @property
    def name(self) -> str:
        """As it is told in a table."""
        return f"normal {self.cv:.0%}, {self.share:.0%} of the runs {self.slowdown:g} times slower"

    @property
    def mean(self) -> float:
        """The true mean: 1 + share·(slowdown − 1)."""
        return 1 + self.share * (self.slowdown - 1)

    @property
    def variance(self) -> float:
        """The true variance: E[factor²]·E[run²] − mean²."""
        factor2 = 1 + self.share * (self.slowdown**2 - 1)
        return factor2 * (1 + self.cv**2) - self.mean**2

    def draw(self, rng: np.random.Generator, shape: Shape) -> Array:
        """Independent runs."""
        slow = rng.random(shape) < self.share
        return Normal(self.cv).draw(rng, shape) * np.where(slow, self.slowdown, 1.0)


def two_arms(
    rng: np.random.Generator,
    incumbent: Population,
    candidate: Population,
    runs: tuple[int, int],
    theta: float,
    size: int,
) -> tuple[Array, Array]:
    """Costs of `size` pilots, one a line; the ratio of the arms' true means is theta by construction."""
    a = incumbent.draw(rng, (size, runs[0])) / incumbent.mean
    b = candidate.draw(rng, (size, runs[1])) / candidate.mean
    return a, theta * b


@dataclass(frozen=True)
class Days:
    """Both arms run on the same days: each day is a factor of mean 1 for both, each run one of its own."""

    day: Population
    run: Population

    @property
    def name(self) -> str:
        """As it is told in a table."""
        return f"day {self.day.name}, run {self.run.name}"

    def draw(
        self, rng: np.random.Generator, days: int, runs_a_day: tuple[int, int], theta: float, size: int
    ) -> tuple[Array, Array]:
        """Costs of shape (size, days, runs a day) of both arms; the ratio of their true means is theta."""
        of_day = self.day.draw(rng, (size, days, 1)) / self.day.mean
        a = of_day * self.run.draw(rng, (size, days, runs_a_day[0])) / self.run.mean
        b = of_day * self.run.draw(rng, (size, days, runs_a_day[1])) / self.run.mean
        return a, theta * b


def repetitions_of_requests(
    rng: np.random.Generator, repetitions: int, requests: int, between: float, scale: float, size: int
) -> Array:
    """Latencies (size, repetitions, requests): log-normal requests times a log-normal factor of the repetition.

    Both arms have the same shape, so that the ratio of any of their quantiles is the ratio of their scales.
    """
    of_repetition = np.exp(rng.normal(0.0, between, (size, repetitions, 1)))
    return scale * of_repetition * rng.lognormal(0.0, 0.5, (size, repetitions, requests))


def same_items(rng: np.random.Generator, items: int, only_a: float, only_b: float, size: int) -> tuple[Array, Array]:
    """Items that only the incumbent, and that only the candidate, has right; the true difference is only_b − only_a."""
    drawn = rng.multinomial(items, [only_a, only_b, 1 - only_a - only_b], size)
    return drawn[:, 0].astype(float), drawn[:, 1].astype(float)
