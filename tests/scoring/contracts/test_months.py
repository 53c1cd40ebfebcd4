"""A grid that differs in one figure is the one that would be built anew, however much of the first was used before."""

from dataclasses import replace

import numpy as np
import pytest

from scoring.contracts.months import DEPENDING, Grid

FIRST = Grid(
    factor=np.array([1.0, 0.99, 0.98]),
    need_a=np.array([100.0, 100.0, 100.0]),
    committed_a=np.array([60.0, 60.0, 0.0]),
    committed_b=np.array([0.0, 10.0, 10.0]),
    commitment_cost=np.array([600.0, 700.0, 100.0]),
    overage_a=np.array([np.inf, 12.0, 12.0]),
    overage_b=np.array([np.inf, 8.0, 8.0]),
    capacity=90.0,
    reuse_share=0.2,
    reuse_price=None,
    ratio=1.1,
    price_a=11.0,
    price_b=9.0,
)
COLUMNS = ("need_b", "rate_a", "rate_b", "full_share", "partial_share")


@pytest.mark.parametrize(
    "other", [{"ratio": 0.7}, {"price_a": 20.0}, {"price_b": 5.0}, {"ratio": 2.0, "price_a": 1.0, "price_b": 2.0}]
)
def test_a_grid_at_other_figures_is_the_same_as_one_built_anew(other: dict[str, float]) -> None:
    anew = replace(FIRST, **other)  # type: ignore[arg-type]
    for used in (FIRST, replace(FIRST)):
        for column in COLUMNS if used is FIRST else ():
            assert getattr(used, column).shape == (3,)
        moved = used.at(**other)
        for column in COLUMNS:
            assert getattr(moved, column).tolist() == getattr(anew, column).tolist(), column
        assert moved.stay_npv == anew.stay_npv
        assert moved.cost(moved.partial_share).tolist() == anew.cost(anew.partial_share).tolist()


def test_every_column_that_is_kept_is_named() -> None:
    cached = {name for name, value in vars(Grid).items() if type(value).__name__ == "cached_property"}
    assert cached == set(COLUMNS) == {column for columns in DEPENDING.values() for column in columns}
