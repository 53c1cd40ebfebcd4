"""Small files as each tool writes them, with keys checked against its source; `slower` stretches their times."""

import json
from collections.abc import Callable
from typing import Any


def vllm_throughput(slower: float = 1.0, **over: Any) -> str:
    elapsed = 12.5 * slower
    told = {"elapsed_time": elapsed, "num_requests": 100, "total_num_tokens": 25600,
            "requests_per_second": 100 / elapsed, "tokens_per_second": 25600 / elapsed}  # fmt: skip
    return json.dumps(told | over, indent=4)


def vllm_latency(slower: float = 1.0, **over: Any) -> str:
    latencies = [slower * s for s in (1.0, 1.1, 1.2, 1.3)]
    told = {"avg_latency": 1.15 * slower, "std_latency": 0.11, "latencies": latencies,
            "percentiles": {"10": 1.03, "50": 1.15, "90": 1.27, "99": 1.297}}  # fmt: skip
    return json.dumps(told | over, indent=4)


def sglang(slower: float = 1.0, **over: Any) -> str:
    told = {
        "tag": None, "backend": "sglang", "dataset_name": "random", "request_rate": "inf", "max_concurrency": 16,
        "sharegpt_output_len": None, "random_input_len": 1024, "random_output_len": 128, "random_range_ratio": 0.0,
        "server_info": {"model_path": "m", "tp_size": 8, "version": "0.5.6", "dtype": "auto"},
        "duration": 10.0 * slower, "completed": 100, "total_input_tokens": 1000, "total_output_tokens": 12800,
        "total_output_tokens_retokenized": 12790, "request_throughput": 10.0, "mean_e2e_latency_ms": 1500.0,
        "p90_e2e_latency_ms": 1900.0, "std_e2e_latency_ms": 90.0, "median_ttft_ms": 45.0, "p99_ttft_ms": 90.0,
        "p95_itl_ms": 12.0, "max_itl_ms": 40.0, "concurrency": 15.2, "accept_length": None,
    }  # fmt: skip
    return json.dumps(told | over) + "\n"


def _metric(unit: str, avg: float, **more: float) -> dict[str, Any]:
    return {"unit": unit, "avg": avg, **more}


def aiperf(slower: float = 1.0, **over: Any) -> str:
    told = {
        "request_throughput": _metric("requests/sec", 5.0 / slower),
        "request_latency": _metric("ms", 1500.0, p1=900.0, p50=1400.0, p99=2100.0, min=800.0, std=90.0),
        "request_count": _metric("requests", 100.0),
        "time_to_first_token": _metric("ms", 30.0, p99=60.0),
        "inter_token_latency": _metric("ms", 10.0, p99=14.0),
        "inter_chunk_latency": _metric("us", 9000.0, p99=30000.0),
        "output_token_throughput": _metric("tokens/sec", 640.0 / slower),
        "benchmark_duration": _metric("sec", 20.0 * slower),
        "total_osl": _metric("tokens", 12800.0),
        "error_request_count": None,
        "input_config": {"endpoint": {"model_names": ["m"], "streaming": True}, "loadgen": {"concurrency": 16},
                         "input": {"prompt": {"input_tokens": {"mean": 100}, "output_tokens": {"mean": 128}}}},
        "was_cancelled": False, "start_time": "2026-11-02T08:00:00",
    }  # fmt: skip
    return json.dumps(told | over, indent=2)


def aiperf_csv(slower: float = 1.0) -> str:
    return (
        "Metric,avg,min,max,p1,p5,p10,p25,p50,p75,p90,p95,p99,std\r\n"
        "Request Latency (ms),1500.00,800.00,2200.00,900.00,,,,1400.00,,,,2100.00,90.00\r\n"
        "Time to First Token (ms),30.00,20.00,70.00,21.00,,,,29.00,,,,60.00,5.00\r\n"
        "\r\n"
        "Metric,Value\r\n"
        f"Benchmark Duration (sec),{20 * slower:.2f}\r\n"
        f"Output Token Throughput (tokens/sec),{640 / slower:.2f}\r\n"
        "Request Count,100.00\r\n"
    )


