"""The search's own parts: the other form of the program costs the same, and what is proven on the way is true."""

import numpy as np
import pytest

from scoring.quarter import search
from scoring.quarter.answer import QuarterPlan
from scoring.quarter.cumulative import cumulative
from scoring.quarter.options import Scene
from scoring.quarter.plan import plan_of
from scoring.quarter.program import Program
from scoring.quarter.solver import integer
from scoring.quarter.values import Search
from tests.scoring.quarter.test_brute_force import instance

SEEDS = range(0, 220, 9)


@pytest.mark.parametrize("share", [1.0, 0.6])
def test_a_move_by_a_month_is_the_same_program_as_a_move_in_a_month(share: float) -> None:
    """Also of some of the choices alone."""
    for seed in SEEDS:
        program = Program.of(Scene(instance(seed)[0]))
        choices = len(program.choices)
        kept = np.random.default_rng(seed).random(len(program.cost)) < share
        kept[choices:] = True
        columns = np.flatnonzero(kept)
        asked = (program.cost[columns], program.rows.only(columns), program.most[columns])
        whole = columns < choices + len(program.network.levers)
        taken = [program.choices[j] for j in columns[columns < choices]]
        one = integer(*asked, whole, 0.0, 20.0)
        other = cumulative(*asked, whole, taken, 0.0, 20.0)
        assert (one.x is None) == (other.x is None), seed
        if other.x is not None:
            assert other.cost == pytest.approx(one.cost, rel=1e-7, abs=1e-5), seed
            assert program.cost[columns] @ other.x == pytest.approx(other.cost, rel=1e-7, abs=1e-5), seed
            one_each = program.assignment[:, columns[columns < choices]] @ other.x[: len(taken)]
            assert np.allclose(np.asarray(one_each), 1), seed


@pytest.mark.parametrize("gap", [0.001, 0.02])
def test_small_searches_and_the_wider_root_prove_nothing_that_is_not_so(
    gap: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for many workloads, where no brute force could tell."""
    monkeypatch.setattr(search, "MANY", 0)
    for seed in SEEDS:
        given, least = instance(seed)
        found = plan_of(given.model_copy(update={"search": Search(gap=gap)}))
        if least is not None:
            assert isinstance(found, QuarterPlan), seed
            assert found.bound <= least + 1e-5 <= found.optimal.cost + 2e-5, seed
            assert found.in_time and found.gap <= gap + 1e-9, seed


def test_a_search_that_its_time_ends_before_any_plan_gives_one_that_fits_and_no_contradiction() -> None:
    ended = 0
    for seed in SEEDS:
        given, least = instance(seed)
        found = plan_of(given.model_copy(update={"search": Search(gap=0.0, seconds=1e-9)}))
        assert isinstance(found, QuarterPlan) is (least is not None), seed
        if isinstance(found, QuarterPlan) and least is not None:
            ended += not found.in_time
            assert found.bound <= least + 1e-5 <= found.optimal.cost + 2e-5, seed
    assert ended > 5
