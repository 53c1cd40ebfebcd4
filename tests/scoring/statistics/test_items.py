"""Scores by item: the runs and the items are samples, and neither is counted twice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scoring.model.estimates import Direction
from scoring.statistics.items import Scores, item_difference
from scoring.statistics.quality import non_inferior

HIGHER, LOWER = Direction.HIGHER, Direction.LOWER
SCORES = arrays(np.float64, (3, 6), elements=st.floats(0.1, 1.0))


def test_the_formula_of_two_runs_and_three_items() -> None:
    a = np.array([[0.4, 0.6, 0.8], [0.6, 0.6, 1.2]])
    b = np.array([[0.5, 0.7, 1.1], [0.5, 0.9, 1.2]])
    found = item_difference(a, b, HIGHER, False, 0.95)
    runs = a.mean(axis=1).var(ddof=1) / 2 + b.mean(axis=1).var(ddof=1) / 2
    over_items = (b.mean(axis=0) - a.mean(axis=0)).var(ddof=1) / 3
    left = [x - x.mean(0) - x.mean(1, keepdims=True) + x.mean() for x in (a, b)]
    twice = sum((e**2).sum() / 2 / 2 / 3 for e in left)
    assert found.se is not None
    assert found.se**2 == pytest.approx(max(runs + over_items - twice, runs, over_items), rel=1e-12)
    assert (found.method, found.scope, found.point) == ("item-level", "items", pytest.approx(b.mean() - a.mean()))


@given(SCORES, SCORES)
def test_swapped_arms_mirror_the_difference(a: Scores, b: Scores) -> None:
    one, other = item_difference(a, b, HIGHER, False, 0.95), item_difference(b, a, HIGHER, False, 0.95)
    assert one.reason == other.reason
    if one.lower is not None and other.upper is not None:
        assert one.lower == pytest.approx(-other.upper, rel=1e-6, abs=1e-9)


@given(SCORES, SCORES, st.permutations(range(6)), st.permutations(range(3)))
def test_the_order_of_items_and_runs_says_nothing(a: Scores, b: Scores, items: list[int], runs: list[int]) -> None:
    one = item_difference(a, b, LOWER, True, 0.95)
    other = item_difference(a[runs][:, items], b[:, items], LOWER, True, 0.95)
    assert one.reason == other.reason
    assert one.lower is None or one.lower == pytest.approx(other.lower, rel=1e-6, abs=1e-9)


def test_single_runs_of_right_and_wrong_are_paired_counts() -> None:
    a, b = np.array([[1.0] * 60 + [0.0] * 40]), np.array([[1.0] * 55 + [0.0] * 40 + [1.0] * 5])
    found = item_difference(a, b, HIGHER, False, 0.95)
    assert (found.method, found.scope, found.point) == ("tango", "one-run", 0.0)
    on_logs = item_difference(a, b, HIGHER, True, 0.95)
    assert found.lower is not None and on_logs.lower == pytest.approx(np.log1p(found.lower / 0.6))


@pytest.mark.parametrize("runs", [(1, 3), (2, 1)])
def test_one_run_beside_several_gives_no_interval(runs: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    found = item_difference(rng.random((runs[0], 9)), rng.random((runs[1], 9)), HIGHER, False, 0.95)
    assert (found.reason, found.lower) == ("one-run", None)


@pytest.mark.parametrize(
    ("runs", "items", "of_run", "of_item"), [((3, 3), 60, 0.2, 0.0), ((5, 3), 80, 0.1, 0.3), ((3, 3), 100, 0.0, 0.3)]
)
def test_at_the_margin_it_rarely_passes(runs: tuple[int, int], items: int, of_run: float, of_item: float) -> None:
    """Size at the margin, 1,500 draws: the bar is .055, and three standard errors of the simulation are .017."""
    rng, passed, draws = np.random.default_rng(20261202), 0, 1500
    for _ in range(draws):
        level = rng.normal(0, 1, items)
        a, b = (
            5
            + shift
            + level
            + rng.normal(0, of_run, (n, 1))
            + rng.normal(0, of_item, items)
            + rng.normal(0, 0.5, (n, items))
            for n, shift in zip(runs, (0.0, -0.02), strict=True)
        )
        passed += bool(non_inferior(item_difference(a, b, HIGHER, False, 0.95), 0.02))
    assert passed / draws <= 0.055 + 0.017
