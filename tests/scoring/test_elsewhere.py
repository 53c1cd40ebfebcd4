"""A limit of one workload does not keep another back that is measured by something else."""

import pytest

from scoring.model.decision import Decision, Word
from scoring.model.problem import Severity
from scoring.plan import PlanRequest, plan_runs
from tests.scoring.helpers import csv

HEAD = "workload,phase,arm,run,duration_s,price_usd_per_hour,wer,mos,ttft_p99_s,status\n"
ASR = {"gpu": "7.4,,,", "trn2": "7.4,,,"}
TTS = {"gpu": ",4.1,,", "trn2": ",4.1,,"}
PLAIN = {"gpu": ",,,", "trn2": ",,,"}
CHAT = {"gpu": ",,0.3,", "trn2": ",,0.3,"}
MARGINS = "baseline: gpu\nmargins: {wer: 0.3, mos: {absolute: 0.2, direction: higher}}\n"
WER = "baseline: gpu\nmargins: {wer: 0.3}\n"
TTFT = "baseline: gpu\nlatency_limits: {ttft_p99_ms: 400}\n"


def spread(measured: str, run: int) -> str:
    """A quality that differs from run to run."""
    return measured.replace("7.4", f"7.4{run}").replace("4.1", f"4.1{run}")


def posted(**workloads: tuple[str, dict[str, str]]) -> str:
    lines = [
        f"{name},{phase},{arm},{i},{(3600 if arm == 'gpu' else 2600) + 9 * i},50,{spread(measured, i)}\n"
        for name, (phase, arms) in workloads.items()
        for arm, measured in arms.items()
        for i in range(1, 5)
    ]
    return HEAD + "".join(lines)


def limits(decision: Decision, workload: str) -> list[tuple[str, Severity, str, str | None]]:
    of = next(d for d in (decision, *decision.others) if d.workload == workload)
    codes = ("guardrail-not-measured", "limit-not-measured", "limit-of-another")
    return [(p.code, p.severity, str(p.arguments["metric"]), p.found) for p in of.problems if p.code in codes]


def of(metric: str, whose: str) -> list[tuple[str, Severity, str, str | None]]:
    return [("limit-of-another", Severity.INFO, metric, whose)]


def blocks(metric: str, arms: str = "gpu, trn2") -> list[tuple[str, Severity, str, str | None]]:
    return [("guardrail-not-measured", Severity.QUESTION, metric, arms)]


TUNE, SERVE = "finetune", "serve"
CASES = {
    "each has its own metric": (
        MARGINS, {"asr": (TUNE, ASR), "tts": (TUNE, TTS)},
        {"asr": of("mos", "tts finetune"), "tts": of("wer", "asr finetune")},
    ),
    "one has none": (WER, {"asr": (TUNE, ASR), "mt": (TUNE, PLAIN)}, {"asr": [], "mt": of("wer", "asr finetune")}),
    "nobody measured it": (
        WER, {"tts": (TUNE, TTS), "mt": (TUNE, PLAIN)}, {"tts": blocks("wer"), "mt": blocks("wer")},
    ),
    "measured on one arm here": (
        WER, {"asr": (TUNE, ASR), "mt": (TUNE, {"gpu": "7,,,", "trn2": ",,,"})},
        {"asr": [], "mt": blocks("wer", "trn2")},
    ),
    "measured in failed runs alone": (
        WER, {"asr": (TUNE, {"gpu": "7.4,,,", "trn2": "7.4,,,"} | dict.fromkeys(ASR, "7.4,,,failed")),
              "mt": (TUNE, PLAIN)},
        {"mt": blocks("wer")},
    ),
    "measured by what is no comparison": (
        WER, {"asr": (TUNE, {"gpu": "7.4,,,"}), "mt": (TUNE, PLAIN)}, {"mt": blocks("wer")},
    ),
    "a latency of another": (
        TTFT, {"chat": (SERVE, CHAT), "embed": (SERVE, PLAIN)}, {"chat": [], "embed": of("ttft_p99", "chat serve")},
    ),
    "a latency of training, which is judged by none": (
        TTFT, {"chat": (TUNE, CHAT), "embed": (SERVE, PLAIN)}, {"embed": blocks("ttft_p99")},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("settings", "workloads", "wanted"), CASES.values(), ids=CASES)
def test_a_limit_is_judged_where_it_was_measured(
    settings: str,
    workloads: dict[str, tuple[str, dict[str, str]]],
    wanted: dict[str, list[tuple[str, Severity, str, str | None]]],
) -> None:
    decision = csv(posted(**workloads), settings=settings)
    assert {name: limits(decision, name) for name in wanted} == wanted


def test_what_is_anothers_limit_blocks_nothing_and_the_own_one_is_held() -> None:
    decision = csv(posted(asr=(TUNE, ASR), tts=(TUNE, TTS)), settings=MARGINS)
    assert {d.workload: d.verdict.word for d in (decision, *decision.others)} == {
        "asr": Word.SWITCH, "tts": Word.SWITCH,
    }  # fmt: skip
    assert [[q.metric for q in d.quality] for d in (decision, *decision.others)] == [["wer"], ["mos"]]


def test_asked_for_alone_it_is_still_the_others_limit() -> None:
    decision = csv(posted(asr=(TUNE, ASR), mt=(TUNE, PLAIN)), settings=f"{WER}workload: mt\n")
    assert (decision.workload, limits(decision, "mt")) == ("mt", of("wer", "asr finetune"))


def test_a_plan_asks_for_its_own_metrics_alone() -> None:
    decision = csv(posted(asr=(TUNE, ASR), tts=(TUNE, TTS)), settings=f"{MARGINS}workload: tts\n")
    plan = plan_runs(decision, PlanRequest(runs=6, seed=1))
    assert [need.metric for need in plan.guardrails] == ["mos"]
    assert "mos" in plan.columns
    assert "wer" not in plan.columns
