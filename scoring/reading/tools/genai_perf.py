"""GenAI-Perf `profile_export_genai_perf.json` and `.csv`: one benchmark a file, every metric with its unit.

Keys as in triton-inference-server/perf_analyzer at 263c5f6, genai-perf/genai_perf/export_data/json_exporter.py,
csv_exporter.py and genai_perf/metrics/statistics.py: time in ms, no duration of the benchmark, so that its rate counts;
percentiles fall from p99 in its CSV, whose numbers have commas.
"""

from scoring.reading.tools.aiperf import OWN
from scoring.reading.tools.metric_objects import Load, is_metrics_csv, metrics_reader
from scoring.reading.tools.records import Record, conditions, is_json, part

CSV_HEADER = b"Metric,avg,min,max,p99,"
INPUT = ("random_seed", "num_dataset_entries")


def claims(head: bytes) -> bool:
    """JSON of such metrics without the keys of AIPerf, or its CSV by the order of its statistics."""
    own = is_json(head, "request_latency", "request_throughput", "unit", "avg") and not any(key in head for key in OWN)
    return own or is_metrics_csv(head, CSV_HEADER)


def _load(record: Record) -> Load:
    config = part(record, "input_config")
    names = config.get("model_names") or config.get("model")
    name = names[0] if isinstance(names, list) and names else names
    stimulus = part(config, "perf_analyzer").get("stimulus")
    load = {str(k): v for k, v in stimulus.items()} if isinstance(stimulus, dict) else {}
    told = {**conditions(load, load), **conditions(config, ("concurrency", "request_rate"))}
    return Load(name if isinstance(name, str) else None, {**told, **conditions(part(config, "input"), INPUT)})


READER = metrics_reader("GenAI-Perf", claims, _load)