def genai_perf(slower: float = 1.0, **over: Any) -> str:
    told = {
        "request_throughput": _metric("requests/sec", 5.0 / slower),
        "request_latency": _metric("ms", 1500.0, p99=2100.0, p95=2000.0, p50=1400.0, p1=900.0, std=90.0),
        "time_to_first_token": _metric("ms", 30.0, p99=60.0),
        "inter_token_latency": _metric("ms", 10.0, p99=14.0),
        "output_token_throughput": _metric("tokens/sec", 640.0 / slower),
        "output_token_throughput_per_user": _metric("tokens/sec/user", 50.0),
        "output_sequence_length": _metric("tokens", 128.0),
        "request_count": _metric("count", 100.0),
        "input_config": {"model_names": ["m"], "perf_analyzer": {"stimulus": {"concurrency": 16}},
                         "input": {"random_seed": 0}},
    }  # fmt: skip
    return json.dumps(told | over, indent=2)


def genai_perf_csv(slower: float = 1.0) -> str:
    return (
        "Metric,avg,min,max,p99,p95,p90,p75,p50,p25,p10,p5,p1\r\n"
        'Request Latency (ms),"1,500.00",800.00,"2,200.00","2,100.00",,,,"1,400.00",,,,900.00\r\n'
        "Time To First Token (ms),30.00,20.00,70.00,60.00,,,,29.00,,,,21.00\r\n"
        "\r\n"
        "Metric,Value\r\n"
        f'Output Token Throughput (tokens/sec),"{1640 / slower:,.2f}"\r\n'
        "Request Throughput (per sec),5.00\r\n"
        "Request Count (count),100.00\r\n"
    )


def lm_eval(right: float = 0.75, **over: Any) -> str:
    right = round(right * 1000) / 1000
    told = {
        "results": {
            "gsm8k": {"name": "gsm8k", "alias": "gsm8k", "sample_len": 1000, "exact_match,strict-match": right,
                      "exact_match_stderr,strict-match": (right * (1 - right) / 999) ** 0.5},
            "wikitext": {"alias": "wikitext", "word_perplexity,none": 9.5, "word_perplexity_stderr,none": "N/A"},
            "mmlu": {"alias": "mmlu", "acc,none": 0.6, "acc_stderr,none": 0.004},
            "mmlu_law": {"alias": " - law", "acc,none": 0.5, "acc_stderr,none": 0.02},
        },
        "groups": {"mmlu": {"alias": "mmlu", "acc,none": 0.6, "acc_stderr,none": 0.004}},
        "group_subtasks": {"mmlu": ["mmlu_law"], "gsm8k": []},
        "versions": {"gsm8k": 3.0}, "n-shot": {"gsm8k": 5},
        "higher_is_better": {"gsm8k": {"exact_match": True}, "wikitext": {"word_perplexity": False},
                             "mmlu": {"acc": True}, "mmlu_law": {"acc": True}},
        "n-samples": {"gsm8k": {"original": 1319, "effective": 1000}},
        "config": {"model": "vllm", "model_args": "pretrained=m", "limit": 1000.0},
        "lm_eval_version": "0.4.9", "model_name": "m", "total_evaluation_time_seconds": "512.3",
    }  # fmt: skip
    return json.dumps(told | over, indent=2)


def hf_all_results(slower: float = 1.0, **over: Any) -> str:
    told = {"epoch": 3.0, "eval_accuracy": 0.91, "eval_loss": 0.31, "eval_runtime": 12.0, "eval_samples": 872,
            "eval_samples_per_second": 72.6, "total_flos": 1.2e16, "train_loss": 0.4, "train_runtime": 600.0 * slower,
            "train_samples": 10000, "train_samples_per_second": round(50 / slower, 3),
            "train_steps_per_second": round(0.39 / slower, 3)}  # fmt: skip
    return json.dumps(told | over, indent=4)


def hf_trainer_state(slower: float = 1.0, ended: bool = True) -> str:
    history: list[dict[str, float]] = [
        {"epoch": 1.0, "loss": 0.9, "step": 100},
        {"epoch": 1.0, "eval_loss": 0.4, "eval_runtime": 12.0, "step": 100},
        {"epoch": 2.0, "eval_loss": 0.35, "eval_runtime": 12.0, "step": 200},
    ]
    if ended:
        end = {"train_loss": 0.4, "train_runtime": 600.0 * slower, "train_samples_per_second": round(50 / slower, 3)}
        history.append({"epoch": 2.0, "step": 200, **end})
    told = {"best_metric": 0.35, "best_model_checkpoint": "out/checkpoint-200", "epoch": 2.0, "global_step": 200,
            "log_history": history, "max_steps": 200, "num_train_epochs": 2, "train_batch_size": 8}  # fmt: skip
    return json.dumps(told, indent=2, sort_keys=True)


