"""/plan: what is said of runs, cost and order; and a run sheet that, filled in, is decided as a paired pilot."""

import csv
import io
import re
from pathlib import Path

import pytest

from bot.dossier import Outcome
from scoring.problems import error, warning
from tests.bot.commands.dossiers import PILOT, answered, dossier, of_sample
from tests.scoring.helpers import decide


def sheet(body: str) -> list[dict[str, str]]:
    (text,) = re.findall(r"^```csv\n(.*?)^```$", body, re.MULTILINE | re.DOTALL)
    return list(csv.DictReader(io.StringIO(text)))


def filled(rows: list[dict[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        is_candidate = row["arm"] == "trn2"
        day = 37 * int(row["run"]) ** 2 % 900
        row |= {"duration_s": f"{(4000 if is_candidate else 3600) + day + len(out.getvalue()) % 11}", "status": "ok"}
        row |= {"price_usd_per_hour": "30" if is_candidate else "55", "started_at": ""}
        row |= {"wer": f"7.{int(row['run'])}"}
        writer.writerow(row)
    return out.getvalue()


def test_a_filled_sheet_is_a_paired_pilot_with_a_verdict(tmp_path: Path) -> None:
    body = answered(dossier("/plan runs=6 baseline=gpu candidate=trn2", tmp_path, settings="margins: {wer: 1}")).body
    rows = sheet(body)
    assert len(rows) == 12
    decision = decide(("pilot.csv", filled(rows)), settings="margins: {wer: 1}")
    assert decision.verdict.word == "SWITCH"
    assert decision.cost is not None
    assert decision.cost.theta.paired
    assert [p.code for p in decision.problems if p.severity in ("error", "question")] == []


def test_before_a_pilot_it_says_what_it_assumes(tmp_path: Path) -> None:
    answer = answered(dossier("/plan", tmp_path))
    assert (answer.outcome, answer.files) == (Outcome.SAID, {})
    assert answer.body.startswith("### Plan: 7 runs each of `incumbent` and `candidate`\n")
    assert "**Assumed:** runs of an arm differ by 5.0 %" in answer.body
    assert "What a run costs is not known here" in answer.body
    assert "[!" not in answer.body


def test_the_cost_of_what_is_to_be_run(tmp_path: Path) -> None:
    body = answered(dossier("/plan runs=5 cost_per_run=$1,400", tmp_path)).body
    assert "costs about **$14,000**: $1,400 for a run on `incumbent`, $1,400 on `candidate`." in body
    assert "| 20 % | 4 | – | $11,200 |" in body


def test_the_pilot_so_far_is_used(tmp_path: Path) -> None:
    body = answered(dossier("/plan detect=1%", tmp_path, {"pilot.csv": PILOT}, "margins: {wer: 1}")).body
    assert "Spread: between the 3 runs an arm so far 0.28 % on `gpu` and 0.31 % on `trn2`" in body
    assert "Assumed" not in body
    finer = answered(dossier("/plan runs=5", tmp_path, {"pilot.csv": PILOT}, "margins: {wer: 1}")).body
    assert [row["run"] for row in sheet(finer)] == ["4", "4", "5", "5"]
    assert {row["arm"] for row in sheet(finer)} == {"gpu", "trn2"}


def test_the_settings_of_the_plan_go_on_to_the_comparison(tmp_path: Path) -> None:
    body = answered(dossier('/plan runs=6 planned_runs_per_arm=8 "candidate=new trn2"', tmp_path)).body
    assert "&#47;compare planned&#95;runs&#95;per&#95;arm&#61;8 &#34;candidate&#61;new trn2&#34;</code>." in body
    bare = answered(dossier("/plan runs=6", tmp_path)).body
    assert bare.endswith("```\n\nThen give `/compare`.\n")
    plain = answered(dossier("/plan runs=6 planned_runs_per_arm=8 margin.wer=0.2", tmp_path)).body
    assert plain.endswith("Then give `/compare planned_runs_per_arm=8 margin.wer=0.2`.\n")


def test_a_pilot_with_runs_is_told_what_decides_and_not_how_to_begin(tmp_path: Path) -> None:
    body = answered(of_sample("/plan", "first-look")).body
    assert "Before the first run" not in body
    assert "**Before the next run:** keep data" in body
    assert "Safe: at its upper 80 % bound" in body
    assert "decides the number" in body
    assert "Safe is –, since no spread was measured yet." in answered(dossier("/plan", tmp_path)).body


def test_a_settled_pilot_is_told_so_and_gets_no_sheet() -> None:
    body = answered(of_sample("/plan", "speech-finetune")).body
    assert "already give a verdict, **SWITCH**" in body
    assert "```csv" not in body


def test_an_aim_out_of_reach_is_told(tmp_path: Path) -> None:
    body = answered(dossier("/plan detect=1%", tmp_path)).body
    assert "A saving of 1.0 % cannot be told from none within 30 runs an arm" in body


def test_a_long_sheet_is_cut_and_says_so(tmp_path: Path) -> None:
    body = answered(dossier("/plan runs=1000", tmp_path)).body
    assert len(sheet(body)) == 200
    assert "first 100 blocks" in body
    assert len(body) < 10_000


def test_the_seed_is_the_issues_own_unless_given(tmp_path: Path) -> None:
    first, again = (answered(dossier("/plan runs=9", tmp_path)).body for _ in range(2))
    assert first == again
    other = answered(dossier("/plan runs=9 seed=3", tmp_path)).body
    assert "(seed `3`)" in other
    assert sheet(other) != sheet(first)


def test_what_could_not_be_read_is_told(tmp_path: Path) -> None:
    unread = error("file-too-large", file="big.csv", found="900,000,000", expected="300,000,000")
    assert "`big.csv`" in answered(dossier("/plan", tmp_path, {"pilot.csv": PILOT}, problems=(unread,))).body


@pytest.mark.parametrize("asked", ["/plan", "/whatif horizon=18m"])
def test_posts_that_were_not_counted_are_told(asked: str, tmp_path: Path) -> None:
    ignored = warning("posts-not-counted", author="stranger", found="2", expected="triage")
    body = answered(dossier(asked, tmp_path, {"pilot.csv": PILOT}, "margins: {wer: 1}", problems=(ignored,))).body
    assert "[!WARNING]" in body
    assert "`stranger`" in body


def test_of_several_workloads_it_says_which_one_is_planned(tmp_path: Path) -> None:
    lines = PILOT.splitlines()
    text = "\n".join([f"workload,{lines[0]}", *(f"{w},{row}" for w in ("asr", "tts") for row in lines[1:])])
    first = answered(dossier("/plan", tmp_path, {"pilot.csv": text})).body
    assert "holds 2 comparisons; this plan is for the workload `asr`" in first
    assert "comparisons" not in answered(dossier("/plan workload=tts", tmp_path, {"pilot.csv": text})).body


def test_of_several_candidates_it_says_which_one_is_planned(tmp_path: Path) -> None:
    text = PILOT + "".join(f"{row.replace('trn2', 'tpu')}\n" for row in PILOT.splitlines() if row.startswith("trn2"))
    body = answered(dossier("/plan", tmp_path, {"pilot.csv": text})).body
    assert "holds 2 candidates; this plan is for `tpu` alone" in body
    alone = answered(dossier("/plan candidate=trn2", tmp_path, {"pilot.csv": text})).body
    assert "holds 2 candidates" not in alone


def test_columns_are_those_of_the_pilot(tmp_path: Path) -> None:
    rows = sheet(answered(dossier("/plan runs=4 currency=EUR", tmp_path, settings="margins: {wer: 1, bleu: 1%}")).body)
    assert list(rows[0]) == [
        "arm", "run", "block", "seed", "started_at", "duration_s", "price_eur_per_hour", "wer", "bleu", "status",
    ]  # fmt: skip


MISTAKES = [
    ("runs=1", "a whole number from 2 to 1000"),
    ("runs=3.5", "a whole number from 2 to 1000"),
    ("runs=1e3", "a whole number from 2 to 1000"),
    ("runs=٣", "a whole number from 2 to 1000"),
    ("detect=0", "a saving from 0.1% to 90%"),
    ("detect=95%", "a saving from 0.1% to 90%"),
    ("detect=five", "a saving from 0.1% to 90%"),
    ("detect=", "a saving from 0.1% to 90%"),
    ("cost_per_run=-3", "an amount above 0, such as 400"),
    ("cost_per_run=nan", "an amount above 0, such as 400"),
    ("cv=1000%", "a relative standard deviation from 0.1% to 90%"),
    ("seed=-1", "a whole number"),
    ("runz=3", "Did you mean `runs`?"),
    ("horizn=3", "Did you mean `horizon`?"),
    ("runs", "Write `runs=…`"),
    ("--runs=3", "option of the command line"),
]


@pytest.mark.parametrize(("argument", "told"), MISTAKES)
def test_mistakes(argument: str, told: str, tmp_path: Path) -> None:
    answer = answered(dossier(f"/plan {argument}", tmp_path))
    assert answer.outcome is Outcome.REFUSED
    assert told in answer.body
    assert "Usage: `/plan " in answer.body
