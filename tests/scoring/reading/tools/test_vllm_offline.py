"""vLLM without a server: throughput counts prompt and output tokens, latency is that of one batch."""

import pytest

from scoring.model.pilot import Phase
from tests.scoring.reading.read import codes, read
from tests.scoring.reading.tools import samples


def test_throughput() -> None:
    pilot, problems = read(("gpu/t.json", samples.vllm_throughput()))
    (run,) = pilot.runs
    assert (run.phase, run.duration_s, run.work_units, run.unit) == (Phase.BATCH, 12.5, 25600.0, "token")
    assert (run.requests_completed, codes(problems)) == (100, ["load-not-in-file"])


def test_latency() -> None:
    (run,) = read(("gpu/l.json", samples.vllm_latency()))[0].runs
    assert (run.duration_s, run.work_units, run.unit) == (pytest.approx(4.6), 4.0, "batch")
    assert run.latency["e2el_mean"] == pytest.approx(1.15)
    assert (run.latency["e2el_p50"], run.within["e2el_p50"].n) == (pytest.approx(1.15, abs=0.051), 4)


def test_what_a_tool_never_writes_is_said_once() -> None:
    files = [
        (f"{arm}/t{i}.json", samples.vllm_throughput(n + i / 100))
        for n, arm in enumerate(("gpu", "trn2"), 1)
        for i in range(3)
    ]
    assert codes(read(*files)[1]) == ["load-not-in-file"]
