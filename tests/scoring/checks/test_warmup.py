"""Compilation and warm-up are shown, with the first run and without it, and never dropped."""

from typing import Any

import pytest

from scoring.checks.warmup import check, slow_first_run
from scoring.model.pilot import Run
from tests.scoring.scenes import arms, run, runs, scene, settings, short, started, times

STEADY = runs("gpu", [100, 101, 99])


@pytest.mark.parametrize(
    ("wanted", "durations"),
    [
        (None, [100, 101, 99]),
        (None, [149, 100, 100]),
        (pytest.approx(1.51), [151, 100, 100]),
        (pytest.approx(2.5), [250, 100, 100, 100]),
        (None, [250, 100]),
        (None, [100, 250, 100]),
    ],
)
def test_a_first_run_half_as_slow_again_is_said(wanted: Any, durations: list[float]) -> None:
    assert slow_first_run(arms(runs("gpu", durations), STEADY).incumbent) == wanted


def test_the_slow_run_is_named_by_its_line_and_arm() -> None:
    (said,) = check(scene(STEADY, runs("trn2", [250, 100, 100])))
    assert (said.code, said.severity.value) == ("first-run-slow", "warning")
    assert (said.arguments["arm"], said.file, said.row, said.arguments["factor"]) == ("trn2", "pilot.csv", 2, 2.5)


def test_the_first_run_is_the_first_in_time_not_in_the_table() -> None:
    posted = started("trn2", (3, 100), (2, 100), (1, 250))
    (said,) = check(scene(STEADY, posted))
    assert (said.code, said.row) == ("first-run-slow", 4)
    assert check(scene(STEADY, started("trn2", (2, 250), (1, 100), (3, 100)))) == []


def test_times_are_taken_for_the_same_work() -> None:
    posted = [run("trn2", duration_s=d, work_units=w, unit="token") for d, w in ((300, 3), (100, 1), (100, 1))]
    assert check(scene(times("work_units", [1, 1, 1], unit="token"), posted)) == []


def test_a_failed_run_is_no_slow_first_run() -> None:
    posted = [run("trn2", duration_s=900, status="failed"), *runs("trn2", [100, 100, 100])]
    assert check(scene(STEADY, posted)) == []


def initialised(arm: str, *seconds: float | None) -> list[Run]:
    return [run(arm, initialisation_s=s) for s in seconds]


@pytest.mark.parametrize(
    ("wanted", "counted", "a", "b"),
    [
        ([("initialisation-outside-run", "info")], False, (69.0, 70.0), (400.0, 20.0)),
        ([("initialisation-counted", "info")], True, (69.0, 70.0), (400.0, 20.0)),
        ([], False, (69.0, 70.0), (None, None)),
        ([], False, (None,), (None,)),
    ],
)
def test_initialisation(wanted: list[Any], counted: bool, a: tuple[Any, ...], b: tuple[Any, ...]) -> None:
    given = settings(count_initialisation=counted)
    assert short(check(scene(initialised("gpu", *a), initialised("trn2", *b), given))) == wanted


def test_first_and_mean_initialisation_of_each_arm_are_said() -> None:
    (said,) = check(scene(initialised("gpu", 60, 70), initialised("trn2", 400, 20, None)))
    wanted = {"incumbent": "gpu", "first_incumbent": 60, "mean_incumbent": 65}
    wanted |= {"candidate": "trn2", "first_candidate": 400, "mean_candidate": 210}
    assert said.arguments == wanted


@pytest.mark.parametrize(("wanted", "warmup"), [([], None), ([], 0.9), ([("warmup-inside-run", "info", "trn2")], 1.1)])
def test_warmup_of_more_than_a_hundredth_is_said(wanted: list[Any], warmup: float | None) -> None:
    posted = [run("trn2", warmup_s=warmup, duration_s=100) for _ in range(3)]
    problems = check(scene(STEADY, posted))
    assert short(problems, "arm") == wanted
    assert all(p.arguments["share"] == pytest.approx(0.011) for p in problems)
