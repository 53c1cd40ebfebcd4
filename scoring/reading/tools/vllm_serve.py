"""vLLM `bench serve --save-result` (and the older benchmark_serving): one JSON object a repetition.

Keys as in vllm-project/vllm, vllm/benchmarks/serve.py: `duration` in seconds, `*_ms` in milliseconds,
`request_rate` may be "inf". Versions without `failed` attempted `num_prompts`.
"""

from scoring.model.pilot import Run
from scoring.reading.tools.records import Found, is_json, json_reader, of_pytorch, text
from scoring.reading.tools.serving_record import serving_run

FOREIGN = ("total_output_tokens_retokenized",)
"""SGLang writes most of the same keys and this one besides: its files are another reader's."""
CONDITIONS = (
    "model_id", "backend", "endpoint_type", "request_rate", "burstiness", "max_concurrency", "num_prompts",
    "dataset_name", "random_input_len", "random_output_len", "max_num_seqs", "tensor_parallel_size", "dtype",
    "quantization", "enable_prefix_caching",
)  # fmt: skip


def claims(head: bytes) -> bool:
    """JSON with the keys that the writer always writes; near formats are left to their own readers."""
    return is_json(head, "total_output_tokens", "completed", "duration", without=FOREIGN)


def _run(found: Found) -> Run | None:
    return serving_run(found, text(found.record, "model_id"), CONDITIONS, {})


READER = json_reader(
    "vLLM bench serve",
    claims,
    _run,
    (
        ("duration", "duration", "seconds"),
        ("total_output_tokens", "work done output token", None),
        ("*_ttft_ms …", "latency", "milliseconds"),
    ),
    of_pytorch,
)
