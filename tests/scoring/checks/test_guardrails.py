"""A limit that is set and cannot be judged must not pass for one that holds."""

from typing import Any

import pytest

from scoring.checks.guardrails import check
from tests.scoring.scenes import Posted, run, runs, scene, settings, short, summary

WER = {"wer": 7.4}
TTFT = {"ttft_p99": 0.4}


def with_(arm: str, *qualities: dict[str, float], **fields: Any) -> Posted:
    return [run(arm, quality=q, **fields) for q in qualities]


NONE_POSTED = ("quality-not-posted", "warning", None, None)


@pytest.mark.parametrize(
    ("wanted", "given", "incumbent", "candidate"),
    [
        ([], {}, with_("gpu", WER, WER), with_("trn2", WER, WER)),
        ([NONE_POSTED], {}, runs("gpu", [1]), runs("trn2", [1])),
        ([("quality-one-arm", "question", "wer", "trn2")], {}, with_("gpu", WER), runs("trn2", [1])),
        ([("quality-one-arm", "question", "acc", "gpu"), ("quality-one-arm", "question", "wer", "trn2")], {},
         with_("gpu", WER), with_("trn2", {"acc": 0.9})),
        ([("guardrail-not-measured", "question", "WER", "trn2")], {"margins": {"WER": {"absolute": 0.2}}},
         with_("gpu", WER), runs("trn2", [1])),
        ([("guardrail-not-measured", "question", "wer", "gpu")], {"margins": {"wer": {"absolute": 0.2}}},
         runs("gpu", [1]), summary("trn2", n=3, quality={"wer": (7, 1)})),
        ([("guardrail-not-measured", "question", "bleu", "gpu, trn2")], {"margins": {"bleu": {"absolute": 0.2}}},
         with_("gpu", WER), with_("trn2", WER)),
        ([("limit-not-measured", "warning", "bleu", None)],
         {"margins": {"bleu": {"absolute": 0.2}, "wer": {"absolute": 0.2}}}, with_("gpu", WER), with_("trn2", WER)),
        ([NONE_POSTED], {"latency_limits_s": {}},
         with_("gpu", {}, phase="serve"), with_("trn2", {}, phase="serve")),
        ([], {"latency_limits_s": {"ttft_p99": 0.5}}, with_("gpu", WER, phase="train"),
         with_("trn2", WER, phase="train")),
        ([("quality-incomplete", "warning", "wer", "1")], {}, with_("gpu", WER, {}), with_("trn2", WER, WER)),
        ([], {}, [*with_("gpu", WER), run("gpu", status="failed")], with_("trn2", WER)),
        ([], {"latency_limits_s": {"ttft_p99": 0.5}}, with_("gpu", WER, latency=TTFT),
         with_("trn2", WER, latency=TTFT)),
        ([("guardrail-not-measured", "question", "ttft_p99", "trn2")], {"latency_limits_s": {"ttft_p99": 0.5}},
         with_("gpu", WER, latency=TTFT), with_("trn2", WER)),
        ([("guardrail-not-measured", "question", "TTFT-p99", "trn2")], {"latency_limits_s": {"TTFT-p99": 0.5}},
         with_("gpu", WER, latency=TTFT), [*with_("trn2", WER, latency=TTFT), *with_("trn2", WER)]),
        ([("guardrail-not-measured", "question", "ttft_p99", "gpu")], {"latency_limits_s": {"ttft_p99": 0.5}},
         summary("gpu", n=3, quality={"wer": (7, 1)}, latency={"ttft_p99": (0.4, 0.1)}),
         with_("trn2", WER, latency=TTFT)),
        ([("guardrail-not-measured", "question", "tpot_p99", "gpu, trn2")], {"latency_limits_s": {"tpot_p99": 0.5}},
         with_("gpu", WER, latency=TTFT),
         with_("trn2", WER, latency=TTFT)),
    ],
)  # fmt: skip
def test_guardrails(wanted: list[Any], given: dict[str, Any], incumbent: Posted, candidate: Posted) -> None:
    said = short(check(scene(incumbent, candidate, settings(**given))), "metric", "found")
    assert [(c, s, m, None if f is None else str(f)) for c, s, m, f in said] == wanted
