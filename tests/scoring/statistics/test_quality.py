"""Non-inferiority: direction, pairing by seed, and that a lack of difference is never a pass."""

import numpy as np
import pytest
from scipy import stats

from scoring.model.estimates import Direction
from scoring.statistics.quality import (
    inferior,
    non_inferior,
    pair_by,
    paired_counts_difference,
    paired_difference,
    summary_difference,
    welch_difference,
)

HIGHER, LOWER = Direction.HIGHER, Direction.LOWER


@pytest.mark.parametrize(
    ("wanted", "direction", "a", "b"),
    [
        (1.0, HIGHER, [70.0, 72.0], [71.0, 73.0]),
        (-1.0, LOWER, [70.0, 72.0], [71.0, 73.0]),
    ],
)
def test_above_zero_means_that_the_candidate_is_better(
    wanted: float, direction: Direction, a: list[float], b: list[float]
) -> None:
    assert welch_difference(a, b, direction, False, 0.95).point == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("keys_a", "keys_b", "paired"),
    [
        (["1", "2", "3"], ["3", "1", "2"], True),
        (["1", "2", "3"], ["1", "2", "4"], False),
        (["1", "1", "2"], ["1", "1", "2"], False),
        ([None, None], [None, None], False),
        (["1"], ["1"], False),
    ],
)
def test_seeds_pair_only_when_each_stands_once_in_both_arms(
    keys_a: list[str | None], keys_b: list[str | None], paired: bool
) -> None:
    found = pair_by(keys_a, [float(i) for i in range(len(keys_a))], keys_b, [float(i) for i in range(len(keys_b))])
    assert (found is not None) is paired


def test_pairs_follow_the_seed() -> None:
    assert pair_by(["x", "y"], [1.0, 2.0], ["y", "x"], [20.0, 10.0]) == ([1.0, 2.0], [10.0, 20.0])


def test_paired_bound_is_scipys() -> None:
    a, b, margin = [0.712, 0.705, 0.709, 0.714], [0.709, 0.706, 0.704, 0.711], 0.01
    d = paired_difference(a, b, HIGHER, False, 0.95)
    p = stats.ttest_1samp(np.subtract(b, a), -margin, alternative="greater").pvalue
    assert non_inferior(d, margin) is bool(p < 0.05)
    assert d.lower == pytest.approx(stats.ttest_rel(b, a).confidence_interval(0.90).low)


def test_wide_data_pass_nothing_and_fail_nothing() -> None:
    """ "Not significantly different" is neither a pass nor a failure."""
    d = welch_difference([70.0, 74.0, 66.0], [69.5, 75.0, 65.0], HIGHER, False, 0.95)
    assert (non_inferior(d, 0.5), inferior(d, 0.5)) == (False, False)


def test_one_run_has_a_point_and_no_bound() -> None:
    d = welch_difference([0.70], [0.69], HIGHER, False, 0.95)
    assert d.point == pytest.approx(-0.01)
    assert (d.reason, non_inferior(d, 0.02), inferior(d, 0.02)) == ("one-run", None, None)


def test_logs_of_a_value_that_is_not_positive_are_refused() -> None:
    assert welch_difference([0.0, 1.0], [1.0, 1.1], LOWER, True, 0.95).reason == "not-positive"


def test_summary_needs_n_and_sd() -> None:
    ok = summary_difference(7.4, 0.1, 5, 7.5, 0.1, 5, LOWER, False, 0.95)
    assert ok.point == pytest.approx(-0.1)
    assert non_inferior(ok, 0.3) is True
    assert summary_difference(7.4, 0.1, None, 7.5, 0.1, 5, LOWER, False, 0.95).reason == "summary-without-n"
    assert summary_difference(7.4, None, 5, 7.5, 0.1, 5, LOWER, False, 0.95).reason == "summary-without-sd"


@pytest.mark.parametrize(("b", "c", "n"), [(0, 0, 50), (50, 0, 50), (0, 50, 50), (1, 0, 1), (3, 3, 6)])
def test_paired_counts_at_the_edges_stay_within_minus_one_and_one(b: int, c: int, n: int) -> None:
    d = paired_counts_difference(b, c, n, HIGHER, 0.95)
    assert d.lo is not None and d.hi is not None and d.point is not None
    assert -1 <= d.lo <= d.point <= d.hi <= 1
    assert d.hi > d.lo
