"""Which rows belong together, and which of the arms is the incumbent."""

from collections.abc import Sequence
from typing import Any

import pytest

from scoring.model.pilot import Phase, Pilot
from scoring.selection import Group, choose_arms, groups_of, unit_of_group
from tests.scoring.scenes import Posted, run, settings, short, summary


def group(*arms: str) -> Group:
    return Group("bert", Phase.TRAIN, tuple(run(arm) for arm in arms), ())


def keys(rows: Sequence[tuple[str | None, str | None]], **given: Any) -> list[tuple[str | None, str | None]]:
    pilot = Pilot(runs=tuple(run(workload=workload, phase=phase) for workload, phase in rows))
    return [(g.workload, g.phase.value if g.phase else None) for g in groups_of(pilot, settings(**given))]


@pytest.mark.parametrize(
    ("wanted", "rows", "given"),
    [
        ([(None, None)], [(None, None)], {}),
        ([("a", "train")], [("a", "train"), ("a", "train")], {}),
        ([("b", "train"), ("a", "train")], [("b", "train"), ("a", "train"), ("b", "train")], {}),
        ([("a", "train"), ("a", "serve")], [("a", "train"), ("a", "serve")], {}),
        ([("a", "train")], [("a", "train"), (None, None), ("a", None), (None, "train")], {}),
        ([("a", "train"), ("b", "train"), (None, "train")], [("a", "train"), ("b", "train"), (None, None)], {}),
        ([("b", "train")], [("a", "train"), ("b", "train")], {"workload": "b"}),
        ([("b", "train")], [("a", "train"), ("b", "train")], {"workload": "B"}),
        ([("a", "serve")], [("a", "train"), ("a", "serve")], {"phase": "serve"}),
        ([], [("a", "train")], {"workload": "c"}),
        ([], [], {}),
    ],
)
def test_groups(
    wanted: list[tuple[str | None, str | None]], rows: list[tuple[str | None, str | None]], given: dict[str, Any]
) -> None:
    assert keys(rows, **given) == wanted


def test_rows_that_cannot_be_runs_are_in_no_group() -> None:
    pilot = Pilot(runs=(run(left_out="duplicate-row", workload="a"), run("trn2", workload="b")))
    assert [(g.workload, g.arm_names) for g in groups_of(pilot, settings())] == [("b", ("trn2",))]


def test_summaries_stand_beside_runs() -> None:
    pilot = Pilot(runs=(run("gpu"),), summaries=(summary("trn2", n=3, duration_s=(9, 1)),))
    (only,) = groups_of(pilot, settings())
    assert only.arm_names == ("gpu", "trn2")


@pytest.mark.parametrize(
    ("wanted", "arms", "given"),
    [
        (("h100", "trn2"), ("h100", "trn2"), {}),
        (("h100", "trn2"), ("trn2", "h100"), {}),
        (("x", "y"), ("x", "y"), {}),
        (("h100", "a100"), ("h100", "a100"), {}),
        (("p5.48xlarge", "trn2.48xlarge"), ("trn2.48xlarge", "p5.48xlarge"), {}),
        (("nvidia", "gaudi2"), ("gaudi2", "nvidia"), {}),
        (("NVIDIA L40S", "tpu-v5e"), ("tpu-v5e", "NVIDIA L40S"), {}),
        (("g6.xlarge", "inf2.xlarge"), ("inf2.xlarge", "g6.xlarge"), {}),
        (("trn2", "h100"), ("h100", "trn2"), {"baseline": "trn2"}),
        (("trn2", "h100"), ("h100", "trn2"), {"baseline": "TRN2"}),
        (("trn2", "h100"), ("h100", "trn2"), {"candidate": "h100"}),
        (("h100", "trn2"), ("h100", "trn2", "tpu"), {"baseline": "h100", "candidate": "trn2"}),
        (("tpu", "h100"), ("h100", "trn2", "tpu"), {"baseline": "TPU", "candidate": "H100"}),
    ],
)
def test_incumbent_and_candidate(wanted: tuple[str, str], arms: tuple[str, ...], given: dict[str, Any]) -> None:
    choice = choose_arms(group(*arms), settings(**given))
    assert (choice.incumbent, choice.candidate) == wanted


