"""The grid posterior against closed forms and against finer integration, near and far from what is plausible."""

import math
from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import lognorm, norm, t

from scoring.statistics.posterior import PRIOR_SD, Posterior, lognormal_put, lognormal_regrets, posterior_of

quick = settings(max_examples=60)
NORMAL = 1e6
"""Degrees of freedom with which Student's t is normal."""
EXTREME = list(product((0.019, 0.05, 0.3, 1.0, 5.0, 20.0, 50.0), (1e-9, 1e-4, 0.01, 0.3, 3.0, 1e6), (1.0, 1.5, 4, 1e6)))


def posterior(ratio: float, se: float, nu: float, drift: float = 0.0) -> Posterior:
    found = posterior_of(ratio, se, nu, drift)
    assert found is not None
    return found


def conjugate(ratio: float, se: float) -> tuple[float, float]:
    """Mean and standard deviation of log theta after a normal estimate."""
    variance = 1 / (1 / PRIOR_SD**2 + 1 / se**2)
    return variance * math.log(ratio) / se**2, math.sqrt(variance)


@pytest.mark.parametrize("ratio", [0.05, 0.5, 0.93, 1.0, 3.0, 20.0])
@pytest.mark.parametrize("se", [1e-6, 0.002, 0.04, 0.3])
def test_with_a_known_variance_it_is_the_conjugate_normal(ratio: float, se: float) -> None:
    m, s = conjugate(ratio, se)
    found, k = posterior(ratio, se, NORMAL), ratio * math.exp(-0.7 * se)
    stay, switch, below = lognormal_regrets(m, s, k)
    scale = ratio * se
    assert found.mean == pytest.approx(math.exp(m + s * s / 2), rel=1e-4)
    assert (found.gain(k), found.loss(k)) == (
        pytest.approx(stay, abs=4e-3 * scale),
        pytest.approx(switch, abs=4e-3 * scale),
    )
    assert found.below(k) == pytest.approx(below, abs=2e-3)
    assert found.interval(0.9) == pytest.approx(tuple(np.exp(m + s * norm.ppf([0.05, 0.95]))), rel=0.02 * s + 1e-9)


@pytest.mark.parametrize(
    ("ratio", "se", "nu", "k"), [(0.93, 0.04, 4, 0.95), (0.3, 0.4, 2, 0.9), (1.4, 0.02, 7.3, 1.39)]
)
def test_against_adaptive_integration(ratio: float, se: float, nu: float, k: float) -> None:
    def density(x: float) -> float:
        return float(t.pdf((x - math.log(ratio)) / se, nu) * norm.pdf(x / PRIOR_SD))

    def over(value: Callable[[float], float], low: float, high: float) -> float:
        centre = math.log(ratio)
        inside = [x for x in (centre - 5 * se, centre, centre + 5 * se) if low < x < high]
        parts = pairwise([low, *inside, high])
        return sum(float(quad(lambda x: value(x) * density(x), a, b, epsrel=1e-10)[0]) for a, b in parts)

    total = over(lambda x: 1.0, -4, 4)
    found = posterior(ratio, se, nu)
    assert found.mean == pytest.approx(over(math.exp, -4, 4) / total, rel=1e-4)
    assert found.below(k) == pytest.approx(over(lambda x: 1.0, -4, math.log(k)) / total, abs=3e-4)
    assert found.gain(k) == pytest.approx(over(lambda x: k - math.exp(x), -4, math.log(k)) / total, rel=2e-3)


@pytest.mark.parametrize(("ratio", "se", "nu"), EXTREME)
@pytest.mark.parametrize("drift", [0.0, 0.02])
def test_however_extreme_the_figures_are_numbers_in_order(ratio: float, se: float, nu: float, drift: float) -> None:
    found = posterior(ratio, se, nu, drift)
    low, high = found.interval(0.9)
    assert 0 < low <= high < math.inf
    for k in (-1.0, 0.0, 1e-9, 0.9, 1.0, 1e9):
        assert 0 <= found.below(k) <= 1
        assert 0 <= found.gain(k) < math.inf
        assert 0 <= found.loss(k) < math.inf
        assert found.loss(k) - found.gain(k) == pytest.approx(found.mean - k, rel=1e-6, abs=1e-6 * found.mean)


