"""The decision record: its published schema, the fields that people build on, and equal bytes for equal decisions."""

import json
from typing import Any

import jsonschema
import pytest

from bot.render.record import render_record
from bot.schemas import SCHEMAS, schema
from scoring.model.decision import Decision
from tests.samples import NAMES, decision
from tests.scoring.helpers import decide
from tests.shared import ROOT

SEVERITIES = {"error", "question", "warning", "info"}
UNDECIDED = {
    "nothing": (),
    "one-arm": (("p.csv", "arm,run,duration_s\ngpu,1,3600\ngpu,2,3700\n"),),
    "one-run": (("p.csv", "arm,run,duration_s,price_usd_per_hour\ngpu,1,3600,55\ntrn2,1,3700,30\n"),),
    "broken": (("p.csv", 'arm,run,duration_s\ngpu,1,"3600\n'),),
    "two": (("p.csv", "workload,arm,duration_s\na,gpu,1\na,trn2,2\nb,gpu,1\nb,trn2,2\n"),),
}  # fmt: skip


def record(decision: Decision) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(render_record(decision))
    return loaded


def all_records() -> list[Any]:
    samples = [pytest.param(name, lambda name=name: decision(name), id=name) for name in NAMES]
    posted = [pytest.param(name, lambda files=files: decide(*files), id=name) for name, files in UNDECIDED.items()]
    return samples + posted


@pytest.mark.parametrize(("name", "make"), all_records())
def test_every_record_follows_the_schema(name: str, make: Any) -> None:
    jsonschema.validate(record(make()), schema("decision"), cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize(("name", "make"), all_records())
def test_fields_that_people_build_on(name: str, make: Any) -> None:
    found = record(make())
    assert found["schema"] == "steelyard/decision/1"
    assert set(found["verdict"]) >= {"word", "on", "basis", "reasons"}
    assert found["verdict"]["reasons"]
    assert set(found["economics"]) >= {
        "horizon_months", "stay_npv", "switch_npv_by_month", "best_switch_month", "walk_away",
    }  # fmt: skip
    assert {"next_runs", "settings", "latency", "quality"} <= set(found)
    for comparison in (found["cost"], found["time"]):
        if comparison is not None:
            assert set(comparison) >= {"unit", "currency", "theta", "arms"}
            theta = comparison["theta"]
            assert set(theta) >= {"point", "lo", "hi", "confidence", "method", "paired", "reason"}
            assert theta["point"] is not None or theta["reason"]
            for arm in comparison["arms"].values():
                assert set(arm) >= {"n", "cost_per_unit"}
    for quality in found["quality"]:
        assert set(quality) >= {"metric", "direction", "margin", "difference", "non_inferior"}
        assert set(quality["difference"]) >= {"point", "lo", "hi"}
    for problem in found["problems"]:
        assert set(problem) >= {"code", "severity", "file", "row", "column", "found", "expected", "fix"}
        assert problem["severity"] in SEVERITIES
    for posted in found["inputs"]:
        assert set(posted) >= {"file", "sha256", "rows_read", "rows_left_out"}
        assert len(posted["sha256"]) == 64


def test_equal_decisions_give_equal_bytes() -> None:
    assert render_record(decision("llama2-70b-lora")) == render_record(decision("llama2-70b-lora"))


def test_the_headline_sample_has_the_published_figures() -> None:
    found = record(decision("llama2-70b-lora"))
    assert found["verdict"]["word"] == "SPLIT"
    assert (found["verdict"]["on"], found["verdict"]["full_on"]) == ("2027-01-01", "2027-07-01")
    assert found["time"]["theta"]["point"] == pytest.approx(2.8121, abs=5e-4)
    assert found["economics"]["best_plan"]["saving"] == pytest.approx(85_076, abs=1)
    assert found["economics"]["walk_away"]["candidate_price"]["point"] == pytest.approx(16.44, abs=5e-3)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_committed_schema_is_the_one_in_force(name: str) -> None:
    committed = json.loads((ROOT / "templates" / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    assert committed == schema(name), f"run: steelyard schema {name} > templates/schemas/{name}.schema.json"
    jsonschema.Draft202012Validator.check_schema(committed)


@pytest.mark.parametrize("name", NAMES)
def test_the_samples_settings_follow_the_schema(name: str) -> None:
    import yaml

    path = ROOT / "samples" / name / "steelyard.yml"
    if path.is_file():
        loaded = json.loads(json.dumps(yaml.safe_load(path.read_text(encoding="utf-8")), default=str))
        jsonschema.validate(loaded, schema("settings"))
