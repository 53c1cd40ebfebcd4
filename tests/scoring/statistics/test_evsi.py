"""What further runs are worth, against simulating them: draw the truth, run on, and decide again."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma

from scoring.statistics.evsi import value_of_runs, variance_factors
from scoring.statistics.posterior import PRIOR_SD, posterior_of

quick = settings(max_examples=60)
DRAWS = 400_000


def nested(ratio: float, cv: float, n: int, k: float, more: int) -> tuple[float, float]:
    """EVSI and its standard error by simulation of `more` further runs of each of two arms alike.

    The variance is drawn from what the pilot leaves open (and weighed by how well the estimate agrees with it), the
    truth from its normal posterior, the further mean about the truth; who then knows both decides by the mean.
    """
    rng = np.random.default_rng(20261202)
    nu, d, se2 = 2 * (n - 1), math.log(ratio), 2 * cv**2 / n
    true = se2 * nu / rng.chisquare(nu, DRAWS)
    weights = np.exp(-(d**2) / (PRIOR_SD**2 + true) / 2) / np.sqrt(PRIOR_SD**2 + true)
    weights /= weights.mean()
    s2 = 1 / (1 / PRIOR_SD**2 + 1 / true)
    truth = rng.normal(s2 * d / true, np.sqrt(s2))
    noise = true * n / more
    seen = rng.normal(truth, np.sqrt(noise))
    after = 1 / (1 / s2 + 1 / noise)
    mean = np.exp(after * (d / true + seen / noise) + after / 2)
    now = max(float(np.mean(weights * (k - np.exp(truth)))), 0.0)
    gains = weights * np.where(mean < k, k - np.exp(truth), 0.0)
    return float(gains.mean()) - now, float(gains.std()) / math.sqrt(DRAWS)


@pytest.mark.parametrize(
    ("ratio", "cv", "n", "k", "more"), [(0.93, 0.05, 3, 0.95, 3), (1.02, 0.10, 5, 0.97, 10), (0.90, 0.15, 4, 1.0, 2)]
)
def test_against_nested_simulation(ratio: float, cv: float, n: int, k: float, more: int) -> None:
    wanted, error = nested(ratio, cv, n, k, more)
    found = value_of_runs(ratio, cv * math.sqrt(2 / n), 2 * (n - 1), k, 2 * cv**2, np.array([float(more)]))[0]
    assert found == pytest.approx(wanted, abs=0.05 * wanted + 3 * error)


@given(st.floats(0.1, 8), st.floats(1e-4, 2), st.floats(1, 80), st.floats(0.2, 2), st.integers(2, 30))
@quick
def test_more_runs_are_worth_more_and_never_more_than_certainty(
    ratio: float, se: float, nu: float, k: float, n: int
) -> None:
    values = value_of_runs(ratio, se, nu, k, se * se * n, np.array([1.0, 2, 5, 20, 1e3, 1e9]))
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    assert (np.diff(values) >= -1e-12).all()
    found = posterior_of(ratio, se, nu)
    assert found is not None
    certain = found.value_of_certainty(k)
    assert values[-1] <= 1.03 * certain + 2e-4


@pytest.mark.parametrize("nu", [2, 4, 9, 58])
def test_the_midpoints_of_the_variance_keep_the_mean_of_its_logarithm(nu: float) -> None:
    factors = variance_factors(nu)
    assert (np.diff(factors) > 0).all()
    assert np.exp(np.log(factors).mean()) == pytest.approx(
        math.exp(math.log(nu / 2) - float(digamma(nu / 2))), rel=0.05
    )


def test_nothing_is_gained_where_no_ratio_breaks_even() -> None:
    assert value_of_runs(0.9, 0.05, 4, 0.0, 0.005, np.array([1.0, 9.0])).tolist() == [0.0, 0.0]
    assert value_of_runs(0.9, 0.05, 4, -3.0, 0.005, np.array([1.0, 9.0])).tolist() == [0.0, 0.0]
