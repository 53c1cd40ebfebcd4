"""Settings in every convenient form; and with one mistake each, which must be named with line, key and fix."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring.model.problem import Problem, Severity
from scoring.model.settings import Settings
from scoring.reading.posted import PostedFile
from scoring.settings_file import MAX_PROBLEMS, apply_overrides, read_settings, settings_schema

SAMPLES = sorted((Path(__file__).parents[2] / "samples").glob("*/steelyard.yml"))


def read(text: str) -> tuple[Settings, list[Problem]]:
    return read_settings(PostedFile.from_bytes("steelyard.yml", text.encode()))


def plain(settings: Settings) -> dict[str, Any]:
    return settings.model_dump(mode="json", exclude_unset=True)


FORMS: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    ({}, "# nothing yet\n"),
    ({}, "baseline:\n"),
    ({"horizon_months": 12}, "horizon: 12m"),
    ({"horizon_months": 12}, "horizon: 12"),
    ({"horizon_months": 24}, "horizon: 2 years"),
    ({"horizon_months": 18}, "Horizon-Months: 18 months"),
    ({"annual_discount_rate": 0.08}, "annual_discount_rate: 8%"),
    ({"annual_discount_rate": 0.007}, "discount_rate: 0.7 %"),
    ({"migration_ramp": [0.3, 0.6, 1.0]}, "migration_ramp: [30%, 60 %, 1]"),
    ({"migration_ramp": [0.5, 1.0], "parallel_months": 2}, "migration_ramp: 50%, 100%\nparallel_months: 2"),
    ({"reuse_share": 0.5, "confidence": 0.9}, "reuse_share: 50%\nconfidence: 90%"),
    ({"margins": {"wer": {"absolute": 0.2}}}, "margins: {wer: 0.2}"),
    ({"margins": {"wer": {"relative": 0.01}}}, "margins: {wer: 1%}"),
    ({"margins": {"wer": {"relative": 0.01}}}, "margin:\n  wer: {relative: 1%}"),
    ({"prices": {"gaudi2": {"per_hour": "12.0"}}}, "prices: {gaudi2: 12.0}"),
    ({"prices": {"b": {"per_hour": "12", "basis": "quote"}}}, "prices:\n  b: {per_hour: 12, basis: quote}"),
    ({"latency_limits_s": {"ttft_p99": 0.5}}, "latency_limits: {ttft_p99_ms: 500}"),
    ({"latency_limits_s": {"ttft_p99": 0.5}}, "latency_limits: {ttft_p99: 500 ms}"),
    ({"latency_limits_s": {"ttft_p99": 0.5}}, "latency_limits: {ttft_p99_s: 0.5}"),
    ({"latency_limits_s": {"ttft_p99": 0.5}}, "latency_limits_s: {ttft_p99: 0.5}"),
    ({"latency_limits_s": {"requests": 3.0}}, "latency_limits_s: {requests: 3}"),
    ({"demand": {"units_per_month": 2000.0}}, "demand: 2000"),
    ({"demand": {"units_per_month": 2000.0, "unit": "run"}}, "demand: {units_per_month: 2000, unit: run}"),
    ({"capacity": {"hours_per_month": 500.0}}, "capacity: 500"),
    ({"approved_regions": ["eu-west-1", "eu-central-1"]}, "approved_regions: [eu-west-1, eu-central-1]"),
    ({"approved_regions": ["eu-west-1", "eu-central-1"]}, "regions: eu-west-1, eu-central-1"),
    ({"holidays": "DE-BY"}, "holidays: de-by"),
    ({"currency": "EUR", "workload": "50%"}, "currency: eur\nworkload: 50%"),
]


@pytest.mark.parametrize(("wanted", "text"), FORMS)
def test_forms(wanted: dict[str, Any], text: str) -> None:
    settings, problems = read(text)
    assert problems == []
    assert plain(settings) == wanted


BAD: list[tuple[tuple[str, int | None, str | None, str], str]] = [
    (("setting-unknown", 1, "horizn", "horizon"), "horizn: 12m"),
    (("setting-unknown", 2, "Margns", "margins"), "\nMargns: {wer: 1}"),
    (("setting-unknown", 3, "margins.wer.relativ", "relative"), "margins:\n  wer:\n    relativ: 1%\n    absolute: 1"),
    (("setting-unknown", 2, "prices.a.bases", "basis"), "prices:\n  a: {per_hour: 1, bases: quote}"),
    (("setting-invalid", 2, "horizon_months", "either"), "horizon: 12m\nhorizon_months: 24"),
    (("setting-invalid", 1, "horizon", "from 1 to 120"), "horizon: 0"),
    (("setting-invalid", 1, "horizon", "from 1 to 120"), "horizon: soon"),
    (("setting-invalid", 1, "margin", "margin.NAME"), "margin: 1%"),
    (("setting-invalid", 1, "margins.wer", "either"), "margins: {wer: {absolute: 1, relative: 1%}}"),
    (("setting-invalid", 1, "margins.wer.absolute", "a number above 0"), "margins: {wer: -1}"),
    (("setting-invalid", 2, "prices.gaudi2.per_hour", "a number"), "prices:\n  gaudi2: twelve"),
    (("setting-invalid", 2, "prices.gaudi2.per_hour", "a number above 0"), "prices:\n  gaudi2: 0"),
    (("setting-invalid", 2, "prices.gaudi2.per_hour", "at most"), "prices:\n  gaudi2: 1e400"),
    (("setting-invalid", 1, "demand.units_per_month", "at most"), "demand: 1e300"),
    (("setting-invalid", 1, "demand.units_per_month", "a number above 0"), "demand: -1"),
    (("setting-invalid", 1, "demand.units_per_month", "a finite number"), "demand: nan"),
    (("setting-invalid", 2, "latency_limits.ttft_p99", "ttft_p99_ms or"), "latency_limits:\n  ttft_p99: 500"),
    (("setting-invalid", 2, "latency_limits.ttft_p99_ms", "above 0"), "latency_limits:\n  ttft_p99_ms: quick"),
    (("setting-invalid", 2, "latency_limits.ttft_p99_ms", "above 0"), "latency_limits:\n  ttft_p99_ms: -5"),
    (("setting-invalid", 1, "latency_limits.a_s", "one limit"), "latency_limits: {a_ms: 5, a_s: 1}"),
    (("setting-invalid", 2, "rates.0.rate", ""), "rates:\n  - {source: EUR, target: USD, on: 2026-12-01}"),
    (("setting-invalid", 1, "decision_date", "a day such as"), "decision_date: 2027-02-30"),
    (("setting-invalid", 1, "currency", "three letters"), "currency: dollars"),
    (("setting-invalid", 2, "holidays", "such as ES or DE-BY"), "currency: EUR\nholidays: Spain"),
    (("setting-invalid", 1, "holidays", "such as ES or DE-BY"), "holidays: XX"),
    (("setting-invalid", 1, "holidays", "such as ES or DE-BY"), "holidays: [ES]"),
    (("setting-invalid", 1, "confidence", "a number below 1"), "confidence: 100%"),
    (("settings-not-a-mapping", 1, None, "key: value"), "- 5"),
    (("yaml-duplicate-key", 2, "horizon", ""), "horizon: 1\nhorizon: 2"),
]


@pytest.mark.parametrize(("wanted", "text"), BAD)
def test_bad_settings(wanted: tuple[str, int | None, str | None, str], text: str) -> None:
    code, row, column, expected = wanted
    settings, problems = read(text)
    assert [(p.code, p.severity, p.file, p.row, p.column) for p in problems] == [
        (code, Severity.ERROR, "steelyard.yml", row, column)
    ]
    assert expected in (problems[0].expected or "")
    assert settings == Settings()


def test_every_mistake_is_named_up_to_a_bound() -> None:
    _, problems = read("horizn: 1\nconfidence: 2\n")
    assert [p.row for p in problems] == [1, 2]
    _, problems = read("".join(f"k{i}: 1\n" for i in range(5000)))
    assert len(problems) == MAX_PROBLEMS


OVERRIDES: list[tuple[dict[str, Any], str]] = [
    ({"prices": {"gaudi2": {"per_hour": "14"}}}, "price.gaudi2=14"),
    ({"prices": {"gaudi2": {"per_hour": "14"}}}, "prices.gaudi2 = 14"),
    ({"prices": {"trn2.48xlarge": {"per_hour": "31.5"}}}, "price.trn2.48xlarge=31.5"),
    ({"margins": {"wer": {"absolute": 0.2}}}, "margin.wer=0.2"),
    ({"margins": {"wer": {"relative": 0.01}}}, "margin.wer=1%"),
    ({"margins": {"wer": {"relative": 0.01}}}, "margins.wer.relative=1%"),
    ({"horizon_months": 12}, "horizon=12m"),
    ({"baseline": "h100"}, "baseline=h100"),
    ({"baseline": "h100"}, "incumbent=h100"),
    ({"annual_discount_rate": 0.08}, "discount=8%"),
    ({"latency_limits_s": {"ttft_p99": 0.5}}, "latency_limit.ttft_p99_ms=500"),
    ({"demand": {"units_per_month": 2000.0}}, "demand=2000"),
    ({"demand": {"units_per_month": 2000.0}}, "demand.units_per_month=2000"),
    ({"approved_regions": ["a", "b"]}, "approved_regions=a,b"),
    ({"capacity": {"hours_per_month": 500.0}}, "capacity.hours_per_month=500"),
    ({"map": {"t": "duration"}}, "map.t=duration"),
]


@pytest.mark.parametrize(("wanted", "pair"), OVERRIDES)
def test_overrides(wanted: dict[str, Any], pair: str) -> None:
    settings, problems = apply_overrides(Settings(), [pair])
    assert problems == []
    assert plain(settings) == wanted


BEFORE = """\
demand: {units_per_month: 5, unit: run, source: last year}
prices: {H100: 5, trn2: {per_hour: 9, basis: quote}}
margins: {wer: 0.2, loss: 1%}
latency_limits: {ttft_p99_ms: 400, tpot_p99_ms: 40}
"""
KEPT: list[tuple[tuple[str, Any], str]] = [
    (("demand", {"units_per_month": 7.0, "unit": "run"}), "demand=7"),
    (("demand", {"units_per_month": 5.0, "unit": "step", "source": "last year"}), "demand.unit=step"),
    (("prices", {"trn2": {"per_hour": "9", "basis": "quote"}, "h100": {"per_hour": "6"}}), "price.h100=6"),
    (("prices", {"H100": {"per_hour": "5"}, "trn2": {"per_hour": "8", "basis": "quote"}}), "price.trn2=8"),
    (("prices", {"H100": {"per_hour": "5"}, "TRN2": {"per_hour": "8", "basis": "quote"}}), "price.TRN2=8"),
    (("prices", {"H100": {"per_hour": "5"}, "trn2": {"per_hour": "9", "basis": "list"}}), "price.trn2.basis=list"),
    (("margins", {"loss": {"relative": 0.01}, "wer": {"relative": 0.02}}), "margin.wer.relative=2%"),
    (("prices", {"h100": {"per_hour": "5", "currency": "EUR"}, "trn2": {"per_hour": "9", "basis": "quote"}}),
     "price.h100.currency=EUR"),
    (("latency_limits_s", {"tpot_p99": 0.04, "ttft_p99": 0.3}), "latency_limit.ttft_p99=300ms"),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "pair"), KEPT)
def test_an_override_keeps_the_rest(wanted: tuple[str, Any], pair: str) -> None:
    before, _ = read(BEFORE)
    settings, problems = apply_overrides(before, [pair])
    assert problems == []
    assert plain(settings) == {**plain(before), wanted[0]: wanted[1]}


BAD_PAIRS = [
    (("setting-not-a-pair", "KEY=VALUE"), "foo"),
    (("setting-not-a-pair", "KEY=VALUE"), "=5"),
    (("setting-not-a-pair", "KEY=VALUE"), "baseline="),
    (("setting-not-a-pair", "KEY=VALUE"), "price.=5"),
    (("setting-unknown", "horizon"), "hrizon=3"),
    (("setting-unknown", "hours_per_month"), "capacity.hours_month=3"),
    (("setting-invalid", "price.NAME"), "price=5"),
    (("setting-invalid", "a number"), "price.a=free"),
    (("setting-invalid", "ttft_p99_ms or"), "latency_limit.ttft_p99=300"),
    (("setting-invalid", ""), "rates=EUR"),
    (("setting-invalid", "a value"), "demand.unit=run"),
]


@pytest.mark.parametrize(("wanted", "pair"), BAD_PAIRS)
def test_bad_overrides_change_nothing_and_stop_nothing(wanted: tuple[str, str], pair: str) -> None:
    settings, problems = apply_overrides(Settings(), ["horizon=6", pair, "baseline=a"])
    assert [(p.code, p.severity) for p in problems] == [(wanted[0], Severity.ERROR)]
    assert wanted[1] in (problems[0].expected or "")
    assert plain(settings) == {"horizon_months": 6, "baseline": "a"}


def test_the_schema_takes_what_the_reader_takes() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    check = jsonschema.Draft202012Validator(settings_schema())
    texts = [text for _, text in FORMS if text.strip() and not text.startswith(("Horizon-Months", "#", "baseline:"))]
    for text in [*texts, *(path.read_text(encoding="utf-8") for path in SAMPLES)]:
        as_json = json.loads(json.dumps(yaml.safe_load(re.sub(r"\bon:", '"on":', text)), default=str))
        as_json.pop("github", None)
        assert list(check.iter_errors(as_json)) == [], text
    assert list(check.iter_errors({"horizn": 1}))
