"""Several claims at once: what Holm's steps allow, and how often the best of five equal candidates is called better."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from scoring.claims import p_below
from scoring.statistics.multiplicity import benjamini_hochberg, holm, holm_levels, smallest_level
from scoring.statistics.ratio import ratio_of_means
from scoring.statistics.samples import ArmSample

ps = st.lists(st.floats(0, 1), min_size=1, max_size=12)
ALPHA = 0.05


@pytest.mark.parametrize(
    ("levels", "p"),
    [
        ([0.05], [0.04]),
        ([0.025, 0.05], [0.01, 0.04]),
        ([0.05, 0.025], [0.04, 0.01]),
        ([0.025, 0.025], [0.03, 0.04]),
        ([0.05 / 3, 0.025, 0.025], [0.01, 0.03, 0.04]),
    ],
)
def test_levels_of_the_steps(levels: list[float], p: list[float]) -> None:
    assert holm_levels(p, ALPHA) == pytest.approx(levels)


@given(ps)
def test_a_p_reaches_its_level_exactly_where_the_adjusted_one_reaches_alpha(p: list[float]) -> None:
    adjusted, levels = holm(p), holm_levels(p, ALPHA)
    assume(all(abs(a - ALPHA) > 1e-9 for a in adjusted))
    assert [x <= level for x, level in zip(p, levels, strict=True)] == [a <= ALPHA for a in adjusted]


@given(ps)
def test_triage_is_scipys_and_never_stricter_than_the_claim(p: list[float]) -> None:
    found = benjamini_hochberg(p)
    assert found == pytest.approx(list(stats.false_discovery_control(p)), abs=1e-12)
    rounded = 1e-12
    assert all(a <= b + rounded and b <= c + rounded for a, b, c in zip(p, found, holm(p), strict=True))


@given(ps, st.floats(0, 1))
def test_one_more_claim_never_helps_the_others(p: list[float], more: float) -> None:
    assert all(after >= before for before, after in zip(holm(p), holm([*p, more]), strict=False))


@pytest.mark.parametrize(("wanted", "p"), [(0.03, 0.03), (1e-6, 1e-9), (1.0, 0.6), (0.4, 0.4)])
def test_a_p_is_found_from_a_test_alone(wanted: float, p: float) -> None:
    assert smallest_level(lambda level: p <= level) == pytest.approx(wanted, rel=0.011)


def test_the_best_of_five_equal_candidates_is_claimed_far_too_often_without_correction() -> None:
    rng = np.random.default_rng(20261202)
    alone = together = 0
    replicates = 1500
    for _ in range(replicates):
        costs = rng.gamma(100.0, 1.0, size=(6, 5))  # CV 10 %, five runs an arm, all alike
        arms = [ArmSample(tuple(map(float, row)), (1.0,) * 5, (None,) * 5) for row in costs]
        p = [p_below(ratio_of_means(arms[0], arm, 0.95), 1.0) for arm in arms[1:]]
        alone += min(p) <= ALPHA
        together += min(holm(p)) <= ALPHA
    assert alone / replicates > 0.12
    assert together / replicates <= 0.06
