"""llmperf, NxD Inference, optimum-benchmark, InferenceMAX, TorchTitan and the CSV exports of experiment trackers."""

import datetime as dt
import json
from typing import Any

import pytest

from scoring.model.estimates import Direction
from scoring.model.pilot import Phase, Quality, Run, RunStatus
from tests.scoring.reading.read import codes, read
from tests.scoring.reading.tools import samples


def one(name: str, content: str) -> Run:
    (run,) = read((f"gpu/{name}", content))[0].runs
    return run


def test_llmperf() -> None:
    run = one("m_summary.json", samples.llmperf())
    assert (run.workload, run.phase, run.throughput, run.unit) == ("m", Phase.SERVE, 335.4, "output_token")
    assert run.latency == {"tpot_p50": 0.011, "tpot_mean": 0.012, "ttft_p99": 0.9, "ttft_mean": 0.3, "e2el_p95": 2.5}
    assert (run.requests_attempted, run.requests_completed) == (50, 50)
    lost = one("m_summary.json", samples.llmperf(results_num_completed_requests=48, results_number_errors=2))
    assert (lost.requests_attempted, lost.requests_completed) == (50, 48)
    assert run.conditions["num_concurrent_requests"] == "5"


def test_published_llmperf_figures() -> None:
    """Of ray-project/llmperf at 85db090, benchmarks/results/yi/4xa10g/vllm, Yi-1.5-34B-Chat, 16 at once."""
    run = one(
        "01-ai-Yi-1-5-34B-Chat_550_150_summary.json",
        json.dumps({
            "version": "2023-08-31", "model": "01-ai/Yi-1.5-34B-Chat", "num_concurrent_requests": 16,
            "results_ttft_s_quantiles_p99": 7.9380509024299135, "results_number_output_tokens_min": "150",
            "results_num_requests_started": 112, "results_number_errors": 0, "results_error_code_frequency": "{}",
            "results_mean_output_throughput_token_per_s": 124.29275563556878, "results_num_completed_requests": 112,
            "results_num_completed_requests_per_min": 46.821420363866935,
        }),
    )  # fmt: skip
    assert (run.throughput, run.latency) == (124.29275563556878, {"ttft_p99": 7.9380509024299135})
    assert run.throughput == pytest.approx(159.27678571428572 * 46.821420363866935 / 60, rel=1e-9)


def test_llmperf_responses_beside_their_summary_are_the_same_test() -> None:
    files = ("gpu/m_summary.json", samples.llmperf()), ("gpu/m_individual_responses.json", samples.llmperf_single())
    pilot, problems = read(*files)
    assert (len(pilot.runs), codes(problems)) == (1, ["same-run-in-fuller-file"])


def test_nxd_inference_is_in_milliseconds() -> None:
    run = one("benchmark_report.json", samples.nxd())
    assert (run.phase, run.throughput, run.unit) == (Phase.BATCH, 819.2, "token")
    assert (run.latency["e2el_p99"], run.latency["ttft_p50"], run.latency["itl_mean"]) == (6.0, 0.08, 0.0101)
    assert "e2el_p100" not in run.latency


def test_optimum_benchmark_counts_single_calls_and_not_their_mean() -> None:
    run = one("benchmark_report.json", samples.optimum_report())
    assert (run.phase, run.duration_s, run.work_units, run.unit) == (Phase.BATCH, pytest.approx(8.6), 4.0, "batch")
    assert run.latency["e2el_mean"] == pytest.approx(2.15)
    assert (run.latency["itl_mean"], run.within["e2el_p50"].n) == (pytest.approx(0.02), 4)


def test_optimum_benchmark_with_its_settings() -> None:
    run = one("benchmark.json", samples.optimum())
    assert (run.conditions["batch_size"], run.conditions["max_new_tokens"], run.conditions["model"]) == (
        "2",
        "100",
        "m",
    )
    two = one("benchmark.json", samples.optimum(processes=2))
    assert (two.duration_s, two.work_units, two.device_count) == (pytest.approx(4.3), 2.0, 2)


def test_optimum_training_leaves_its_warm_up_out() -> None:
    phases = json.loads(samples.optimum_report())
    report = {"overall": phases["generate"], "warmup": phases["prefill"], "train": phases["decode"]}
    run = one("benchmark_report.json", json.dumps(report))
    assert (run.phase, run.duration_s, run.work_units, run.unit) == (Phase.TRAIN, pytest.approx(8.2), 4.0, "step")