@pytest.mark.parametrize(
    ("ratio", "se", "nu"),
    [
        *((bad, 0.1, 4.0) for bad in (0.0, -1.0, math.nan, math.inf, 1e-9, 1e9)),
        *((0.9, bad, 4.0) for bad in (0.0, -1.0, math.nan, math.inf)),
        *((0.9, 0.1, bad) for bad in (0.0, -1.0, math.nan)),
    ],
)
def test_what_no_posterior_can_be_formed_of_is_refused(ratio: float, se: float, nu: float) -> None:
    assert posterior_of(ratio, se, nu) is None


def test_a_measured_ratio_far_off_is_believed_where_the_runs_are_sure_of_it() -> None:
    half = 0.01 * float(t.ppf(0.95, 8))
    low, high = posterior(0.05, 0.01, 8).interval(0.9)
    assert low == pytest.approx(0.05 * math.exp(-half), rel=4e-3)
    assert high == pytest.approx(0.05 * math.exp(half), rel=4e-3)


def test_a_drift_widens_and_keeps_the_mean() -> None:
    still, drifting = posterior(0.93, 0.02, NORMAL), posterior(0.93, 0.02, NORMAL, drift=0.05)
    assert drifting.mean == still.mean
    m, s = conjugate(0.93, 0.02)
    low, sd = m - 0.05**2 / 2, math.hypot(s, 0.05)
    stay, switch, below = lognormal_regrets(low, sd, 0.95)
    assert drifting.gain(0.95) == pytest.approx(stay, rel=1e-3)
    assert drifting.loss(0.95) == pytest.approx(switch, rel=1e-3)
    assert drifting.below(0.95) == pytest.approx(below, abs=1e-4)
    assert drifting.interval(0.9)[1] == pytest.approx(math.exp(low + sd * float(norm.ppf(0.95))), rel=1e-4)
    assert posterior(0.93, 0.02, 4, drift=1e-4).drift_sd == 0


@given(st.floats(0.3, 3.4), st.floats(1.001, 1.5), st.floats(0.005, 1), st.floats(2, 60))
@quick
def test_a_lower_measured_ratio_is_never_believed_to_be_a_higher_one(
    ratio: float, less: float, se: float, nu: float
) -> None:
    """From three runs an arm on, within what is told in money: a better candidate never looks worse."""
    lower = max(ratio / less, 0.29)
    assert posterior(lower, se, nu).mean <= posterior(ratio, se, nu).mean * (1 + 1e-6)


@given(st.floats(0.3, 3), st.floats(0.005, 1), st.floats(1, 60), st.floats(0.2, 3), st.floats(1.01, 2))
@quick
def test_more_is_lost_by_moving_and_less_by_staying_where_break_even_is_lower(
    ratio: float, se: float, nu: float, k: float, more: float
) -> None:
    found = posterior(ratio, se, nu)
    assert found.below(k) <= found.below(k * more)
    assert found.gain(k) <= found.gain(k * more) + 1e-12
    assert found.loss(k) >= found.loss(k * more) - 1e-12


@pytest.mark.parametrize(("k", "mean", "sd"), [(0.95, 0.93, 0.05), (1.0, 1.3, 0.4), (0.5, 0.9, 0.01)])
def test_a_put_is_the_mean_of_what_is_below(k: float, mean: float, sd: float) -> None:
    law = lognorm(s=sd, scale=mean * math.exp(-sd * sd / 2))
    wanted = quad(lambda x: (k - x) * law.pdf(x), max(0.0, mean - 12 * sd), k)[0]
    assert float(lognormal_put(k, mean, sd)) == pytest.approx(wanted, rel=1e-6, abs=1e-12)


def test_a_put_on_what_is_known_or_on_nothing() -> None:
    assert lognormal_put(1.0, np.array([0.9, 1.1]), 0.0).tolist() == pytest.approx([0.1, 0.0])
    assert lognormal_put(0.0, np.array([0.9, 1.1]), 0.3).tolist() == [0.0, 0.0]
    assert lognormal_put(-1.0, 0.9, 0.3).tolist() == 0.0
