"""The engine's one door: what a whole posting gives, and that nothing but the posting and the day goes into it."""

import ast
import os
import subprocess
import sys
from datetime import date

import pytest

from scoring.analysis import Evidence, analyse
from scoring.model.decision import Decision
from scoring.problems import error
from scoring.reading.posted import PostedFile
from tests.scoring.helpers import TODAY, codes, csv, decide
from tests.shared import ROOT

HEAD = "workload,phase,arm,instance_type,region,run,duration_s,price_usd_per_hour,quality_metric,quality_value\n"


def rows(
    arm: str,
    *durations: float,
    workload: str = "bert",
    phase: str = "train",
    price: str = "50",
    wer: float | None = 7.4,
    region: str = "us-east-1",
) -> str:
    """Lines of one arm under `HEAD`."""
    return "".join(
        f"{workload},{phase},{arm},{arm}.48xlarge,{region},{i},{d},{price},"
        + (f"wer,{wer + 0.01 * (i % 3):.2f}\n" if wer is not None else ",\n")
        for i, d in enumerate(durations, start=1)
    )


GPU = rows("gpu", 3600, 3610, 3590, 3605)
TRN = rows("trn2", 4000, 4010, 3990, 4005, price="30")
SLOW = rows("trn2", 7000, 7010, 6990, 7005, price="40")
MARGIN = "margins: {wer: 0.2}\n"


def word(decision: Decision) -> str | None:
    return decision.verdict.word.value if decision.verdict.word else None


def reasons(decision: Decision) -> list[str]:
    return [r.code for r in decision.verdict.reasons]


@pytest.mark.parametrize(
    ("wanted", "text", "settings"),
    [
        ("SWITCH", GPU + TRN, MARGIN),
        ("STAY", GPU + SLOW, MARGIN),
        ("STAY", GPU + rows("trn2", 4000, 4010, 3990, 4005, price="30", wer=8.0), MARGIN),
        ("EXTEND", rows("gpu", 3600, 3900, 3300) + rows("trn2", 6000, 6500, 5500, price="30"), MARGIN),
        ("EXTEND", rows("gpu", 3600, 3610) + rows("trn2", 4000, 4010, price="30"), MARGIN),
        ("EXTEND", rows("gpu", 3600) + rows("trn2", 4000, price="30"), MARGIN),
        ("BLOCKED", GPU + rows("trn2", 4000, 4010, 3990, price=""), MARGIN),
        ("BLOCKED", GPU + TRN, MARGIN + "approved_regions: [eu-west-1]\n"),
        ("SPLIT", GPU + TRN, MARGIN + "demand: 1000\ncapacity: {hours_per_month: 100}\n"),
        (None, GPU, MARGIN),
        (None, GPU + TRN + rows("a100", 4000), MARGIN),
        (None, "", MARGIN),
    ],
)
def test_every_verdict(wanted: str | None, text: str, settings: str) -> None:
    assert word(csv(HEAD + text, settings=settings)) == wanted


@pytest.mark.parametrize(
    ("code", "severity", "text", "more"),
    [
        ("price-missing", "question", HEAD + GPU + rows("trn2", 4000, 4010, price=""), {}),
        ("cost-missing", "question", "arm,run,wer\ngpu,1,7\ngpu,2,7.1\ntrn2,1,7\ntrn2,2,7.1\n", {}),
        ("margin-is-default", "warning", HEAD + GPU + TRN, {}),
        ("margin-too-wide", "question", HEAD + GPU + TRN, {"settings": "margins: {wer: 2}\n"}),
        ("price-not-used", "question", HEAD + GPU + TRN, {"price.h100": "9"}),
        ("baseline-assumed", "info", HEAD + GPU + TRN, {}),
        ("one-arm", "question", HEAD + GPU, {}),
        ("arm-not-found", "question", HEAD + GPU + TRN, {"baseline": "h100"}),
        ("workload-not-found", "question", HEAD + GPU + TRN, {"workload": "llama"}),
        ("workload-not-found", "question", HEAD + GPU + TRN, {"phase": "serve"}),
        ("workload-not-found", "question", "arm,run,duration_s\ngpu,1,9\ntrn2,1,9\n", {"workload": "bert"}),
        ("choose-arms", "question", HEAD + GPU + TRN + rows("a100", 4000), {}),
        ("arms-left-out", "warning", HEAD + GPU + TRN + rows("tpu", 4000), {"candidate": "trn2"}),
        ("setting-unknown", "error", HEAD + GPU + TRN, {"settings": "horizonn: 12m\n"}),
        ("demand-missing", "question", HEAD + GPU + TRN, {"settings": "migration_cost: 9\n"}),
    ],
)
def test_problems_of_a_posting(code: str, severity: str, text: str, more: dict[str, str]) -> None:
    assert {p.severity.value for p in csv(text, **more).problems if p.code == code} == {severity}


