"""The engine against one that counts real hours: 500 random portfolios, more by STEELYARD_PORTFOLIOS."""

import os

import pytest

from tests.scoring.contracts.portfolio.hourly import simulate
from tests.scoring.contracts.portfolio.worlds import portfolio, world

CENT = 0.005
PORTFOLIOS = int(os.environ.get("STEELYARD_PORTFOLIOS", "500"))
BATCH = 50


@pytest.mark.parametrize("start", range(0, PORTFOLIOS, BATCH))
def test_to_the_cent(start: int) -> None:
    for seed in range(start, min(start + BATCH, PORTFOLIOS)):
        case = world(seed)
        wanted, found = simulate(case), portfolio(case).timeline()
        assert found.cost == pytest.approx(wanted["total"], abs=CENT, rel=0), seed
        for c, row in enumerate(found.contracts):
            assert row.used == pytest.approx([month[c] for month in wanted["used"]], abs=CENT, rel=0), (seed, c)
            assert row.cost == pytest.approx([month[c] for month in wanted["contract_cost"]], abs=CENT, rel=0), (
                seed,
                c,
            )
        for w, work in enumerate(found.workloads):
            left = [month[w] for month in wanted["left"]]
            assert work.overage_hours == pytest.approx(left, abs=CENT, rel=0), (seed, w)
