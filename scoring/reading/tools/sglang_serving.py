"""SGLang `bench_serving`: JSON lines, one object a repetition, appended to the file.

Keys as in sgl-project/sglang, python/sglang/bench_serving.py (read in Fridge003/sglang at 047eada): `duration` in
seconds, `*_ms` in milliseconds, `e2e_latency` where vLLM has `e2el`; `concurrency` is what was measured, and
`max_concurrency` what was set. With `--output-details`, `errors` has a text for each failed request. The model stands
in `server_info`, where the server told it.
"""

from scoring.model.pilot import Run
from scoring.reading.tools.records import Found, conditions, is_json, json_reader, part, text
from scoring.reading.tools.serving_record import serving_run

CONDITIONS = (
    "backend", "dataset_name", "request_rate", "max_concurrency", "num_prompts", "sharegpt_output_len",
    "random_input_len", "random_output_len", "random_range_ratio",
)  # fmt: skip
OF_SERVER = ("tp_size", "dp_size", "dtype", "quantization", "version", "disable_radix_cache")


def claims(head: bytes) -> bool:
    """JSON with vLLM's keys and the one that only SGLang writes."""
    return is_json(head, "total_output_tokens_retokenized", "completed", "duration")


def _run(found: Found) -> Run | None:
    server = part(found.record, "server_info")
    return serving_run(found, text(server, "model_path"), CONDITIONS, conditions(server, OF_SERVER))


READER = json_reader(
    "SGLang bench_serving",
    claims,
    _run,
    (
        ("duration", "duration", "seconds"),
        ("total_output_tokens", "work done output token", None),
        ("*_ttft_ms, *_e2e_latency_ms …", "latency", "milliseconds"),
    ),
)
