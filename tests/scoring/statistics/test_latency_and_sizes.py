"""Quantiles, their bounds, and how many runs a goal needs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.statistics.latency import (
    batch_quantiles,
    latency_ratio,
    quantile_bounds,
    quantiles,
    quantiles_with_bounds,
    within_one_run,
)
from scoring.statistics.ratio import ratio_of_means
from scoring.statistics.sample_size import power_of, runs_for_power, runs_to_tell_apart, upper_spread
from scoring.statistics.samples import ArmSample
from scoring.statistics.slow_runs import first_run_factor, flipping_slow_share, lag1_autocorrelation


@given(st.lists(st.floats(min_value=0, max_value=1e6), min_size=1, max_size=300))
def test_quantiles_are_numpys(values: list[float]) -> None:
    probabilities = (0.5, 0.9, 0.95, 0.99)
    wanted = np.quantile(values, probabilities)
    assert quantiles(np.array(values), probabilities) == pytest.approx(list(wanted), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("q", "n"), [(0.95, 72), (0.99, 368), (0.999, 3688)])
def test_few_rows_leave_the_side_of_a_tail_open(q: float, n: int) -> None:
    """The largest of n values bounds the q-quantile once q^n ≤ α/2."""
    rows = np.random.default_rng(5).permutation(np.arange(1.0, n + 1))
    (bounded,) = quantiles_with_bounds(rows, [q], 0.95)
    (open_above,) = quantiles_with_bounds(rows[rows < n], [q], 0.95)
    assert bounded.hi == n and bounded.lo is not None and bounded.lo < bounded.point < n
    assert open_above.hi is None and open_above.lo is not None


def test_order_statistics_cover_at_least_what_they_say() -> None:
    rng = np.random.default_rng(11)
    draws = rng.exponential(size=(1500, 400))
    found = [quantiles_with_bounds(draw, [0.5, 0.95], 0.95) for draw in draws]
    for i, truth in enumerate((np.log(2), np.log(20))):
        held = sum((f[i].lo or -1) <= truth <= (f[i].hi or np.inf) for f in found)
        assert held / len(found) >= 0.94


@pytest.mark.parametrize("values", [[], [1.0, float("nan")]])
def test_no_quantile_of_nothing(values: list[float]) -> None:
    with pytest.raises(ValueError, match="all of them numbers"):
        quantiles_with_bounds(np.array(values), [0.5], 0.95)


def test_one_repetition_gives_no_interval_and_no_bound() -> None:
    assert latency_ratio([0.2], [0.21], 0.95).reason == "one-run"
    assert quantile_bounds([0.2], 0.95) == (None, None)


def test_within_one_run_says_so() -> None:
    rng = np.random.default_rng(3)
    batches = [batch_quantiles(rng.gamma(4, scale, 2000), [0.95])[0] for scale in (0.05, 0.055)]
    found = within_one_run(*batches, 0.95)
    assert found is not None
    assert found.qualifier == "within-one-run"
    assert found.lo is not None and found.hi is not None and found.lo < 1.1 < found.hi


def test_simulated_power_agrees() -> None:
    """13 runs an arm at CV 5 % tell .95 from 1 with power .8; 12 do not."""
    assert power_of(0.05, 0.05, abs(np.log(0.95)), 13, 0.05) >= 0.8 > power_of(0.05, 0.05, abs(np.log(0.95)), 12, 0.05)
    assert runs_for_power(0.05, 0.05, 0.999, 0.05, 0.8, 30) is None


def test_the_cautious_spread_is_wider_and_shrinks_with_runs() -> None:
    assert upper_spread(0.05, 2) > upper_spread(0.05, 10) > 0.05


@pytest.mark.parametrize("paired", [False, True])
def test_safe_needs_no_fewer_runs_than_likely(paired: bool) -> None:
    block = ("1", "2", "3") if paired else (None,) * 3
    a = ArmSample((100.0, 104.0, 97.0), (1.0,) * 3, block)
    b = ArmSample((93.0, 99.0, 92.0), (1.0,) * 3, block)
    size = runs_to_tell_apart(ratio_of_means(a, b, 0.95), 0.035, 0.04, 1.0, lambda runs: 0.025, 2, 200)
    assert size.likely is not None and size.safe is not None
    assert 2 <= size.likely <= size.safe


def test_slow_runs_first_run_and_drift() -> None:
    assert first_run_factor([7900.0, 4010.0, 3995.0]) == pytest.approx(7900 / 4002.5)
    assert first_run_factor([1.0]) is None
    assert lag1_autocorrelation([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]) == pytest.approx(0.625)
    assert lag1_autocorrelation([1.0, 1.0, 1.0]) is None
    assert flipping_slow_share(0.8, 1.0, 2.0) == pytest.approx(0.25)
