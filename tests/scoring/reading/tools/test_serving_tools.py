"""What SGLang, AIPerf, GenAI-Perf and MLPerf inference measured of a service, in seconds and output tokens."""

import pytest

from scoring.model.pilot import Phase, Run, RunStatus
from tests.scoring.reading.read import codes, counting, read
from tests.scoring.reading.tools import samples
from tests.shared import SHARED, needs_shared


def one(name: str, content: str | bytes) -> Run:
    (run,) = read((f"gpu/{name}", content))[0].runs
    return run


def test_sglang() -> None:
    run = one("r.jsonl", samples.sglang())
    assert (run.workload, run.phase, run.duration_s, run.work_units, run.unit) == (
        "m", Phase.SERVE, 10.0, 12800.0, "output_token",
    )  # fmt: skip
    assert run.latency == {"e2el_mean": 1.5, "e2el_p90": 1.9, "ttft_p50": 0.045, "ttft_p99": 0.09, "itl_p95": 0.012}
    assert (run.conditions["max_concurrency"], run.conditions["tp_size"]) == ("16", "8")
    assert "concurrency" not in run.conditions


@pytest.mark.parametrize(
    ("attempted", "over"),
    [(None, {}), (102, {"errors": ["", "timeout", "", "refused"]}), (103, {"failed": 3}), (100, {"errors": [""]})],
)
def test_requests_that_sglang_lost(attempted: int | None, over: dict[str, object]) -> None:
    assert one("r.jsonl", samples.sglang(**over)).requests_attempted == attempted


def test_sglang_appends_a_line_a_repetition() -> None:
    pilot, _ = read(("gpu/r.jsonl", samples.sglang() + samples.sglang(1.1)))
    assert [(r.row, r.duration_s) for r in pilot.runs] == [(1, 10.0), (2, 11.0)]


def test_aiperf_obeys_its_units() -> None:
    run = one("a.json", samples.aiperf())
    assert (run.duration_s, run.work_units, run.throughput, run.workload) == (20.0, 12800.0, 640.0, "m")
    assert run.latency == pytest.approx({
        "e2el_mean": 1.5, "e2el_p50": 1.4, "e2el_p99": 2.1, "ttft_mean": 0.03, "ttft_p99": 0.06, "tpot_mean": 0.01,
        "tpot_p99": 0.014, "itl_mean": 0.009, "itl_p99": 0.03,
    })  # fmt: skip
    in_minutes = one("a.json", samples.aiperf(benchmark_duration={"unit": "min", "avg": 2.0}))
    assert in_minutes.duration_s == 120.0


def test_aiperf_requests() -> None:
    lost = one("a.json", samples.aiperf(error_request_count={"unit": "requests", "avg": 2.0}))
    assert (lost.requests_attempted, lost.requests_completed) == (102, 100)
    pilot, problems = read(("gpu/a.json", samples.aiperf(was_cancelled=True)))
    assert (counting(pilot), codes(problems)) == ([], ["run-cancelled"])


def test_genai_perf_has_a_rate_and_no_duration() -> None:
    run = one("g.json", samples.genai_perf())
    assert (run.duration_s, run.work_units, run.throughput, run.unit) == (None, None, 640.0, "output_token")
    assert (run.latency["e2el_p99"], run.latency["ttft_p99"], run.conditions["concurrency"]) == (2.1, 0.06, "16")


@pytest.mark.parametrize(
    ("content", "rate", "duration"),
    [(samples.aiperf_csv(), 640.0, 20.0), (samples.genai_perf_csv(), 1640.0, None)],
)
def test_csv_of_metrics(content: str, rate: float, duration: float | None) -> None:
    run = one("m.csv", content)
    assert (run.throughput, run.duration_s, run.requests_completed) == (rate, duration, 100)
    assert (run.latency["e2el_p99"], run.latency["ttft_p50"]) == (2.1, 0.029)


def test_a_csv_beside_its_json_is_the_same_run() -> None:
    pilot, problems = read(("gpu/p.json", samples.aiperf()), ("gpu/p.csv", samples.aiperf_csv()))
    assert ([r.file for r in pilot.runs], codes(problems)) == (["gpu/p.json"], ["same-run-in-fuller-file"])
    pilot, _ = read(("gpu/p.json", samples.aiperf()), ("trn2/p.csv", samples.aiperf_csv()))
    assert [r.file for r in pilot.runs] == ["gpu/p.json", "trn2/p.csv"]


@needs_shared
def test_published_aiperf_file() -> None:
    run = one("a.json", (SHARED / "data/tools/aiperf/qwen_concurrency1.json").read_bytes())
    assert (run.workload, run.duration_s, run.work_units) == ("Qwen/Qwen3-0.6B", 255.56017270100003, 12799.0)
    assert run.throughput == pytest.approx(12799 / 255.56017270100003, rel=1e-12)
    assert (run.latency["e2el_p99"], run.latency["ttft_p50"]) == pytest.approx((3.9093341161199996, 0.030668548))
    assert run.latency["tpot_mean"] == pytest.approx((3.6521454 - 0.0308150) / (199.984375 - 1), rel=1e-4)


def test_mlperf_server() -> None:
    run = one("mlperf_log_summary.txt", samples.mlperf_server())
    assert (run.phase, run.throughput, run.unit, run.status) == (Phase.SERVE, 2900.0, "output_token", RunStatus.OK)
    assert run.latency == {
        "e2el_mean": 3.0, "e2el_p50": 2.9, "e2el_p99": 8.0, "e2el_p99.9": 8.9, "ttft_mean": 0.3, "ttft_p99": 1.9,
        "tpot_mean": 0.06, "tpot_p99": 0.15,
    }  # fmt: skip
    assert run.conditions["target_qps"] == "10.5"
    renamed = samples.mlperf_server().replace("Time to Output", "Time per Output")
    assert one("mlperf_log_summary.txt", renamed).latency == run.latency


def test_mlperf_offline_has_no_latency_of_requests() -> None:
    run = one("mlperf_log_summary.txt", samples.mlperf_offline())
    assert (run.phase, run.throughput, run.unit, run.latency) == (Phase.BATCH, 107.28, "sample", {})


def test_an_invalid_mlperf_run_failed() -> None:
    pilot, problems = read(("gpu/s.txt", samples.mlperf_server(result="INVALID")))
    assert (pilot.runs[0].status, pilot.runs[0].latency) == (RunStatus.FAILED, {})
    assert [(p.code, p.found) for p in problems] == [("mlperf-invalid", "Performance constraints satisfied")]


def test_an_accuracy_run_of_mlperf_measured_no_time() -> None:
    pilot, problems = read(("gpu/s.txt", samples.mlperf_server(mode="AccuracyOnly")))
    assert (counting(pilot), codes(problems)) == ([], ["accuracy-run"])


def test_the_detailed_log_beside_the_summary_is_the_same_run() -> None:
    summary, detail = ("gpu/mlperf_log_summary.txt", samples.mlperf_offline()), samples.MLPERF_DETAIL
    pilot, problems = read(summary, ("gpu/mlperf_log_detail.txt", detail))
    assert (len(pilot.runs), codes(problems)) == (1, ["same-run-in-fuller-file"])
