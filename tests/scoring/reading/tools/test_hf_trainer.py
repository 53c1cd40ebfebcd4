"""Hugging Face Trainer: seconds of training, samples done, the last evaluation; one folder is one run."""

import pytest

from scoring.model.estimates import Direction
from scoring.model.pilot import Phase, Quality
from tests.scoring.reading.read import codes, read
from tests.scoring.reading.tools.samples import hf_all_results, hf_trainer_state


def test_all_results() -> None:
    pilot, problems = read(("gpu/all_results.json", hf_all_results()))
    (run,) = pilot.runs
    assert (run.phase, run.duration_s, run.work_units, run.unit) == (Phase.TRAIN, 600.0, 30000.0, "sample")
    assert run.quality == {"eval_accuracy": Quality(value=0.91), "eval_loss": Quality(value=0.31)}
    assert pilot.directions == {"eval_accuracy": Direction.HIGHER, "eval_loss": Direction.LOWER}
    assert (run.conditions["train_samples"], problems) == ("10000.0", [])


def test_trainer_state_has_the_last_and_the_best_evaluation() -> None:
    (run,) = read(("gpu/trainer_state.json", hf_trainer_state()))[0].runs
    assert (run.duration_s, run.work_units, run.quality) == (600.0, 30000.0, {"eval_loss": Quality(value=0.35)})
    assert run.other == {"best_metric": "0.35", "best_model_checkpoint": "out/checkpoint-200"}


def test_a_checkpoint_is_no_run() -> None:
    pilot, problems = read(("gpu/trainer_state.json", hf_trainer_state(ended=False)))
    assert (pilot.runs, [(p.code, p.found) for p in problems]) == ((), [("training-not-over", "step 200 of 200")])


def test_steps_where_no_samples_are_told() -> None:
    (run,) = read(("gpu/train_results.json", hf_all_results(train_samples_per_second=None)))[0].runs
    assert (run.work_units, run.unit) == (pytest.approx(234.0), "step")


def test_one_folder_is_one_run() -> None:
    names = ("all_results.json", "train_results.json", "eval_results.json", "trainer_state.json")
    contents = (hf_all_results(), hf_all_results(), hf_all_results(), hf_trainer_state())
    files = [(f"gpu/seed1/{name}", content) for name, content in zip(names, contents, strict=True)]
    pilot, problems = read(*files, ("trn2/seed1/all_results.json", hf_all_results(1.2)))
    assert [(r.arm, r.file) for r in pilot.runs] == [
        ("gpu", "gpu/seed1/all_results.json"), ("trn2", "trn2/seed1/all_results.json"),
    ]  # fmt: skip
    assert codes(problems) == ["same-run-in-fuller-file"] * 3


def test_an_unknown_metric_is_asked() -> None:
    _, problems = read(("gpu/all_results.json", hf_all_results(eval_vibes=3.0)))
    assert [(p.code, p.column) for p in problems] == [("metric-direction-unknown", "eval_vibes")]
