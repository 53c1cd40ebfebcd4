"""vLLM `bench latency --output-json`: one JSON object, the same batch again and again.

Keys as in vllm-project/vllm, vllm/benchmarks/latency.py at 00cae07: `latencies` of single batches, `avg_latency` and
`percentiles` in seconds, warm-up left out by the tool. The file names neither model, batch size nor lengths.
"""

import numpy as np

from scoring.model.pilot import Phase, Run
from scoring.reading.distributions import quantiles_of, within_of
from scoring.reading.tools.records import Found, is_json, json_reader, numbers, of_pytorch


def claims(head: bytes) -> bool:
    """The keys that the writer writes; throughput files have none of them."""
    return is_json(head, "avg_latency", "latencies")


def _run(found: Found) -> Run | None:
    values = numbers(found.record.get("latencies"))
    if not values or sum(values) <= 0:
        found.missing("latencies", "a list of seconds")
        return None
    found.unsaid("model, batch_size, input_len, output_len")
    seconds = np.array(values)
    return Run(
        arm=found.arm,
        file=found.file,
        row=found.row,
        phase=Phase.BATCH,
        run=found.run,
        duration_s=float(seconds.sum()),
        work_units=float(len(values)),
        unit="batch",
        latency=quantiles_of("e2el", seconds),
        within=within_of("e2el", seconds),
    )


READER = json_reader(
    "vLLM bench latency",
    claims,
    _run,
    (("latencies", "latency of one batch; their sum is the duration, their number the work", "seconds"),),
    of_pytorch,
)
