"""optimum-benchmark `benchmark.json` and `benchmark_report.json`: phases with the latency of every single call.

Keys as in huggingface/optimum-benchmark at b263af4, optimum_benchmark/benchmark/report.py, trackers/latency.py and
scenarios/: `latency.values` are calls in `latency.unit`, seconds; load and first calls are phases of their own. The
work is calls, since the tool's rate of `generate` counts tokens under the name of samples. Processes
measure the same calls at the same time.
"""

import numpy as np

from scoring.model.pilot import Phase, Run
from scoring.reading.distributions import quantiles_of, within_of
from scoring.reading.tools.records import Found, Record, conditions, count, is_json, json_reader, numbers, part

WHOLE = (("generate", Phase.BATCH), ("call", Phase.BATCH), ("forward", Phase.BATCH), ("train", Phase.TRAIN))
"""The phase that is the work itself; in training the steps after warm-up."""
PARTS = {"prefill": "ttft", "per_token": "itl"}
OF_BACKEND = ("name", "model", "task", "device", "torch_dtype", "quantization_scheme", "tp_plan")
OF_SCENARIO = ("iterations", "max_steps", "warmup_steps")


def claims(head: bytes) -> bool:
    """A phase whose latency has values and a standard deviation under the tool's names, alone or below `report`."""
    known = any(f'"{phase}"'.encode() in head for phase, _ in WHOLE)
    report = known and is_json(head, "latency", "values", "stdev_")
    return report or is_json(head, "config", "scenario", "backend", "launcher", "report")


def fuller(name: str) -> tuple[str, ...]:
    """The whole benchmark has the settings beside the report."""
    return ("benchmark.json",) if name == "benchmark_report.json" else ()


def _run(found: Found) -> Run | None:
    record = found.record
    report, config = (part(record, "report"), part(record, "config")) if "report" in record else (record, {})
    phase = next(((n, p) for n, p in WHOLE if _seconds(found, report, n)), None)
    if phase is None:
        found.missing("latency.values", "a list of seconds below generate, call, forward or train")
        return None
    seconds = np.array(_seconds(found, report, phase[0]))
    processes = count(part(config, "launcher"), "nproc_per_node") or 1
    latency, within = quantiles_of("e2el", seconds), within_of("e2el", seconds)
    for name, kind in PARTS.items():
        values = _seconds(found, report, name)
        latency |= quantiles_of(kind, np.array(values)) if values else {}
    if not config:
        found.unsaid("model, batch_size, sequence_length, max_new_tokens")
    return Run(
        arm=found.arm,
        file=found.file,
        row=found.row,
        phase=phase[1],
        run=found.run,
        duration_s=float(seconds.sum()) / processes,
        work_units=len(seconds) / processes,
        unit="step" if phase[0] == "train" else "batch",
        device_count=processes if processes > 1 else None,
        latency=latency if phase[1] is Phase.BATCH else {},
        within=within if phase[1] is Phase.BATCH else {},
        conditions=_conditions(config),
    )


def _seconds(found: Found, report: Record, phase: str) -> list[float]:
    latency = part(report, phase, "latency")
    values = numbers(latency.get("values"))
    scale = found.seconds_in(latency.get("unit"), f"{phase}.latency") if values else None
    return [value * scale for value in values] if scale and sum(values) > 0 else []


def _conditions(config: Record) -> dict[str, str]:
    scenario = part(config, "scenario")
    shapes = {**part(scenario, "input_shapes"), **part(scenario, "dataset_shapes")}
    lengths = part(scenario, "generate_kwargs")
    return {
        **conditions(part(config, "backend"), OF_BACKEND),
        **conditions(scenario, OF_SCENARIO),
        **conditions(shapes, [str(name) for name in shapes]),
        **conditions(lengths, ("max_new_tokens", "min_new_tokens")),
    }


READER = json_reader(
    "optimum-benchmark",
    claims,
    _run,
    (
        ("generate.latency.values …", "latency of single calls; their sum is the duration, their number the work", "s"),
        ("prefill.latency.values", "latency ttft", "s"),
        ("per_token.latency.values", "latency itl", "s"),
    ),
    fuller,
)
