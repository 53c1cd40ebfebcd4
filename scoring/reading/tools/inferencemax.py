"""InferenceMAX (InferenceX) `agg_*.json`: one object a setting, or a list of them; rates per GPU, latencies in seconds.

Keys as in SemiAnalysisAI/InferenceX at 843c625, utils/process_result.py: `output_tput_per_gpu` is over the GPUs that
decode, of a single node over tp × pp × pcp_size; forks that divide it by all GPUs are told by its sum with the input.
The rate is multiplied by that number once, so that it is the system's. `conc`, `isl` and `osl` are the load.
`<name>.json` beside `agg_<name>.json` is vLLM's own record with times.
"""

import math
import re
from collections.abc import Iterator, Sequence

from scoring.model.pilot import ColumnReading, Phase, Run
from scoring.model.settings import Settings
from scoring.reading.interface import Reader
from scoring.reading.posted import PostedFile
from scoring.reading.tidy_table import TableReading
from scoring.reading.tools.records import (
    Found,
    Record,
    conditions,
    count,
    is_json,
    positive,
    records_of,
    statistic_of,
    text,
)

NAME = "InferenceMAX"
RATE = "output_tput_per_gpu"
ALIKE = 0.01
CONDITIONS = (
    "conc", "isl", "osl", "framework", "precision", "spec_decoding", "disagg", "image", "tp", "pp", "ep",
    "dp_attention", "prefill_tp", "decode_tp", "num_prefill_gpu", "num_decode_gpu",
)  # fmt: skip
_LATENCY = re.compile(r"(mean|median|p\d+(?:\.\d+)?)_(ttft|tpot|itl|e2el)\Z")


def claims(head: bytes) -> bool:
    """The rates per GPU beside the name of the hardware."""
    return is_json(head, "tput_per_gpu", "hw") or is_json(head, RATE, "infmax_model_prefix")


def fuller(name: str) -> tuple[str, ...]:
    """The record that an aggregate was made of tells times and requests too."""
    return (name.removeprefix("agg_"),) if name.startswith("agg_") else ()


def read(posted: PostedFile, arm: str, settings: Settings) -> TableReading:
    """A run a setting; where a file holds several kinds of hardware, they are the arms."""
    reading = TableReading()
    records = list(records_of(posted, reading.problems))
    several = len({text(record, "hw") for _, record in records}) > 1
    for row, record in records:
        reading.rows += 1
        of = (text(record, "hw") or arm) if several else arm
        found = Found(record, posted.name, row, reading.rows, of, reading.problems, NAME)
        run = _run(found)
        if run is not None:
            reading.runs.append(run)
            found.not_read()
    reading.columns = _columns(posted, reading.runs)
    return reading


def _run(found: Found) -> Run | None:
    record = found.record
    rate, decoding, devices = positive(record, RATE), _decoding(record), _devices(record)
    if rate is None or decoding is None or devices is None:
        found.missing(RATE if rate is None else "tp", "a rate per GPU, and the number of GPUs")
        return None
    return Run(
        arm=found.arm,
        file=found.file,
        row=found.row,
        workload=text(record, "model"),
        phase=Phase.SERVE,
        run=found.run,
        throughput=rate * decoding,
        unit="output_token",
        accelerator=text(record, "hw"),
        device_count=devices,
        latency=dict(_latencies(record)),
        conditions=conditions(record, CONDITIONS),
        other={"output tokens per second and GPU": f"{rate:g}"},
    )


def _decoding(record: Record) -> int | None:
    """GPUs that the rate of output tokens was divided by; None where the rates do not tell."""
    prefill, decode = count(record, "num_prefill_gpu") or 0, count(record, "num_decode_gpu") or 0
    if not (prefill and decode):
        return _devices(record)
    rates = [positive(record, name) for name in ("tput_per_gpu", RATE, "input_tput_per_gpu")]
    total, output, into = rates
    if total is None or output is None or into is None:
        return decode if record.get("disagg") is True else None
    if math.isclose(output * decode + into * prefill, total * (prefill + decode), rel_tol=ALIKE):
        return decode
    return prefill + decode if math.isclose(output + into, total, rel_tol=ALIKE) else None


def _devices(record: Record) -> int | None:
    if "num_prefill_gpu" in record:
        return ((count(record, "num_prefill_gpu") or 0) + (count(record, "num_decode_gpu") or 0)) or None
    tp = count(record, "tp")
    return tp * (count(record, "pp") or 1) * (count(record, "pcp_size") or 1) if tp else None


def _latencies(record: Record) -> Iterator[tuple[str, float]]:
    for key in record:
        match = _LATENCY.match(key) if isinstance(key, str) else None
        statistic = statistic_of(match[1]) if match else None
        value = positive(record, key) if match else None
        if match and statistic and value:
            yield f"{match[2]}_{statistic}", value


def _columns(posted: PostedFile, runs: Sequence[Run]) -> tuple[ColumnReading, ...]:
    devices = sorted({run.device_count for run in runs if run.device_count})
    times = " or ".join(f"× {n}" for n in devices[:4])
    rate = f"throughput output token of the system, {times}" if times else "throughput output token of the system"
    return (
        ColumnReading(file=posted.name, column=RATE, meaning=rate, unit="per second and GPU"),
        ColumnReading(file=posted.name, column="p99_ttft, median_tpot …", meaning="latency", unit="seconds"),
    )


READER = Reader(name=NAME, claims=claims, read=read, fuller=fuller)
