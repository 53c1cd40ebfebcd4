"""Sample sizes against references of their own: published tables, and power by numerical integration."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import chi2, norm
from scipy.stats import t as student

from scoring.statistics.sample_size import (
    POWER,
    largest_spread,
    paired_power_of,
    power_of,
    runs_for_half_width,
    smallest_effect,
    smallest_runs,
    upper_spread,
)


def integrated(nu: float, shift: float, alpha: float) -> float:
    """P(Z + shift > t·√(χ²_ν/ν)): the power by its definition, without a non-central distribution."""
    critical = student.ppf(1 - alpha, nu)

    def inside(root: float) -> float:
        """At √(χ²/ν) = root; its density by substitution."""
        density = chi2.pdf(nu * root * root, nu) * 2 * nu * root
        return float(density * norm.sf(critical * root - shift))

    found = quad(inside, 0, 1, limit=400)[0] + quad(inside, 1, 8, limit=400)[0]
    return float(found)


@pytest.mark.parametrize("n", [2, 3, 4, 6, 10, 30])
@pytest.mark.parametrize("effect", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("alpha", [0.05, 0.008])
def test_paired_power_is_that_of_the_integral(n: int, effect: float, alpha: float) -> None:
    wanted = integrated(n - 1, effect * math.sqrt(n) / 0.07, alpha)
    assert paired_power_of(0.07, effect, n, alpha) == pytest.approx(wanted, abs=2e-6)


@pytest.mark.parametrize("n", [2, 3, 5, 12])
@pytest.mark.parametrize(("cv_a", "cv_b"), [(0.05, 0.05), (0.02, 0.2)])
def test_power_of_two_arms_is_that_of_the_integral(n: int, cv_a: float, cv_b: float) -> None:
    a, b = cv_a**2 / n, cv_b**2 / n
    nu = (a + b) ** 2 / (a * a / (n - 1) + b * b / (n - 1))
    wanted = integrated(nu, 0.1 / math.sqrt(a + b), 0.025)
    assert power_of(cv_a, cv_b, 0.1, n, 0.025) == pytest.approx(wanted, abs=2e-6)


PUBLISHED = [
    # effect in standard deviations, one-sided alpha, power, runs an arm
    (0.50, 0.05, 0.80, 51),
    (0.80, 0.05, 0.80, 21),
    (0.50, 0.025, 0.80, 64),
    (0.80, 0.025, 0.80, 26),
    (0.50, 0.025, 0.90, 86),
    (1.00, 0.025, 0.80, 17),
]
"""Two arms, as G*Power 3 gives them (Faul et al. 2007); Cohen's tables of 1988 are an approximation, one less."""


@pytest.mark.parametrize(("effect", "alpha", "power", "runs"), PUBLISHED)
def test_runs_are_those_of_gpower(effect: float, alpha: float, power: float, runs: int) -> None:
    assert smallest_runs(lambda n: power_of(1, 1, effect, n, alpha), power, 2, 200) == runs


PAIRS = [(0.50, 0.025, 0.80, 34), (0.80, 0.025, 0.80, 15), (1.00, 0.025, 0.80, 10), (0.50, 0.05, 0.80, 27)]
"""The same of pairs."""


@pytest.mark.parametrize(("effect", "alpha", "power", "pairs"), PAIRS)
def test_pairs_are_those_of_gpower(effect: float, alpha: float, power: float, pairs: int) -> None:
    assert smallest_runs(lambda n: paired_power_of(1, effect, n, alpha), power, 2, 200) == pairs


@pytest.mark.parametrize(("cv", "h"), [(0.05, 0.05), (0.02, 0.1), (0.2, 0.1), (0.01, 0.2)])
def test_the_smallest_n_of_a_half_width_is_the_smallest(cv: float, h: float) -> None:
    def width(n: int) -> float:
        return float(student.ppf(0.975, 2 * n - 2)) * cv * math.sqrt(2 / n)

    found = runs_for_half_width(cv, cv, h, 0.95, 500)
    assert found is not None
    assert width(found) <= math.log1p(h)
    assert found == 2 or width(found - 1) > math.log1p(h)


@pytest.mark.parametrize(("nu", "factor"), [(1, 3.9470), (2, 2.1169), (4, 1.5576), (9, 1.2935)])
def test_the_cautious_spread_is_that_of_the_chi_square_table(nu: float, factor: float) -> None:
    """χ²_{ν,.2} = .0642, .4463, 1.6488, 5.3801."""
    assert upper_spread(1.0, nu) == pytest.approx(factor, abs=5e-4)


@pytest.mark.parametrize("nu", [1, 2, 5, 58])
@pytest.mark.parametrize("shift", [29.9, 30.1, 37.9, 38.1, 60, 500])
def test_power_of_an_effect_of_many_standard_errors(nu: int, shift: float) -> None:
    """Where the library's non-central t gives no number: at a tiny level even such an effect may be missed."""
    n, alpha = nu + 1, 0.002
    critical = student.ppf(1 - alpha, nu)
    grid = [(i + 0.5) / 4000 for i in range(4000)]
    wanted = sum(float(chi2.cdf(nu * ((shift + norm.ppf(p)) / critical) ** 2, nu)) for p in grid[::10]) / 400
    assert paired_power_of(math.sqrt(n), shift, n, alpha) == pytest.approx(wanted, abs=2e-4)


@given(st.floats(0.005, 3), st.integers(2, 40), st.sampled_from((0.05, 0.025, 0.005)))
def test_power_rises_with_the_effect_and_with_runs(effect: float, n: int, alpha: float) -> None:
    one = paired_power_of(0.1, effect, n, alpha)
    assert alpha - 1e-9 <= one <= paired_power_of(0.1, effect * 1.2, n, alpha) + 1e-9
    assert one <= paired_power_of(0.1, effect, n + 1, alpha) + 1e-9


INVERSES: list[Callable[[float], float]] = [
    lambda effect: power_of(0.05, 0.03, effect, 3, 0.025),
    lambda effect: paired_power_of(0.07, effect, 2, 0.05),
    lambda effect: paired_power_of(0.07, effect, 12, 0.01),
]


@pytest.mark.parametrize("power", INVERSES)
def test_the_smallest_effect_is_where_power_is_reached(power: Callable[[float], float]) -> None:
    found = smallest_effect(power)
    assert found is not None
    assert power(found) == pytest.approx(POWER, abs=1e-4)


def test_the_widest_spread_is_where_power_is_reached() -> None:
    found = largest_spread(lambda sd: power_of(sd, sd, 0.3, 6, 0.05), 0.3)
    assert found is not None
    assert power_of(found, found, 0.3, 6, 0.05) == pytest.approx(POWER, abs=1e-4)
    assert largest_spread(lambda sd: 0.5, 0.3) is None


def test_what_takes_more_than_the_limit_is_none() -> None:
    assert smallest_runs(lambda n: paired_power_of(1, 0.1, n, 0.05), POWER, 3, 30) is None
    assert runs_for_half_width(0.5, 0.5, 0.01, 0.95, 30) is None
