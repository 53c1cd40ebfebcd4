"""The p of each part says what the rules say, by formula or searched for with the rules themselves."""

import pytest

from scoring.model.decision import Decision
from tests.scoring.helpers import csv

HEAD = "workload,arm,run,duration_s,price_usd_per_hour,wer,ttft_p99_ms\n"
SPREAD = (-0.02, 0.0, 0.02, 0.01)


def posting(latency: float, wer: float, settings: str) -> Decision:
    text = HEAD + "".join(
        f"{work},{arm},{i},{seconds * (1 + x):.1f},36,{quality + x:.3f},{tail * (1 + x):.2f}\n"
        for work in ("asr", "tts")
        for arm, seconds, quality, tail in (("gpu", 1000, 7.0, 200.0), ("trn2", 700, wer, latency))
        for i, x in enumerate(SPREAD, start=1)
    )
    return csv(text, settings=settings)


LIMIT = "margins: {wer: 0.3}\nlatency_limits: {ttft_p99: 230ms}\n"
MARGIN = "margins: {wer: 0.3}\nlatency_margin: 0.15\n"


@pytest.mark.parametrize("earlier", ["", "earlier_looks: [3]\n"])
@pytest.mark.parametrize("settings", [LIMIT, MARGIN])
@pytest.mark.parametrize("wer", [7.0, 7.27, 7.5])
@pytest.mark.parametrize("latency", [190.0, 222.0, 260.0])
def test_a_part_passes_exactly_where_its_p_is_below_alpha(
    latency: float, wer: float, settings: str, earlier: str
) -> None:
    decision = posting(latency, wer, settings + earlier)
    claim, (quality,), (tail,) = decision.claim, decision.quality, decision.latency
    assert claim is not None and claim.p_cost is not None
    assert claim.p_cost < 0.05
    assert (tail.limit_s is not None) == ("latency_limits" in settings)
    found = {metric: p < 0.05 for metric, p in claim.p_guardrails.items()}
    assert found == {quality.metric: quality.non_inferior, tail.metric: tail.passes}
    assert claim.p == max(claim.p_cost, *claim.p_guardrails.values())
