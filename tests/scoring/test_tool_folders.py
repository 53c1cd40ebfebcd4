"""Two arms of one tool's files in a folder: a decision, or a question that says what is missing."""

import pytest

from scoring.analysis import Evidence, analyse
from scoring.model.decision import Decision
from scoring.reading.posted import PostedFile
from tests.scoring.helpers import TODAY
from tests.scoring.reading.tools.samples import SAMPLES

SETTINGS = """baseline: gpu
candidate: trn2
prices:
  gpu: {per_hour: 55.04, basis: list}
  trn2: {per_hour: 24.80, basis: list}
"""
SPEEDS = {"gpu": (1.0, 1.01, 0.99, 1.005), "trn2": (1.2, 1.21, 1.19, 1.205)}


def decide(name: str, beside: str | None = None) -> Decision:
    """What is decided on four runs an arm, each in a folder of its own as tools lay them out."""
    postings = []
    for _, file, content in (SAMPLES[n] for n in (name, beside) if n):
        postings += [
            PostedFile.from_bytes(f"{arm}/run{i}/{file}", content(speed).encode())
            for arm, speeds in SPEEDS.items()
            for i, speed in enumerate(speeds, start=1)
        ]
    settings = PostedFile.from_bytes("steelyard.yml", SETTINGS.encode())
    return analyse(Evidence(postings=tuple(postings), settings=settings), today=TODAY)


def asked(decision: Decision) -> list[str]:
    """Codes of what keeps a part of the answer back."""
    return [p.code for p in decision.problems if p.severity in ("error", "question")]


WORDS = {
    "vllm_throughput": "SWITCH",
    "mlperf_offline": "SWITCH",
    "vllm_latency": "STAY",
    "sglang": "EXTEND",
    "aiperf": "EXTEND",
    "genai_perf_csv": "EXTEND",
    "hf_all_results": "EXTEND",
    "mlperf_server": "EXTEND",
    "llmperf": "EXTEND",
    "nxd": "EXTEND",
    "optimum": "STAY",
    "inferencemax": "EXTEND",
    "torchtitan": "EXTEND",
    "tensorboard": "EXTEND",
}
"""What four runs an arm decide: cost alone a switch; qualities and latencies without spread
more runs, and a latency that is a fifth longer none."""


@pytest.mark.parametrize("name", WORDS)
def test_the_cost_ratio_is_that_of_prices_and_times(name: str) -> None:
    decision = decide(name)
    assert decision.cost is not None
    assert decision.cost.theta.point == pytest.approx(24.80 / 55.04 * 1.2, rel=0.01)
    assert (decision.verdict.word, asked(decision)) == (WORDS[name], [])


def test_two_tools_for_two_arms_are_told() -> None:
    """What SGLang and vLLM call by one name need not be one."""
    postings = [
        PostedFile.from_bytes(f"{arm}/{i}.json", SAMPLES[name][2](1 + i / 100).encode())
        for arm, name in (("gpu", "vllm_serve"), ("trn2", "sglang"))
        for i in range(3)
    ]
    decision = analyse(Evidence(postings=tuple(postings)), today=TODAY)
    (told,) = [p.found for p in decision.problems if p.code == "condition-differs"]
    assert told is not None and "measured_with: vLLM bench serve / SGLang bench_serving" in told


def test_scores_alone_ask_for_time_or_cost() -> None:
    decision = decide("lm_eval")
    assert (decision.verdict.word, asked(decision)) == (None, ["cost-missing"])


def test_scores_beside_times_guard_the_move() -> None:
    """Evaluations have no time of their own: they add quality and change no cost."""
    decision = decide("vllm_throughput", beside="lm_eval")
    assert decision.cost is not None
    assert decision.cost.theta.point == pytest.approx(24.80 / 55.04 * 1.2, rel=0.01)
    assert {q.metric for q in decision.quality} == {
        "gsm8k_exact_match_strict_match", "wikitext_word_perplexity", "mmlu_acc",
    }  # fmt: skip
    assert asked(decision) == []
