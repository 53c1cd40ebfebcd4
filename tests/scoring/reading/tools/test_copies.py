"""A tool's file that is posted twice counts once, and one that stands for both arms is asked about."""

import pytest

from tests.scoring.reading.read import codes, counting, read
from tests.scoring.reading.tools.samples import SAMPLES

WITHOUT_RUNS = ("mlperf_detail", "llmperf_single", "wandb_curve", "mlperf_training")
MEASURED = [name for name in SAMPLES if name not in WITHOUT_RUNS]


@pytest.mark.parametrize("name", MEASURED)
def test_a_copy_under_another_name_counts_once(name: str) -> None:
    _, file, content = SAMPLES[name]
    alone, _ = read((f"gpu/1-{file}", content()))
    pilot, problems = read((f"gpu/1-{file}", content()), (f"gpu/2-{file}", content().replace("\n", "\r\n")))
    assert len(counting(pilot)) == len(alone.runs)
    assert {run.left_out for run in pilot.runs} - {None} <= {"same-file-again", "duplicate-row"}
    assert {"same-file-again", "duplicate-row"} & set(codes(problems))


@pytest.mark.parametrize("name", MEASURED)
def test_a_copy_for_the_other_arm_is_asked_about(name: str) -> None:
    _, file, content = SAMPLES[name]
    _, problems = read((f"gpu/{file}", content()), (f"trn2/{file}", content()))
    asked = [p for p in problems if p.severity == "question"]
    assert [(p.code, p.file) for p in asked] == [("same-file-two-arms", f"trn2/{file}")]


@pytest.mark.parametrize("name", ["vllm_serve", "sglang", "hf_all_results", "lm_eval"])
def test_another_run_is_no_copy(name: str) -> None:
    _, file, content = SAMPLES[name]
    pilot, problems = read((f"gpu/1-{file}", content()), (f"gpu/2-{file}", content(1.001)))
    assert (len(counting(pilot)), [p.code for p in problems if p.severity != "info"]) == (2, [])


def test_scores_of_one_model_may_be_alike() -> None:
    evaluation = '{"results": {"arc": {"acc": 0.5, "acc_stderr": 0.1}}, "versions": {"arc": 0}}'
    pilot, problems = read(("gpu/1.json", evaluation), ("trn2/1.json", evaluation))
    assert (len(counting(pilot)), codes(problems)) == (2, [])
