"""A file of a tool that cannot be used is a value with code, place and fix; no bytes are a traceback."""

import json

import pytest

from scoring.model.settings import Settings
from scoring.reading.registry import READERS
from tests.scoring.reading.read import codes, posted, read
from tests.scoring.reading.tools import samples
from tests.scoring.reading.tools.samples import SAMPLES
from tests.shared import ROOT

SETTINGS = Settings()
BROKEN = [
    ("tool-figure-missing", "elapsed_time", samples.vllm_throughput(elapsed_time="fast")),
    ("tool-figure-missing", "total_num_tokens", samples.vllm_throughput(total_num_tokens=0)),
    ("tool-figure-missing", "latencies", samples.vllm_latency(latencies=[1.0, "x"])),
    ("tool-figure-missing", "latencies", samples.vllm_latency(latencies=[])),
    ("tool-figure-missing", "duration", samples.sglang(duration=-1)),
    ("tool-figure-missing", "output_token_throughput", samples.genai_perf(output_token_throughput=3)),
    ("unit-not-understood", "time_to_first_token", samples.aiperf(time_to_first_token={"unit": "furlong", "avg": 3})),
    ("tool-figure-missing", "results", samples.lm_eval(results={"gsm8k": {"acc_stderr,none": "N/A"}})),
    (
        "tool-figure-missing",
        "train_runtime",
        samples.hf_all_results(train_runtime=0, eval_loss="x", eval_accuracy=None),
    ),
    ("tool-figure-missing", "Result is", samples.mlperf_offline().replace("Result is : VALID", "Result is : ?")),
    ("same-run-needs-file", None, samples.MLPERF_DETAIL),
    (
        "tool-figure-missing",
        "results_mean_output_throughput_token_per_s",
        samples.llmperf(**{"results_mean_output_throughput_token_per_s": "nan"}),
    ),
    ("same-run-needs-file", None, samples.llmperf_single()),
    ("tool-figure-missing", "e2e_model", samples.nxd(e2e_model=None)),
    ("tool-figure-missing", "latency.values", samples.optimum_report(generate={"latency": {"values": []}})),
    ("tool-figure-missing", "tp", samples.inferencemax(tp=0)),
    ("tool-figure-missing", "output_tput_per_gpu", samples.inferencemax(output_tput_per_gpu="fast")),
    ("tool-figure-missing", "tp", samples.inferencemax(num_prefill_gpu=72, num_decode_gpu=72, input_tput_per_gpu=None)),
    ("tool-figure-missing", "tp", samples.inferencemax(num_prefill_gpu=8, num_decode_gpu=16, tput_per_gpu=900.0)),
    ("json-syntax", None, samples.vllm_serve()[:-1] + ', "duration": 9}'),
    ("json-syntax", None, samples.aiperf()[:900]),
    ("tool-figure-missing", "step", samples.torchtitan().replace("2026-11-02", "today")),
    ("same-run-needs-file", None, samples.wandb_curve()),
    ("tool-figure-missing", "Wall time", "Wall time,Step,Value\n1793600000.5,0,1.0\nlater,10,0.9\n"),
]


UNREAD = [
    ("p99_ttft_ms", "90 ms", samples.vllm_serve(p99_ttft_ms="90 ms")),
    ("failed", "-3", samples.vllm_serve(failed=-3)),
    ("total_output_tokens", "1,000", samples.sglang(total_output_tokens="1,000")),
    ("error_request_count.avg", "True", samples.aiperf(error_request_count={"unit": "requests", "avg": True})),
    ("results_number_errors", "Infinity", samples.llmperf(results_number_errors=float("inf"))),
    ("p99_ttft", "fast", samples.inferencemax(p99_ttft="fast")),
    ("e2e_model.latency_ms_p99", "-1", samples.nxd(e2e_model={"throughput": 3.0, "latency_ms_p99": -1})),
]


@pytest.mark.parametrize(("column", "found", "content"), UNREAD, ids=[row[0] for row in UNREAD])
def test_a_figure_that_is_none_is_told(column: str, found: str, content: str) -> None:
    pilot, problems = read(("gpu/f.json", content))
    assert len(pilot.runs) == 1
    assert [(p.column, p.found) for p in problems if p.code == "cell-not-read"] == [(column, found)]


@pytest.mark.parametrize(
    "content",
    [
        samples.hf_all_results(eval_loss=float("nan")),
        samples.lm_eval(
            results={"a": {"word_perplexity,none": float("inf"), "acc,none": 0.5, "acc_stderr,none": "N/A"}}
        ),
    ],
)
def test_a_model_that_diverged_is_asked_about(content: str) -> None:
    assert "quality-not-finite" in codes(read(("gpu/f.json", content))[1])


def test_a_score_below_zero_is_one() -> None:
    (run,) = read(("gpu/f.json", samples.lm_eval(results={"cola": {"mcc,none": -0.02, "mcc_stderr,none": 0.03}})))[
        0
    ].runs
    assert run.quality["cola_mcc"].value == -0.02


@pytest.mark.parametrize(("code", "column", "content"), BROKEN)
def test_broken(code: str, column: str | None, content: str) -> None:
    _, problems = read(("gpu/file.txt", content))
    (problem,) = [p for p in problems if p.severity in ("error", "question")]
    assert (problem.code, problem.column, problem.file) == (code, column, "gpu/file.txt")


def test_every_such_problem_has_a_fix() -> None:
    catalogue = (ROOT / "templates/messages/en/problems.yml").read_text(encoding="utf-8")
    entries = {line.split(":")[0]: line for line in catalogue.splitlines()}
    assert [code for code, _, _ in BROKEN if 'fix: ""' in entries[code]] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_cut_off_and_twisted_bytes_never_raise(name: str) -> None:
    tool, _, content = SAMPLES[name]
    reader = next(r for r in READERS if r.name == tool)
    data = content().encode()
    for cut in range(0, len(data), max(len(data) // 23, 1)):
        read(("gpu/f", data[:cut]))
        read(("gpu/f", data[:cut] + b"\xff\x00" + data[cut + 2 :]))
        reader_alone = data[:cut] + data[cut + 1 :]
        for nested in (reader_alone, b"[" + reader_alone + b"]"):
            reader.read(posted("gpu/f", nested), "gpu", SETTINGS)


@pytest.mark.parametrize("value", [None, [], {}, "x", True, 1e400, -1, [[1]], {"unit": []}, {"avg": {}}])
@pytest.mark.parametrize(
    "name", [n for n, (_, file, _) in SAMPLES.items() if ".json" in file and n != "llmperf_single"]
)
def test_a_value_of_any_other_kind_never_raises(name: str, value: object) -> None:
    tool, _, content = SAMPLES[name]
    reader, record = next(r for r in READERS if r.name == tool), json.loads(content())
    for key in record:
        reader.read(posted("gpu/f", json.dumps(record | {key: value})), "gpu", SETTINGS)
        if isinstance(record[key], dict):
            for inner in record[key]:
                twisted = record | {key: record[key] | {inner: value}}
                reader.read(posted("gpu/f", json.dumps(twisted)), "gpu", SETTINGS)
