"""A factor that is more often a unit than a fact is asked, never fixed."""

from typing import Any

import pytest

from scoring.checks.magnitude import check
from tests.scoring.scenes import Posted, book, run, runs, scene, short, summary, times


def asked(column: str, factor: float) -> tuple[Any, ...]:
    return ("magnitude-factor", "question", column, factor)


def of(arm: str, **fields: Any) -> Posted:
    return [run(arm, **fields), run(arm, **fields)]


@pytest.mark.parametrize(
    ("wanted", "incumbent", "candidate"),
    [
        ([], runs("gpu", [100, 102]), runs("trn2", [120, 121])),
        ([], runs("gpu", [100, 102]), runs("trn2", [1600, 1600])),
        ([asked("duration", 60)], runs("gpu", [90, 92]), runs("trn2", [5400, 5410])),
        ([asked("duration", 60)], runs("gpu", [5400, 5410]), runs("trn2", [90, 92])),
        ([asked("duration", 1000)], runs("gpu", [5.4, 5.5]), runs("trn2", [6000, 6100])),
        ([asked("duration", 3600)], runs("gpu", [1.5, 1.5]), runs("trn2", [5400, 5400])),
        ([asked("duration", 1e6)], runs("gpu", [5, 5]), runs("trn2", [5.1e6, 5.1e6])),
        ([asked("throughput", 1000)], times("throughput", [9, 9]), times("throughput", [9100, 9100], "trn2")),
        ([asked("work", 1000)], times("work_units", [9, 9]), times("work_units", [9000, 9000], "trn2")),
        ([asked("accuracy", 100)], of("gpu", quality={"accuracy": 0.91}), of("trn2", quality={"accuracy": 90.8})),
        ([], of("gpu", quality={"loss": 0.91}), of("trn2", quality={"loss": 1.4})),
        ([asked("ttft_p99", 1000)], of("gpu", latency={"ttft_p99": 0.4}), of("trn2", latency={"ttft_p99": 412.0})),
        ([], of("gpu", latency={"ttft_p99": 0.4}), of("trn2", latency={"tpot_p99": 412.0})),
        ([asked("duration", 60)], summary("gpu", n=3, duration_s=(90, 1)), summary("trn2", n=3, duration_s=(5400, 9))),
        ([asked("accuracy", 100)], summary("gpu", n=3, quality={"accuracy": (0.9, 0.1)}),
         summary("trn2", n=3, quality={"accuracy": (90, 1)})),
    ],
)  # fmt: skip
def test_factors(wanted: list[tuple[Any, ...]], incumbent: Posted, candidate: Posted) -> None:
    assert short(check(scene(incumbent, candidate)), "column", "factor") == wanted


def test_a_failed_run_says_nothing_of_a_unit() -> None:
    failed = [*runs("gpu", [5400, 5410]), run("gpu", duration_s=0.01, status="failed")]
    assert check(scene(failed, runs("trn2", [6000, 6010]))) == []


def test_metrics_are_asked_in_the_order_posted() -> None:
    names = [f"accuracy_{i}" for i in range(9)]
    problems = check(scene(of("gpu", quality=dict.fromkeys(names, 0.9)), of("trn2", quality=dict.fromkeys(names, 90))))
    assert [p.column for p in problems] == names


@pytest.mark.parametrize(
    ("wanted", "a", "b", "devices"),
    [
        ("gpu", 1000, 8100, 8),
        ("trn2", 16500, 1000, 16),
        (None, 1000, 8100, 16),
        (None, 1000, 9500, 8),
        (None, 1000, 2000, 2),
        (None, 1000, 8100, None),
    ],
)
def test_one_arm_per_device_the_other_per_instance(wanted: str | None, a: float, b: float, devices: int | None) -> None:
    shown = scene(
        times("throughput", [a], device_count=devices), times("throughput", [b], "trn2", device_count=devices)
    )
    suspected = [p for p in check(shown) if p.code == "per-device-suspected"]
    assert [p.arguments["arm"] for p in suspected] == ([wanted] if wanted else [])
    assert all(p.severity.value == "question" and p.arguments["factor"] == devices for p in suspected)


def test_devices_are_taken_from_the_price_book_where_the_rows_do_not_tell() -> None:
    kinds = {"gpu": "p5.48xlarge", "trn2": "trn2.48xlarge"}
    a, b = (times("throughput", [v], arm, instance_type=kinds[arm]) for arm, v in (("gpu", 1000), ("trn2", 8000)))
    prices = book(("p5.48xlarge", None, "55.04"), accelerator_count=8)
    assert short(check(scene(a, b, prices=prices)), "arm") == [("per-device-suspected", "question", "gpu")]
    assert check(scene(a, b)) == []