def test_a_workload_that_nobody_ran_is_asked_with_those_that_there_are() -> None:
    (asked,) = [p for p in csv(HEAD + GPU + TRN, workload="llama").problems if p.code == "workload-not-found"]
    assert (asked.found, asked.expected) == ("llama", "bert train")


@pytest.mark.parametrize(("asked", "margin"), [(False, "1.8"), (True, "1.9"), (False, "30%")])
def test_a_margin_of_more_than_a_quarter_of_the_mean_is_asked(asked: bool, margin: str) -> None:
    assert ("margin-too-wide" in codes(csv(HEAD + GPU + TRN, settings=f"margins: {{wer: {margin}}}\n"))) == asked


def test_nothing_posted_is_asked_for() -> None:
    decision = decide()
    assert (word(decision), codes(decision)) == (None, {"nothing-posted"})


def test_a_price_is_asked_for_once_and_for_the_arm_that_lacks_it() -> None:
    decision = csv(HEAD + GPU + rows("trn2", 4000, 4010, price=""), settings=MARGIN)
    asked = [p for p in decision.problems if p.code == "price-missing"]
    assert [p.arguments["arm"] for p in asked] == ["trn2"]
    assert reasons(decision) == ["price-missing"]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("unit-differs", "arm,run,duration_s,work_units,unit,price_usd_per_hour\n"
         "gpu,1,100,5,token,9\ngpu,2,101,5,token,9\ntrn2,1,100,5,sample,9\ntrn2,2,102,5,sample,9\n"),
        ("condition-varies", "arm,run,duration_s,precision,price_usd_per_hour\n"
         "gpu,1,100,bf16,9\ngpu,2,101,fp8,9\ntrn2,1,100,bf16,9\ntrn2,2,102,bf16,9\n"),
        ("pricing-mixed", "arm,run,duration_s,pricing,price_usd_per_hour\n"
         "gpu,1,100,on_demand,9\ngpu,2,101,on_demand,9\ntrn2,1,100,spot,3\ntrn2,2,102,spot,3\n"),
        ("error-rate-high", "arm,run,duration_s,requests_attempted,requests_completed,price_usd_per_hour\n"
         "gpu,1,100,100,100,9\ngpu,2,101,100,100,9\ntrn2,1,100,100,90,9\ntrn2,2,102,100,100,9\n"),
    ],
)  # fmt: skip
def test_what_must_not_be_compared_keeps_figures_and_gives_no_ratio(code: str, text: str) -> None:
    decision = csv(text)
    assert (word(decision), reasons(decision)) == ("BLOCKED", [code])
    assert decision.cost is not None
    assert decision.time is not None
    assert decision.cost.arms["gpu"].cost_per_unit is not None
    for comparison in (decision.cost, decision.time):
        assert (comparison.theta.point, comparison.theta.reason) == (None, "refused")
        assert comparison.sensitivity == {}


def test_policy_blocks_the_move_and_leaves_the_comparison() -> None:
    decision = csv(HEAD + GPU + TRN, settings=MARGIN + "approved_regions: [eu-west-1]\n")
    assert (word(decision), reasons(decision)) == ("BLOCKED", ["region-not-approved"])
    assert decision.cost is not None
    assert decision.cost.theta.has_interval


@pytest.mark.parametrize("settings", ["", "demand: 1000\nmigration_cost: 10000\n"])
def test_figures_of_an_unknown_unit_are_told_nowhere(settings: str) -> None:
    text = "arm,run,duration,price_usd_per_hour\n" + "".join(
        f"gpu,{i},{100 + i},9\ntrn2,{i},{120 + i},5\n" for i in (1, 2, 3)
    )
    decision = csv(text, settings=settings)
    assert reasons(decision) == ["duration-unit-unknown"]
    assert (decision.cost, decision.time, decision.next_runs, decision.flips) == (None, None, None, ())
    assert (decision.economics.reason, decision.economics.best, decision.economics.months) == ("question", None, ())


TWO = HEAD + GPU + rows("gpu", 100, 101, 99, phase="serve") + TRN + rows("trn2", 300, 301, 299, phase="serve")


