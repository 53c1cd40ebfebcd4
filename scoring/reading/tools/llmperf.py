"""llmperf `…_summary.json`: one flat object a test, latencies in seconds.

Keys as in ray-project/llmperf at f1d6bed, token_benchmark_ray.py and src/llmperf/common_metrics.py, flattened below
`results_`; figures may be texts. The rate counts tokens of requests that came back, over the time of the whole test.
Its inter-token latency is that of a request per token, its first one included. `…_individual_responses.json` is the
same test, request by request.
"""

import re
from collections.abc import Iterator

from scoring.model.pilot import Phase, Run
from scoring.model.settings import Settings
from scoring.problems import error
from scoring.reading.charset import plain_head
from scoring.reading.interface import Reader
from scoring.reading.limits import HEAD_BYTES
from scoring.reading.posted import PostedFile
from scoring.reading.tidy_table import TableReading
from scoring.reading.tools.records import (
    Found,
    conditions,
    count,
    is_json,
    json_reader,
    per_request,
    positive,
    statistic_of,
    text,
)

KINDS = {"ttft": "ttft", "end_to_end_latency": "e2el", "inter_token_latency": "tpot"}
CONDITIONS = (
    "mean_input_tokens", "stddev_input_tokens", "mean_output_tokens", "stddev_output_tokens", "num_concurrent_requests",
)  # fmt: skip
_LATENCY = re.compile(r"results_(ttft|end_to_end_latency|inter_token_latency)_s_(?:quantiles_)?(p\d+|mean)\Z")
RATE = "results_mean_output_throughput_token_per_s"


def claims(head: bytes) -> bool:
    """The summary by its flattened keys, or the list of single responses."""
    return is_json(head, RATE) or is_json(head, "results_num_requests_started") or _is_single(head)


def _is_single(head: bytes) -> bool:
    return is_json(head, "request_output_throughput_token_per_s", "ttft_s", "number_output_tokens")


def fuller(name: str) -> tuple[str, ...]:
    """The summary beside single responses."""
    return (name.replace("_individual_responses", "_summary"),) if "_individual_responses" in name else ()


def _run(found: Found) -> Run | None:
    rate, completed = positive(found.record, RATE), count(found.record, "results_num_completed_requests")
    if rate is None:
        found.missing(RATE, "tokens per second above 0")
        return None
    started = count(found.record, "results_num_requests_started")
    lost = count(found.record, "results_number_errors")
    told = None if completed is None or lost is None else completed + lost
    return Run(
        arm=found.arm,
        file=found.file,
        row=found.row,
        workload=text(found.record, "model"),
        phase=Phase.SERVE,
        run=found.run,
        throughput=rate,
        unit="output_token",
        latency=dict(_latencies(found)),
        requests_attempted=told if started is None else started,
        requests_completed=completed,
        conditions={
            **conditions(found.record, CONDITIONS),
            **per_request(
                input=positive(found.record, "results_number_input_tokens_mean"),
                output=positive(found.record, "results_number_output_tokens_mean"),
            ),
        },
    )


def _latencies(found: Found) -> Iterator[tuple[str, float]]:
    for key in found.record:
        match = _LATENCY.match(key) if isinstance(key, str) else None
        statistic = statistic_of(match[2]) if match else None
        value = positive(found.record, key) if match else None
        if match and statistic and value:
            yield f"{KINDS[match[1]]}_{statistic}", value


_SUMMARY = json_reader(
    "llmperf",
    claims,
    _run,
    (
        (RATE, "throughput output token", "per second"),
        ("results_ttft_s_quantiles_p99 …", "latency", "seconds"),
        ("results_inter_token_latency_s_…", "latency tpot", "seconds"),
    ),
)


def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
    """The runs of a summary; of single responses alone the time of the test is not known."""
    if not _is_single(plain_head(posted.read(HEAD_BYTES))):
        return _SUMMARY.read(posted, arm, settings)
    wanted = fuller(posted.name.rsplit("/", 1)[-1]) or ("…_summary.json",)
    lacking = error("same-run-needs-file", file=posted.name, found="individual responses", expected=wanted[0])
    return TableReading(problems=[lacking])


READER = Reader(name="llmperf", claims=claims, read=read, fuller=fuller)
