"""Looking again: alpha is spent look by look, and all looks together keep it."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit
from scipy.stats import multivariate_normal, norm

from scoring.statistics.sequential import (
    MOST_LOOKS,
    boundaries,
    last_level,
    nominal_levels,
    obrien_fleming_spending,
    pocock_spending,
)

SPENDING = (pocock_spending, obrien_fleming_spending)
SLACK = 0.01
"""Three looks and four may spend the same in places that differ a little: the level of the next moves by less."""
runs = st.lists(st.integers(3, 30), min_size=1, max_size=6, unique=True).map(sorted)


def levels(looks: list[int], planned: int = 30, alpha: float = 0.05) -> list[float]:
    return nominal_levels(alpha, tuple(n / planned for n in looks))


@pytest.mark.parametrize("of", SPENDING)
def test_everything_is_spent_at_the_planned_runs_and_nothing_before_the_first(of: Any) -> None:
    assert of(0.05, 0.0) == 0.0
    assert of(0.05, 1.0) == pytest.approx(0.05, abs=1e-12)
    assert of(0.05, 1.7) == of(0.05, 1.0)


def test_a_first_look_spends_what_the_function_allows() -> None:
    """10 of 30 planned runs an arm: .0226, one-sided."""
    assert levels([10]) == [pytest.approx(0.0226, abs=5e-5)]
    assert levels([10])[0] == pytest.approx(pocock_spending(0.05, 1 / 3), rel=1e-12)


def test_two_looks_against_the_bivariate_normal() -> None:
    """An independent integral: what crosses first at the second look is what it spends."""
    for first, second in ((3, 4), (3, 10), (9, 30)):
        t = (first / 30, second / 30)
        low, high = (float(norm.isf(p)) for p in levels([first, second]))
        rho = math.sqrt(t[0] / t[1])
        below_both = multivariate_normal(cov=[[1, rho], [rho, 1]]).cdf([low, high])
        wanted = pocock_spending(0.05, t[1]) - pocock_spending(0.05, t[0])
        assert norm.cdf(low) - below_both == pytest.approx(wanted, abs=1e-6)


@given(runs)
def test_no_look_takes_more_than_all_may_and_none_less_than_its_own_share(looks: list[int]) -> None:
    """Between what it adds to the spending (were all looks told apart) and all that may be spent by then."""
    spent = [pocock_spending(0.05, n / 30) for n in looks]
    for level, before, now in zip(levels(looks), [0.0, *spent], spent, strict=False):
        assert now - before - 1e-9 <= level <= now + 1e-9 <= 0.05 + 2e-9


@given(runs, st.integers(3, 30))
def test_a_further_look_before_now_never_raises_the_level_of_now(looks: list[int], another: int) -> None:
    if another < looks[-1]:
        more = sorted({*looks, another})
        assert levels(more)[-1] <= levels(looks)[-1] * (1 + SLACK)


def test_nothing_left_gives_no_level() -> None:
    assert last_level((1.0, 1.2), (0.05, 0.05)) == 0.0
    assert boundaries((0.5, 1.0), (0.05, 0.05))[1] == math.inf


def test_beyond_the_looks_that_are_integrated_a_look_takes_only_its_share() -> None:
    fractions = tuple((i + 1) / 100 for i in range(MOST_LOOKS + 1))
    spent = tuple(pocock_spending(0.05, t) for t in fractions)
    assert last_level(fractions, spent) == pytest.approx(spent[-1] - spent[-2])


@pytest.mark.parametrize("fractions", [(0.5, 0.5), (0.5, 0.4), (0.0, 0.5)])
def test_fractions_that_do_not_rise_are_refused(fractions: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="rise"):
        boundaries(fractions, (0.01, 0.02))


def test_false_switches_when_looking_after_every_run() -> None:
    """No difference between the arms, looked at from 3 to 10 runs an arm of 10 planned: each look alone is naive."""
    draws, planned = 20_000, 10
    generator = np.random.default_rng(20261202)
    a, b = (1 + 0.05 * generator.standard_normal((draws, planned)) for _ in range(2))
    looks = range(3, planned + 1)
    naive, held = np.zeros(draws, dtype=bool), np.zeros(draws, dtype=bool)
    for n, level in zip(looks, levels(list(looks), planned), strict=True):
        x, y = a[:, :n], b[:, :n]
        va, vb = (z.var(axis=1, ddof=1) / n / z.mean(axis=1) ** 2 for z in (x, y))
        nu = (va + vb) ** 2 / ((va**2 + vb**2) / (n - 1))
        t = np.log(y.mean(axis=1) / x.mean(axis=1)) / np.sqrt(va + vb)
        naive |= t < stdtrit(nu, 0.05)
        held |= t < stdtrit(nu, level)
    assert held.mean() <= 0.06
    assert naive.mean() > 0.12