def mlperf_server(slower: float = 1.0, result: str = "VALID", mode: str = "PerformanceOnly") -> str:
    return f"""================================================
MLPerf Results Summary
================================================
SUT name : PySUT
Scenario : Server
Mode     : {mode}
Completed samples per second    : {10 / slower:.2f}
Result is : {result}
  Performance constraints satisfied : {"Yes" if result == "VALID" else "NO"}
  Min duration satisfied : Yes
  Min queries satisfied : Yes
  Early stopping satisfied: Yes

================================================
Additional Stats
================================================
Scheduled samples per second : 10.40

Min latency (ns)                : 500000000
Max latency (ns)                : 9000000000
Mean latency (ns)               : 3000000000
50.00 percentile latency (ns)   : 2900000000
99.00 percentile latency (ns)   : 8000000000
99.90 percentile latency (ns)   : 8900000000

Completed tokens per second                 : {2900 / slower:.2f}
Mean First Token latency (ns)               : 300000000
99.00 percentile first token latency (ns)   : 1900000000
Mean Time to Output Token (ns)               : 60000000
99.00 percentile time to output token (ns)   : 150000000

================================================
Test Parameters Used
================================================
samples_per_query : 1
target_qps : 10.5
ttft_latency (ns): 2000000000
tpot_latency (ns): 200000000
performance_sample_count : 24576
"""


def mlperf_offline(slower: float = 1.0) -> str:
    return f"""================================================
MLPerf Results Summary
================================================
SUT name : PySUT
Scenario : Offline
Mode     : PerformanceOnly
Samples per second: {107.28 / slower:.2f}
Result is : VALID
  Min duration satisfied : Yes
  Min queries satisfied : Yes

================================================
Additional Stats
================================================
Mean latency (ns)               : 1375799913383
99.00 percentile latency (ns)   : 2699717012989

================================================
Test Parameters Used
================================================
samples_per_query : 290400
target_qps : 110
"""


MLPERF_DETAIL = (
    ':::MLLOG {"key": "loadgen_version", "value": "5.0.1", "time_ms": 0.1, "namespace": "mlperf::logging"}\n'
    ':::MLLOG {"key": "result_validity", "value": "VALID", "time_ms": 9.1, "namespace": "mlperf::logging"}\n'
)
MLPERF_TRAINING = ':::MLLOG {"key": "run_start", "value": null, "time_ms": 1000, "namespace": ""}\n'


def vllm_serve(slower: float = 1.0, **over: Any) -> str:
    told = {
        "date": "20261102-080000", "backend": "vllm", "model_id": "m", "num_prompts": 10, "request_rate": "inf",
        "duration": 2.5 * slower, "completed": 10, "failed": 0, "total_output_tokens": 1000, "p99_ttft_ms": 90.0,
    }  # fmt: skip
    return json.dumps(told | over)


def llmperf(slower: float = 1.0, **over: Any) -> str:
    told = {
        "version": "2023-08-31", "name": "m_550_150_summary", "model": "m", "mean_input_tokens": 550,
        "stddev_input_tokens": 150, "mean_output_tokens": 150, "stddev_output_tokens": 10, "num_concurrent_requests": 5,
        "results_inter_token_latency_s_quantiles_p50": 0.011, "results_inter_token_latency_s_mean": 0.012,
        "results_ttft_s_quantiles_p25": 0.2, "results_ttft_s_quantiles_p99": 0.9, "results_ttft_s_mean": 0.3,
        "results_end_to_end_latency_s_quantiles_p95": 2.5, "results_number_output_tokens_max": "130",
        "results_num_requests_started": 50, "results_error_rate": 0.0, "results_number_errors": 0,
        "results_mean_output_throughput_token_per_s": 335.4 / slower, "results_num_completed_requests": 50,
        "results_num_completed_requests_per_min": 202.4, "timestamp": 1789148187,
    }  # fmt: skip
    return json.dumps(told | over, indent=4)


def llmperf_single(slower: float = 1.0) -> str:
    one = {"error_code": None, "error_msg": "", "inter_token_latency_s": 0.01, "ttft_s": 0.3,
           "end_to_end_latency_s": 2.0, "request_output_throughput_token_per_s": 75.0, "number_total_tokens": 700,
           "number_output_tokens": 150, "number_input_tokens": 550}  # fmt: skip
    return json.dumps([one, one], indent=4)


def _of_model(p50: float, throughput: float) -> dict[str, float]:
    return {"latency_ms_p50": p50, "latency_ms_p90": p50 * 1.1, "latency_ms_p99": p50 * 1.2,
            "latency_ms_p100": p50 * 1.3, "latency_ms_avg": p50 * 1.01, "throughput": throughput}  # fmt: skip


