"""Lost requests: shown per arm, refused above the limit."""

import pytest

from scoring.checks.serving import check, error_rate
from scoring.model.pilot import Run
from tests.scoring.scenes import arms, run, scene, settings, short


def served(arm: str, *counts: tuple[int | None, int | None]) -> list[Run]:
    return [run(arm, requests_attempted=a, requests_completed=b, row=i) for i, (a, b) in enumerate(counts, start=2)]


GOOD = served("gpu", (1000, 1000))


@pytest.mark.parametrize(
    ("wanted", "limit", "counts"),
    [
        ([], 0.01, [(1000, 1000), (1000, 1000)]),
        ([], 0.01, [(None, None)]),
        ([], 0.01, [(None, 900)]),
        ([], 0.01, [(1000, None)]),
        ([], 0.01, [(1000, 1001)]),
        ([("requests-lost", "warning", "9 of 2,000")], 0.01, [(1000, 1000), (1000, 991)]),
        ([("requests-lost", "warning", "10 of 1,000")], 0.01, [(1000, 990)]),
        ([("error-rate-high", "error", "11 of 1,000")], 0.01, [(1000, 989)]),
        ([("error-rate-high", "error", "1 of 1,000")], 0.0, [(1000, 999)]),
        ([("requests-lost", "warning", "300 of 1,000")], 0.3, [(1000, 700)]),
        ([("error-rate-high", "error", "20 of 1,000")], 0.01, [(1000, 980), (1000, None)]),
    ],
)
def test_lost_requests(
    wanted: list[tuple[str, str, str]], limit: float, counts: list[tuple[int | None, int | None]]
) -> None:
    shown = scene(GOOD, served("trn2", *counts), settings(error_rate_limit=limit))
    assert short(check(shown), "found") == wanted


def test_the_arm_and_its_file_are_named_and_the_rate_is_exact() -> None:
    (said,) = check(scene(served("gpu", (3000, 1648)), served("trn2", (3000, 3000))))
    assert (said.arguments["arm"], said.file) == ("gpu", "pilot.csv")
    assert said.arguments["rate"] == pytest.approx(1352 / 3000)
    assert said.expected == "at most 1.00%"


def test_each_arm_is_judged_alone() -> None:
    assert short(check(scene(served("gpu", (100, 50)), served("trn2", (100, 99)))), "arm") == [
        ("error-rate-high", "error", "gpu"),
        ("requests-lost", "warning", "trn2"),
    ]


@pytest.mark.parametrize(
    ("wanted", "counts"), [(None, [(None, None)]), (0.0, [(10, 10)]), (0.25, [(10, 5), (10, 10), (None, 3)])]
)
def test_error_rate(wanted: float | None, counts: list[tuple[int | None, int | None]]) -> None:
    assert error_rate(arms(served("gpu", *counts), GOOD).incumbent) == wanted