def test_a_training_saving_is_no_serving_saving() -> None:
    decision = csv(TWO, settings=MARGIN)
    (other,) = decision.others
    assert [(d.phase, word(d)) for d in (decision, other)] == [("train", "SWITCH"), ("serve", "STAY")]
    assert [{c.run.phase for c in d.runs} for d in (decision, other)] == [{"train"}, {"serve"}]
    assert other.others == ()


def test_workloads_come_in_the_order_posted_and_can_be_chosen() -> None:
    text = HEAD + "".join(
        rows("gpu", 3600, 3610, 3590, workload=w) + rows("trn2", 4000, 4010, 3990, workload=w, price="30")
        for w in ("whisper", "bert", "llama")
    )
    decision = csv(text, settings=MARGIN)
    assert [d.workload for d in (decision, *decision.others)] == ["whisper", "bert", "llama"]
    chosen = csv(text, settings=MARGIN, workload="bert")
    assert (chosen.workload, word(chosen), chosen.others) == ("bert", "SWITCH", ())


def test_a_workload_with_one_arm_is_undecided_beside_one_that_is_decided() -> None:
    decision = csv(HEAD + GPU + TRN + rows("gpu", 100, 101, workload="whisper"), settings=MARGIN)
    (other,) = decision.others
    assert (word(decision), word(other), reasons(other)) == ("SWITCH", None, ["one-arm"])
    assert other.workload == "whisper"
    assert other.cost is not None
    assert other.cost.arms["gpu"].cost_per_unit == pytest.approx(50 * 100.5 / 3600)


def test_arms_that_stand_alone_keep_their_runs_figures_and_lost_requests() -> None:
    text = "arm,run,duration_s,requests_attempted,requests_completed,price_usd_per_hour\ngpu,1,3600,100,50,9\n"
    decision = csv(text)
    assert {"one-arm", "error-rate-high"} <= codes(decision)
    assert (decision.incumbent, decision.candidate, len(decision.runs)) == (None, None, 1)
    assert decision.cost is not None
    assert decision.cost.theta.reason == "no-arms"
    assert decision.cost.arms["gpu"].cost_per_unit == pytest.approx(9)


@pytest.mark.parametrize(
    "broken", [{"settings": "horizonn: 12m\n"}, {"contracts": "contracts:\n  - id: x\n"}, {"prices": "a,b\nc,1\n"}]
)
def test_a_file_that_tells_how_to_judge_and_cannot_be_read_leaves_no_verdict(broken: dict[str, str]) -> None:
    assert word(csv(HEAD + GPU + TRN, **{"settings": MARGIN, **broken})) is None


def test_the_first_run_left_out_is_shown_beside() -> None:
    decision = csv(HEAD + GPU + rows("trn2", 9000, 4000, 4010, 3990, price="30"), settings=MARGIN)
    assert "first-run-slow" in codes(decision)
    assert decision.with_first_run_left_out is not None
    assert decision.with_first_run_left_out.point == pytest.approx(30 * 4000 * 3 / (50 * (3610 + 3590 + 3605)))
    assert csv(HEAD + GPU + TRN).with_first_run_left_out is None


INITIALISED = "arm,run,duration_s,initialisation_s,price_usd_per_hour\n" + "".join(
    f"gpu,{i},{3600 + i},60,50\ntrn2,{i},{4000 + i},{2000 if i == 1 else 20},30\n" for i in (1, 2, 3)
)


@pytest.mark.parametrize("counted", ["false", "true"])
def test_initialisation_is_shown_beside_or_counted_and_never_twice(counted: str) -> None:
    decision = csv(INITIALISED, count_initialisation=counted)
    assert decision.cost is not None
    assert decision.with_initialisation is not None
    counted_in = 30 * (12006 + 2040) / (50 * (10806 + 180))
    assert decision.with_initialisation.point == pytest.approx(counted_in)
    assert decision.cost.theta.point == pytest.approx(counted_in if counted == "true" else 30 * 12006 / (50 * 10806))


def test_the_incumbent_is_the_first_in_every_table_of_arms() -> None:
    decision = csv(HEAD + GPU + TRN, settings=MARGIN, baseline="trn2")
    assert (decision.incumbent, decision.candidate) == ("trn2", "gpu")
    assert decision.cost is not None
    assert list(decision.cost.arms) == ["trn2", "gpu"]
    assert list(decision.quality[0].arms) == ["trn2", "gpu"]


