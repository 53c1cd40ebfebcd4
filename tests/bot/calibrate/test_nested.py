"""The brute force that EVSI is held against is a consistent learner, and finds what can be worked out by hand."""

import math

import numpy as np
import pytest

from bot.calibrate.nested import Pilot, draw_means, draw_values, mean_now, mean_ratio

DRAWS = 10_000


def weighted(weights: np.ndarray, values: np.ndarray) -> tuple[float, float]:
    mean = float((weights * values).mean() / weights.mean())
    residuals = weights * (values - mean) / weights.mean()
    return mean, float(residuals.std()) / math.sqrt(len(values))


@pytest.mark.parametrize("pilot", [Pilot(0.9, 3, 0.05, 1, 0.95), Pilot(1.3, 3, 0.2, 4, 0.95), Pilot(0.6, 5, 0.3, 5, 1)])
def test_the_expected_ratio_after_the_runs_is_the_one_before(pilot: Pilot) -> None:
    mean, se = weighted(*draw_means(pilot, np.random.default_rng(1), DRAWS))
    assert abs(mean - mean_now(pilot)) < 5 * se


def test_the_published_case() -> None:
    """2 million × the value: an independent nested simulation gave 13,189 ± 470."""
    mean, se = weighted(*draw_values(Pilot(0.93, 3, 0.05, 3, 0.95), np.random.default_rng(2), DRAWS))
    assert 2e6 * mean == pytest.approx(13_189, abs=3 * math.hypot(470, 2e6 * se))


def test_with_many_degrees_of_freedom_the_posterior_is_normal() -> None:
    shrunk = 0.25 / (0.25 + 0.1**2)
    told = mean_ratio(np.array([0.2]), np.array([0.1]), 10_000_000)[0]
    assert told == pytest.approx(math.exp(shrunk * 0.2 + shrunk * 0.1**2 / 2), rel=1e-4)
