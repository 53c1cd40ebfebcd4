"""What few runs cannot show: said beside the answer, never applied to it."""

import pytest

from bot.render.comment import render_comment
from scoring.model.decision import Decision
from scoring.model.estimates import Design
from scoring.statistics.slow_runs import robust_distances, slow_run_bound
from tests.scoring.helpers import codes, csv

EVEN = [3600.0, 3610, 3595, 3605, 3590, 3602, 3598, 3607]


def pilot(incumbent: list[float], candidate: list[float], price: int = 10) -> Decision:
    rows = ["arm,run,started_at,duration_s,price_usd_per_hour"]
    for arm, values in (("gpu", incumbent), ("trn2", candidate)):
        rows += [f"{arm},{i},2026-11-02T{i:02}:00Z,{v},{price}" for i, v in enumerate(values)]
    return csv("\n".join(rows))


def test_a_run_far_from_the_others_is_named_and_still_counts() -> None:
    found = pilot(EVEN, [2900, 2910, 2895, 2905, 5800, 2890, 2902, 2898]).diagnostics
    plain = pilot(EVEN, [2900, 2910, 2895, 2905, 5800, 2890, 2902, 2898])
    assert found is not None and plain.cost is not None and plain.cost.theta.point is not None
    (outlier,) = found.outliers
    assert (outlier.arm, outlier.run, outlier.row, outlier.per_unit) == ("trn2", "4", 14, pytest.approx(16.11, 1e-3))
    assert outlier.distance > 100
    assert outlier.ratio_without is not None and outlier.ratio_without.point == pytest.approx(2900 / 3600.9, rel=1e-3)
    assert plain.cost.theta.point == pytest.approx((2900 * 7 + 5800) / 8 / 3600.9, rel=1e-3)
    assert "run `4`" in render_comment(plain) and "it is counted" in render_comment(plain)


def test_slow_runs_bound_and_the_share_that_would_flip() -> None:
    decision = pilot(EVEN, [v * 0.8 for v in EVEN])
    found = decision.diagnostics
    assert found is not None and found.design is Design.UNPAIRED
    assert [(arm.n, arm.slow_seen) for arm in found.arms] == [(8, 0), (8, 0)]
    assert found.arms[0].slow_run_bound == pytest.approx(1 - 0.05**0.125)
    assert {s.slowdown: s.share for s in found.slow_shares} == pytest.approx({1.5: 0.5, 2.0: 0.25, 3.0: 0.125})
    assert found.outliers == ()


@pytest.mark.parametrize(
    ("wanted", "n", "seen"),
    [(0.6316, 3, 0), (0.4507, 5, 0), (0.2589, 10, 0), (0.0950, 30, 0), (0.3942, 10, 1), (1.0, 4, 4)],
)
def test_the_slow_run_bound(wanted: float, n: int, seen: int) -> None:
    """The design's 63/45/26/10 %, and Clopper and Pearson's bound after one slow run in ten."""
    assert slow_run_bound(n, seen=seen) == pytest.approx(wanted, abs=1e-4)


def test_a_saving_of_nothing_has_no_share_that_would_flip() -> None:
    found = pilot(EVEN, [v * 1.2 for v in EVEN]).diagnostics
    assert found is not None and found.slow_shares == ()


def test_drift_is_measured_in_time_order_and_warned_of() -> None:
    decision = pilot(EVEN, [2900.0 + 40 * i for i in range(8)])
    assert decision.diagnostics is not None
    by_arm = {arm.arm: arm for arm in decision.diagnostics.arms}
    assert by_arm["trn2"].autocorrelation == pytest.approx(0.625)
    assert "runs-drift" in codes(decision)
    assert pilot(EVEN[:7], EVEN[:7]).diagnostics.arms[0].autocorrelation is None  # type: ignore[union-attr]


def test_the_first_run_is_compared_with_the_others() -> None:
    found = pilot(EVEN, [5800, 2900, 2900, 2905]).diagnostics
    assert found is not None
    assert found.arms[1].first_run_factor == pytest.approx(5800 / 2901.67, rel=1e-4)


@pytest.mark.parametrize(
    ("wanted", "values"),
    [([0, 0, 0], [5.0, 5, 5]), ([0.6745, 0, 0.6745], [9.0, 10, 11]), ([0, 0, 0, 0, 3.989], [10.0, 10, 10, 10, 20])],
)
def test_robust_distances(wanted: list[float], values: list[float]) -> None:
    assert robust_distances(values) == pytest.approx(wanted, abs=1e-3)


LEVELS = [1629.0, 1643, 1849, 1627, 1625, 1630, 1628, 1845, 1412, 1846]
"""Published runs that end after whole evaluations: four of ten lie 15 robust standard deviations off."""


@pytest.mark.parametrize(
    ("candidate", "told"),
    [
        pytest.param([2900, 2910, 2895, 2905, 5800, 2890, 2902, 2898], ["4"], id="twice as long"),
        pytest.param(
            [2900, 2910, 2895, 2905, 3200, 2890, 2902, 2898], [], id="ten per cent longer, one per cent of all"
        ),
        pytest.param(
            [3620, 3595, 3608, 3585, 3300, 3606, 3598, 3604], ["4"], id="the ratio is below 1 by that run alone"
        ),
        pytest.param(LEVELS, [], id="several levels"),
    ],
)
def test_only_runs_that_the_answer_hangs_on_are_told(candidate: list[float], told: list[str]) -> None:
    found = pilot([3600.0, 3610, 3595, 3605, 3590, 3602, 3598, 3607], candidate).diagnostics
    assert found is not None
    assert [outlier.run for outlier in found.outliers] == told


def test_an_outlier_is_told_in_few_words() -> None:
    said = render_comment(pilot(EVEN, [2900, 2910, 2895, 2905, 5800, 2890, 2902, 2898]))
    assert "`trn2`, run `4` (`pilot.csv`, line 14) is 100 % above its arm's median: it is counted" in said
