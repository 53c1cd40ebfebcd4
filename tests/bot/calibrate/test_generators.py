"""Every world has the mean and the spread that its closed form says: the truth of all that is calibrated."""

import math

import numpy as np
import pytest

from bot.calibrate.generators import (
    Days,
    Gamma,
    LogNormal,
    Normal,
    Population,
    SlowRuns,
    repetitions_of_requests,
    same_items,
    two_arms,
)

DRAWS = 200_000
SIX = 6.0
"""Standard errors: what a right generator misses once in half a billion draws."""
POPULATIONS: list[Population] = [
    Normal(0.01), Normal(0.2), LogNormal(0.1), LogNormal(0.5), Gamma(0.2), Gamma(0.5), SlowRuns(0.03), SlowRuns(0.1),
    SlowRuns(0.05, share=0.3, slowdown=3.0),
]  # fmt: skip


def close(values: np.ndarray, wanted: float) -> bool:
    return abs(values.mean() - wanted) < SIX * values.std() / math.sqrt(len(values))


@pytest.mark.parametrize("population", POPULATIONS, ids=lambda p: p.name)
def test_mean_and_variance_are_those_of_the_closed_form(population: Population) -> None:
    drawn = population.draw(np.random.default_rng(1), DRAWS)
    assert close(drawn, population.mean)
    assert close((drawn - population.mean) ** 2, population.variance)


@pytest.mark.parametrize(("population", "mean", "cv"), [(SlowRuns(0.0), 1.1, 0.3 / 1.1), (LogNormal(0.5), 1.0, 0.5)])
def test_closed_forms_by_hand(population: Population, mean: float, cv: float) -> None:
    assert population.mean == pytest.approx(mean)
    assert math.sqrt(population.variance) / population.mean == pytest.approx(cv)


@pytest.mark.parametrize("population", POPULATIONS, ids=lambda p: p.name)
def test_the_ratio_of_two_arms_means_is_theta(population: Population) -> None:
    a, b = two_arms(np.random.default_rng(2), population, Gamma(0.3), (3, 5), 0.8, DRAWS // 4)
    assert (a.shape, b.shape) == ((DRAWS // 4, 3), (DRAWS // 4, 5))
    assert close(a.ravel(), 1.0)
    assert close(b.ravel(), 0.8)


def test_a_day_is_shared_by_both_arms_and_runs_are_not() -> None:
    a, b = Days(Normal(0.10), Normal(0.03)).draw(np.random.default_rng(3), 4, (2, 1), 0.9, DRAWS // 8)
    assert (a.shape, b.shape) == ((DRAWS // 8, 4, 2), (DRAWS // 8, 4, 1))
    assert close(b[:, 0, 0], 0.9)
    assert close((a[:, 0, 0] - 1) * (b[:, 0, 0] / 0.9 - 1), 0.10**2)
    assert close((a[:, 0, 0] - a[:, 0, 1]) ** 2, 2 * 0.03**2 * (1 + 0.10**2))
    assert close((a[:, 0, 0] - 1) * (a[:, 1, 0] - 1), 0.0)


def test_repetitions_differ_by_their_own_factor() -> None:
    drawn = np.log(repetitions_of_requests(np.random.default_rng(4), 2, 50, 0.03, 1.1, 4000))
    means = drawn.mean(axis=2).ravel()
    assert close(means, math.log(1.1))
    assert close((means - math.log(1.1)) ** 2, 0.03**2 + 0.5**2 / 50)


def test_paired_items_disagree_as_often_as_told() -> None:
    only_a, only_b = same_items(np.random.default_rng(5), 500, 0.05, 0.03, DRAWS // 10)
    assert close(only_a / 500, 0.05)
    assert close(only_b / 500, 0.03)