def nxd(slower: float = 1.0, **over: Any) -> str:
    told = {"e2e_model": _of_model(5000.0, 819.2 / slower), "context_encoding_model": _of_model(80.0, 51200.0),
            "token_generation_model": _of_model(10.0, 100.0), "vision_encoder_model": None}  # fmt: skip
    return json.dumps(told | over)


def _phase(values: list[float], rate: float = 1.0, unit: str = "s") -> dict[str, Any]:
    latency = {"unit": "s", "values": values, "count": len(values), "total": sum(values), "mean": 9.9, "p50": 9.9,
               "p99": 9.9, "stdev": 0.1, "stdev_": 1.0}  # fmt: skip
    return {"memory": None, "latency": latency, "throughput": {"unit": unit, "value": rate}, "energy": None}


def optimum_report(slower: float = 1.0, **over: Any) -> str:
    told = {
        "load_model": _phase([30.0]), "first_generate": _phase([9.0]),
        "generate": _phase([slower * s for s in (2.0, 2.1, 2.2, 2.3)], 99.0, "samples/s"),
        "prefill": _phase([0.1, 0.11, 0.12, 0.13]), "decode": _phase([1.9, 2.0, 2.1, 2.2], 50.0, "tokens/s"),
        "per_token": _phase([0.02] * 8),
    }  # fmt: skip
    return json.dumps(told | over, indent=4)


def optimum(slower: float = 1.0, processes: int = 1) -> str:
    config = {
        "name": "pytorch", "backend": {"name": "pytorch", "model": "m", "task": "text-generation", "device": "cuda",
                                       "torch_dtype": "bfloat16"},
        "scenario": {"name": "inference", "iterations": 4, "input_shapes": {"batch_size": 2, "sequence_length": 64},
                     "generate_kwargs": {"max_new_tokens": 100, "min_new_tokens": 100}},
        "launcher": {"name": "torchrun", "nproc_per_node": processes}, "environment": {},
    }  # fmt: skip
    return json.dumps({"config": config, "report": json.loads(optimum_report(slower))}, indent=4)


def inferencemax(slower: float = 1.0, **over: Any) -> str:
    told = {
        "hw": "h200", "conc": 64, "image": "vllm/vllm-openai:v0.11", "model": "m", "infmax_model_prefix": "dsr1",
        "framework": "vllm", "precision": "fp8", "spec_decoding": "none", "disagg": False, "isl": 1024, "osl": 1024,
        "is_multinode": False, "tp": 8, "pp": 1, "dcp_size": 1, "pcp_size": 1, "ep": 1, "dp_attention": "false",
        "tput_per_gpu": 500.0 / slower, "output_tput_per_gpu": 250.0 / slower, "input_tput_per_gpu": 250.0 / slower,
        "mean_ttft": 0.3, "p99_ttft": 0.9, "median_tpot": 0.02, "std_tpot": 0.001, "median_intvty": 50.0,
        "p99_e2el": 21.0,
    }  # fmt: skip
    return json.dumps(told | over, indent=2)


def torchtitan(slower: float = 1.0, total: int = 40) -> str:
    mark = "- root - INFO -"
    lines = [
        f"[titan] 2026-11-02 08:00:00,000 {mark} Building device mesh with parallelism: pp=1, dp_replicate=1, "
        "dp_shard=8, cp=1, tp=1, ep=1",
        f"[titan] 2026-11-02 08:00:05,000 {mark} Trainer is initialized with 8192 tokens per DP rank, 65536 tokens per "
        f"train step, gradient accumulation steps 1, maximum context length 8192, total steps {total} (warmup 2)",
        f"[titan] 2026-11-02 08:00:10,000 {mark} Training starts at step 1",
    ]
    for i, step in enumerate((1, 10, 20, 30, 40)):
        seconds = 60 + 20 * i * slower
        clock = f"08:{int(seconds // 60):02}:{int(seconds % 60):02},{round(seconds % 1 * 1000):03}"
        lines.append(
            f"[titan] 2026-11-02 {clock} {mark} \x1b[31mstep: {step:2}  \x1b[32mloss: {8 - i:8.5f}  "
            "\x1b[38;2;180;60;0mgrad_norm:  1.0000  \x1b[38;2;54;234;195mmemory: 40.00GiB(50.00%)  "
            "\x1b[34mtps: 4,096  \x1b[36mtflops: 200.10  \x1b[35mmfu: 40.10%\x1b[39m"
        )
    lines.append(f"[titan] 2026-11-02 08:09:00,000 {mark} Training completed")
    return "\n".join(lines) + "\n"