@pytest.mark.parametrize(
    ("wanted", "said", "arms", "given"),
    [
        (("gpu", "trn2", "tpu"), ["baseline-assumed"], ("trn2", "gpu", "tpu"), {}),
        (("trn2", "gpu", "tpu"), [], ("gpu", "trn2", "tpu"), {"baseline": "TRN2"}),
        (("current-l4", "h100", "b200"), ["baseline-assumed"], ("h100", "current-l4", "b200"), {}),
        (("gpu", "tpu"), ["baseline-assumed", "arms-left-out"], ("gpu", "trn2", "tpu"), {"candidate": "tpu"}),
        (("trn2", "tpu"), ["arms-left-out"], ("gpu", "trn2", "tpu"), {"baseline": "trn2", "candidate": "tpu"}),
    ],
)
def test_of_several_arms_each_candidate_is_compared_with_the_incumbent(
    wanted: tuple[str, ...], said: list[str], arms: tuple[str, ...], given: dict[str, Any]
) -> None:
    choice = choose_arms(group(*arms), settings(**given))
    assert (choice.incumbent, *choice.candidates) == wanted
    assert [p.code for p in choice.problems] == said


@pytest.mark.parametrize(
    ("assumed", "given"), [(True, {}), (False, {"baseline": "gpu"}), (False, {"candidate": "trn2"})]
)
def test_an_incumbent_that_nobody_named_is_said(assumed: bool, given: dict[str, Any]) -> None:
    problems = choose_arms(group("gpu", "trn2"), settings(**given)).problems
    assert short(problems, "incumbent", "candidate") == (
        [("baseline-assumed", "info", "gpu", "trn2")] if assumed else []
    )


ARMS = "gpu, trn2, tpu"
MANY = ", ".join(f"c{i}" for i in range(21))


@pytest.mark.parametrize(
    ("wanted", "arms", "given"),
    [
        ([("one-arm", "gpu", "two arms")], ("gpu",), {}),
        ([("choose-arms", "x, y, z", None)], ("x", "y", "z"), {}),
        ([("choose-arms", "a100, h100, tpu", None)], ("a100", "h100", "tpu"), {}),
        ([("choose-arms", "x, y, z", None)], ("x", "y", "z"), {"candidate": "y"}),
        ([("choose-arms", "now, " + MANY, None)], ("now", *MANY.split(", ")), {"baseline": "now"}),
        ([("choose-arms", ARMS, None)], ("gpu", "trn2", "tpu"), {"baseline": "gpu", "candidate": "gpu"}),
        ([("choose-arms", "gpu", None)], ("gpu", "trn2"), {"baseline": "gpu", "candidate": "GPU"}),
        ([("arm-not-found", "h100", "gpu, trn2")], ("gpu", "trn2"), {"baseline": "h100"}),
        ([("arm-not-found", "h100", "gpu, trn2")], ("gpu", "trn2"), {"candidate": "h100"}),
        ([("arm-not-found", "a", "gpu, trn2"), ("arm-not-found", "b", "gpu, trn2")], ("gpu", "trn2"),
         {"baseline": "a", "candidate": "b"}),
    ],
)  # fmt: skip
def test_arms_that_cannot_be_told_apart_are_asked(
    wanted: list[Any], arms: tuple[str, ...], given: dict[str, Any]
) -> None:
    choice = choose_arms(group(*arms), settings(**given))
    assert (choice.incumbent, choice.candidate) == (None, None)
    assert [(p.code, p.found, p.expected) for p in choice.problems] == wanted
    assert {p.severity.value for p in choice.problems} == {"question"}


@pytest.mark.parametrize(
    ("wanted", "rows"),
    [
        ("run", [run()]),
        ("token", [run(), run(work_units=9, unit="token")]),
        ("unit", [run(work_units=9)]),
        ("token", [run(duration_s=None, throughput=9, unit="token")]),
        ("sample", summary(n=3, work_units=9, unit="sample", duration_s=(9, 1))),
        ("token", summary(n=3, throughput=(9, 1), unit="token")),
    ],
)
def test_unit_of_a_cost(wanted: str, rows: Posted) -> None:
    runs, summaries = (rows, ()) if isinstance(rows, list) else ((), (rows,))
    assert unit_of_group(Group(None, None, tuple(runs), summaries)) == wanted
