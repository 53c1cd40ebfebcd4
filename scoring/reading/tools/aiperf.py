"""AIPerf `profile_export_aiperf.json` and `.csv`: one benchmark a file, every metric with its unit, which is obeyed.

Keys as in ai-dynamo/aiperf at db4f639, aiperf/common/models/export_models.py and aiperf/exporters/csv_exporter.py, and
at 047d59d, src/aiperf/exporters/metrics_json_exporter.py. `benchmark_duration` is what GenAI-Perf lacks; percentiles
rise from p1 in its CSV.
"""

from scoring.reading.tools.metric_objects import Load, is_metrics_csv, metrics_reader
from scoring.reading.tools.records import Record, conditions, is_json, part

CSV_HEADER = b"Metric,avg,min,max,p1,"
OWN = (b'"benchmark_duration"', b'"aiperf_version"', b'"was_cancelled"')
LOAD = ("concurrency", "request_rate", "request_count", "warmup_request_count", "arrival_pattern")


def claims(head: bytes) -> bool:
    """Its JSON by the keys that only it has, or its CSV by the order of its statistics."""
    own = any(key in head for key in OWN) and is_json(head, "request_latency", "request_count", "unit", "avg")
    return own or is_metrics_csv(head, CSV_HEADER)


def _load(record: Record) -> Load:
    config = part(record, "input_config")
    names = part(config, "endpoint").get("model_names")
    prompt = part(config, "input", "prompt")
    lengths = {f"{name}_mean": part(prompt, name).get("mean") for name in ("input_tokens", "output_tokens")}
    told = {**conditions(part(config, "loadgen"), LOAD), **conditions(lengths, lengths)}
    workload = names[0] if isinstance(names, list) and names and isinstance(names[0], str) else None
    return Load(workload, told)


READER = metrics_reader("AIPerf", claims, _load)
