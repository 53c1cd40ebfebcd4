"""vLLM `bench throughput --output-json`: one JSON object, all prompts at once.

Keys as in vllm-project/vllm, vllm/benchmarks/throughput.py at 0202831: `elapsed_time` in seconds,
`total_num_tokens` and `tokens_per_second` count prompt and output together. The file names no model.
"""

from scoring.model.pilot import Phase, Run
from scoring.reading.tools.records import Found, count, is_json, json_reader, of_pytorch, positive


def claims(head: bytes) -> bool:
    """The five keys that the writer writes."""
    return is_json(head, "elapsed_time", "num_requests", "total_num_tokens", "tokens_per_second")


def _run(found: Found) -> Run | None:
    elapsed, tokens = positive(found.record, "elapsed_time"), positive(found.record, "total_num_tokens")
    if elapsed is None or tokens is None:
        found.missing("elapsed_time" if elapsed is None else "total_num_tokens", "a number above 0")
        return None
    found.unsaid("model, input_len, output_len, tensor_parallel_size")
    return Run(
        arm=found.arm,
        file=found.file,
        row=found.row,
        phase=Phase.BATCH,
        run=found.run,
        duration_s=elapsed,
        work_units=tokens,
        unit="token",
        requests_completed=count(found.record, "num_requests"),
    )


READER = json_reader(
    "vLLM bench throughput",
    claims,
    _run,
    (("elapsed_time", "duration", "seconds"), ("total_num_tokens", "work done token, prompt and output", None)),
    of_pytorch,
)
