"""Rows see what is wrong: rules that are known to mislead fall short where the engine does not."""

from dataclasses import replace

import numpy as np
import pytest

from bot.calibrate import adaptive, market
from bot.calibrate.judgement import Bar, Result
from bot.calibrate.measures import share
from bot.calibrate.row import Cell, Measure, Row
from bot.calibrate.rows.blocked import CONFOUNDED
from bot.calibrate.rows.looks import LOOKS
from bot.calibrate.rows.registry import ROWS
from bot.calibrate.rows.regret import REGRET
from bot.calibrate.rows.side_by_side import COVERAGE
from bot.calibrate.rules import bootstrap_interval, compare_means, mann_whitney, welch
from bot.calibrate.runner import Finding, run_rows
from bot.calibrate.screen import outside
from bot.calibrate.summary import summaries_of
from bot.render.messages import catalogue

SEED = 5


def judged(row: Row, measure: str, column: int, bar: Bar, cells: int = 1) -> Result:
    """What becomes of a column of the row's draws, were it claimed to keep the bar."""
    claim = replace(row, cells=row.cells[:cells], measures=(Measure(measure, share(column), bar),))
    [summary] = summaries_of(next(run_rows([claim], 400, SEED, 1)))
    return summary.result


def test_a_bound_that_counts_no_looks_falls_short_where_the_engine_does_not() -> None:
    """One-sided Welch after each of up to ten runs: some 13 % false switches instead of 5 %."""
    row = replace(LOOKS, cells=LOOKS.cells[:1])
    assert judged(row, "false-switch-ever", 0, Bar(high=0.06)) in (Result.MET, Result.NOISE)
    assert judged(row, "naive-switch-ever", 1, Bar(high=0.06)) is Result.SHORT


def test_an_interval_that_takes_days_for_runs_falls_short() -> None:
    assert judged(CONFOUNDED, "naive-coverage", 1, Bar(low=0.93), cells=4) is Result.SHORT


def test_the_bootstrap_of_three_runs_falls_short() -> None:
    few = replace(COVERAGE, share=0.6)
    assert judged(few, "by-bootstrap", 3, Bar(low=0.93)) is Result.SHORT
    assert judged(few, "by-engine", 0, Bar(low=0.93)) in (Result.MET, Result.NOISE)


def test_other_rules_by_hand() -> None:
    a = np.array([[10.0, 11.0, 12.0, 13.0], [10.0, 11.0, 12.0, 13.0]])
    b = np.array([[6.0, 7.0, 8.0, 9.0], [9.0, 10.0, 11.0, 30.0]])
    assert compare_means(a, b, 1.0).tolist() == [True, False]
    assert welch(a, b, 1.0).tolist() == [True, False]
    assert mann_whitney(a, b, 1.0).tolist() == [True, False]
    assert mann_whitney(a, b, 0.6).tolist() == [False, False]
    low, high = bootstrap_interval(a[0], b[0], np.random.default_rng(1))
    assert low < b[0].mean() / a[0].mean() < high


def test_regret_is_what_a_wrong_move_loses_and_what_runs_cost() -> None:
    pilot = market.Pilot(theta=1.0, a=np.full(30, 400.0), b=np.full(30, 400.0))
    assert pilot.loss(switches=True) == pytest.approx(0.05 * 2e6)
    assert pilot.loss(switches=False) == 0
    assert pilot.regret(switches=True, runs=3) == pytest.approx(100_000 + 6 * 400)


@pytest.mark.parametrize(("theta", "switches"), [(0.6, True), (1.4, False)])
def test_what_is_plain_is_proven_after_three_runs(theta: float, switches: bool) -> None:
    rng = np.random.default_rng(2)
    pilot = market.Pilot(theta, 400 * rng.normal(1, 0.01, 30), 400 * theta * rng.normal(1, 0.01, 30))
    assert adaptive.follow(pilot) == adaptive.Followed(switches, proven=True, runs=3, looks=1)


def test_what_is_open_and_worth_it_is_looked_at_again() -> None:
    rng = np.random.default_rng(3)
    ends = [adaptive.follow(market.draw_pilot(rng, 0.0, theta=0.97)) for _ in range(20)]
    assert max(end.looks for end in ends) > 1
    assert all(3 <= end.runs <= market.MOST for end in ends)


def test_the_best_fixed_number_is_the_best_of_all() -> None:
    cell = REGRET.cells[0]
    drawn = cell.draw(np.random.default_rng(4), 60)
    against, best = REGRET.measures[0].of(drawn), REGRET.measures[3].of(drawn)
    means = drawn[:, 2:].mean(axis=0)
    assert best.value == 1 + means.argmin()
    assert against.value == pytest.approx(drawn[:, 0].mean() / means.min())


def test_every_row_measure_and_reason_has_its_words_and_no_words_are_left_over() -> None:
    codes = catalogue("en", "calibrate").codes
    assert {c for c in codes if c.startswith("rows.")} == {f"rows.{row.key}" for row in ROWS}
    assert {c for c in codes if c.startswith("measures.")} == {f"measures.{m.name}" for r in ROWS for m in r.measures}
    known = {code for row in ROWS for cell in row.cells for code in cell.known.values()}
    assert {c for c in codes if c.startswith("known.")} == {f"known.{code}" for code in known}


def test_cells_of_a_row_have_names_and_seeds_of_their_own() -> None:
    for row in ROWS:
        assert len({cell.name for cell in row.cells}) == len(row.cells)
        measures = {m.name for m in row.measures}
        assert all({*cell.known, *cell.bars} <= measures for cell in row.cells)


def test_a_cell_outside_tells_by_how_much_and_why() -> None:
    wrong = Row(
        "paired",
        (Cell("always wrong", lambda rng, size: np.zeros((size, 1)), known={"coverage": "two-days"}),),
        (Measure("coverage", share(0), Bar(low=0.93)),),
    )
    [finding] = next(run_rows([wrong], 300, SEED, 1))
    assert isinstance(finding, Finding)
    assert finding.result is Result.SHORT
    assert outside(finding).startswith("always wrong: 0.000 ±0.005 against ≥ 0.93, falls short. One degree of freedom")
    assert not summaries_of([finding])[0].fails
    assert summaries_of([replace(finding, known=None)])[0].fails