@pytest.mark.parametrize(
    ("rate", "devices", "over"),
    [
        (2000.0, 8, {}),
        (2000.0, 8, {"tp": 4, "pp": 2}),
        (1000.0, 4, {"tp": 4, "dcp_size": 4}),
        (4000.0, 24, {"num_prefill_gpu": 8, "num_decode_gpu": 16, "tput_per_gpu": 250.0}),
        (4000.0, 24, {"num_prefill_gpu": 8, "num_decode_gpu": 16, "input_tput_per_gpu": None, "disagg": True}),
        # every rate over all GPUs, as some forks have it
        (6000.0, 24, {"num_prefill_gpu": 8, "num_decode_gpu": 16}),
        (2000.0, 8, {"num_prefill_gpu": 8, "num_decode_gpu": 0}),
    ],
)
def test_inferencemax_is_made_the_systems_once(rate: float, devices: int, over: dict[str, Any]) -> None:
    run = one("agg_m.json", samples.inferencemax(**over))
    assert (run.throughput, run.device_count, run.unit, run.accelerator) == (rate, devices, "output_token", "h200")
    assert run.latency == {"ttft_mean": 0.3, "ttft_p99": 0.9, "tpot_p50": 0.02, "e2el_p99": 21.0}


def test_hardware_of_one_inferencemax_file_are_its_arms() -> None:
    rows = [json.loads(samples.inferencemax(hw=hw)) for hw in ("h200", "mi355x")]
    pilot, _ = read(("bench/agg_bmk.json", json.dumps(rows)))
    assert [r.arm for r in pilot.runs] == ["h200", "mi355x"]


def test_vllms_record_beside_an_aggregate_counts() -> None:
    pilot, _ = read(("gpu/m.json", samples.vllm_serve()), ("gpu/agg_m.json", samples.inferencemax()))
    assert [r.file for r in pilot.runs] == ["gpu/m.json"]


def test_torchtitan() -> None:
    pilot, problems = read(("gpu/log.txt", samples.torchtitan()))
    (run,) = pilot.runs
    assert (run.duration_s, run.initialisation_s, run.device_count) == (80.0, 50.0, 8)
    assert (run.work_units, run.unit, run.quality) == (39 * 65536.0, "token", {"loss": Quality(value=4.0)})
    assert (run.started_at, problems) == (dt.datetime(2026, 11, 2, 8, 0, 10, tzinfo=dt.UTC), [])


def test_torchtitan_without_colours_counts_steps_of_one_rank() -> None:
    plain = "".join(
        f"[rank{rank}]:[titan] 2026-11-02 08:0{minute}:00,000 - root - INFO - step:  {step}  loss:  7.0  "
        "grad_norm:  1.0  memory: 1GiB(2%)  tps: 4,096  mfu: 40.10%\n"
        for step, minute in ((1, 1), (9, 3))
        for rank in (0, 1)
    )
    run = one("log.txt", plain + "validate step:  9  loss:  6.5  memory: 1GiB(2%)  tps: 9\n")
    assert (run.duration_s, run.work_units, run.unit) == (120.0, 8.0, "step")
    assert run.quality == {"validation_loss": Quality(value=6.5)}


def test_a_torchtitan_log_that_breaks_off_is_no_run() -> None:
    pilot, problems = read(("gpu/log.txt", samples.torchtitan(total=1000)))
    assert (pilot.runs, [(p.code, p.found) for p in problems]) == ((), [("training-not-over", "step 40 of 1000")])


def test_mlflow_pages_export() -> None:
    pilot, problems = read(("gpu/runs.csv", samples.mlflow_pages()))
    assert [(r.arm, r.run, r.duration_s, r.status) for r in pilot.runs][:1] == [("gpu", "r0", 5400.0, RunStatus.OK)]
    assert (pilot.runs[1].quality, len(pilot.runs)) == ({"eval_loss": Quality(value=0.31)}, 3)
    assert [c for c in codes(problems) if c != "columns-kept-unread"] == ["time-zone-assumed"]


def test_mlflow_search_runs() -> None:
    pilot, _ = read(("gpu/frame.csv", samples.mlflow_frame()))
    assert [(r.run, r.duration_s) for r in pilot.runs] == [("r0", 600.0), ("r1", 600.0), ("r2", 600.0)]
    assert (pilot.runs[0].quality, pilot.directions) == (
        {"eval_loss": Quality(value=0.30)},
        {"eval_loss": Direction.LOWER},
    )
    assert pilot.runs[0].conditions == {"batch_size": "8", "measured_with": "MLflow runs"}


def test_wandb_runs() -> None:
    pilot, _ = read(("gpu/w.csv", samples.wandb()))
    assert [(r.run, r.duration_s, r.status) for r in pilot.runs][:1] == [("run-0", 600.0, RunStatus.OK)]
    crashed, _ = read(("gpu/w.csv", samples.wandb().replace("finished", "crashed", 1)))
    assert crashed.runs[0].status is RunStatus.FAILED


def test_tensorboard_scalar() -> None:
    pilot, problems = read(("gpu/run-seed1-tag-eval_loss.csv", samples.tensorboard()))
    (run,) = pilot.runs
    assert (run.run, run.duration_s, run.work_units, run.unit) == ("seed1", 180.0, 300.0, "step")
    assert (run.quality, codes(problems)) == ({"eval_loss": Quality(value=0.7)}, ["timed-between-points"])
