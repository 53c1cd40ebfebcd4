"""The readers of tools' files, asked in this order; a new one is one file and one line here."""

from scoring.reading.interface import Reader
from scoring.reading.tools import (
    aiperf,
    genai_perf,
    hf_trainer,
    lm_eval,
    mlperf_inference,
    mlperf_training,
    sglang_serving,
    vllm_latency,
    vllm_serve,
    vllm_throughput,
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
)


def reader_for(head: bytes) -> Reader | None:
    """The first reader that claims a file by its first bytes."""
    return next((reader for reader in READERS if reader.claims(head)), None)