def mlflow_pages(slower: float = 1.0) -> str:
    head = "Start Time,Duration,Run ID,Name,Source Type,Source Name,User,Status,batch_size,eval_loss\n"
    took = f"{1.5 * slower:.2f}h"
    return head + "".join(
        f'"2026-11-02 08:00:0{i}","{took}","r{i}","n","LOCAL","t.py","u","FINISHED","8","0.3{i}"\n' for i in range(3)
    )


def mlflow_frame(slower: float = 1.0) -> str:
    head = ",run_id,experiment_id,status,artifact_uri,start_time,end_time,metrics.eval_loss,params.batch_size\n"
    minutes = 10 * slower
    end = f"08:{int(minutes):02}:{int(minutes % 1 * 60):02}"
    return head + "".join(
        f"{i},r{i},1,FINISHED,s3://x,2026-11-0{i + 1} 08:00:00+00:00,2026-11-0{i + 1} {end}+00:00,0.3{i},8\n"
        for i in range(3)
    )


def wandb(slower: float = 1.0) -> str:
    head = '"Name","State","Notes","User","Tags","Created","Runtime","Sweep","batch_size","eval/loss"\n'
    took = f"{600 * slower:.0f}"
    return head + "".join(
        f'"run-{i}","finished","-","u","","2026-11-0{i + 1}T08:00:00.000Z","{took}","","8","0.3{i}"\n' for i in range(3)
    )


def wandb_curve(slower: float = 1.0) -> str:
    return '"Step","run-1 - eval/loss","run-1 - eval/loss__MIN","run-1 - eval/loss__MAX"\n"0","1.0","1.0","1.0"\n'


def tensorboard(slower: float = 1.0) -> str:
    points = [f"{1793600000.5 + 60 * slower * i},{100 * i},{1 - i / 10}" for i in range(4)]
    return "Wall time,Step,Value\n" + "\n".join(points) + "\n"


SAMPLES: dict[str, tuple[str, str, Callable[..., str]]] = {
    "vllm_serve": ("vLLM bench serve", "r.json", vllm_serve),
    "vllm_throughput": ("vLLM bench throughput", "throughput.json", vllm_throughput),
    "vllm_latency": ("vLLM bench latency", "latency.json", vllm_latency),
    "sglang": ("SGLang bench_serving", "sglang.jsonl", sglang),
    "aiperf": ("AIPerf", "profile_export_aiperf.json", aiperf),
    "aiperf_csv": ("AIPerf", "profile_export_aiperf.csv", aiperf_csv),
    "genai_perf": ("GenAI-Perf", "profile_export_genai_perf.json", genai_perf),
    "genai_perf_csv": ("GenAI-Perf", "profile_export_genai_perf.csv", genai_perf_csv),
    "lm_eval": ("lm-evaluation-harness", "results_2026-11-02.json", lambda slower=1.0: lm_eval(date=1.79e9 + slower)),
    "hf_all_results": ("Hugging Face Trainer", "all_results.json", hf_all_results),
    "hf_trainer_state": ("Hugging Face Trainer", "trainer_state.json", hf_trainer_state),
    "mlperf_server": ("MLPerf inference", "mlperf_log_summary.txt", mlperf_server),
    "mlperf_offline": ("MLPerf inference", "mlperf_log_summary.txt", mlperf_offline),
    "mlperf_detail": ("MLPerf inference", "mlperf_log_detail.txt", lambda slower=1.0: MLPERF_DETAIL),
    "llmperf": ("llmperf", "m_550_150_summary.json", llmperf),
    "llmperf_single": ("llmperf", "m_550_150_individual_responses.json", llmperf_single),
    "nxd": ("NxD Inference", "benchmark_report.json", nxd),
    "optimum": ("optimum-benchmark", "benchmark.json", optimum),
    "optimum_report": ("optimum-benchmark", "benchmark_report.json", optimum_report),
    "inferencemax": ("InferenceMAX", "agg_m.json", inferencemax),
    "torchtitan": ("TorchTitan", "log.txt", torchtitan),
    "mlflow_pages": ("MLflow runs", "runs.csv", mlflow_pages),
    "mlflow_frame": ("MLflow runs", "frame.csv", mlflow_frame),
    "wandb": ("Weights & Biases runs", "wandb_export.csv", wandb),
    "wandb_curve": ("Weights & Biases runs", "wandb_chart.csv", wandb_curve),
    "tensorboard": ("TensorBoard scalar", "run-seed1-tag-eval_loss.csv", tensorboard),
    "mlperf_training": ("MLPerf training log", "result_0.txt", lambda slower=1.0: MLPERF_TRAINING),
}
"""By name: which reader it is for, what it is called, and its content."""
