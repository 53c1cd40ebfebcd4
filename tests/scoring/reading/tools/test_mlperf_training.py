"""MLPerf training logs: one file one run, from run_start to run_stop."""

import json
from typing import Any

import pytest

from scoring.model.estimates import Direction
from scoring.model.pilot import Phase, RunStatus
from scoring.reading.tools.mlperf_training import claims
from tests.scoring.helpers import decide
from tests.scoring.reading.read import codes, counting, places, read
from tests.shared import SHARED, needs_shared

PUBLISHED = SHARED / "data/mlperf-llama2-70b-lora"


def event(key: str, value: Any = None, time_ms: Any = None, **metadata: Any) -> str:
    found = {"key": key, "value": value, "time_ms": time_ms, "metadata": metadata}
    return f":::MLLOG {json.dumps(found)}"


def log(*extra: str, benchmark: str = "llama2_70b_lora", start: Any = 5000, stop: Any = 65_500) -> str:
    head = [event("submission_benchmark", benchmark), event("init_start", time_ms=1000), event("seed", 42)]
    return "\n".join(
        [*head, event("run_start", time_ms=start), *extra, event("run_stop", None, stop, status="success")]
    )


def test_a_log() -> None:
    text = log(event("eval_accuracy", 0.95), "other output", event("eval_accuracy", 0.92), event("lora_rank", 16))
    pilot, problems = read(("gpu/result_0.txt", text))
    (run,) = pilot.runs
    assert problems == []
    assert (run.arm, run.run, run.seed, run.workload) == ("gpu", "result_0.txt", "42", "llama2_70b_lora")
    assert (run.phase, run.duration_s, run.initialisation_s) == (Phase.FINETUNE, 60.5, 4.0)
    assert run.quality["eval_loss"].value == 0.92
    assert run.conditions == {"lora_rank": "16", "measured_with": "MLPerf training log"}
    assert pilot.directions == {"eval_loss": Direction.LOWER}


@pytest.mark.parametrize(
    ("status", "written"), [("ok", "success"), ("failed", "aborted"), ("ok", None), ("failed", "")]
)
def test_status(status: str, written: str | None) -> None:
    text = log().replace('"status": "success"', f'"status": {json.dumps(written)}')
    assert [r.status for r in read(("gpu/r.txt", text))[0].runs] == [RunStatus(status)]


@pytest.mark.parametrize(
    "times", [(None, 9), (9, None), (9, 9), (9, 5), ("a", "b"), (True, 9), (9, 1e300), (9, float("nan"))]
)
def test_a_log_without_a_whole_run(times: tuple[Any, Any]) -> None:
    pilot, problems = read(("gpu/r.txt", log(start=times[0], stop=times[1])))
    assert (pilot.runs, codes(problems)) == ((), ["mllog-without-run"])


def test_a_metric_of_an_unknown_benchmark_is_asked() -> None:
    pilot, problems = read(("gpu/r.txt", log(event("eval_accuracy", 0.5), benchmark="new_one")))
    assert (pilot.directions, codes(problems)) == ({}, ["metric-direction-unknown"])


def test_a_broken_line_is_named() -> None:
    _, problems = read(("gpu/r.txt", log(":::MLLOG {broken", "[0] :::MLLOG [1]", ":::MLLOG " + "[" * 100_000)))
    assert places(problems) == [("json-syntax", 5), ("json-syntax", 7)]


@pytest.mark.parametrize("value", [{"value": 0.9}, 0.9, {"value": {"value": 1}}, None, "x", float("nan"), [1], 10**400])
def test_evaluations_of_any_shape(value: Any) -> None:
    (run,) = read(("gpu/r.txt", log(event("eval_accuracy", value))))[0].runs
    readable = value == 0.9 or value == {"value": 0.9}
    assert [q.value for q in run.quality.values()] == ([0.9] if readable else [])


@pytest.mark.parametrize(("want", "head"), [(True, b"x\n:::MLLOG {}"), (False, b":::SYSJSON {}"), (False, b"")])
def test_claims(want: bool, head: bytes) -> None:
    assert claims(head) is want


def published(*arms: str) -> list[tuple[str, bytes]]:
    files = [p for arm in arms for p in sorted((PUBLISHED / arm).glob("*.txt"))]
    return [(f"{p.parent.name}/{p.name}", p.read_bytes()) for p in files]


@needs_shared
def test_published_runs() -> None:
    pilot, problems = read(*published("h100", "gaudi2"))
    rows = (PUBLISHED / "runs.csv").read_text(encoding="utf-8")
    table, _ = read(("runs.csv", rows))
    assert ([p for p in problems if p.severity.value != "info"], len(counting(pilot))) == ([], 20)
    assert {(r.arm, r.seed): r.duration_s for r in pilot.runs} == pytest.approx(
        {(r.arm, r.seed): r.duration_s for r in table.runs}
    )
    first = {r.arm: r.initialisation_s for r in pilot.runs if r.run == "result_0.txt"}
    expected = json.loads((PUBLISHED / "expected.json").read_text(encoding="utf-8"))
    assert first == pytest.approx(expected["init_s_first_run"])
    assert {r.workload for r in pilot.runs} == {"llama2_70b_lora"}
    assert pilot.directions == {"eval_loss": Direction.LOWER}


@needs_shared
def test_published_ratio() -> None:
    expected = json.loads((PUBLISHED / "expected.json").read_text(encoding="utf-8"))["theta_time_to_target"]
    decision = decide(*published("h100", "gaudi2"), baseline="h100")
    assert decision.time is not None
    theta = decision.time.theta
    assert (theta.point, theta.lo, theta.hi) == pytest.approx(
        (expected["point"], expected["lo"], expected["hi"]), rel=1e-6
    )


@pytest.mark.parametrize(("wanted", "values"), [(["quality-not-read"], ["n/a", None]), ([], ["n/a", 0.9]), ([], [])])
def test_evaluations_of_which_none_is_a_number_are_asked(wanted: list[str], values: list[Any]) -> None:
    pilot, problems = read(("gpu/r.txt", log(*(event("eval_accuracy", value) for value in values))))
    assert (codes(problems), bool(pilot.runs[0].quality)) == (wanted, 0.9 in values)
