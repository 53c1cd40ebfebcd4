"""vLLM serving results: one object a repetition, whatever the file that holds them."""

import datetime as dt
import json
from typing import Any

import pytest

from scoring.model.pilot import Phase, RunStatus
from scoring.reading.tools.vllm_serve import claims
from tests.scoring.reading.read import codes, counting, places, read
from tests.shared import SHARED, needs_shared

RECORD: dict[str, Any] = {
    "date": "20261102-080000", "backend": "vllm", "model_id": "m", "num_prompts": 10, "request_rate": "inf",
    "duration": 2.5, "completed": 10, "failed": 0, "total_input_tokens": 100, "total_output_tokens": 1000,
    "mean_ttft_ms": 50.0, "median_ttft_ms": 45.0, "std_ttft_ms": 4.0, "p99_ttft_ms": 90.0, "p99.9_itl_ms": 9.0,
    "ttfts": [0.05], "label": None,
}  # fmt: skip


def one(**over: Any) -> str:
    return json.dumps(RECORD | over)


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([1], one()),
        ([1], json.dumps(RECORD, indent=2)),
        ([1, 2], f"{one()}\n{one(duration=3.0)}\n"),
        ([1, 3], f"{one()}\n\n{one(duration=3.0)}"),
        ([2, 3], f"[\n{one()},\n{one(duration=3.0)}\n]"),
        ([1, 1], f"[{one()}, {one(duration=3.0)}]"),
        ([1, 1], f"[{one()}, {one()}]"),
        ([1], "\ufeff" + one()),
    ],
)
def test_repetitions(rows: list[int], text: str) -> None:
    pilot, problems = read(("gpu/r.json", text))
    assert ([(r.arm, r.row) for r in counting(pilot)], problems) == ([("gpu", row) for row in rows], [])


def test_a_repetition() -> None:
    (run,) = read(("gpu/r.json", one()))[0].runs
    assert (run.phase, run.workload, run.status) == (Phase.SERVE, "m", RunStatus.OK)
    assert (run.duration_s, run.work_units, run.unit) == (2.5, 1000.0, "output_token")
    assert run.latency == {"ttft_mean": 0.05, "ttft_p50": 0.045, "ttft_p99": 0.09, "itl_p99.9": 0.009}
    assert (run.requests_attempted, run.requests_completed) == (10, 10)
    assert run.conditions == {
        "backend": "vllm", "model_id": "m", "request_rate": "inf", "num_prompts": "10",
        "input_tokens_per_request": "10", "output_tokens_per_request": "100", "measured_with": "vLLM bench serve",
    }  # fmt: skip
    assert run.started_at == dt.datetime(2026, 11, 2, 8, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("attempted", "found", "over"),
    [
        (12, [], {"failed": 2}),
        (10, ["failed-field-missing"], {"failed": None, "completed": 8}),
        (10, [], {"failed": None}),
        (None, [], {"failed": None, "num_prompts": None}),
    ],
)
def test_attempted_requests(attempted: int | None, found: list[str], over: dict[str, Any]) -> None:
    pilot, problems = read(("gpu/r.json", one(**over)))
    assert (pilot.runs[0].requests_attempted, codes(problems)) == (attempted, found)


@pytest.mark.parametrize(
    "over", [{"duration": "x"}, {"duration": None}, {"duration": -1}, {"completed": 1.5}, {"completed": True}]
)
def test_no_usable_duration(over: dict[str, Any]) -> None:
    pilot, problems = read(("gpu/r.json", one(**over)))
    assert (pilot.runs, places(problems)) == ((), [("tool-figure-missing", 1)])


def test_nan_is_no_latency() -> None:
    text = one(p99_ttft_ms=float("nan"), mean_ttft_ms=float("inf"), total_output_tokens=float("nan"))
    (run,) = read(("gpu/r.json", text))[0].runs
    assert (run.latency, run.work_units) == ({"ttft_p50": 0.045, "itl_p99.9": 0.009}, None)


def test_a_broken_line_costs_itself_only() -> None:
    pilot, problems = read(("gpu/r.json", f"{one()}\n{{broken\n{one(duration=3.0)}\n"))
    assert ([r.row for r in pilot.runs], places(problems)) == ([1, 3], [("json-syntax", 2)])


@pytest.mark.parametrize(
    ("want", "head"),
    [
        (True, one().encode()),
        (True, b"\xef\xbb\xbf [" + one().encode()),
        (False, one(total_output_tokens_retokenized=1).encode()),
        (False, b'{"duration": 1, "completed": 2}'),
        (False, b'note: "total_output_tokens" "completed" "duration"'),
        (False, b""),
    ],
)
def test_claims(want: bool, head: bytes) -> None:
    assert claims(head) is want


@needs_shared
@pytest.mark.parametrize(
    ("name", "duration", "ttft_p99"),
    [
        ("seqs4-run0", 1.3653671270003542, 0.7624942294094944),
        ("seqs4-run1", 0.6420253609976498, 0.05758295443694805),
        ("seqs8-run0", 0.6694539679883746, 0.07502528442884795),
        ("seqs8-run1", 0.6863886729988735, 0.053663515768857906),
    ],
)
def test_published_results(name: str, duration: float, ttft_p99: float) -> None:
    data = (SHARED / "data/tools/vllm_bench_serve" / f"{name}.json").read_bytes()
    pilot, problems = read((f"{name.split('-')[0]}/{name}.json", data))
    (run,) = pilot.runs
    assert (run.duration_s, run.latency["ttft_p99"]) == (duration, pytest.approx(ttft_p99, rel=1e-12))
    assert (run.work_units, run.requests_attempted, run.requests_completed) == (128.0, 8, 8)
    assert (run.conditions["max_num_seqs"], run.conditions["request_rate"], problems) == (name[4], "inf", [])


@needs_shared
def test_zeros_of_failed_requests_are_no_measurement() -> None:
    data = (SHARED / "data/tools/vllm_bench_serve/all_requests_failed.json").read_bytes()
    pilot, problems = read(("gpu/r.json", data))
    (run,) = pilot.runs
    assert (run.status, run.latency, run.work_units) == (RunStatus.FAILED, {}, None)
    assert (run.requests_attempted, run.requests_completed) == (8, 0)
    assert [(p.code, p.found) for p in problems] == [("no-request-completed", "0 of 8")]


def test_the_same_results_once_more_for_pytorchs_database_are_not_read() -> None:
    record = json.loads(one())
    beside = [{"benchmark": {"extra_info": record}, "metric": {"name": "median_ttft_ms", "benchmark_values": [45.0]}}]
    pilot, problems = read(("gpu/r.json", one()), ("gpu/r.pytorch.json", json.dumps(beside)))
    assert ([run.file for run in pilot.runs], codes(problems)) == (["gpu/r.json"], ["same-run-in-fuller-file"])
