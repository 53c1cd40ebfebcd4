"""Met, within noise, or short: by the bar and the standard error alone."""

import math

import numpy as np
import pytest

from bot.calibrate.judgement import Bar, Measured, Result, judge, worst
from bot.calibrate.measures import average, ratio, share, share_of

COVERAGE, SIZE = Bar(0.93, 0.98), Bar(high=0.06)


@pytest.mark.parametrize(
    ("result", "value", "se", "bar"),
    [
        (Result.MET, 0.93, 0.001, COVERAGE),
        (Result.MET, 0.98, 0.0, COVERAGE),
        (Result.NOISE, 0.928, 0.001, COVERAGE),
        (Result.SHORT, 0.926, 0.001, COVERAGE),
        (Result.SHORT, 0.984, 0.001, COVERAGE),
        (Result.MET, 0.0, 0.001, SIZE),
        (Result.NOISE, 0.062, 0.001, SIZE),
        (Result.SHORT, 0.064, 0.001, SIZE),
        (Result.SHORT, 0.0601, 0.0, SIZE),
        (Result.SHORT, math.nan, 0.1, SIZE),
        (Result.MET, 1.0, 0.002, Bar(low=1.0)),
        (Result.TOLD, 17.0, 0.1, None),
    ],
)
def test_a_value_is_judged(result: Result, value: float, se: float, bar: Bar | None) -> None:
    assert judge(Measured(value, se), bar) is result


def test_one_cell_that_falls_short_makes_the_row_fall_short() -> None:
    assert worst([Result.MET, Result.SHORT, Result.NOISE]) is Result.SHORT
    assert worst([Result.MET, Result.TOLD]) is Result.MET


def test_standard_errors_are_those_of_repeated_simulations() -> None:
    rng = np.random.default_rng(1)
    repeated = rng.normal(3, 1, (400, 250, 2)) + rng.normal(0, 1, (400, 250, 1))
    flags = (repeated > 3.5).astype(float)
    for measure, draws in ((average(0), repeated), (ratio(0, 1), repeated), (share(0), flags), (share_of(0, 1), flags)):
        found = [measure(drawn) for drawn in draws]
        spread = float(np.std([m.value for m in found]))
        assert float(np.mean([m.se for m in found])) == pytest.approx(spread, rel=0.15)


def test_a_share_of_all_still_has_a_standard_error() -> None:
    assert share(0)(np.ones((1000, 1))).value == 1.0
    assert share(0)(np.ones((1000, 1))).se > 0
    assert math.isnan(share_of(0, 1)(np.zeros((10, 2))).value)
