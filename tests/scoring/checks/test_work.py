"""Different amounts of work are put on one unit; different units and missing work are refused."""

from typing import Any

import pytest

from scoring.checks.work import check
from tests.scoring.scenes import Posted, run, runs, scene, short, summary, times

DIFFERENT = ("different-work", "warning")
UNIT = ("unit-differs", "error")
MISSING = ("work-missing", "error")


def tokens(arm: str, *amounts: float | None, **fields: Any) -> Posted:
    return [run(arm, work_units=w, unit="token", row=i, **fields) for i, w in enumerate(amounts, start=2)]


@pytest.mark.parametrize(
    ("wanted", "incumbent", "candidate"),
    [
        ([], tokens("gpu", 1000, 1000), tokens("trn2", 1000, 1000)),
        ([], tokens("gpu", 1000, 1000), tokens("trn2", 1019, 1019)),
        ([DIFFERENT], tokens("gpu", 1000, 1000), tokens("trn2", 1021, 1021)),
        ([DIFFERENT], tokens("gpu", 1000, 1000), tokens("trn2", 2000, 2000)),
        ([], runs("gpu", [100, 101]), runs("trn2", [200, 201])),
        ([UNIT], tokens("gpu", 1000), times("work_units", [1000], "trn2", unit="sample")),
        ([UNIT], [*tokens("gpu", 1000), run("gpu", work_units=9, unit="sample")], tokens("trn2", 1000)),
        ([], [*tokens("gpu", 1000), run("gpu", work_units=1000)], tokens("trn2", 1000)),
        ([MISSING], tokens("gpu", 1000, None), tokens("trn2", 1000, 1000)),
        ([MISSING], tokens("gpu", 1000, 1000), tokens("trn2", 0, 1000)),
        ([], tokens("gpu", 1000, None, status="failed"), tokens("trn2", 1000, 1000)),
        ([], times("throughput", [10], duration_s=None), times("throughput", [12], "trn2", duration_s=None)),
        ([DIFFERENT], summary("gpu", n=3, work_units=10, duration_s=(9, 1)),
         summary("trn2", n=3, work_units=20, duration_s=(9, 1))),
        ([MISSING], summary("gpu", n=3, work_units=10, duration_s=(9, 1)), summary("trn2", n=3, duration_s=(9, 1))),
        ([MISSING], summary("gpu", n=3, work_units=10, cost=(9, 1)), summary("trn2", n=3, cost=(9, 1))),
        ([], summary("gpu", n=3, duration_s=(9, 1)), summary("trn2", n=3, duration_s=(9, 1))),
        ([], summary("gpu", n=3, throughput=(9, 1)), summary("trn2", n=3, throughput=(9, 1))),
    ],
)  # fmt: skip
def test_work(wanted: list[tuple[str, str]], incumbent: Posted, candidate: Posted) -> None:
    assert short(check(scene(incumbent, candidate))) == wanted


def test_work_that_is_missing_is_named_by_its_line() -> None:
    (said,) = check(scene(tokens("gpu", 1000, None), tokens("trn2", 1000)))
    assert (said.file, said.row) == ("pilot.csv", 3)


def test_at_most_five_lines_an_arm_are_named() -> None:
    assert len(check(scene(tokens("gpu", 1000, *[None] * 9), tokens("trn2", 1000)))) == 5


def test_both_amounts_and_the_unit_are_said() -> None:
    (said,) = check(scene(tokens("gpu", 1000), tokens("trn2", 1500)))
    assert (said.found, said.arguments["unit"]) == ("1000 / 1500", "token")
    assert (said.arguments["work_a"], said.arguments["work_b"]) == (1000, 1500)


def test_all_units_that_meet_are_said() -> None:
    (said,) = check(scene(tokens("gpu", 1), times("work_units", [1], "trn2", unit="sample")))
    assert said.found == "token / sample"
