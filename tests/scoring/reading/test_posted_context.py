"""`key: value` lines of a comment apply to tools' files and archives as they do to tables, below what a file says."""

import io
import zipfile
from decimal import Decimal

import pytest

from scoring.model.pilot import Pilot, Pricing
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.reading.pilot_reader import read_pilot
from scoring.reading.posted import PostedFile
from tests.scoring.reading.read import codes
from tests.scoring.reading.tools.samples import SAMPLES

LINES = (
    ("accelerator", "trn2.48xlarge"),
    ("price_usd_per_hour", "35.76"),
    ("region", "us-east-2"),
    ("pricing", "on demand"),
    ("instances", "2"),
    ("precision", "bf16"),
)


def read(name: str, content: str | bytes, *more: tuple[str, str]) -> tuple[Pilot, list[Problem]]:
    data = content if isinstance(content, bytes) else content.encode()
    return read_pilot([PostedFile.from_bytes(name, data, context=(*LINES, *more))], Settings())


@pytest.mark.parametrize("name", ["vllm_serve", "aiperf_csv", "mlperf_offline", "torchtitan", "mlflow_frame", "wandb"])
def test_a_tools_runs_take_them_over(name: str) -> None:
    _, file, content = SAMPLES[name]
    pilot, _ = read(f"trn2/{file}", content())
    for run in pilot.runs:
        assert (run.price_per_hour, run.currency, run.region) == (Decimal("35.76"), "USD", "us-east-2")
        assert (run.accelerator, run.pricing, run.instance_count) == ("trn2.48xlarge", Pricing.ON_DEMAND, 2)
        assert run.conditions["precision"] == "bf16"
        assert run.arm == "trn2"


def test_what_a_file_says_itself_stays() -> None:
    pilot, problems = read("a/r.json", SAMPLES["vllm_serve"][2](), ("duration", "an hour or so"))
    assert (pilot.runs[0].duration_s, codes(problems)) == (2.5, [])
    (run,) = read("a/agg_m.json", SAMPLES["inferencemax"][2]())[0].runs
    assert (run.accelerator, run.conditions["precision"]) == ("h200", "fp8")


def test_an_arm_that_is_named_is_the_files() -> None:
    (run,) = read("results/r.json", SAMPLES["vllm_serve"][2](), ("arm", "trn2"))[0].runs
    assert run.arm == "trn2"


def test_members_of_an_archive_and_single_requests_too() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("trn2/1.json", SAMPLES["vllm_serve"][2]())
        archive.writestr("table.csv", "arm,duration_s\ngpu,10\n")
        archive.writestr("trn2/r.csv", "run,ttft_ms\n" + "".join(f"1,{ms}\n" for ms in range(100, 200)))
    pilot, _ = read("x.zip", packed.getvalue())
    assert [run.price_per_hour for run in pilot.runs] == [Decimal("35.76")] * 3


@pytest.mark.parametrize("line", [("instances", "half"), ("price", "-3"), ("phase", "dancing")])
def test_a_line_that_cannot_hold_for_the_runs_is_asked_about(line: tuple[str, str]) -> None:
    _, problems = read("trn2/r.json", SAMPLES["vllm_serve"][2](), line)
    assert "preamble-not-used" in codes(problems)
