"""A margin named as the column was posted is the metric's, and nothing is said to be missing."""

import pytest

from scoring.model.decision import Decision
from scoring.plan import PlanRequest, plan_runs
from tests.scoring.helpers import csv, decide

RUNS = "arm,run,duration_s,price_usd_per_hour\n" + "".join(
    f"{arm},{i},{seconds + i},50\n" for arm, seconds in (("gpu", 3600), ("trn2", 2600)) for i in range(1, 5)
)
ITEMS = "arm,run,item_id,HEADER\n" + "".join(
    f"{arm},{run},q{i},{int((i + run) % 9 > 0)}\n" for arm in ("gpu", "trn2") for run in range(1, 5) for i in range(60)
)


def table(header: str, value: str = "0.9") -> str:
    lines = RUNS.splitlines()
    values = [f"{value}{i % 4}" for i in range(len(lines) - 1)]
    return "\n".join([f"{lines[0]},{header}", *(f"{a},{b}" for a, b in zip(lines[1:], values, strict=True))])


def missing(decision: Decision) -> list[str]:
    return [p.code for p in decision.problems if p.code in ("guardrail-not-measured", "limit-not-measured")]


@pytest.mark.parametrize("header", ["correct", "num_correct", "aciertos"])
@pytest.mark.parametrize("name", ["correct", "accuracy", "Correct", "num_correct", "exactitud"])
def test_items_that_are_correct_are_judged_by_a_margin_of_any_of_its_names(header: str, name: str) -> None:
    files = (("runs.csv", RUNS), ("items.csv", ITEMS.replace("HEADER", header)))
    decision = decide(*files, settings=f"baseline: gpu\nmargins: {{{name}: 0.02}}")
    assert missing(decision) == []
    assert [(q.metric, q.margin, q.margin_is_default) for q in decision.quality] == [("accuracy", 0.02, False)]


@pytest.mark.parametrize(
    ("header", "name", "metric"),
    [
        ("WER (%)", '"WER (%)"', "wer"),
        ("Exactitud", "exactitud", "accuracy"),
        ("perdida", "Pérdida", "loss"),
        ("wer", "wer", "wer"),
    ],
)
def test_a_margin_may_be_called_as_the_header_is(header: str, name: str, metric: str) -> None:
    decision = csv(table(header), settings=f"baseline: gpu\nmargins: {{{name}: 0.05}}")
    assert missing(decision) == []
    assert [(q.metric, q.margin_is_default) for q in decision.quality] == [(metric, False)]


def test_a_mapped_column_is_a_name_as_well() -> None:
    settings = "baseline: gpu\nmap: {wer: fehler}\nmargins: {fehler: 0.05}"
    assert [q.margin for q in csv(table("fehler"), settings=settings).quality] == [0.05]


def test_a_latency_limit_may_be_called_as_the_header_is() -> None:
    settings = "baseline: gpu\nlatency_limits: {time_to_first_token_p99_ms: 950}"
    decision = csv(table("time_to_first_token_p99_s"), settings=settings)
    assert missing(decision) == []
    assert [(x.metric, x.limit_s) for x in decision.latency] == [("ttft_p99", 0.95)]


def test_what_is_another_metric_is_still_missing() -> None:
    decision = csv(table("wer"), settings="baseline: gpu\nmargins: {correct: 0.02}")
    assert missing(decision) == ["guardrail-not-measured"]


def test_the_metrics_own_margin_wins_over_one_of_its_other_name() -> None:
    decision = csv(table("accuracy"), settings="baseline: gpu\nmargins: {correct: 0.02, accuracy: 0.03}")
    assert [q.margin for q in decision.quality] == [0.03]
    assert missing(decision) == ["limit-not-measured"]


def test_before_anything_is_posted_the_sheet_asks_for_what_will_be_read() -> None:
    decision = decide(settings="margins: {correct: 0.02}")
    assert "accuracy" in plan_runs(decision, PlanRequest(runs=6, seed=1)).columns
