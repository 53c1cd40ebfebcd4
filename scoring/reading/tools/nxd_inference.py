"""NxD Inference (Neuron) `benchmark_report.json`: latencies in milliseconds by model, end to end and by its parts.

Keys as in aws-neuron/neuronx-distributed-inference at 4bcdc54, src/neuronx_distributed_inference/utils/benchmark.py:
`throughput` is runs × max_length × batch over the time, so that it counts prompt and output positions together. The
file names neither model, batch nor lengths. A part that did not run is null.
"""

import re
from collections.abc import Iterator

from scoring.model.pilot import Phase, Run
from scoring.reading.tools.records import Found, is_json, json_reader, part, positive, statistic_of

KINDS = {"e2e_model": "e2el", "context_encoding_model": "ttft", "token_generation_model": "itl"}
_LATENCY = re.compile(r"latency_ms_(p\d+|avg)\Z")


def claims(head: bytes) -> bool:
    """Its models and the names of its latencies; optimum-benchmark calls a file the same and has neither."""
    return is_json(head, "latency_ms_p50") and any(f'"{model}"'.encode() in head for model in KINDS)


def _run(found: Found) -> Run | None:
    whole = part(found.record, "e2e_model")
    rate = positive(whole, "throughput")
    if rate is None:
        found.missing("e2e_model", "an object with a throughput above 0")
        return None
    found.unsaid("model, batch_size, max_context_length, max_length, tp_degree")
    return Run(
        arm=found.arm,
        file=found.file,
        row=found.row,
        phase=Phase.BATCH,
        run=found.run,
        throughput=rate,
        unit="token",
        latency=dict(_latencies(found)),
    )


def _latencies(found: Found) -> Iterator[tuple[str, float]]:
    for model, kind in KINDS.items():
        figures = part(found.record, model)
        for key in figures:
            match = _LATENCY.match(key) if isinstance(key, str) else None
            statistic, value = (statistic_of(match[1]), positive(figures, key)) if match else (None, None)
            if statistic and value:
                yield f"{kind}_{statistic}", value / 1000


READER = json_reader(
    "NxD Inference",
    claims,
    _run,
    (
        ("e2e_model.throughput", "throughput token, prompt and output", "per second"),
        ("e2e_model.latency_ms_p99 …", "latency", "milliseconds"),
        ("context_encoding_model", "latency ttft", "milliseconds"),
        ("token_generation_model", "latency itl", "milliseconds"),
    ),
)
