"""/whatif: both verdicts side by side, nothing kept, and the same figures as /compare."""

from pathlib import Path

import pytest

from bot.dossier import Outcome
from scoring.analysis import analyse_read, read_evidence, with_settings_of
from scoring.reading.posted import PostedFile
from scoring.setup import Evidence
from tests.bot.commands.dossiers import PILOT, answered, dossier, of_sample
from tests.samples import TODAY, decision, evidence


def test_side_by_side() -> None:
    answer = answered(of_sample("/whatif price.gaudi2=30 horizon=24m", "llama2-70b-lora"))
    assert answer.outcome is Outcome.SAID
    assert answer.files == {}
    lines = answer.body.splitlines()
    assert lines[0] == "### What if `price.gaudi2=30`, `horizon=24m`"
    assert "**STAY: keep `h100`**" in lines
    assert "The verdict changes from **SPLIT** to **STAY**." in lines
    assert "| cost per run on `gaudi2` | $15.69 | $39.22 |" in lines
    assert "| cost ratio, 95 % | × 0.613 [0.572, 0.657] | × 1.53 [1.43, 1.64] |" in lines
    assert len(answer.body) < 3_000


@pytest.mark.parametrize("pairs", [("price.gaudi2=14",), ("horizon=6m",), ("workload=nope",), ("confidence=0.8",)])
def test_a_whatif_says_what_a_compare_with_the_settings_would(pairs: tuple[str, ...]) -> None:
    wanted = decision("llama2-70b-lora", *pairs)
    body = answered(of_sample(f"/whatif {' '.join(pairs)}", "llama2-70b-lora")).body
    word = wanted.verdict.word
    assert f"**{word}: " in body if word else "**No verdict: " in body


def test_a_verdict_that_stays_says_so() -> None:
    assert "The verdict stays **SWITCH**." in answered(of_sample("/whatif horizon=18m", "speech-finetune")).body


def test_without_a_setting_it_is_not_run(tmp_path: Path) -> None:
    answer = answered(dossier("/whatif pilot.csv", tmp_path, {"pilot.csv": PILOT}))
    assert answer.outcome is Outcome.REFUSED
    assert "needs at least one setting" in answer.body


def test_several_workloads_are_told_one_by_one_and_one_of_them_alone(tmp_path: Path) -> None:
    lines = PILOT.splitlines()
    text = "\n".join([f"workload,{lines[0]}", *(f"{w},{row}" for w in ("asr", "tts") for row in lines[1:])])
    both = answered(dossier("/whatif price.trn2=90", tmp_path, {"pilot.csv": text}, "margins: {wer: 1}")).body
    assert "Comparison 1 of 2: `asr`" in both
    assert both.count("The verdict changes from **SWITCH** to **STAY**.") == 2
    one = answered(dossier("/whatif workload=tts", tmp_path, {"pilot.csv": text}, "margins: {wer: 1}")).body
    assert "Comparison" not in one
    assert "The verdict stays **SWITCH**." in one


def _evidence(pairs: tuple[str, ...]) -> Evidence:
    text = "arm,elapsed,price_usd_per_hour,grade\n" + "".join(
        f"{arm},{ms},{price},5.{i}\n"
        for arm, price, ms in (("gpu", 55, 3_600_000), ("trn2", 35, 4_000_000))
        for i in range(4)
    )
    return Evidence((PostedFile.from_bytes("pilot.csv", text.encode()),), overrides=pairs)


LAID_OVER = [
    ("map.duration_s=elapsed/1000",),
    ("map.duration_s=elapsed/1000", "margin.grade=1", "margin.grade.direction=higher"),
    ("price.gpu=3",),
    ("price.nobody=3",),
    ("currency=EUR",),
]


@pytest.mark.parametrize("pairs", LAID_OVER)
def test_settings_laid_over_what_was_read_decide_as_reading_it_anew(pairs: tuple[str, ...]) -> None:
    anew = analyse_read(read_evidence(_evidence(pairs)), today=TODAY)
    over = analyse_read(with_settings_of(_evidence(pairs), read_evidence(_evidence(()))), today=TODAY)
    assert sorted(p.model_dump_json() for p in over.problems) == sorted(p.model_dump_json() for p in anew.problems)
    assert over.model_copy(update={"problems": ()}) == anew.model_copy(update={"problems": ()})


def test_a_sample_laid_over_decides_alike() -> None:
    pairs = ("price.gaudi2=14", "demand=500")
    over = with_settings_of(evidence("llama2-70b-lora", *pairs), read_evidence(evidence("llama2-70b-lora")))
    assert analyse_read(over, today=TODAY).verdict == decision("llama2-70b-lora", *pairs).verdict
