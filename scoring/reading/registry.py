"""The readers of tools' files, asked in this order; a new one is one file and one line here."""

from scoring.reading.interface import Reader
from scoring.reading.tools import (
    aiperf,
    genai_perf,
    hf_trainer,
    inferencemax,
    llmperf,
    lm_eval,
    mlflow_runs,
    mlperf_inference,
    mlperf_training,
    nxd_inference,
    optimum_benchmark,
    sglang_serving,
    tensorboard_scalar,
    torchtitan,
    vllm_latency,
    vllm_serve,
    vllm_throughput,
    wandb_runs,
)

READERS: tuple[Reader, ...] = (
    mlperf_training.READER,
    sglang_serving.READER,
    vllm_serve.READER,
    vllm_throughput.READER,
    vllm_latency.READER,
    aiperf.READER,
    genai_perf.READER,
    lm_eval.READER,
    hf_trainer.READER,
    mlperf_inference.READER,
    llmperf.READER,
    nxd_inference.READER,
    optimum_benchmark.READER,
    inferencemax.READER,
    torchtitan.READER,
    mlflow_runs.READER,
    wandb_runs.READER,
    tensorboard_scalar.READER,
)


def reader_for(head: bytes) -> Reader | None:
    """The first reader that claims a file by its first bytes."""
    return next((reader for reader in READERS if reader.claims(head)), None)