def test_overrides_settings_and_what_was_given_are_kept() -> None:
    decision = csv(HEAD + GPU + TRN, settings=MARGIN, horizon="18m")
    assert decision.settings.horizon_months == 18
    assert decision.settings_given == ("horizon_months", "margins")


@pytest.mark.parametrize("day", [date(1999, 1, 1), date(2026, 12, 1), date(2090, 6, 30)])
def test_the_day_is_an_argument_and_the_settings_win(day: date) -> None:
    posted = (PostedFile.from_bytes("pilot.csv", (HEAD + GPU + TRN).encode()),)
    assert analyse(Evidence(posted), day).decided_on == day
    given = PostedFile.from_bytes("steelyard.yml", b"decision_date: 2027-03-31\n")
    assert analyse(Evidence(posted, given), day).decided_on == date(2027, 3, 31)


CLOCKS = {"now", "utcnow", "today"}
OUTSIDE = {"time", "random", "secrets", "uuid", "os", "socket", "subprocess", "urllib", "http", "threading"}


def _calls_and_imports(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names} & OUTSIDE
        elif isinstance(node, ast.ImportFrom):
            found |= {(node.module or "").split(".")[0]} & OUTSIDE
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
            found |= {node.func.attr} & CLOCKS
    return found


def test_the_engine_reads_no_clock_no_chance_and_no_environment() -> None:
    sources = sorted((ROOT / "scoring").rglob("*.py"))
    assert len(sources) > 50
    found = {str(p.relative_to(ROOT)): _calls_and_imports(ast.parse(p.read_text(encoding="utf-8"))) for p in sources}
    assert {path: names for path, names in found.items() if names} == {}
    assert _calls_and_imports(ast.parse("import random\nfrom datetime import date\ndate.today()")) == {
        "random",
        "today",
    }


MANY = HEAD + GPU + TRN + rows("gpu", 1, 2, workload="b") + rows("trn2", 60.0, 119.0, workload="b", wer=741.0)


def record(settings: str = MARGIN) -> str:
    return decide(("pilot.csv", MANY), settings=settings).model_dump_json()


def test_the_same_input_gives_the_same_decision() -> None:
    assert record() == record()
    assert record() != record("margins: {wer: 0.3}\n")


def test_the_same_input_gives_the_same_decision_in_another_process() -> None:
    """Names are hashed differently in every process: no order may come from a set."""
    program = "from tests.scoring.test_analysis import record; print(record(), end='')"

    def begun(seed: str) -> subprocess.Popen[str]:
        env = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)

    both = [begun("1"), begun("2")]
    said = [process.communicate(timeout=60)[0] for process in both]
    assert said == [record(), record()]


def test_the_day_of_the_tests_is_fixed() -> None:
    assert csv(HEAD + GPU + TRN).decided_on == TODAY


def test_what_could_not_be_collected_keeps_the_verdict_back() -> None:
    posted = (PostedFile.from_bytes("pilot.csv", (HEAD + GPU + TRN).encode()),)
    given = PostedFile.from_bytes("steelyard.yml", MARGIN.encode())
    lost = error("not-understood", file="more.csv", found="?", expected="a table")
    whole = analyse(Evidence(posted, given), TODAY)
    part = analyse(Evidence(posted, given, problems=(lost,)), TODAY)
    assert word(whole) == "SWITCH" and word(part) != "SWITCH"
    assert lost in part.problems


COUNTED = "gpu,1,3600,10,{}\ngpu,2,3610,10,{}\ngpu,3,3590,10,{}\ntrn2,1,3900,8,{}\ntrn2,2,3920,8,{}\ntrn2,3,3890,8,{}\n"


@pytest.mark.parametrize(
    ("verdict", "cells"),
    [
        ("SWITCH", ["812/1000", "815/1000", "811/1000", "812/1000", "815/1000", "811/1000"]),
        ("BLOCKED", ["812-1000"] * 6),
        ("BLOCKED", ["812/1000", "815/1000", "811/1000", "good", "good", "good"]),
    ],
)
def test_nobody_moves_on_the_cost_alone_where_a_quality_was_posted(verdict: str, cells: list[str]) -> None:
    text = "arm,run,duration_s,price_usd_per_hour,exact_match\n" + COUNTED.format(*cells)
    found = csv(text, **{"margin.exact_match": "0.02"})
    assert word(found) == verdict
    assert [q.metric for q in found.quality] == (["exact_match"] if verdict == "SWITCH" else [])
