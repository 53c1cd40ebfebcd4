"""lm-evaluation-harness: quality without time, a metric a task, its direction as the harness tells it."""

import json
from typing import Any

import pytest

from scoring.model.estimates import Direction
from scoring.model.pilot import Quality
from tests.scoring.reading.read import codes, read
from tests.scoring.reading.tools.samples import lm_eval

STRICT = "gsm8k_exact_match_strict_match"


def test_scores() -> None:
    pilot, problems = read(("gpu/r.json", lm_eval(0.75)))
    (run,) = pilot.runs
    assert (run.duration_s, run.phase, run.workload, problems) == (None, None, None, [])
    assert list(run.quality) == ["gsm8k_exact_match_strict_match", "wikitext_word_perplexity", "mmlu_acc"]
    assert (run.quality[STRICT].correct, run.quality[STRICT].items) == (750, 1000)
    assert run.quality["wikitext_word_perplexity"] == Quality(value=9.5)
    assert run.quality["mmlu_acc"] == Quality(value=0.6, stderr=0.004)
    assert pilot.directions == {
        STRICT: Direction.HIGHER, "wikitext_word_perplexity": Direction.LOWER, "mmlu_acc": Direction.HIGHER,
    }  # fmt: skip
    assert (run.conditions["gsm8k n-shot"], run.conditions["model_name"]) == ("5", "m")


def test_keys_of_old_releases() -> None:
    old: dict[str, Any] = {"results": {"hellaswag": {"acc": 0.5, "acc_stderr": 0.005, "acc_norm": 0.7,
                                                     "acc_norm_stderr": 0.0046}}, "versions": {"hellaswag": 0},
                           "config": {"model": "hf-causal", "limit": None}}  # fmt: skip
    pilot, problems = read(("gpu/r.json", json.dumps(old)))
    assert pilot.runs[0].quality == {
        "hellaswag_acc": Quality(value=0.5, stderr=0.005), "hellaswag_acc_norm": Quality(value=0.7, stderr=0.0046),
    }  # fmt: skip
    assert (set(pilot.directions.values()), problems) == ({Direction.HIGHER}, [])


@pytest.mark.parametrize(
    ("correct", "stderr", "samples"),
    [(None, 0.02, 1000), (None, "N/A", 1000), (None, 0.0137, None), (None, 0.0137, 999)],
)
def test_a_score_that_is_no_count_of_right_items(correct: int | None, stderr: object, samples: int | None) -> None:
    results = {"t": {"acc,none": 0.75, "acc_stderr,none": stderr}}
    told = {"t": {"effective": samples}} if samples else {}
    (run,) = read(("gpu/r.json", lm_eval(results=results, **{"n-samples": told})))[0].runs
    assert run.quality["t_acc"].correct == correct


def test_an_unknown_direction_is_asked() -> None:
    results = {"t": {"gloss,none": 3.0, "gloss_stderr,none": 0.1}}
    _, problems = read(("gpu/r.json", lm_eval(results=results, higher_is_better={})))
    assert [(p.code, p.column) for p in problems] == [("metric-direction-unknown", "t_gloss")]


def test_scores_that_differ_by_group_are_counted_once() -> None:
    pilot, problems = read(("gpu/r.json", lm_eval()), ("trn2/r.json", lm_eval(0.74)))
    assert ([len(r.quality) for r in pilot.runs], codes(problems)) == ([3, 3], [])
